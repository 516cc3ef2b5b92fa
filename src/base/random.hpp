// Random numbers that are the same on every platform for the same seed (SplitMix64).
#pragma once

#include <cassert>
#include <cstdint>

namespace cohort::base {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  [[nodiscard]] std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
  }

  /// A number in [0, bound); bound > 0.  The bias is below bound / 2^64.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) {
    assert(bound > 0);
    return next() % bound;
  }

  /// A number in [low, high].
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

  /// True in `percent` of 100 cases.
  [[nodiscard]] bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace cohort::base
