// Whether a strongly connected set of counted nodes has a fair path that stays in it.
#pragma once

#include <vector>

#include "quotient/counted_graph.hpp"

namespace cohort::cctl {

/// As is_fair of fairness.hpp.
[[nodiscard]] bool is_fair(quotient::CountedSpace& space,
                           const std::vector<quotient::NodeId>& component,
                           quotient::CountedGraph& graph);

}  // namespace cohort::cctl
