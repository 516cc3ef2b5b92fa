// A growing set of pairs of cuts (t, w) that answers: is there one that covers this?
//
//   CoveringIndex index{num_processes};
//   index.add(t, w);
//   index.covers(t2, w2)         // is there a (t, w) with t <= t2 and w2 <= w, in every component?
//
// Idea.  Pairs are kept in the order in which they come, sixteen to a block, sixteen blocks to a
// block of blocks, and so on; each block knows the least t and the greatest w in it, by components.
// A search goes from the newest block down and leaves out every block whose bounds cannot cover.
// Breadth-first search adds pairs in the order of their progress through the trace, so what is old
// is left out near the root: a query costs the logarithm of the set, plus what lies close by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cohort::trace {

class CoveringIndex {
 public:
  explicit CoveringIndex(std::size_t num_processes) : width_(num_processes) {}

  /// Both have one component for each process.
  void add(const std::uint32_t* t, const std::uint32_t* w);
  [[nodiscard]] bool covers(const std::uint32_t* t, const std::uint32_t* w) const;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::size_t fan_out = 16;

  /// Least t and greatest w of `fan_out` entries of the level below; on level 0 the pairs.
  using Level = std::vector<std::uint32_t>;

  void widen(Level& level, std::size_t index, const std::uint32_t* t, const std::uint32_t* w) const;
  [[nodiscard]] bool may_cover(const std::uint32_t* bounds, const std::uint32_t* t,
                               const std::uint32_t* w) const {
    for (std::size_t i = 0; i < width_; ++i) {
      if (bounds[width_ + i] < w[i]) return false;
    }
    for (std::size_t i = 0; i < width_; ++i) {
      if (bounds[i] > t[i]) return false;
    }
    return true;
  }

  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<Level> levels_ = {{}};
};

}  // namespace cohort::trace
