// Whether a strongly connected set of nodes has a fair path that stays in it.
#pragma once

#include <vector>

#include "quotient/graph.hpp"

namespace cohort::cctl {

/// `component` is strongly connected by the edges between its nodes, and has at least one.
/// Weak process fairness: some path in it executes or disables every process again and again.
/// Throws StateFault.
[[nodiscard]] bool is_fair(quotient::Space& space, const std::vector<quotient::NodeId>& component,
                           const model::Program& program);

}  // namespace cohort::cctl
