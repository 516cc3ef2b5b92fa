#include "cohort/program.hpp"

#include <algorithm>
#include <utility>

#include "lang/load.hpp"

namespace cohort {
namespace {

[[nodiscard]] Diagnostic published(const base::Source& source, const base::Diagnostic& found) {
  const base::Position at = source.position(found.where.begin);
  const bool is_error = found.severity == base::Severity::Error;
  return {is_error ? Severity::Error : Severity::Warning,
          source.name(),
          at.line,
          at.column,
          found.message,
          found.hint};
}

[[nodiscard]] Loaded published(const lang::Loaded& loaded) {
  Loaded result;
  for (const lang::Problem& problem : loaded.problems) {
    result.diagnostics.push_back(
        {Severity::Error, problem.where, 0, 0, problem.message, problem.hint});
  }
  for (const auto& input : loaded.inputs) {
    for (const base::Diagnostic& found : input->diagnostics.sorted()) {
      result.diagnostics.push_back(published(input->source, found));
    }
  }
  for (const lang::Module& module : loaded.program.modules) {
    result.modules.emplace_back(module.name, module.size);
  }
  for (const lang::Formula& formula : loaded.formulas) result.properties.push_back(formula.name);
  return result;
}

[[nodiscard]] lang::LoadRequest request(const std::string& path, const Overrides& overrides) {
  lang::LoadRequest made;
  made.model = path;
  for (const auto& [name, value] : overrides) made.overrides.push_back({name, value});
  return made;
}

}  // namespace

bool Loaded::ok() const {
  return std::ranges::none_of(
      diagnostics, [](const Diagnostic& found) { return found.severity == Severity::Error; });
}

Loaded load_model(const std::string& path, const Overrides& overrides) {
  return published(lang::load(request(path, overrides)));
}

Loaded load_model_text(std::string name, const std::string& text, const Overrides& overrides) {
  const lang::LoadRequest made = request(name, overrides);
  return published(lang::load_text(std::move(name), text, made));
}

}  // namespace cohort
