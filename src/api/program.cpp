#include "cohort/program.hpp"

#include <utility>

#include "api/published.hpp"
#include "lang/load.hpp"

namespace cohort {
namespace {

[[nodiscard]] Loaded published(const lang::Loaded& loaded) {
  Loaded result;
  result.diagnostics = published_findings(loaded);
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

bool Loaded::ok() const { return !has_errors(diagnostics); }

Loaded load_model(const std::string& path, const Overrides& overrides) {
  return published(lang::load(request(path, overrides)));
}

Loaded load_model_text(std::string name, const std::string& text, const Overrides& overrides) {
  const lang::LoadRequest made = request(name, overrides);
  return published(lang::load_text(std::move(name), text, made));
}

}  // namespace cohort
