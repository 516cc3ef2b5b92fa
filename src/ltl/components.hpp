// Strongly connected components of a small graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cohort::ltl {

/// Edges by source; targets in any order, also several times.
using Graph = std::vector<std::vector<std::uint32_t>>;

struct Components {
  /// By vertex.  An edge never leads to a component with a larger number.
  std::vector<std::uint32_t> of;
  /// By component: whether it has a cycle, be it a loop.
  std::vector<bool> has_cycle;

  [[nodiscard]] std::size_t count() const { return has_cycle.size(); }
};

[[nodiscard]] Components components(const Graph& graph);

}  // namespace cohort::ltl
