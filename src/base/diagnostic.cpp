#include "base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/utf8.hpp"

namespace cohort::base {
namespace {

/// A piece of a line that fits a terminal, and how much of it stands before the place to show.
struct Excerpt {
  std::string text;
  std::string under;  ///< blanks, and tabs where the text has tabs, up to the caret
};

[[nodiscard]] bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Moves a byte position left to the start of its code point.
[[nodiscard]] std::size_t code_point_start(std::string_view line, std::size_t at) {
  while (at > 0 && at < line.size() && is_continuation(line[at])) --at;
  return at;
}

/// What a terminal must not receive as it is: control characters, and bytes that are no UTF-8.
void append_printable(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const auto first = static_cast<unsigned char>(text[at]);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (first == '\t' || (first >= 0x20 && first != 0x7F)) {
      out += text.substr(at, length);
    } else {
      out += '?';
    }
    at += length == 0 ? 1 : length;
  }
}

[[nodiscard]] Excerpt excerpt(std::string_view line, std::size_t at) {
  constexpr std::size_t bytes_before = 100;
  constexpr std::size_t bytes_after = 60;
  at = std::min(at, line.size());
  const std::size_t begin = at > bytes_before ? code_point_start(line, at - bytes_before) : 0;
  const std::size_t end =
      line.size() - at > bytes_after ? code_point_start(line, at + bytes_after) : line.size();

  Excerpt shown;
  if (begin > 0) {
    shown.text = "…";
    shown.under = " ";
  }
  append_printable(shown.text, line.substr(begin, end - begin));
  if (end < line.size()) shown.text += "…";
  const std::string_view before = line.substr(begin, at - begin);
  for (std::size_t i = 0; i < before.size();) {
    shown.under += before[i] == '\t' ? '\t' : ' ';
    const std::size_t length = utf8_length(before, i);
    i += length == 0 ? 1 : length;
  }
  return shown;
}

[[nodiscard]] std::string_view word_for(Severity severity) {
  return severity == Severity::Error ? "error" : "warning";
}

}  // namespace

void Diagnostics::error(Span where, std::string message, std::string hint) {
  add({Severity::Error, where, std::move(message), std::move(hint)});
}

void Diagnostics::warning(Span where, const FindingCode& code, std::string message,
                          std::string hint) {
  add({Severity::Warning, where, std::move(message), std::move(hint), code.code});
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error) {
    if (++num_errors_ > most_errors) {
      ++num_left_out_;
      return;
    }
  } else if (++num_warnings_ > most_errors) {
    return;
  }
  found_.push_back(std::move(diagnostic));
}

void Diagnostics::weigh(const std::function<Weight(const std::string& code)>& weight) {
  std::vector<Diagnostic> kept;
  for (Diagnostic& diagnostic : found_) {
    if (!diagnostic.code.empty()) {
      const Weight its = weight(diagnostic.code);
      if (its == Weight::Off) continue;
      diagnostic.severity = its == Weight::Error ? Severity::Error : Severity::Warning;
    }
    kept.push_back(std::move(diagnostic));
  }
  found_ = std::move(kept);
}

bool Diagnostics::has_grave_warnings() const {
  return std::ranges::any_of(found_, [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::Error && !diagnostic.code.empty();
  });
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> in_order = found_;
  std::ranges::stable_sort(in_order, {}, [](const Diagnostic& d) { return d.where.begin; });
  // One value in a model's Evaluation is looked at once for each formula that needs it.
  const auto is_repeated = [](const Diagnostic& a, const Diagnostic& b) {
    return a.where.begin == b.where.begin && a.severity == b.severity && a.message == b.message;
  };
  in_order.erase(std::unique(in_order.begin(), in_order.end(), is_repeated), in_order.end());
  return in_order;
}

std::string render(const Source& source, const Diagnostic& diagnostic) {
  const Position place = source.position(diagnostic.where.begin);
  const std::string_view line = source.line(place.line);
  const auto offset =
      static_cast<std::size_t>(source.text().data() + diagnostic.where.begin - line.data());
  const Excerpt shown = excerpt(line, offset);
  const std::string code = diagnostic.code.empty() ? "" : fmt::format(" [{}]", diagnostic.code);
  std::string out = fmt::format("{}:{}:{}: {}: {}{}\n{:5} | {}\n      | {}^\n", source.name(),
                                place.line, place.column, word_for(diagnostic.severity),
                                diagnostic.message, code, place.line, shown.text, shown.under);
  if (!diagnostic.hint.empty()) out += fmt::format("  hint: {}\n", diagnostic.hint);
  return out;
}

std::string render(const Source& source, const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) out += render(source, diagnostic);
  if (diagnostics.num_left_out() > 0) {
    out += fmt::format("{}: {} more errors are not shown\n", source.name(),
                       diagnostics.num_left_out());
  }
  return out;
}

}  // namespace cohort::base
