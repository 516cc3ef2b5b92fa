// A set of 32-bit numbers that stand for things kept elsewhere.
//
//   const std::uint32_t found = set.insert(hash, next, [&](std::uint32_t id) { return … });
//   if (found == next) …                             // it was not there before
//
// Robin-hood hashing with linear probing: buckets stand in the order of their hashes.  A bucket is
// one word, the hash above the number, so that looking for a place is comparing words until one is
// not less.  Growing reads and writes one bucket after the other and asks for no hash again, and
// the table may be nearly full: 9 to 14 bytes a number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cohort::base {

[[nodiscard]] inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a ^ 0x9E3779B97F4A7C15ULL} * (b ^ 0xD6E8FEB86659FD93ULL);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

class IdSet {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// The number that `same` says yes to, or `fresh`, which is added.
  template <typename Same>
  std::uint32_t insert(std::uint64_t hash, std::uint32_t fresh, const Same& same) {
    if ((size_ + 1) * 8 > range_ * 7) grow();
    const auto short_hash = static_cast<std::uint32_t>(hash >> 32U);
    std::size_t at = first_place(short_hash);
    for (; is_of(buckets_[at], short_hash); ++at) {
      if (same(id_of(buckets_[at]))) return id_of(buckets_[at]);
    }
    std::size_t end = at;
    while (buckets_[end] != empty) ++end;
    std::copy_backward(buckets_.begin() + static_cast<std::ptrdiff_t>(at),
                       buckets_.begin() + static_cast<std::ptrdiff_t>(end),
                       buckets_.begin() + static_cast<std::ptrdiff_t>(end) + 1);
    buckets_[at] = (std::uint64_t{short_hash} << 32U) | fresh;
    ++size_;
    keep_an_end();
    return fresh;
  }
  template <typename Same>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Same& same) const {
    if (buckets_.empty()) return none;
    const auto short_hash = static_cast<std::uint32_t>(hash >> 32U);
    for (std::size_t at = first_place(short_hash); is_of(buckets_[at], short_hash); ++at) {
      if (same(id_of(buckets_[at]))) return id_of(buckets_[at]);
    }
    return none;
  }
  [[nodiscard]] std::size_t bytes() const { return buckets_.capacity() * sizeof(std::uint64_t); }

  /// For what comes soon.  A table that does not fit into the caches answers late; who asks for
  /// several things first makes their buckets come, then looks at the candidates, then inserts.
  void prefetch(std::uint64_t hash) const {
    if (buckets_.empty()) return;
    __builtin_prefetch(&buckets_[home(static_cast<std::uint32_t>(hash >> 32U))]);
  }
  /// The number that a search for `hash` looks at first, or none.
  [[nodiscard]] std::uint32_t candidate(std::uint64_t hash) const {
    if (buckets_.empty()) return none;
    const auto short_hash = static_cast<std::uint32_t>(hash >> 32U);
    const std::uint64_t bucket = buckets_[first_place(short_hash)];
    return is_of(bucket, short_hash) ? id_of(bucket) : none;
  }

 private:
  static constexpr std::uint64_t empty = UINT64_MAX;  // above every bucket

  [[nodiscard]] static std::uint32_t id_of(std::uint64_t bucket) {
    return static_cast<std::uint32_t>(bucket);
  }
  [[nodiscard]] static bool is_of(std::uint64_t bucket, std::uint32_t hash) {
    return bucket >> 32U == hash && bucket != empty;
  }
  [[nodiscard]] std::size_t home(std::uint32_t hash) const {
    return static_cast<std::size_t>((std::uint64_t{hash} * range_) >> 32U);
  }
  /// The first bucket with this hash, or where it belongs.
  [[nodiscard]] std::size_t first_place(std::uint32_t hash) const {
    const std::uint64_t least = std::uint64_t{hash} << 32U;
    std::size_t at = home(hash);
    while (buckets_[at] < least) ++at;
    return at;
  }
  /// The last bucket stays empty: searches need not look for the end.
  void keep_an_end() {
    if (buckets_.back() == empty) return;
    const std::size_t size = buckets_.size() + room_behind();
    buckets_.reserve(size);  // no more than that
    buckets_.resize(size, empty);
  }
  [[nodiscard]] std::size_t room_behind() const { return 16 + range_ / 128; }
  void grow() {
    constexpr std::size_t least = 64;
    range_ = range_ < least ? least : range_ + range_ / 2;
    std::vector<std::uint64_t> old(range_ + room_behind(), empty);
    old.swap(buckets_);
    std::size_t next = 0;
    for (const std::uint64_t bucket : old) {
      if (bucket == empty) continue;
      next = std::max(next, home(static_cast<std::uint32_t>(bucket >> 32U)));
      buckets_[next++] = bucket;
      keep_an_end();
    }
  }

  std::vector<std::uint64_t> buckets_;
  std::size_t range_ = 0;  // of homes: behind it are buckets that had to give way
  std::size_t size_ = 0;
};

}  // namespace cohort::base
