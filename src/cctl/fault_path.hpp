// How a program gets to a fault.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "cctl/evidence.hpp"
#include "quotient/graph.hpp"

namespace cohort::cctl {

/// A way through the nodes of a graph, from one of several starts.
struct Way {
  std::size_t start = 0;
  std::vector<std::size_t> edges;
};

/// A shortest way to a node that is wanted or, if `is_wanted` is empty, to one with a fault of the
/// program.  `starts` gives the starts one after the other, then none.  Nothing if there is none,
/// or a limit is hit.
[[nodiscard]] std::optional<Way> nearest(quotient::Nodes& nodes,
                                         const std::function<quotient::NodeId()>& starts,
                                         const std::function<bool(quotient::NodeId)>& is_wanted,
                                         base::Limits& limits);

/// An initial state, and its position in the space that is walked.
struct Start {
  quotient::InitialState initial;
  quotient::Position position;
};

/// The nearest model error, with a shortest path to the state in which it happens.  `space` is over
/// the least that positions must carry.  Nothing where a limit is hit first.
[[nodiscard]] std::optional<ModelError> nearest_fault(quotient::Graph& graph,
                                                      quotient::Space& space,
                                                      const std::vector<Start>& starts,
                                                      base::Limits& limits);

/// A shortest path to a node that is wanted.
[[nodiscard]] std::optional<Evidence> path_to(
    quotient::Graph& graph, quotient::Space& space, const std::vector<Start>& starts,
    const std::function<bool(quotient::NodeId)>& is_wanted, base::Limits& limits);

}  // namespace cohort::cctl
