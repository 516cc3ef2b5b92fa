#include "lang/one_line.hpp"

#include <algorithm>

namespace cohort::lang {
namespace {

/// The end of the blank or comment that begins at `at`; `at` itself if none does.
[[nodiscard]] std::size_t end_of_gap(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == ' ' || c == '\t' || c == '\r' || c == '\n') return at + 1;
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (!rest.starts_with("/*")) return at;
  const std::size_t close = text.find("*/", at + 2);
  return close == std::string_view::npos ? text.size() : close + 2;
}

}  // namespace

std::string on_one_line(std::string_view text) {
  std::string line;
  bool gap = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_gap(text, at);
    if (end != at) {
      gap = true;
      at = end;
      continue;
    }
    if (gap && !line.empty()) line += ' ';
    gap = false;
    line += text[at++];
  }
  return line;
}

}  // namespace cohort::lang
