// The tuples of a set one after the other, in lexicographic order; and its boxes.
//
//   for (Tuples at{set}; at.valid(); at.next()) use(at.tuple());
//
// A cursor holds its set.  What costs time here is what comes out, never what is skipped.
#pragma once

#include <span>
#include <vector>

#include "ist/tree.hpp"

namespace cohort::ist {

/// Walks along the paths of the tree: each is a box, the boxes are disjoint, and in lexicographic
/// order.
class Boxes {
 public:
  explicit Boxes(const Set& set);

  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] std::span<const Interval> box() const { return box_; }
  void next();

 private:
  void descend(std::size_t layer);

  Set set_;
  std::vector<NodeId> nodes_;       ///< of each layer
  std::vector<std::size_t> edges_;  ///< which edge of it the path takes
  std::vector<Interval> box_;
  bool valid_ = false;
};

class Tuples {
 public:
  explicit Tuples(const Set& set);

  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] std::span<const Value> tuple() const { return tuple_; }
  void next();

 private:
  void descend(std::size_t layer);

  Set set_;
  std::vector<NodeId> nodes_;
  std::vector<std::size_t> edges_;
  std::vector<Value> tuple_;
  bool valid_ = false;
};

}  // namespace cohort::ist
