#include "report/json_writer.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "base/utf8.hpp"

namespace cohort::report {
namespace {

void write_text(std::ostream& out, std::string_view text) {
  out << '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = base::utf8_length(text, at);
    const auto first = static_cast<unsigned char>(text[at]);
    if (length == 0) {
      out << "\xEF\xBF\xBD";
    } else if (first == '"' || first == '\\') {
      out << '\\' << text[at];
    } else if (first == '\n') {
      out << "\\n";
    } else if (first < 0x20 || first == 0x7F) {
      out << fmt::format("\\u{:04x}", first);
    } else {
      out << text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  out << '"';
}

}  // namespace

void JsonWriter::begin(char open, char close, Layout layout) {
  separate();
  if (!open_.empty() && open_.back().layout == Layout::Line) layout = Layout::Line;
  out_ << open;
  open_.push_back({close, layout, true});
}

void JsonWriter::end() {
  assert(!open_.empty() && !after_key_);
  const Open last = open_.back();
  open_.pop_back();
  if (!last.empty && last.layout == Layout::Lines) new_line();
  out_ << last.close;
  if (open_.empty()) out_ << '\n';
}

void JsonWriter::new_line() {
  out_ << '\n';
  for (std::size_t i = 0; i < open_.size(); ++i) out_ << "  ";
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) return;
  if (!open_.back().empty) out_ << ',';
  if (open_.back().layout == Layout::Lines) {
    new_line();
  } else if (!open_.back().empty) {
    out_ << ' ';
  }
  open_.back().empty = false;
}

void JsonWriter::key(std::string_view name) {
  separate();
  write_text(out_, name);
  out_ << ": ";
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
  separate();
  write_text(out_, text);
}

void JsonWriter::value(bool truth) {
  separate();
  out_ << (truth ? "true" : "false");
}

void JsonWriter::value(std::int64_t number) {
  separate();
  out_ << number;
}

void JsonWriter::value(std::uint64_t number) {
  separate();
  out_ << number;
}

void JsonWriter::value(double number) {
  separate();
  // JSON has no infinity.
  if (std::isfinite(number)) {
    out_ << fmt::format("{:.6g}", number);
  } else {
    out_ << "null";
  }
}

void JsonWriter::null() {
  separate();
  out_ << "null";
}

void JsonWriter::written(std::string_view json) {
  separate();
  out_ << json;
}

}  // namespace cohort::report
