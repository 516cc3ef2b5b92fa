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

Guards::Guards(const model::Program& program)
    : program_(program), generator_(program), colours_(program.num_processes(), 0) {
  for (const model::Schema& schema : program.schemas()) {
    ranks_.emplace_back(schema.priority == nullptr ? 0 : 1, 0);
  }
}

std::optional<Guard> Guards::of(const model::Word* state,
                                const model::Program::Instance& instance) {
  const lang::Schema& schema = program_.source()[instance.schema];
  if (!schema.priority) return std::nullopt;
  const std::uint32_t slot = schema.priority->slot;
  Guard made{instance.schema, schema.slots[slot].module, instance.processes[slot], {}};
  model::Sight sight;
  sight.colours = colours_.data();
  sight.ranks = &ranks_;
  for (const model::InstanceCode code : generator_.fireable(state, sight).codes()) {
    const model::Program::Instance other = program_.instance(code);
    if (other.schema != instance.schema || other.processes[0] != instance.processes[0]) continue;
    if (other.processes[slot] != made.process) made.rivals.push_back(other.processes[slot]);
  }
  std::ranges::sort(made.rivals);
  const auto repeated = std::ranges::unique(made.rivals);
  made.rivals.erase(repeated.begin(), repeated.end());
  if (made.rivals.empty()) return std::nullopt;
  return made;
}

}  // namespace cohort::quotient
