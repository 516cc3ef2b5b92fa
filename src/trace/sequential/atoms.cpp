#include "trace/sequential/atoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "trace/event_atoms.hpp"
#include "trace/sequential/linear.hpp"

namespace cohort::trace::sequential {
namespace {

[[nodiscard]] cpp_int floor_of(const cpp_rational& number) {
  cpp_int quotient;
  cpp_int rest;
  boost::multiprecision::divide_qr(cpp_int{numerator(number)}, cpp_int{denominator(number)},
                                   quotient, rest);
  if (rest < 0) --quotient;
  return quotient;
}

[[nodiscard]] bool divides(const Comparison& comparison) {
  const auto is_division = [](const Term::Instruction& step) {
    return step.step == Term::Step::Divide || step.step == Term::Step::Modulo;
  };
  return std::ranges::any_of(comparison.left().steps(), is_division) ||
         std::ranges::any_of(comparison.right().steps(), is_division);
}

/// The fixed values x with `x relation bound`.
[[nodiscard]] Interval interval_of(Relation relation, const cpp_rational& bound) {
  const cpp_int least = std::numeric_limits<std::int64_t>::min();
  const cpp_int most = std::numeric_limits<std::int64_t>::max();
  const cpp_int below = floor_of(bound);
  const bool whole = cpp_rational{below} == bound;
  cpp_int low = least;
  cpp_int high = most;
  switch (relation) {
    case Relation::Less:
      high = whole ? cpp_int{below - 1} : below;
      break;
    case Relation::LessEqual:
      high = below;
      break;
    case Relation::Greater:
      low = below + 1;
      break;
    case Relation::GreaterEqual:
      low = whole ? below : cpp_int{below + 1};
      break;
    case Relation::Equal:
    case Relation::NotEqual:
      low = below;
      high = whole ? below : cpp_int{below - 1};
      break;
  }
  Interval interval;
  interval.outside = relation == Relation::NotEqual;
  low = std::max(low, least);
  high = std::min(high, most);
  if (low <= high) {
    interval.low = low.convert_to<std::int64_t>();
    interval.high = high.convert_to<std::int64_t>();
  }
  return interval;
}

}  // namespace

std::uint32_t Atoms::variable(std::string_view name) {
  const auto known = variable_numbers_.find(name);
  if (known != variable_numbers_.end()) return known->second;
  const auto made = static_cast<std::uint32_t>(variables_.size());
  variable_numbers_.emplace(name, made);
  variables_.emplace_back().name = name;
  return made;
}

std::optional<std::uint32_t> Atoms::find_variable(std::string_view name) const {
  const auto known = variable_numbers_.find(name);
  if (known == variable_numbers_.end()) return std::nullopt;
  return known->second;
}

std::uint32_t Atoms::slot(const Slot& slot) {
  const auto [place, is_new] =
      slot_numbers_.emplace(slot, static_cast<std::uint32_t>(slots_.size()));
  if (is_new) {
    slots_.push_back(slot);
    Variable& variable = variables_[slot.variable];
    if (slot.asked != Asked::Value || slot.ago > 0) variable.history = true;
    if (slot.asked != Asked::Count) variable.depth = std::max(variable.depth, slot.ago);
  }
  return place->second;
}

std::optional<std::uint32_t> Atoms::find(const std::string& name) const {
  const auto known = atom_numbers_.find(name);
  if (known == atom_numbers_.end()) return std::nullopt;
  return known->second;
}

std::uint32_t Atoms::add(AtomInfo info) {
  const auto [place, is_new] =
      atom_numbers_.emplace(info.name, static_cast<std::uint32_t>(atoms_.size()));
  if (is_new) atoms_.push_back(std::move(info));
  return place->second;
}

unsigned Atoms::places_of_constants() const {
  unsigned places = 0;
  for (const AtomInfo& atom : atoms_) {
    if (!atom.comparison) continue;
    for (const Term* const term : {&atom.comparison->left(), &atom.comparison->right()}) {
      for (const Term::Instruction& step : term->steps()) {
        if (step.step != Term::Step::Constant) continue;
        const Value value = term->constant(step.operand);
        if (value.kind() == Value::Kind::Number) places = std::max(places, value.scale());
      }
    }
  }
  return std::min(places, largest_scale);
}

void Atoms::compile(unsigned scale) {
  scale_ = scale;
  regions_.assign(variables_.size(), {});
  readers_.assign(variables_.size(), {});
  for (AtomInfo& atom : atoms_) classify(atom);
  for (std::uint32_t i = 0; i < atoms_.size(); ++i) {
    const AtomInfo& atom = atoms_[i];
    if (atom.kind == AtomInfo::Kind::Single) {
      regions_[atom.variable].atoms.push_back(i);
    } else if (atom.kind != AtomInfo::Kind::Assigns) {
      std::set<std::uint32_t> read;
      for (const std::uint32_t slot : atom.slots) read.insert(slots_[slot].variable);
      for (const std::uint32_t variable : read) readers_[variable].push_back(i);
    }
    if (!atom.needs_numbers) continue;
    for (const std::uint32_t slot : atom.slots) {
      if (slots_[slot].asked == Asked::Value) variables_[slots_[slot].variable].needs_number = true;
      // The time of a change is compared like a number: a text there makes no sense either.
      if (slots_[slot].asked == Asked::Time) {
        if (const auto time = this->time()) variables_[*time].needs_number = true;
      }
    }
  }
  for (std::uint32_t v = 0; v < variables_.size(); ++v) make_regions(v);
}

void Atoms::classify(AtomInfo& atom) const {
  if (!atom.comparison) return;
  atom.kind = AtomInfo::Kind::General;
  const Comparison& comparison = *atom.comparison;
  const bool one_value = atom.slots.size() == 1 && slots_[atom.slots[0]].asked == Asked::Value &&
                         slots_[atom.slots[0]].ago == 0;
  if (one_value) atom.variable = slots_[atom.slots[0]].variable;
  if (comparison.left().is_text() || comparison.right().is_text()) {
    if (!one_value) return;
    atom.kind = AtomInfo::Kind::Single;
    atom.about_text = true;
    atom.text_equal = comparison.relation() == Relation::Equal;
    const Term& constant = comparison.left().is_text() ? comparison.left() : comparison.right();
    atom.text = constant.constant(0).characters();
    atom.interval = {};
    atom.interval.outside = !atom.text_equal;  // a number is not equal to a text
    return;
  }
  std::optional<LinearForm> form = difference_of(comparison);
  if (!form) return;
  const cpp_int unit = power_of_ten(scale_);
  if (one_value) {
    const cpp_rational factor = form->factors.begin()->second;
    if (factor == 0) return;
    const cpp_rational bound = -form->constant / factor * unit;
    const Relation relation = comparison.relation();
    atom.interval = interval_of(factor < 0 ? mirrored(relation) : relation, bound);
    atom.kind = AtomInfo::Kind::Single;
    return;
  }
  // Whole numbers, small enough for the sum to fit into 128 bits.
  cpp_int common = 1;
  for (const auto& [slot, factor] : form->factors) {
    common = boost::multiprecision::lcm(common, cpp_int{denominator(factor)});
  }
  common = boost::multiprecision::lcm(common, cpp_int{denominator(form->constant)});
  form->scale(cpp_rational{common});
  std::vector<std::int64_t> factors;
  const cpp_int largest = cpp_int{1} << 40U;
  for (const std::uint32_t slot : atom.slots) {
    const cpp_int factor{numerator(form->factors[slot])};
    if (factor > largest || factor < -largest) return;
    factors.push_back(factor.convert_to<std::int64_t>());
  }
  const cpp_int constant = cpp_int{numerator(form->constant)} * unit;
  if (constant > (cpp_int{1} << 62U) || constant < -(cpp_int{1} << 62U)) return;
  if (atom.slots.size() > 1000) return;
  atom.kind = AtomInfo::Kind::Linear;
  atom.factors = std::move(factors);
  atom.constant = constant.convert_to<std::int64_t>();
  atom.relation = comparison.relation();
}

void Atoms::make_regions(std::uint32_t variable) {
  Regions& regions = regions_[variable];
  std::set<std::int64_t> begins{std::numeric_limits<std::int64_t>::min()};
  for (const std::uint32_t atom : regions.atoms) {
    const Interval& interval = atoms_[atom].interval;
    if (interval.low > interval.high) continue;
    begins.insert(interval.low);
    if (interval.high < std::numeric_limits<std::int64_t>::max()) begins.insert(interval.high + 1);
  }
  regions.begins.assign(begins.begin(), begins.end());
  for (const std::int64_t begin : regions.begins) {
    for (const std::uint32_t atom : regions.atoms) {
      const Interval& interval = atoms_[atom].interval;
      const bool inside = interval.low <= begin && begin <= interval.high;
      regions.truth.push_back(inside != interval.outside ? 1 : 0);
    }
  }
}

std::uint32_t AtomReader::mention(const std::string& name, base::Span where) {
  const std::uint32_t made = atoms_.variable(name);
  Variable& variable = atoms_.variables()[made];
  if (!variable.required) {
    variable.required = true;
    variable.property = property_;
    variable.where = where;
  }
  return made;
}

std::optional<std::uint32_t> AtomReader::slot(const ltl::syntax::Expr& expr) {
  const std::optional<std::string> name = variable_name(expr, diagnostics_);
  if (!name) return std::nullopt;
  constexpr std::uint64_t most_changes = 1'000'000;
  if (expr.history.changes_ago > most_changes) {
    diagnostics_.error(expr.where, fmt::format("history of more than {} changes", most_changes));
    return std::nullopt;
  }
  if (expr.history.asked == Asked::Time) (void)mention("time", expr.where);
  return atoms_.slot({mention(*name, expr.where), expr.history.asked,
                      static_cast<std::uint32_t>(expr.history.changes_ago)});
}

std::optional<std::uint32_t> AtomReader::comparison(const ltl::syntax::Expr& expr, bool& truth) {
  std::string name = ltl::syntax::canonical_text(expr);
  if (const auto known = atoms_.find(name)) return known;
  AtomInfo info;
  info.comparison = make_comparison(
      expr,
      [&](const ltl::syntax::Expr& variable) -> std::optional<VariableId> {
        const auto found = slot(variable);
        if (!found) return std::nullopt;
        return VariableId{*found};
      },
      diagnostics_);
  truth = true;
  if (!info.comparison) return std::nullopt;
  for (const VariableId slot : info.comparison->variables()) {
    info.slots.push_back(static_cast<std::uint32_t>(slot));
  }
  if (info.slots.empty()) {
    const auto holds = info.comparison->evaluate([](VariableId) { return Value{}; });
    if (!holds) diagnostics_.error(expr.where, "division by zero");
    truth = holds.value_or(true);
    return std::nullopt;
  }
  const Relation relation = info.comparison->relation();
  info.needs_numbers = (relation != Relation::Equal && relation != Relation::NotEqual) ||
                       !info.comparison->left().is_plain() || !info.comparison->right().is_plain();
  info.may_lack_value = divides(*info.comparison) && !difference_of(*info.comparison);
  info.name = std::move(name);
  return atoms_.add(std::move(info));
}

std::optional<std::uint32_t> AtomReader::assigns(const ltl::syntax::Expr& expr) {
  const std::optional<std::string> name = variable_name(expr, diagnostics_);
  if (!name) return std::nullopt;
  AtomInfo info;
  info.kind = AtomInfo::Kind::Assigns;
  info.variable = mention(*name, expr.where);
  info.name = ":= " + *name;
  return atoms_.add(std::move(info));
}

std::uint32_t AtomReader::number(std::uint32_t atom) {
  const auto known = std::ranges::find(own_, atom);
  if (known != own_.end()) return static_cast<std::uint32_t>(known - own_.begin());
  own_.push_back(atom);
  return static_cast<std::uint32_t>(own_.size() - 1);
}

ltl::Formula AtomReader::atom(const ltl::syntax::Expr& expr, ltl::Formulas& formulas) {
  bool truth = true;
  const auto found = comparison(expr, truth);
  if (!found) return formulas.constant(truth);
  return formulas.atom(ltl::Atom{number(*found)});
}

std::vector<std::string> AtomReader::names() const {
  std::vector<std::string> names;
  for (const std::uint32_t atom : own_) names.push_back(atoms_[atom].name);
  return names;
}

}  // namespace cohort::trace::sequential
