// Automata over finite words.
//
//   const std::optional<Automaton> automaton = finite_automaton(formulas, f, names);
//
// The automaton is deterministic, complete and minimal; it accepts the finite words, the empty one
// included, that satisfy the formula (semantics.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "ltl/automaton.hpp"
#include "ltl/formula.hpp"

namespace cohort::ltl {

/// A formula can need an automaton of doubly exponential size.
struct TranslationLimits {
  std::size_t most_states = 100'000;
  std::size_t most_nodes = 5'000'000;  ///< of decisions
  std::size_t most_edges = 4'000'000;
  std::uint64_t most_steps = static_cast<std::uint64_t>(-1);  ///< of work on decisions
  base::Limits* limits = nullptr;  ///< of the run: time, memory; who is told nothing asks them
  /// The only letters that will occur, by the truth of the atoms, if that is known: the automaton
  /// need not be right about others.
  const std::set<std::vector<bool>>* letters = nullptr;
};

/// Nothing if a limit is hit.  `atoms` names the formula's atoms, by number.
[[nodiscard]] std::optional<Automaton> finite_automaton(Formulas& formulas, Formula formula,
                                                        std::vector<std::string> atoms,
                                                        const TranslationLimits& limits = {});

/// The same for words whose last letter repeats for ever: the automaton accepts the finite,
/// non-empty words u a for which u a a a … satisfies the formula.  What it says of the empty word
/// means nothing.
[[nodiscard]] std::optional<Automaton> repeating_automaton(Formulas& formulas, Formula formula,
                                                           std::vector<std::string> atoms,
                                                           const TranslationLimits& limits = {});

/// The smallest automaton for the same words, of a deterministic and complete one.  States that
/// cannot be reached are dropped; the others are numbered in breadth-first order.
[[nodiscard]] Automaton minimal(Automaton automaton);

}  // namespace cohort::ltl
