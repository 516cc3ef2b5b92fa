#include "report/diagnostics.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace cohort::report {

std::string text_of_findings(const lang::Loaded& loaded) {
  std::string out;
  for (const lang::Problem& problem : loaded.problems) {
    out += fmt::format("{}: error: {}\n", problem.where, problem.message);
    if (!problem.hint.empty()) out += fmt::format("  hint: {}\n", problem.hint);
  }
  for (const auto& input : loaded.inputs) out += base::render(input->source, input->diagnostics);
  return out;
}

nlohmann::json json_of_errors(const lang::Loaded& loaded) {
  nlohmann::json errors = nlohmann::json::array();
  const auto add = [&](nlohmann::json error, const std::string& hint) {
    if (!hint.empty()) error["hint"] = hint;
    errors.push_back(std::move(error));
  };
  for (const lang::Problem& problem : loaded.problems) {
    add({{"file", problem.where}, {"line", 1}, {"column", 1}, {"message", problem.message}},
        problem.hint);
  }
  for (const auto& input : loaded.inputs) {
    for (const base::Diagnostic& found : input->diagnostics.sorted()) {
      if (found.severity != base::Severity::Error) continue;
      const base::Position at = input->source.position(found.where.begin);
      add({{"file", input->source.name()},
           {"line", at.line},
           {"column", at.column},
           {"message", found.message}},
          found.hint);
    }
  }
  return errors;
}

}  // namespace cohort::report
