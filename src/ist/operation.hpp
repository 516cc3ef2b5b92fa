// What the operations on trees share: lists of edges under construction, remembered results, and
// the walk along two nodes at once.  Only for the .cpp files of this folder.
//
// Operations recurse over the layers, never over tuples or paths.  No node is freed while one runs.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "ist/tree.hpp"

namespace cohort::ist {

enum class OperationKind : std::uint32_t {
  Unite = 1,
  Intersect,
  Subtract,
  Includes,
  CloseDown,
  StepBack,
  Until,
};

/// One call from outside.  Collects garbage when it starts, if that is worth it; so the operands
/// must be held by Sets.
class Operation {
 public:
  explicit Operation(Forest& forest) : forest_(forest) {
    forest_.collect_if_worth_it();
    forest_.scratch_.clear();
  }

  [[nodiscard]] Forest& forest() { return forest_; }
  [[nodiscard]] std::size_t num_edges(NodeId id) const {
    return forest_.nodes_[Forest::index(id)].num_edges;
  }
  /// By value: the store may move while one looks at it.
  [[nodiscard]] Edge edge(NodeId id, std::size_t i) const {
    return forest_.edges_[forest_.nodes_[Forest::index(id)].first_edge + i];
  }

  /// The node under construction starts here on the stack of edges.
  [[nodiscard]] std::size_t open() const { return forest_.scratch_.size(); }
  /// Adds an edge behind those since `base`.
  void append(std::size_t base, Edge edge) {
    if (edge.child == empty_node) return;
    if (forest_.scratch_.size() > base) {
      Edge& last = forest_.scratch_.back();
      assert(last.high < edge.low);
      if (last.child == edge.child && last.high + 1 == edge.low) {
        last.high = edge.high;
        return;
      }
    }
    forest_.scratch_.push_back(edge);
  }
  /// Adds an edge before those since `base`; finish with close_reversed.
  void prepend(std::size_t base, Edge edge) {
    if (edge.child == empty_node) return;
    if (forest_.scratch_.size() > base) {
      Edge& first = forest_.scratch_.back();
      assert(edge.high < first.low);
      if (first.child == edge.child && edge.high + 1 == first.low) {
        first.low = edge.low;
        return;
      }
    }
    forest_.scratch_.push_back(edge);
  }
  [[nodiscard]] NodeId close(std::size_t base) {
    const auto since = std::span<const Edge>(forest_.scratch_).subspan(base);
    const NodeId made = forest_.intern(since);
    forest_.scratch_.resize(base);
    return made;
  }
  [[nodiscard]] NodeId close_reversed(std::size_t base) {
    std::reverse(forest_.scratch_.begin() + static_cast<std::ptrdiff_t>(base),
                 forest_.scratch_.end());
    return close(base);
  }

  /// True, and sets `result`, if the result is remembered.
  [[nodiscard]] bool recall(OperationKind kind, NodeId a, NodeId b, NodeId& result) {
    const Forest::Remembered& found = forest_.remembered(static_cast<std::uint32_t>(kind), a, b);
    if (found.operation != static_cast<std::uint32_t>(kind) || found.a != a || found.b != b) {
      return false;
    }
    result = found.result;
    return true;
  }
  NodeId remember(OperationKind kind, NodeId a, NodeId b, NodeId result) {
    forest_.remembered(static_cast<std::uint32_t>(kind), a, b) = {static_cast<std::uint32_t>(kind),
                                                                  a, b, result};
    return result;
  }

