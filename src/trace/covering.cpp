#include "trace/covering.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cohort::trace {

/// Widens entry `index` of a level by bounds, or appends them as a new entry.
void CoveringIndex::widen(Level& level, std::size_t index, const std::uint32_t* t,
                          const std::uint32_t* w) const {
  const std::size_t at = index * 2 * width_;
  if (at == level.size()) {
    level.insert(level.end(), t, t + width_);
    level.insert(level.end(), w, w + width_);
    return;
  }
  for (std::size_t i = 0; i < width_; ++i) {
    level[at + i] = std::min(level[at + i], t[i]);
    level[at + width_ + i] = std::max(level[at + width_ + i], w[i]);
  }
}

void CoveringIndex::add(const std::uint32_t* t, const std::uint32_t* w) {
  std::size_t index = size_++;
  for (Level& level : levels_) {
    widen(level, index, t, w);
    index /= fan_out;
  }
  if (levels_.back().size() <= fan_out * 2 * width_) return;
  Level above;
  const Level& top = levels_.back();
  for (std::size_t at = 0; at < top.size(); at += 2 * width_) {
    widen(above, at / (2 * width_) / fan_out, top.data() + at, top.data() + at + width_);
  }
  levels_.push_back(std::move(above));
}

bool CoveringIndex::covers(const std::uint32_t* t, const std::uint32_t* w) const {
  if (size_ == 0 || width_ == 0) return size_ > 0;
  // For each level the block that comes next and the one before the last of its siblings; newest
  // first.
  struct Open {
    std::size_t next = 0;
    std::size_t stop = 0;
  };
  std::array<Open, 17> open{};  // 16^16 pairs do not fit into a memory
  std::size_t level = levels_.size() - 1;
  const std::size_t top = level;
  const std::size_t pair = 2 * width_;
  open[level] = {levels_[level].size() / pair, 0};
  while (true) {
    Open& here = open[level];
    if (here.next == here.stop) {
      if (level == top) return false;
      ++level;
      continue;
    }
    const std::size_t index = --here.next;
    if (!may_cover(levels_[level].data() + index * pair, t, w)) continue;
    if (level == 0) return true;
    --level;
    open[level] = {std::min((index + 1) * fan_out, levels_[level].size() / pair), index * fan_out};
  }
}

std::size_t CoveringIndex::bytes() const {
  std::size_t sum = 0;
  for (const Level& level : levels_) sum += level.capacity() * sizeof(std::uint32_t);
  return sum;
}

}  // namespace cohort::trace
