// How a program gets to a fault.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "cctl/evidence.hpp"
#include "quotient/graph.hpp"

namespace cohort::cctl {

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
