#include "trace/sequential/piece.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace cohort::trace::sequential {
namespace {

__extension__ using Wide = __int128;

/// A formula without temporal operators.  Recurses as deep as it, which the parser limits.
[[nodiscard]] bool holds(const ltl::Formulas& formulas, ltl::Formula f,
                         const std::vector<std::uint64_t>& letter) {
  const auto operand_holds = [&](ltl::Formula g) { return holds(formulas, g, letter); };
  switch (formulas.op(f)) {
    case ltl::Operator::Atom: {
      const auto atom = static_cast<std::uint32_t>(formulas.atom_of(f));
      return (letter[atom / 64] >> (atom % 64) & 1U) != 0;
    }
    case ltl::Operator::Not:
      return !operand_holds(formulas.last(f));
    case ltl::Operator::And:
      return std::ranges::all_of(formulas.operands(f), operand_holds);
    case ltl::Operator::Or:
      return std::ranges::any_of(formulas.operands(f), operand_holds);
    default:
      return formulas.op(f) == ltl::Operator::True;
  }
}

[[nodiscard]] bool compare_with_zero(Relation relation, Wide sum) {
  switch (relation) {
    case Relation::Equal:
      return sum == 0;
    case Relation::NotEqual:
      return sum != 0;
    case Relation::Less:
      return sum < 0;
    case Relation::LessEqual:
      return sum <= 0;
    case Relation::Greater:
      return sum > 0;
    case Relation::GreaterEqual:
      return sum >= 0;
  }
  return false;
}

}  // namespace

Piece::Piece(const Plan& plan) : plan_(plan) {
  const std::size_t variables = plan.atoms.variables().size();
  now_.resize(variables);
  first_counts_.assign(variables, 0);
  for (Now& now : now_) now.value = Held::unknown();
  prepare(false);
}

Piece::Piece(const Plan& plan, const History& before, bool from_start,
             const std::vector<std::uint64_t>& until)
    : plan_(plan), known_start_(true), until_(until) {
  const std::size_t variables = plan.atoms.variables().size();
  now_.resize(variables);
  first_counts_.resize(variables);
  prepare(from_start);
  for (std::uint32_t v = 0; v < variables; ++v) {
    Now& now = now_[v];
    const VariableHistory& history = before.variables[v];
    now.value = before.value(plan, v);
    now.count = history.count;
    first_counts_[v] = history.count;
    if (!now.keeps_history) continue;
    now.filled = static_cast<std::uint32_t>(history.values.size());
    std::ranges::copy(history.values, now.values.begin());
    std::ranges::copy(history.times, now.times.begin());
  }
  for (std::uint32_t v = 0; v < variables; ++v) {
    if (now_[v].value.is_fixed()) {
      enter_region(v);
    } else {
      for (const std::uint32_t atom : plan.atoms.regions(v).atoms) evaluate(atom);
    }
  }
  for (std::uint32_t atom = 0; atom < plan.atoms.size(); ++atom) {
    const AtomInfo::Kind kind = plan.atoms[atom].kind;
    if (kind == AtomInfo::Kind::Linear || kind == AtomInfo::Kind::General) evaluate(atom);
  }
  if (position_ == next_stop_) stop_properties();
}

void Piece::prepare(bool from_start) {
  const Atoms& atoms = plan_.atoms;
  const std::size_t properties = plan_.properties.size();
  truth_.assign(atoms.size(), 0);
  lacking_.assign(atoms.size(), 0);
  assigns_.resize(atoms.variables().size());
  for (std::uint32_t atom = 0; atom < atoms.size(); ++atom) {
    if (atoms[atom].kind == AtomInfo::Kind::Assigns) {
      assigns_[atoms[atom].variable].push_back(atom);
    }
  }
  for (std::uint32_t v = 0; v < now_.size(); ++v) {
    Now& now = now_[v];
    now.keeps_history = atoms.variables()[v].history;
    now.follows = now.keeps_history || !atoms.readers(v).empty() || !assigns_[v].empty();
    if (!now.keeps_history) continue;
    now.values.resize(atoms.variables()[v].depth + std::size_t{1});
    now.times.resize(now.values.size());
  }
  if (until_.empty()) until_.assign(properties, never);
  letters_.resize(properties);
  counting_.resize(properties);
  counter_runs_.reserve(properties);
  from_.assign(properties, never);
  active_.assign(properties, 0);
  marked_.assign(properties, 0);
  runs_.reserve(properties);
  for (std::uint32_t p = 0; p < properties; ++p) {
    const Property& property = plan_.properties[p];
    letters_[p].assign(monitor::num_words(property.atoms().size()), 0);
    std::vector<StateIndex> seeds;
    if (!property.has_automaton()) {
      // Nothing runs; the verdict is unknown.
    } else if (from_start) {
      seeds.push_back(property.compiled().start());
    } else {
      seeds.resize(property.compiled().num_states() + 1);  // and the dead one
      std::iota(seeds.begin(), seeds.end(), StateIndex{0});
    }
    runs_.emplace_back(property, std::move(seeds));
    counter_runs_.emplace_back();
    if (property.has_counters() && property.has_automaton()) {
      counter_runs_.back().emplace(
          property, from_start ? CounterRuns::Start::OfTrace : CounterRuns::Start::Unknown);
    }
    if (!property.has_automaton()) continue;
    if (plan_.patterns[p]) counting_[p].emplace(*plan_.patterns[p], from_start);
    if (known_start_ || plan_.needs_count[p] == 0) ++waiting_;
    next_stop_ = std::min(next_stop_, until_[p]);
  }
}

