#include "trace/property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ltl/finite_word.hpp"
#include "ltl/lower.hpp"
#include "ltl/parse.hpp"
#include "monitor/monitor_file.hpp"

namespace cohort::trace {
namespace {

/// Whether a formula without temporal operators holds at an event with this effect.  Recurses as
/// deep as the formula, which the parser limits.
[[nodiscard]] bool holds_at(ltl::Formula condition, const ltl::Formulas& formulas,
                            const EventAtoms& atoms, EffectId effect) {
  const auto holds = [&](ltl::Formula f) { return holds_at(f, formulas, atoms, effect); };
  switch (formulas.op(condition)) {
    case ltl::Operator::True:
      return true;
    case ltl::Operator::Atom:
      return atoms.holds(formulas.atom_of(condition), effect);
    case ltl::Operator::Not:
      return !holds(formulas.last(condition));
    case ltl::Operator::And:
      return std::ranges::all_of(formulas.operands(condition), holds);
    case ltl::Operator::Or:
      return std::ranges::any_of(formulas.operands(condition), holds);
    default:
      return false;
  }
}

/// The letters that occur.
[[nodiscard]] std::set<std::vector<bool>> letters_of(const EventAtoms& atoms,
                                                     const Vocabulary& words) {
  std::set<std::vector<bool>> letters;
  for (std::uint32_t effect = 0; effect < words.num_effects(); ++effect) {
    std::vector<bool> letter(atoms.size());
    for (std::uint32_t atom = 0; atom < atoms.size(); ++atom) {
      letter[atom] = atoms.holds(ltl::Atom{atom}, EffectId{effect});
    }
    letters.insert(std::move(letter));
  }
  return letters;
}

/// What grammar/monitor.ebnf allows and a partial order does not.
void check_guards(const monitor::MonitorFile& file, base::Diagnostics& diagnostics) {
  if (!file.counters.empty()) {
    diagnostics.error(file.counters.front().name.where, "a counter on a partial-order trace",
                      "counters are for sequential traces");
  }
  for (const monitor::Transition& transition : file.transitions) {
    const auto variables = monitor::variables_of(transition.guard);
    if (variables.size() < 2) continue;
    diagnostics.error(transition.guard.where,
                      fmt::format("the guard names two variables, '{}' and '{}'",
                                  ltl::syntax::canonical_text(*variables[0]),
                                  ltl::syntax::canonical_text(*variables[1])),
                      "on a partial order a guard is about what one event assigns to one variable");
  }
}

}  // namespace

Property::Property(Kind kind, std::string name, base::Source source, const Vocabulary& words)
    : kind_(kind),
      name_(std::move(name)),
      source_(std::make_unique<base::Source>(std::move(source))),
      diagnostics_(std::make_unique<base::Diagnostics>()),
      atoms_(std::make_unique<EventAtoms>(words, *diagnostics_)),
      formulas_(std::make_unique<ltl::Formulas>()) {
  text_ = kind == Kind::Ltl ? std::string{source_->text()} : source_->name();
}

Property Property::from_ltl(const std::string& name, const std::string& formula,
                            const Vocabulary& words, base::Limits* limits_of_run) {
  Property property{Kind::Ltl, name, base::Source::from_text(name, formula), words};
  const ltl::syntax::Expr tree = ltl::parse_formula(*property.source_, *property.diagnostics_);
  if (!property.ok()) return property;
  ltl::Formulas& formulas = *property.formulas_;
  const ltl::Formula f = ltl::lower(tree, formulas, *property.atoms_, *property.diagnostics_);
  if (property.ok()) property.atoms_->check_values(tree);
  if (!property.ok()) return property;
  for (std::uint32_t atom = 0; atom < property.atoms_->size(); ++atom) {
    property.add_meaning([atom, atoms = property.atoms_.get()](EffectId effect) {
      return atoms->holds(ltl::Atom{atom}, effect);
    });
  }
  // For all letters first, unless that gets long: those of the trace may be few.
  constexpr std::size_t most_effects = 1'000;
  constexpr std::uint64_t most_steps = 10'000'000;  // about a second
  const bool has_few_letters = words.num_effects() <= most_effects;
  ltl::TranslationLimits limits;
  limits.limits = limits_of_run;
  if (has_few_letters) limits.most_steps = most_steps;
  const ltl::Formula bad = formulas.negated(f);
  std::optional<ltl::Automaton> automaton =
      ltl::finite_automaton(formulas, bad, property.atoms_->names(), limits);
  if (!automaton && has_few_letters) {
    const std::set<std::vector<bool>> letters = letters_of(*property.atoms_, words);
    ltl::TranslationLimits of_letters;
    of_letters.limits = limits_of_run;
    of_letters.letters = &letters;
    of_letters.most_steps = 10 * most_steps;
    automaton = ltl::finite_automaton(formulas, bad, property.atoms_->names(), of_letters);
  }
  if (automaton) property.finish(std::move(*automaton), words);
  return property;
}

Property Property::from_monitor(base::Source source, const Vocabulary& words) {
  std::string path = source.name();
  Property property{Kind::Monitor, std::move(path), std::move(source), words};
  base::Diagnostics& diagnostics = *property.diagnostics_;
  const monitor::MonitorFile file = monitor::parse_monitor(*property.source_, diagnostics);
  if (!property.ok()) return property;
  property.name_ = file.name.text;
  check_guards(file, diagnostics);
  if (!property.ok()) return property;
  monitor::Monitor made = monitor::automaton_of(file, monitor::Trigger::OnAssignment);
  for (const monitor::MonitorAtom& atom : made.atoms) {
    if (atom.kind == monitor::MonitorAtom::Kind::Comparison) {
      property.add_condition(property.atoms_->atom(*atom.expr, *property.formulas_));
    } else {
      const auto variable = find_variable(*atom.expr, words, diagnostics);
      property.add_meaning([variable, vocabulary = &words](EffectId effect) {
        return std::ranges::any_of(
            vocabulary->assignments(effect),
            [&](const Assignment& assignment) { return assignment.variable == variable; });
      });
    }
  }
  for (const monitor::Transition& transition : file.transitions) {
    if (property.ok()) property.atoms_->check_values(transition.guard);
  }
  if (property.ok()) property.finish(std::move(made.automaton), words);
  return property;
}

Property Property::from_automaton(const std::string& name, base::Source source,
                                  ltl::Automaton automaton, const Vocabulary& words) {
  Property property{Kind::Automaton, name, std::move(source), words};
  ltl::Formulas& formulas = *property.formulas_;
  for (const std::string& text : automaton.atoms) {
    // The findings about an atom's name are shown with the name, for the file has its own syntax.
    const base::Source atom_source = base::Source::from_text("atom", text);
    base::Diagnostics found;
    EventAtoms trial{words, found};
    const ltl::syntax::Expr tree = ltl::parse_formula(atom_source, found);
    if (!found.has_errors()) (void)ltl::lower(tree, formulas, trial, found);
    if (!found.has_errors()) trial.check_values(tree);
    for (const base::Diagnostic& diagnostic : found.sorted()) {
      property.diagnostics_->error({}, fmt::format("atom '{}': {}", text, diagnostic.message),
                                   diagnostic.hint);
    }
    if (found.has_errors()) continue;
    const ltl::Formula condition =
        ltl::lower(tree, formulas, *property.atoms_, *property.diagnostics_);
    if (!formulas.is_boolean(condition)) {
      property.diagnostics_->error({}, fmt::format("atom '{}' has a temporal operator", text));
    }
    property.add_condition(condition);
  }
  if (property.ok()) property.finish(std::move(automaton), words);
  return property;
}

void Property::add_condition(ltl::Formula condition) {
  add_meaning([condition, formulas = formulas_.get(), atoms = atoms_.get()](EffectId effect) {
    return holds_at(condition, *formulas, *atoms, effect);
  });
}

void Property::add_meaning(std::function<bool(EffectId)> meaning) {
  meanings_.push_back(std::move(meaning));
}

void Property::finish(ltl::Automaton automaton, const Vocabulary& words) {
  for (const ltl::AutomatonState& state : automaton.states) state_names_.push_back(state.name);
  compiled_ = std::make_unique<monitor::Compiled>(std::move(automaton));
  letters_ = std::make_unique<Letters>(*compiled_, words, [&](ltl::Atom atom, EffectId effect) {
    return meanings_[static_cast<std::size_t>(atom)](effect);
  });
}

std::string Property::state_name(ltl::StateIndex m) const {
  return m < state_names_.size() && !state_names_[m].empty() ? state_names_[m] : std::to_string(m);
}

}  // namespace cohort::trace