  /// Cuts the values of two nodes' edges into the coarsest common pieces and calls
  /// `piece(low, high, child of a, child of b)` from left to right, with the empty node where one
  /// of them has no edge.
  template <typename Piece>
  void along_both(NodeId a, NodeId b, Piece piece) {
    const std::size_t size_a = num_edges(a);
    const std::size_t size_b = num_edges(b);
    std::size_t i = 0;
    std::size_t j = 0;
    Edge at_a = size_a > 0 ? edge(a, 0) : Edge{};
    Edge at_b = size_b > 0 ? edge(b, 0) : Edge{};
    const auto next_a = [&] {
      if (++i < size_a) at_a = edge(a, i);
    };
    const auto next_b = [&] {
      if (++j < size_b) at_b = edge(b, j);
    };
    while (i < size_a && j < size_b) {
      if (at_a.high < at_b.low) {
        piece(at_a.low, at_a.high, at_a.child, empty_node);
        next_a();
      } else if (at_b.high < at_a.low) {
        piece(at_b.low, at_b.high, empty_node, at_b.child);
        next_b();
      } else if (at_a.low < at_b.low) {
        piece(at_a.low, at_b.low - 1, at_a.child, empty_node);
        at_a.low = at_b.low;
      } else if (at_b.low < at_a.low) {
        piece(at_b.low, at_a.low - 1, empty_node, at_b.child);
        at_b.low = at_a.low;
      } else {
        const Value high = std::min(at_a.high, at_b.high);
        piece(at_a.low, high, at_a.child, at_b.child);
        const bool a_done = at_a.high == high;
        const bool b_done = at_b.high == high;
        if (a_done) next_a();
        if (b_done) next_b();
        if (!a_done) at_a.low = high + 1;
        if (!b_done) at_b.low = high + 1;
      }
    }
    while (i < size_a) {
      piece(at_a.low, at_a.high, at_a.child, empty_node);
      next_a();
    }
    while (j < size_b) {
      piece(at_b.low, at_b.high, empty_node, at_b.child);
      next_b();
    }
  }

  /// The same for the pieces within the edges of `a` only.  What `b` has outside of them is jumped
  /// over: a narrow set and a node of thousands of edges, as atoms make them, cost what the narrow
  /// one costs.  `piece` gets the empty node where `b` has no edge.
  template <typename Piece>
  void along_first(NodeId a, NodeId b, Piece piece) {
    const std::size_t size_a = num_edges(a);
    const std::size_t size_b = num_edges(b);
    std::size_t j = 0;
    for (std::size_t i = 0; i < size_a; ++i) {
      Edge at = edge(a, i);
      j = first_reaching(b, j, at.low);
      for (; j < size_b; ++j) {
        const Edge other = edge(b, j);
        if (other.low > at.high) break;
        if (at.low < other.low) {
          piece(at.low, other.low - 1, at.child, empty_node);
          at.low = other.low;
        }
        const Value high = std::min(at.high, other.high);
        piece(at.low, high, at.child, other.child);
        if (high == at.high) break;
        at.low = high + 1;
      }
      const bool done = j < size_b && edge(b, j).low <= at.high && edge(b, j).high >= at.high;
      if (!done) piece(at.low, at.high, at.child, empty_node);
    }
  }

  /// The first edge of a node, from number `from` on, that ends at `value` or behind it.
  [[nodiscard]] std::size_t first_reaching(NodeId id, std::size_t from, Value value) const {
    const std::size_t size = num_edges(id);
    std::size_t step = 1;
    std::size_t low = from;
    std::size_t high = from;
    while (high < size && edge(id, high).high < value) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    high = std::min(high, size);
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (edge(id, middle).high < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  // operations.cpp
  [[nodiscard]] NodeId unite(NodeId a, NodeId b);
  [[nodiscard]] NodeId intersect(NodeId a, NodeId b);
  [[nodiscard]] NodeId subtract(NodeId a, NodeId b);
  [[nodiscard]] bool includes(NodeId a, NodeId b);
  // closures.cpp
  [[nodiscard]] NodeId close_down(NodeId a);
  [[nodiscard]] NodeId step_back(NodeId a);
  [[nodiscard]] NodeId until(NodeId through, NodeId target);

 private:
  Forest& forest_;
};

}  // namespace cohort::ist
