// JSON lines without a process: every member that is a variable of the plan is a change.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "trace/format/json_scanner.hpp"
#include "trace/sequential/records.hpp"

namespace cohort::trace::sequential {
namespace {

[[nodiscard]] std::uint32_t column_of(std::string_view line, std::size_t byte) {
  std::uint32_t column = 1;
  for (std::size_t i = 0; i < byte && i < line.size(); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U) ++column;
  }
  return column;
}

class LineReader {
 public:
  explicit LineReader(Piece& piece) : piece_(piece) {}

  /// False if the line is wrong.
  [[nodiscard]] bool read(std::string_view line) {
    JsonScanner json{line};
    hint_.clear();
    assigned_.clear();
    if (json.open_object()) {
      while (json.next_member()) member(json);
    }
    if (!json.failed()) json.finish();
    if (!json.failed()) return true;
    piece_.complain(json.message(), hint_, column_of(line, json.where()));
    return false;
  }

 private:
  void member(JsonScanner& json) {
    const std::string_view key = json.key();
    if (key == "process") {
      hint_ = "a line with a process is of a partial order; --sequential reads one that is total";
      json.fail("a \"process\" in a sequential trace");
      return;
    }
    const auto variable = piece_.plan().atoms.find_variable(key);
    if (!variable) {
      (void)json.skip();
      return;
    }
    if (std::ranges::find(assigned_, *variable) != assigned_.end()) {
      json.fail(fmt::format("the line assigns '{}' twice", key));
      return;
    }
    assigned_.push_back(*variable);
    switch (json.type()) {
      case JsonScanner::Type::String: {
        const std::string_view text = json.string();
        if (!json.failed()) piece_.assign(*variable, Value::text(text));
        return;
      }
      case JsonScanner::Type::Number: {
        const std::size_t where = json.where();
        const std::string_view digits = json.number();
        if (json.failed()) return;
        const auto number = parse_number(digits, scratch_);
        if (number) {
          piece_.assign(*variable, *number);
        } else {
          json.fail_at(where, "the exponent of this number is too large");
        }
        return;
      }
      case JsonScanner::Type::Null:  // as an empty cell
        (void)json.skip();
        return;
      default:
        hint_ = "values are numbers and strings; write 1 and 0 for true and false";
        json.fail("expected a number or a string");
    }
  }

  Piece& piece_;
  std::string hint_;
  std::string scratch_;
  std::vector<std::uint32_t> assigned_;  // variables, in the line so far
};

}  // namespace

const char* JsonLinesReader::read(const char* begin, const char* end, const char* stop,
                                  bool complete, Piece& piece) const {
  LineReader reader{piece};
  const char* p = begin;
  while (p < stop) {
    const auto* line_end =
        static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (line_end == nullptr) {
      if (!complete) return p;
      line_end = end;
    }
    std::string_view line{p, static_cast<std::size_t>(line_end - p)};
    if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    const char* const next = line_end == end ? end : line_end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      piece.add_lines(1);
      p = next;
      continue;
    }
    const bool right = reader.read(line);
    if (piece.failed()) return p;
    p = next;
    if (!right) {
      piece.add_lines(1);
      continue;
    }
    piece.end_of_record();
    if (!piece.wants_more()) return p;
  }
  return p;
}

}  // namespace cohort::trace::sequential