void Piece::enter_region(std::uint32_t variable) {
  Now& now = now_[variable];
  const Atoms::Regions& regions = plan_.atoms.regions(variable);
  const auto after = std::ranges::upper_bound(regions.begins, now.value.fixed());
  const auto region = static_cast<std::size_t>(after - regions.begins.begin()) - 1;
  now.low = regions.begins[region];
  now.high = after == regions.begins.end() ? INT64_MAX : *after - 1;
  const std::uint8_t* const truth = regions.truth.data() + region * regions.atoms.size();
  for (std::size_t i = 0; i < regions.atoms.size(); ++i) set_atom(regions.atoms[i], truth[i] != 0);
}

void Piece::assign(std::uint32_t variable, const Value& value) {
  Now& now = now_[variable];
  now.before = now.value;
  now.value.set(value, plan_.atoms.scale());
  now.assigned_at = position_;
  ++now.count;
  if (now.value.is_fixed()) {
    if (now.value.fixed() < now.low || now.value.fixed() > now.high) enter_region(variable);
  } else {
    now.low = 1;  // the next number has to look for its region
    now.high = 0;
    if (now.value.is_text() && plan_.atoms.variables()[variable].needs_number) {
      complain(fmt::format("{} is a text, and '{}' is compared or computed with as a number",
                           quoted(value.characters()), plan_.atoms.variables()[variable].name));
    }
    for (const std::uint32_t atom : plan_.atoms.regions(variable).atoms) evaluate(atom);
  }
  if (now.follows) touched_.push_back(variable);
}

void Piece::set_atom(std::uint32_t atom, bool truth) {
  if ((truth_[atom] != 0) == truth) return;
  truth_[atom] = truth ? 1 : 0;
  for (const AtomUse& use : plan_.uses[atom]) {
    if (active_[use.property] == 0) continue;
    letters_[use.property][use.bit / 64] ^= std::uint64_t{1} << (use.bit % 64);
    mark(use.property);
  }
}

void Piece::mark(std::uint32_t property) {
  if (marked_[property] != 0) return;
  marked_[property] = 1;
  steps_.push_back(property);
}

/// History, and the atoms that depend on more than one value.
void Piece::after_changes() {
  touched_later_ = false;
  for (const std::uint32_t atom : last_assigned_atoms_) set_atom(atom, false);
  last_assigned_atoms_.clear();
  for (const std::uint32_t v : touched_) {
    Now& now = now_[v];
    if (now.keeps_history) {
      const auto size = static_cast<std::uint32_t>(now.values.size());
      now.newest = now.newest == 0 ? size - 1 : now.newest - 1;
      now.filled = std::min(now.filled + 1, size);
      now.values[now.newest] = now.value;
      if (plan_.time) now.times[now.newest] = now_[*plan_.time].value;
    }
    for (const std::uint32_t atom : assigns_[v]) {
      set_atom(atom, true);
      last_assigned_atoms_.push_back(atom);
    }
  }
  for (const std::uint32_t v : touched_) {
    for (const std::uint32_t atom : plan_.atoms.readers(v)) evaluate(atom);
  }
  touched_.clear();
  // A line that assigns nothing has to take the truth of "assigns" back.
  touched_later_ = !last_assigned_atoms_.empty();
}

Held Piece::slot_value(std::uint32_t slot_number) const {
  const Slot& slot = plan_.atoms.slots()[slot_number];
  const Now& now = now_[slot.variable];
  if (slot.asked == Asked::Value && slot.ago == 0) return now.value;
  if (slot.asked == Asked::Count) {
    const std::uint64_t count = now.count > slot.ago ? now.count - slot.ago : 0;
    return Held::of(Value::integer(static_cast<std::int64_t>(count)), plan_.atoms.scale());
  }
  if (slot.ago >= now.count) {
    return slot.asked == Asked::Value ? plan_.initial[slot.variable] : Held{};
  }
  const std::size_t size = now.values.size();
  const std::size_t place = (now.newest + std::size_t{slot.ago}) % size;
  return slot.asked == Asked::Value ? now.values[place] : now.times[place];
}

