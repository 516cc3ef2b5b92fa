// A hash table of numbers that stand for keys kept elsewhere: the core of every interner here.
//
//   IdTable table;
//   const std::uint32_t id = table.find_or_add(hash, [&](std::uint32_t i) { return keys[i] == key;
//   },
//                                              [&] { keys.push_back(key); return keys.size() - 1;
//                                              });
//
// Nothing is ever removed.  The order of the table is never shown: ids are given in the order of
// arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cohort::trace {

/// Mixes two words; good enough for linear probing.
[[nodiscard]] inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = (a ^ (b + 0x9E3779B97F4A7C15ULL + (a << 6U) + (a >> 2U)));
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31U);
}

[[nodiscard]] inline std::uint64_t hash_bytes(std::string_view text) {
  std::uint64_t hash = text.size();
  const char* at = text.data();
  std::size_t left = text.size();
  while (left >= 8) {
    std::uint64_t word = 0;
    __builtin_memcpy(&word, at, 8);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32U;
    at += 8;
    left -= 8;
  }
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < left; ++i) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
  }
  hash = (hash ^ word) * 0xBF58476D1CE4E5B9ULL;
  return hash ^ (hash >> 29U);
}

class IdTable {
 public:
  /// The id whose key `same(id)` accepts; otherwise the one that `make()` returns.
  template <typename Same, typename Make>
  std::uint32_t find_or_add(std::uint64_t hash, const Same& same, const Make& make) {
    if (slots_.empty() || (size_ + 1) * 2 > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    const auto tag = static_cast<std::uint32_t>(hash >> 32U);
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.id == none) {
        ++size_;
        slot.low = static_cast<std::uint32_t>(hash);
        slot.tag = tag;
        slot.id = make();
        return slot.id;
      }
      if (slot.tag == tag && same(slot.id)) return slot.id;
    }
  }

  static constexpr std::uint32_t none = 0xFFFFFFFFU;

  /// The id whose key `same(id)` accepts, or `none`.
  template <typename Same>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Same& same) const {
    if (slots_.empty()) return none;
    const std::size_t mask = slots_.size() - 1;
    const auto tag = static_cast<std::uint32_t>(hash >> 32U);
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.id == none) return none;
      if (slot.tag == tag && same(slot.id)) return slot.id;
    }
  }

  [[nodiscard]] std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint32_t low = 0;  // with `tag` the whole hash: growing asks nobody
    std::uint32_t tag = 0;
    std::uint32_t id = none;
  };

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.id == none) continue;
      const std::uint64_t hash = (static_cast<std::uint64_t>(slot.tag) << 32U) | slot.low;
      std::size_t at = hash & mask;
      while (slots_[at].id != none) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace cohort::trace
