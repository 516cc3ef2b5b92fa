#include "trace/ctl_literals.hpp"

#include <algorithm>
#include <string_view>

namespace cohort::trace::ctl {
namespace {

constexpr std::size_t most_digits = 18;  // of an integer that the language's own lexer reads

[[nodiscard]] bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

[[nodiscard]] base::Span span(std::size_t begin, std::size_t end) {
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

}  // namespace

Literals::Literals(const base::Source& original)
    : original_(original.text()),
      source_(base::Source::from_text(original.name(), masked(original))) {}

std::string Literals::masked(const base::Source& original) {
  std::string text{original.text()};
  const auto hide = [&](std::size_t begin, std::size_t end) {
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
              text.begin() + static_cast<std::ptrdiff_t>(end), '_');
  };
  const std::size_t size = text.size();
  for (std::size_t at = 0; at < size;) {
    const std::size_t begin = at;
    const std::string_view rest = std::string_view{text}.substr(at);
    if (rest.starts_with("//")) {
      at = std::min(text.find('\n', at), size);
    } else if (rest.starts_with("/*")) {
      const std::size_t close = text.find("*/", at + 2);
      at = close == std::string::npos ? size : close + 2;
    } else if (is_letter(text[at])) {
      while (at < size && (is_letter(text[at]) || is_digit(text[at]))) ++at;
    } else if (is_digit(text[at])) {
      while (at < size && is_digit(text[at])) ++at;
      const bool point = at + 1 < size && text[at] == '.' && is_digit(text[at + 1]);
      if (point) {
        ++at;
        while (at < size && is_digit(text[at])) ++at;
      }
      if (!point && at - begin <= most_digits) continue;
      literals_.push_back({span(begin, at), false, text.substr(begin, at - begin)});
      hide(begin, at);
    } else if (text[at] == '"') {
      std::string characters;
      bool closed = false;
      for (++at; at < size && text[at] != '\n' && !closed; ++at) {
        if (text[at] == '"') {
          closed = true;
        } else if (text[at] != '\\') {
          characters += text[at];
        } else if (at + 1 < size &&
                   std::string_view{"\"\\nt"}.find(text[at + 1]) != std::string_view::npos) {
          ++at;
          characters += text[at] == 'n' ? '\n' : (text[at] == 't' ? '\t' : text[at]);
        } else {
          errors_.error(span(at, at + 1), "a backslash that stands before nothing",
                        "write '\\\\' for a backslash");
        }
      }
      if (!closed) errors_.error(span(begin, at), "the string is not closed");
      literals_.push_back({span(begin, at), true, characters});
      hide(begin, at);
    } else {
      ++at;
    }
  }
  return text;
}

const Literals::Literal* Literals::at(base::Span where) const {
  const auto found = std::ranges::lower_bound(
      literals_, where.begin, {}, [](const Literal& literal) { return literal.where.begin; });
  return found != literals_.end() && found->where.begin == where.begin ? &*found : nullptr;
}

void Literals::hand_over(const base::Diagnostics& found, base::Diagnostics& diagnostics) const {
  for (const base::Diagnostic& error : errors_.sorted()) {
    diagnostics.error(error.where, error.message, error.hint);
  }
  if (errors_.has_errors()) return;  // what the parser says behind them is guesswork
  for (base::Diagnostic error : found.sorted()) {
    // A message quotes the token it is about; that may be a literal in disguise.
    if (const Literal* literal = at(error.where)) {
      const std::size_t length = literal->where.end - literal->where.begin;
      const std::string disguise = "'" + std::string(length, '_') + "'";
      const std::size_t quoted = error.message.find(disguise);
      if (quoted != std::string::npos) {
        error.message.replace(quoted + 1, length, original_, literal->where.begin, length);
      }
    }
    diagnostics.add(std::move(error));
  }
}

}  // namespace cohort::trace::ctl