bool Piece::slots_known(std::uint32_t atom) const {
  if (known_start_) return true;
  return std::ranges::all_of(plan_.atoms[atom].slots, [&](std::uint32_t slot_number) {
    const Slot& slot = plan_.atoms.slots()[slot_number];
    if (slot.asked == Asked::Count || now_[slot.variable].count <= slot.ago) return false;
    return slot.asked != Asked::Time || slot_value(slot_number).is_known();
  });
}

bool Piece::linear(const AtomInfo& atom, bool& truth) const {
  Wide sum = atom.constant;
  for (std::size_t i = 0; i < atom.slots.size(); ++i) {
    const Slot& slot = plan_.atoms.slots()[atom.slots[i]];
    if (slot.asked == Asked::Value && slot.ago == 0) {
      const Held& held = now_[slot.variable].value;
      if (!held.is_fixed()) return false;
      sum += Wide{atom.factors[i]} * held.fixed();
      continue;
    }
    const Held held = slot_value(atom.slots[i]);
    if (!held.is_fixed()) return false;
    sum += Wide{atom.factors[i]} * held.fixed();
  }
  truth = compare_with_zero(atom.relation, sum);
  return true;
}

void Piece::evaluate(std::uint32_t number) {
  if (!slots_known(number)) return;
  const AtomInfo& atom = plan_.atoms[number];
  bool truth = false;
  if (atom.kind == AtomInfo::Kind::Linear && linear(atom, truth)) {
    set_atom(number, truth);
    return;
  }
  std::vector<Held> held(atom.slots.size());
  for (std::size_t i = 0; i < held.size(); ++i) held[i] = slot_value(atom.slots[i]);
  const std::optional<bool> truth_now = atom.comparison->evaluate([&](VariableId slot) {
    const auto place = std::ranges::find(atom.slots, static_cast<std::uint32_t>(slot));
    return held[static_cast<std::size_t>(place - atom.slots.begin())].value(plan_.atoms.scale());
  });
  if (atom.may_lack_value) set_lacking(number, !truth_now);
  set_atom(number, truth_now.value_or(false));
}

void Piece::set_lacking(std::uint32_t atom, bool lacking) {
  if ((lacking_[atom] != 0) == lacking) return;
  lacking_[atom] = lacking ? 1 : 0;
  if (lacking) {
    ++num_lacking_;
  } else {
    --num_lacking_;
  }
}

/// Some atom has no value now.  Does a property that is looked at need it?
void Piece::find_fault() {
  if (fault_ || !problems_.empty()) return;
  std::optional<std::uint32_t> first;
  for (std::uint32_t p = 0; p < plan_.properties.size(); ++p) {
    if (active_[p] == 0) continue;
    const auto atom = plan_.properties[p].value_checks().fault(truth_, lacking_);
    if (atom && (!first || *atom < *first)) first = atom;
  }
  if (!first) return;
  fault_ = Fault{{line(), 0, fmt::format("division by zero in '{}'", plan_.atoms[*first].name),
                  "`& | ->` stop early: ask first whether the divisor is 0"},
                 *first};
}

void Piece::start_properties() {
  for (std::uint32_t p = 0; p < plan_.properties.size(); ++p) {
    if (from_[p] != never || !plan_.properties[p].has_automaton()) continue;
    if (!known_start_) {
      if (plan_.needs_count[p] != 0) continue;
      const bool known = std::ranges::all_of(plan_.needs[p], [&](const Need& need) {
        return now_[need.variable].count >= need.changes;
      });
      if (!known) continue;
      // The time of a change in the first lines can still be unknown.
      const bool atoms_known = std::ranges::all_of(
          plan_.properties[p].atoms(), [&](std::uint32_t atom) { return slots_known(atom); });
      const bool counters_known =
          std::ranges::all_of(plan_.properties[p].counters().slots,
                              [&](std::uint32_t slot) { return slot_value(slot).is_known(); });
      if (!atoms_known || !counters_known) continue;
      // Distances in time begin with a time that is known.
      if (counting_[p] && plan_.has_times && !now_[*plan_.time].value.is_known()) continue;
    }
    start_property(p);
  }
}

