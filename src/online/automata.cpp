#include "online/automata.hpp"

#include <algorithm>
#include <utility>

#include "ltl/buchi.hpp"
#include "ltl/finite_word.hpp"

namespace cohort::online {
namespace {

[[nodiscard]] bool accepts_all_from_accepting(const ltl::Automaton& automaton) {
  for (ltl::StateIndex s = 0; s < automaton.num_states(); ++s) {
    if (!automaton.states[s].accepting) continue;
    const bool stays = std::ranges::any_of(automaton.states[s].edges, [&](const ltl::Edge& edge) {
      return edge.target == s && edge.letter == ltl::Decision::True;
    });
    if (!stays) return false;
  }
  return true;
}

}  // namespace

std::optional<ltl::Automaton> Automata::make(ltl::Acceptance acceptance) {
  if (property_.automaton) {
    ltl::Automaton given = *property_.automaton;
    given.acceptance = acceptance;
    return given;
  }
  ltl::Formulas& formulas = *property_.formulas;
  const ltl::Formula bad = formulas.negated(goal_.formula);
  ltl::TranslationLimits limits;
  limits.limits = &limits_;
  return acceptance == ltl::Acceptance::Finite
             ? ltl::finite_automaton(formulas, bad, goal_.atom_names, limits)
             : ltl::buchi_automaton(formulas, bad, goal_.atom_names, limits);
}

const monitor::Compiled* Automata::infinite() {
  if (std::exchange(infinite_.tried, true)) return infinite_.get();
  std::optional<ltl::Automaton> made = make(ltl::Acceptance::Buchi);
  if (!made) return nullptr;
  num_states_ += made->num_states();
  is_terminal_ = accepts_all_from_accepting(*made);
  infinite_.automaton.emplace(std::move(*made));
  return infinite_.get();
}

const monitor::Compiled* Automata::finite() {
  if (std::exchange(finite_.tried, true)) return finite_.get();
  std::optional<ltl::Automaton> made = make(ltl::Acceptance::Finite);
  if (!made) return nullptr;
  num_states_ += made->num_states();
  finite_.automaton.emplace(std::move(*made));
  return finite_.get();
}

}  // namespace cohort::online
