#include "trace/sequential/plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cohort::trace::sequential {

void Plan::add_ltl(const std::string& name, const std::string& formula) {
  properties.push_back(
      Property::from_ltl(atoms, properties.size(), name, formula, extension, limits));
}

void Plan::add_monitor(base::Source source) {
  properties.push_back(Property::from_monitor(atoms, properties.size(), std::move(source)));
}

void Plan::add_automaton(base::Source source) {
  properties.push_back(
      Property::from_automaton(atoms, properties.size(), std::move(source), extension));
}

bool Plan::ok() const {
  return std::ranges::all_of(properties, [](const Property& property) { return property.ok(); });
}

void Plan::finish(unsigned scale) {
  time = atoms.variable("time");
  atoms.compile(scale);
  initial.resize(atoms.variables().size());
  uses.assign(atoms.size(), {});
  needs.assign(properties.size(), {});
  needs_count.assign(properties.size(), 0);
  shown.assign(properties.size(), {});
  shown_slots.assign(properties.size(), {});
  patterns.assign(properties.size(), std::nullopt);
  for (std::uint32_t p = 0; p < properties.size(); ++p) {
    const Property& property = properties[p];
    std::map<std::uint32_t, std::uint64_t> changes;
    std::set<std::uint32_t> variables;
    std::set<std::uint32_t> past;
    const auto need = [&](std::uint32_t slot_number) {
      const Slot& slot = atoms.slots()[slot_number];
      if (atoms.variables()[slot.variable].name != "time") variables.insert(slot.variable);
      if (slot.asked != Asked::Value || slot.ago > 0) past.insert(slot_number);
      if (slot.asked == Asked::Count) {
        needs_count[p] = 1;
      } else {
        std::uint64_t& most = changes[slot.variable];
        most = std::max<std::uint64_t>(most, slot.ago + 1);
      }
    };
    for (std::uint32_t bit = 0; bit < property.atoms().size(); ++bit) {
      const std::uint32_t atom = property.atoms()[bit];
      uses[atom].push_back({p, bit});
      for (const std::uint32_t slot : atoms[atom].slots) need(slot);
      if (atoms[atom].kind == AtomInfo::Kind::Assigns) variables.insert(atoms[atom].variable);
    }
    for (const std::uint32_t slot : property.counters().slots) need(slot);
    for (const auto& [variable, number] : changes) needs[p].push_back({variable, number});
    shown[p].assign(variables.begin(), variables.end());
    shown_slots[p].assign(past.begin(), past.end());
    if (statistics && property.kind() == Property::Kind::Ltl) {
      patterns[p] = find_pattern(property.formulas(), property.formula());
      if (patterns[p]) find_time_interval(property, *patterns[p]);
    }
  }
}

/// `G(x?T - x?1?T <= 5)` bounds the time between changes of x.
void Plan::find_time_interval(const Property& property, Pattern& pattern) const {
  if (pattern.scope != Pattern::Scope::Globally ||
      (pattern.kind != Pattern::Kind::Universality && pattern.kind != Pattern::Kind::Absence)) {
    return;
  }
  for (const std::uint32_t atom : property.atoms()) {
    std::set<Slot> slots;
    for (const std::uint32_t slot : atoms[atom].slots) slots.insert(atoms.slots()[slot]);
    for (const Slot& slot : slots) {
      if (slot.asked != Asked::Time || slot.ago != 0) continue;
      if (!slots.contains({slot.variable, Asked::Time, 1})) continue;
      pattern.kind = Pattern::Kind::TimeInterval;
      pattern.variable = slot.variable;
      return;
    }
  }
}

}  // namespace cohort::trace::sequential
