// Walking a loop that is fair, for evidence.
#pragma once

#include <vector>

#include "cctl/trail.hpp"
#include "quotient/graph.hpp"

namespace cohort::cctl {

/// A way through the graph: an edge of the node at hand, or a renaming of processes that changes
/// nothing (from a symmetry of the node).
struct Move {
  std::size_t edge = 0;
  quotient::Permutation renaming;  ///< if not empty, the edge means nothing
};

/// The path ends in `start`, a node of a fair component; walks a loop through it on which every
/// process is executed or disabled.  Returns the moves that lead from `start` back to it.
[[nodiscard]] std::vector<Move> fair_round(quotient::Space& space,
                                           const std::vector<quotient::NodeId>& component,
                                           quotient::NodeId start, const model::Program& program);

}  // namespace cohort::cctl
