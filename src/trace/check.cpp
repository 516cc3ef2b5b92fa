#include "trace/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "ltl/finite_word.hpp"
#include "ltl/lower.hpp"
#include "ltl/parse.hpp"
#include "trace/ltl_explicit.hpp"
#include "trace/ltl_symbolic.hpp"

namespace cohort::trace {

Property Property::from_ltl(std::string name, const std::string& formula, const Vocabulary& words) {
  Property property;
  property.kind_ = Kind::Ltl;
  property.name_ = std::move(name);
  property.text_ = formula;
  property.source_ =
      std::make_unique<base::Source>(base::Source::from_text(property.name_, formula));
  property.diagnostics_ = std::make_unique<base::Diagnostics>();
  property.atoms_ = std::make_unique<EventAtoms>(words, *property.diagnostics_);
  const ltl::syntax::Expr tree = ltl::parse_formula(*property.source_, *property.diagnostics_);
  if (!property.ok()) return property;
  ltl::Formulas formulas;
  const ltl::Formula f = ltl::lower(tree, formulas, *property.atoms_, *property.diagnostics_);
  if (!property.ok()) return property;
  std::optional<ltl::Automaton> automaton =
      ltl::finite_automaton(formulas, formulas.negated(f), property.atoms_->names());
  if (automaton) property.finish(std::move(*automaton), words);
  return property;
}

Property Property::from_automaton(std::string name, base::Source source, ltl::Automaton automaton,
                                  const Vocabulary& words) {
  Property property;
  property.kind_ = Kind::Automaton;
  property.name_ = std::move(name);
  property.text_ = source.name();
  property.source_ = std::make_unique<base::Source>(std::move(source));
  property.diagnostics_ = std::make_unique<base::Diagnostics>();
  property.atoms_ = std::make_unique<EventAtoms>(words, *property.diagnostics_);
  property.formulas_ = std::make_unique<ltl::Formulas>();
  ltl::Formulas& formulas = *property.formulas_;
  for (const std::string& text : automaton.atoms) {
    // The findings about an atom's name are shown with the name, for the file has its own syntax.
    const base::Source atom_source = base::Source::from_text("atom", text);
    base::Diagnostics found;
    EventAtoms trial{words, found};
    const ltl::syntax::Expr tree = ltl::parse_formula(atom_source, found);
    if (!found.has_errors()) (void)ltl::lower(tree, formulas, trial, found);
    for (const base::Diagnostic& diagnostic : found.sorted()) {
      property.diagnostics_->error({}, fmt::format("atom '{}': {}", text, diagnostic.message),
                                   diagnostic.hint);
    }
    if (!found.has_errors()) {
      property.conditions_.push_back(
          ltl::lower(tree, formulas, *property.atoms_, *property.diagnostics_));
      if (!formulas.is_boolean(property.conditions_.back())) {
        property.diagnostics_->error({}, fmt::format("atom '{}' has a temporal operator", text));
      }
    }
  }
  if (!property.ok()) return property;
  property.finish(std::move(automaton), words);
  return property;
}

void Property::finish(ltl::Automaton automaton, const Vocabulary& words) {
  for (const ltl::AutomatonState& state : automaton.states) state_names_.push_back(state.name);
  compiled_ = std::make_unique<monitor::Compiled>(std::move(automaton));
  letters_ = std::make_unique<Letters>(*compiled_, words, [&](ltl::Atom atom, EffectId effect) {
    return atoms_->holds(atom, effect);
  });
}

std::string Property::state_name(ltl::StateIndex m) const {
  return m < state_names_.size() && !state_names_[m].empty() ? state_names_[m] : std::to_string(m);
}

bool is_total(const Order& order) {
  Cut cut(order.num_processes(), 0);
  for (std::size_t done = 0; done < order.num_events();) {
    std::uint32_t enabled = 0;
    std::uint32_t which = 0;
    for (std::uint32_t p = 0; p < cut.size(); ++p) {
      if (!order.clocks().enabled(cut, ProcessId{p})) continue;
      which = p;
      if (++enabled > 1) return false;
    }
    ++cut[which];
    ++done;
  }
  return true;
}

Engine pick_engine(const Order& order) {
  return is_total(order) ? Engine::Explicit : Engine::Symbolic;
}

Answer check(const Order& order, const Property& property, const CheckOptions& options,
             base::Limits& limits) {
  const auto started = std::chrono::steady_clock::now();
  Answer answer;
  const Engine engine = options.engine == Engine::Auto ? pick_engine(order) : options.engine;
  if (!property.has_automaton()) {
    answer.engine = engine;
    answer.statistics.events = order.num_events();
    answer.reason = "the automaton of the formula is too large";
    return answer;
  }
  answer = engine == Engine::Explicit
               ? check_explicitly(order, property.compiled(), property.letters(), limits)
               : check_symbolically(order, property.compiled(), property.letters(), limits);
  answer.statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return answer;
}

}  // namespace cohort::trace
