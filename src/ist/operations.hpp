// Operations on sets of tuples.  All work on the trees: cost grows with nodes, never with tuples or
// paths.
//
//   const Set reached = intersect(close_down(bad), cuts);
//
// Operands belong to one forest, and so does the result.  Every operation may throw Stopped.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ist/tree.hpp"

namespace cohort::ist {

[[nodiscard]] Set unite(const Set& a, const Set& b);
[[nodiscard]] Set intersect(const Set& a, const Set& b);
/// What is in `a` and not in `b`.
[[nodiscard]] Set subtract(const Set& a, const Set& b);
/// The tuples with every component at most its bound that are not in `a`.
[[nodiscard]] Set complement(const Set& a, std::span<const Value> bounds);
/// Is every tuple of `inner` in `outer`?
[[nodiscard]] bool includes(const Set& outer, const Set& inner);
[[nodiscard]] bool contains(const Set& a, std::span<const Value> tuple);

/// All tuples that are, component by component, at most some tuple of `a`.
[[nodiscard]] Set close_down(const Set& a);
/// All tuples within the bounds that are, component by component, at least some tuple of `a`.
[[nodiscard]] Set close_up(const Set& a, std::span<const Value> bounds);
/// Every tuple with `delta` added to one component (numbered from 0); those that leave the naturals
/// (or Value) are dropped.
[[nodiscard]] Set shift(const Set& a, std::size_t component, std::int64_t delta);

/// All tuples from which adding 1 to some one component leads into `a`.
[[nodiscard]] Set step_back(const Set& a);
/// The least set that contains `target` and every tuple of `through` from which adding 1 to some
/// one component leads into the set.  Not a fixpoint loop: closures.cpp says how.
[[nodiscard]] Set until(const Set& through, const Set& target);

/// How a component comes about in `spread`.
struct Spread {
  /// Value v of the next component of the source becomes starts[v], …, starts[v + 1] - 1.  Ascends,
  /// and is longer by one than the values that occur.  Empty: a new component.
  std::vector<Value> starts;
  Interval all;  ///< the values of a new component
};
/// The tuples of `a` in another forest, whose components they get one by one.
[[nodiscard]] Set spread(const Set& a, Forest& into, std::span<const Spread> components);

/// How many tuples, in decimal digits.
[[nodiscard]] std::string count(const Set& a);
/// How many tuples, if that fits.
[[nodiscard]] std::optional<std::uint64_t> count_if_small(const Set& a);
/// Nodes of one set, the end included.
[[nodiscard]] std::size_t num_nodes(const Set& a);
[[nodiscard]] std::size_t num_edges(const Set& a);

/// A tuple with the least sum of components; the first in lexicographic order of those.  None if
/// the set is empty.
[[nodiscard]] std::optional<std::vector<Value>> least(const Set& a);

}  // namespace cohort::ist
