#include "cli/steps.hpp"

#include <charconv>
#include <optional>
#include <system_error>

namespace cohort::cli {
namespace {

[[nodiscard]] std::string_view trimmed(std::string_view text) {
  constexpr const char* blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

[[nodiscard]] std::optional<StepWords> parse_step(std::string_view text) {
  StepWords step;
  const std::size_t open = text.find('(');
  step.label = trimmed(text.substr(0, open));
  if (step.label.empty()) return std::nullopt;
  if (open == std::string_view::npos) return step;
  if (!text.ends_with(')')) return std::nullopt;
  std::string_view list = text.substr(open + 1, text.size() - open - 2);
  while (!trimmed(list).empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view word = trimmed(list.substr(0, comma));
    std::int64_t process = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), process);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    step.processes.push_back(process);
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return step;
}

}  // namespace

std::vector<StepWords> parse_steps(std::string_view text) {
  std::vector<StepWords> steps;
  while (!trimmed(text).empty()) {
    const std::size_t end = text.find(';');
    const std::string_view word = trimmed(text.substr(0, end));
    if (!word.empty()) {
      std::optional<StepWords> step = parse_step(word);
      if (!step) return {};
      steps.push_back(std::move(*step));
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return steps;
}

}  // namespace cohort::cli
