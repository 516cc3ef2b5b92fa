#include "quotient/guard.hpp"

#include <algorithm>

namespace cohort::quotient {

bool Guard::holds(const std::vector<std::uint32_t>& ranks) const {
  const std::uint32_t own = ranks[static_cast<std::size_t>(process)];
  return std::ranges::all_of(
      rivals, [&](model::Value rival) { return ranks[static_cast<std::size_t>(rival)] >= own; });
}

std::string to_string(const Guard& guard, const lang::Program& program) {
  const auto name = [&](model::Value process) {
    return program[guard.module].name + "(" + std::to_string(process) + ")";
  };
  std::string text = name(guard.process) + " is outranked by none of ";
  for (std::size_t i = 0; i < guard.rivals.size(); ++i) {
    if (i > 0) text += ", ";
    text += name(guard.rivals[i]);
  }
  return text;
}

std::optional<Guard> make_guard(base::SchemaId schema, lang::ModuleId module, model::Value process,
                                const std::vector<model::Value>& competitors) {
  Guard made{schema, module, process, competitors};
  std::erase(made.rivals, process);
  if (made.rivals.empty()) return std::nullopt;
  return made;
}

void sort_unique(std::vector<model::Value>& competitors) {
  std::ranges::sort(competitors);
  competitors.erase(std::unique(competitors.begin(), competitors.end()), competitors.end());
}

}  // namespace cohort::quotient
