// Translations are tried in several ways, and the smallest automaton wins: they are cheap, and what
// is done with an automaton later is not.
#include "ltl/buchi.hpp"

#include <algorithm>
#include <utility>

#include "ltl/generalized.hpp"
#include "ltl/simplify.hpp"

namespace cohort::ltl {
namespace {

/// Larger ones are not worth the time of a deterministic automaton.
constexpr std::size_t most_states_for_weak = 60;
constexpr std::size_t most_orders = 4;

[[nodiscard]] bool smaller(const Automaton& a, const Automaton& b) {
  return std::pair(a.num_states(), a.num_edges()) < std::pair(b.num_states(), b.num_edges());
}

[[nodiscard]] std::optional<Generalized> translate(Formulas& formulas, Formula f,
                                                   std::size_t num_atoms, Split split,
                                                   const TranslationLimits& limits) {
  std::optional<Generalized> made = tableau(formulas, f, num_atoms, split, limits);
  if (!made) return std::nullopt;
  tidy(*made);
  reduce_by_simulation(*made);
  return made;
}

}  // namespace

std::optional<Automaton> buchi_automaton(Formulas& formulas, Formula formula,
                                         std::vector<std::string> atoms,
                                         const TranslationLimits& limits) {
  const Formula f = Simplifier(formulas)(formula);
  std::optional<Automaton> best;
  std::optional<Generalized> base;
  for (const Split split : {Split::Fewest, Split::ByLetters}) {
    std::optional<Generalized> made = translate(formulas, f, atoms.size(), split, limits);
    if (!made) continue;
    const std::size_t orders = std::clamp<std::size_t>(made->num_marks, 1, most_orders);
    for (std::size_t first = 0; first < orders; ++first) {
      Automaton candidate = with_accepting_states(*made, first, atoms);
      reduce_by_simulation(candidate);
      if (!best || smaller(candidate, *best)) best = std::move(candidate);
    }
    if (!base || made->num_states() < base->num_states()) base = std::move(made);
  }
  if (!best || best->num_states() <= 1 || base->num_states() > most_states_for_weak) return best;
  const Formula negation = Simplifier(formulas)(formulas.negated(f));
  std::optional<Generalized> negated =
      translate(formulas, negation, atoms.size(), Split::ByLetters, limits);
  if (!negated) return best;
  std::optional<Automaton> weak = weak_deterministic(*base, *negated, atoms);
  if (weak && weak->num_states() <= best->num_states()) return weak;
  return best;
}

}  // namespace cohort::ltl
