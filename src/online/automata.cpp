#include "online/automata.hpp"

#include <algorithm>

#include "ltl/buchi.hpp"
#include "ltl/finite_word.hpp"

namespace cohort::online {
namespace {

[[nodiscard]] bool is_terminal(const ltl::Automaton& automaton) {
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

std::optional<Automata> make_automata(const Property& property, const Goal& goal) {
  Automata made;
  std::optional<ltl::Automaton> finite;
  std::optional<ltl::Automaton> infinite;
  if (property.automaton) {
    finite = property.automaton;
    finite->acceptance = ltl::Acceptance::Finite;
    if (!property.finite) infinite = property.automaton;
  } else {
    ltl::Formulas& formulas = *property.formulas;
    const ltl::Formula bad = formulas.negated(goal.formula);
    finite = ltl::finite_automaton(formulas, bad, goal.atom_names);
    if (!finite) return std::nullopt;
    if (!property.finite) {
      infinite = ltl::buchi_automaton(formulas, bad, goal.atom_names);
      if (!infinite) return std::nullopt;
    }
  }
  made.num_states = finite->num_states();
  if (infinite) {
    made.num_states += infinite->num_states();
    made.is_terminal = is_terminal(*infinite);
    made.infinite.emplace(std::move(*infinite));
  }
  made.finite.emplace(std::move(*finite));
  return made;
}

}  // namespace cohort::online
