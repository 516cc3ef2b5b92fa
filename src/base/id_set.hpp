// A set of 32-bit numbers that stand for things kept elsewhere.
//
//   const std::uint32_t found = set.insert(hash, next, [&](std::uint32_t id) { return … });
//   if (found == next) …                             // it was not there before
//
// Robin-hood hashing: a bucket is a number and 32 bits of its hash, eight bytes together, and the
// place of a bucket follows the order of hashes.  So growing reads and writes one bucket after the
// other and asks for no hash again, and the table may be nearly full: 9 to 14 bytes a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
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
    if ((size_ + 1) * 8 > buckets_.size() * 7) grow();
    const auto short_hash = static_cast<std::uint32_t>(hash >> 32U);
    std::size_t at = home(short_hash);
    for (;; at = next(at)) {
      const Bucket& bucket = buckets_[at];
      if (bucket.id == none) break;
      if (bucket.hash == short_hash && same(bucket.id)) return bucket.id;
      if (distance(at) < away(at, short_hash)) break;
    }
    place({short_hash, fresh}, at);
    ++size_;
    return fresh;
  }
  template <typename Same>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Same& same) const {
    if (buckets_.empty()) return none;
    const auto short_hash = static_cast<std::uint32_t>(hash >> 32U);
    for (std::size_t at = home(short_hash);; at = next(at)) {
      const Bucket& bucket = buckets_[at];
      if (bucket.id == none || distance(at) < away(at, short_hash)) return none;
      if (bucket.hash == short_hash && same(bucket.id)) return bucket.id;
    }
  }
  [[nodiscard]] std::size_t bytes() const { return buckets_.capacity() * sizeof(Bucket); }

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
    for (std::size_t at = home(short_hash);; at = next(at)) {
      const Bucket& bucket = buckets_[at];
      if (bucket.id == none || bucket.hash == short_hash) return bucket.id;
      if (distance(at) < away(at, short_hash)) return none;
    }
  }

 private:
  struct Bucket {
    std::uint32_t hash = 0;
    std::uint32_t id = none;
  };

  [[nodiscard]] std::size_t home(std::uint32_t hash) const {
    return static_cast<std::size_t>((std::uint64_t{hash} * buckets_.size()) >> 32U);
  }
  [[nodiscard]] std::size_t next(std::size_t at) const {
    return at + 1 == buckets_.size() ? 0 : at + 1;
  }
  [[nodiscard]] std::size_t away(std::size_t at, std::uint32_t hash) const {
    const std::size_t from = home(hash);
    return at >= from ? at - from : at + buckets_.size() - from;
  }
  [[nodiscard]] std::size_t distance(std::size_t at) const { return away(at, buckets_[at].hash); }

  void place(Bucket bucket, std::size_t at) {
    for (;; at = next(at)) {
      if (buckets_[at].id == none) {
        buckets_[at] = bucket;
        return;
      }
      if (distance(at) < away(at, bucket.hash)) std::swap(bucket, buckets_[at]);
    }
  }
  void grow() {
    constexpr std::size_t least = 64;
    const std::size_t size =
        buckets_.size() < least ? least : buckets_.size() + buckets_.size() / 2;
    std::vector<Bucket> old(size);
    old.swap(buckets_);
    for (const Bucket& bucket : old) {
      if (bucket.id != none) place(bucket, home(bucket.hash));
    }
  }

  std::vector<Bucket> buckets_;
  std::size_t size_ = 0;
};

}  // namespace cohort::base
