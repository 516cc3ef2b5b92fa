// LTL on a whole graph, by guessing: every position of a run is given a truth value for every
// temporal sub-formula, and the guesses are checked one by one.
//
//   const Letters letters = …;                       // of the graph's states, or of its edges
//   if (violates(graph, letters, {.view = View::Actions}, formulas, f)) …
#pragma once

#include <cstdint>
#include <vector>

#include "ltl/formula.hpp"
#include "oracle/graph.hpp"

namespace cohort::oracle {

enum class View { States, Actions };
enum class Mode { Finite, Infinite, Fair };

struct Letters {
  std::vector<std::uint64_t> states;              ///< by node
  std::vector<std::vector<std::uint64_t>> edges;  ///< by node and edge
};

struct LinearQuestion {
  View view = View::States;
  Mode mode = Mode::Infinite;
};

/// Whether some run violates the formula, which has no regular expressions.
[[nodiscard]] bool violates(const Graph& graph, const Letters& letters, LinearQuestion question,
                            const ltl::Formulas& formulas, ltl::Formula f);

}  // namespace cohort::oracle