void Piece::start_property(std::uint32_t p) {
  --waiting_;
  active_[p] = 1;
  from_[p] = position_;
  const std::vector<std::uint32_t>& atoms = plan_.properties[p].atoms();
  std::ranges::fill(letters_[p], 0);
  for (std::size_t bit = 0; bit < atoms.size(); ++bit) {
    if (truth_[atoms[bit]] != 0) letters_[p][bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  mark(p);
  if (counting_[p] || counter_runs_[p]) counters_.push_back(p);
  counts_ = !counters_.empty();
}

/// What the letter of a property says about its pattern.
void Piece::set_conditions(std::uint32_t p) {
  const Pattern& pattern = *plan_.patterns[p];
  const ltl::Formulas& formulas = plan_.properties[p].formulas();
  const auto truth = [&](ltl::Formula f) { return holds(formulas, f, letters_[p]); };
  Conditions conditions;
  conditions.p = pattern.kind == Pattern::Kind::TimeInterval
                     ? now_[pattern.variable].assigned_at == position_
                     : truth(pattern.p);
  conditions.s = pattern.has_s() && truth(pattern.s);
  conditions.q = pattern.has_q() && truth(pattern.q);
  conditions.r = pattern.has_r() && truth(pattern.r);
  counting_[p]->set(conditions);
}

void Piece::count() {
  for (const std::uint32_t p : counters_) {
    if (active_[p] == 0) continue;
    if (counter_runs_[p]) {
      Held held;
      counter_runs_[p]->step(
          letters_[p].data(),
          [&](std::uint32_t slot) {
            held = slot_value(slot);
            return held.value(plan_.atoms.scale());
          },
          line());
      continue;
    }
    Counting& counting = *counting_[p];
    if (plan_.patterns[p]->kind == Pattern::Kind::TimeInterval) set_conditions(p);
    if (!counting.busy()) continue;
    const Held& time = now_[*plan_.time].value;
    counting.step({position_, line(), stamp_of(time, plan_.atoms.scale())});
  }
}

void Piece::stop_properties() {
  next_stop_ = never;
  done_ = true;
  for (std::uint32_t p = 0; p < until_.size(); ++p) {
    if (!plan_.properties[p].has_automaton()) continue;
    if (until_[p] <= position_) {
      if (active_[p] == 0 && from_[p] == never) --waiting_;
      active_[p] = 0;
      if (from_[p] == never) from_[p] = position_;
    } else {
      next_stop_ = std::min(next_stop_, until_[p]);
      done_ = false;
    }
  }
}

void Piece::step() {
  std::swap(steps_, next_steps_);
  steps_.clear();
  for (const std::uint32_t p : next_steps_) marked_[p] = 0;
  for (const std::uint32_t p : next_steps_) {
    if (active_[p] == 0) continue;
    if (counting_[p]) set_conditions(p);
    const bool again = runs_[p].step(letters_[p].data(), [&] { return place(p); });
    if (again) mark(p);
  }
  next_steps_.clear();
  if (counts_) count();
}

Place Piece::place(std::uint32_t property) const {
  Place place;
  place.position = position_;
  place.line = line();
  if (plan_.time) place.time = now_[*plan_.time].value;
  for (const std::uint32_t v : plan_.shown[property]) {
    const Now& now = now_[v];
    place.now.push_back(now.value);
    place.before.push_back(now.assigned_at == position_ ? now.before : now.value);
  }
  // All of these are known: a property starts when what it asks about is.
  for (const std::uint32_t slot : plan_.shown_slots[property]) {
    place.past.push_back(slot_value(slot));
  }
  return place;
}

void Piece::complain(std::string message, std::string hint, std::uint32_t column) {
  if (stuck_) return;
  problems_.push_back(Problem{line(), column, std::move(message), std::move(hint)});
  stuck_ = problems_.size() > most_problems;
}

void Piece::fail(std::string message, std::string hint, std::uint32_t column) {
  complain(std::move(message), std::move(hint), column);
  stuck_ = true;
}

PieceSummary Piece::summary() const {
  PieceSummary summary;
  summary.positions = position_;
  summary.lines = position_ + extra_lines_;
  summary.problems = problems_;
  summary.stuck = stuck_;
  summary.fault = fault_;
  for (std::uint32_t v = 0; v < now_.size(); ++v) {
    const Now& now = now_[v];
    VariableHistory history;
    history.count = now.count - first_counts_[v];
    if (now.keeps_history) {
      const std::uint64_t fresh = std::min<std::uint64_t>(history.count, now.filled);
      for (std::uint64_t i = 0; i < fresh; ++i) {
        const std::size_t place = (now.newest + i) % now.values.size();
        history.values.push_back(now.values[place]);
        history.times.push_back(now.times[place]);
      }
    } else if (history.count > 0) {
      history.values.push_back(now.value);
    }
    summary.history.variables.push_back(std::move(history));
  }
  for (std::uint32_t p = 0; p < plan_.properties.size(); ++p) {
    PropertySummary property;
    property.from = std::min(from_[p], position_);
    if (plan_.properties[p].has_automaton()) {
      property.runs = runs_[p].summary(std::min(until_[p], position_) - property.from);
      if (counting_[p]) property.counting = counting_[p]->summary();
      if (counter_runs_[p]) property.counters = counter_runs_[p]->summary();
    }
    summary.properties.push_back(std::move(property));
  }
  return summary;
}

}  // namespace cohort::trace::sequential
