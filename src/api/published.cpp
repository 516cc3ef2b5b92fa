#include "api/published.hpp"

#include <algorithm>

namespace cohort {

Diagnostic published(const base::Source& source, const base::Diagnostic& found) {
  const base::Position at = source.position(found.where.begin);
  const bool is_error = found.severity == base::Severity::Error;
  return {is_error ? Severity::Error : Severity::Warning,
          source.name(),
          at.line,
          at.column,
          found.message,
          found.hint};
}

std::vector<Diagnostic> published_findings(const lang::Loaded& loaded) {
  std::vector<Diagnostic> result;
  for (const lang::Problem& problem : loaded.problems) {
    result.push_back({Severity::Error, problem.where, 0, 0, problem.message, problem.hint});
  }
  for (const auto& input : loaded.inputs) {
    for (const base::Diagnostic& found : input->diagnostics.sorted()) {
      result.push_back(published(input->source, found));
    }
  }
  return result;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::any_of(
      diagnostics, [](const Diagnostic& found) { return found.severity == Severity::Error; });
}

}  // namespace cohort
