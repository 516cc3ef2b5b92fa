#include "report/diagnostics.hpp"

#include <fmt/format.h>

namespace cohort::report {

std::string text_of_findings(const lang::Loaded& loaded, Findings which) {
  std::string out;
  for (const lang::Problem& problem : loaded.problems) {
    out += fmt::format("{}: error: {}\n", problem.where, problem.message);
    if (!problem.hint.empty()) out += fmt::format("  hint: {}\n", problem.hint);
  }
  for (const auto& input : loaded.inputs) {
    if (which == Findings::Errors && !input->diagnostics.has_errors()) continue;
    out += base::render(input->source, input->diagnostics);
  }
  return out;
}

}  // namespace cohort::report
