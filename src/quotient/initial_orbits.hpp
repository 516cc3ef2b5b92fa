// Initial states up to symmetry.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "quotient/graph.hpp"

namespace cohort::quotient {

/// One initial state of each orbit under the permutations that fix `marks`, a number for each
/// process, and that map initial states to initial states; of some orbits perhaps more.
/// Keeps a reference to `graph`, to which they are added.  Null where there is nothing to choose,
/// or more kinds of processes than there are colours.
[[nodiscard]] std::unique_ptr<InitialSource> make_initial_orbits(
    Graph& graph, const std::vector<std::uint32_t>& marks);

}  // namespace cohort::quotient
