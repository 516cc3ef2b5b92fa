// A graph written out: its states and edges, as many as somebody wants to look at.
//
//   const Listing listing = list_graph(program, {.most_states = 100}, limits);
//   if (!listing.complete) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "model/program.hpp"
#include "quotient/guarded.hpp"
#include "symmetry/permutation.hpp"

namespace cohort::quotient {

struct ListedState {
  std::vector<model::Value> values;
  bool initial = false;
  /// How many states the orbit has; none where counting them would take too long.
  std::optional<double> orbit;
  std::optional<model::Fault> fault;  ///< then it has no edges
};

struct ListedEdge {
  std::size_t from = 0;  ///< places in Listing::states
  std::size_t to = 0;
  model::Program::Instance instance;  ///< in terms of `from`
  /// Maps processes as `to` sees them to processes as `from` does; empty on the full graph.
  symmetry::Permutation from_target;
  std::optional<Guard> guard;  ///< of the quotient: in terms of `from`
};

struct Listing {
  std::vector<ListedState> states;  ///< breadth-first
  std::vector<ListedEdge> edges;
  bool complete = true;            ///< else there are more states, or more edges
  std::size_t edges_left_out = 0;  ///< of listed states: to others, or beyond the cap
};

struct ListingOptions {
  /// The guarded quotient structure; else G itself.
  bool symmetry = true;
  GuardedQuotient::Edges edges = GuardedQuotient::Edges::All;
  std::size_t most_states = 1000;
  std::size_t most_edges = 20'000;
};

/// Stops when a limit is hit; the listing is then not complete.
[[nodiscard]] Listing list_graph(const model::Program& program, const ListingOptions& options,
                                 base::Limits& limits);

}  // namespace cohort::quotient
