// All reachable states, level by level in interval sharing trees.
//
//   const Reached reached = reach({.make = …, .domain = domain, .colouring = colouring,
//                                  .position = …, .look = …});
//   graph->adopt(reached);
//
// What is explored are the positions of a domain (quotient/graph.hpp): states, or states with
// colours where the ranks of processes move along.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ist/ranking.hpp"
#include "quotient/graph.hpp"

namespace cohort::quotient {

struct Reached {
  ist::Ranking states;
  Tally tally;
  std::vector<bool> fired;  ///< by schema
  std::uint64_t depth = 0;  ///< the longest distance from an initial state
};

struct ReachProgress {
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  std::uint64_t depth = 0;
};

struct ReachRequest {
  const model::Program& program;
  /// Makes the graph to be explored, without any state in it.
  std::function<std::unique_ptr<Graph>()> make;
  Domain domain;  ///< without variables
  const Colouring& colouring;
  /// The position of an initial state, in this domain.
  std::function<Position(const InitialState&)> position;
  /// Asked before each state; may throw, which ends the search.
  std::function<void(const ReachProgress&)> look;
};

/// Throws StateFault, and whatever `look` throws.
[[nodiscard]] Reached reach(const ReachRequest& request);

}  // namespace cohort::quotient
