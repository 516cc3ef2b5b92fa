// Tuples of a set by number: a compact picture of one tree that numbers its tuples 0, 1, 2, … in
// lexicographic order, and finds either from the other.
//
//   const Ranking ranking{set};
//   ranking.rank(tuple)            // the tuple's number, if it is in the set
//   ranking.tuple(number, out)     // and back
//
// Idea.  Each node knows how many tuples are below it, each edge how many are below the edges
// before it in its node.  A tuple's number is the sum of these along its path.
// Cost.  One binary search for each component; 16 bytes an edge, 8 a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ist/tree.hpp"

namespace cohort::ist {

/// Holds no node of the forest it was made from, which may be gone.  Immutable; a const object may
/// be shared by threads.
class Ranking {
 public:
  Ranking() = default;
  /// Throws std::bad_alloc if the numbers of the set's tuples do not fit into 32 bits.
  explicit Ranking(const Set& set);

  /// How many tuples.
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::optional<std::uint32_t> rank(std::span<const Value> tuple) const;
  /// Writes the tuple with this number, which must be less than size(), to `out`.
  void tuple(std::uint32_t number, std::span<Value> out) const;

  /// The end included.
  [[nodiscard]] std::size_t num_nodes() const { return counts_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct RankedEdge {
    Value low = 0;
    Value high = 0;
    std::uint32_t child = 0;
    std::uint32_t before = 0;  ///< tuples below the edges before this one
  };

  static constexpr std::uint32_t end = 0;

  std::vector<std::uint32_t> begins_;  // by node, and one more: its edges in edges_
  std::vector<std::uint32_t> counts_;  // by node: how many tuples are below
  std::vector<RankedEdge> edges_;
  std::uint32_t root_ = end;
  std::uint32_t size_ = 0;
};

}  // namespace cohort::ist
