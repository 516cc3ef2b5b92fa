// Subset construction: one deterministic, complete automaton for any automaton.
//
//   const std::optional<Determinized> made = determinize(automaton, 20'000);
//   made->subsets[state]                       // the states of `automaton` that runs can be in
//
// Summaries of pieces of a trace are maps on states: with one run for each start, runs that meet
// are one from then on.  With sets of runs they would not be.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ltl/automaton.hpp"

namespace cohort::trace::sequential {

struct Determinized {
  /// Accepting are the states whose subset has an accepting state: right for finite words; for
  /// infinite ones the subsets tell.
  ltl::Automaton automaton;
  std::vector<std::vector<ltl::StateIndex>> subsets;  ///< by state, ascending
};

/// Nothing if there would be more states than this.
[[nodiscard]] std::optional<Determinized> determinize(ltl::Automaton automaton,
                                                      std::size_t most_states);

}  // namespace cohort::trace::sequential
