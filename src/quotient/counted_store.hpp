// Remembered counted states: each distinct one gets a number, in the order in which they came.
//
// A counted state is a list of numbers (kinds and how many processes are of each) and is kept as
// bytes, seven bits of a number in each: a state of a million processes with six kinds takes some
// twenty bytes.  On top of these come four for its place and about twelve for finding it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/id_set.hpp"

namespace cohort::quotient {

using base::IdSet;
using base::mixed;

/// Numbers as bytes, least significant first; all but a number's last byte have the top bit set.
class Encoding {
 public:
  void clear() { size_ = 0; }
  void push(std::uint32_t number) {
    if (bytes_.size() < size_ + longest) bytes_.resize(2 * (size_ + longest));
    std::uint8_t* const begin = bytes_.data() + size_;
    size_ += static_cast<std::size_t>(write(number, begin) - begin);
  }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {bytes_.data(), size_}; }
  /// Writes at most five bytes; returns the first behind them.
  static std::uint8_t* write(std::uint32_t number, std::uint8_t* at) {
    for (; number >= more; number >>= 7U) *at++ = static_cast<std::uint8_t>(number | more);
    *at++ = static_cast<std::uint8_t>(number);
    return at;
  }
  [[nodiscard]] static std::uint32_t pop(const std::uint8_t*& at) {
    std::uint32_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = *at++;
      number |= std::uint32_t{byte & 0x7FU} << shift;
      if (byte < more) return number;
    }
  }

 private:
  static constexpr std::uint32_t more = 0x80;
  static constexpr std::size_t longest = 5;
  std::vector<std::uint8_t> bytes_;
  std::size_t size_ = 0;
};

class CountedStore {
 public:
  struct Inserted {
    std::uint32_t id = 0;
    bool is_new = false;
  };

  /// Throws std::bad_alloc when memory, or the 32 bits of a number, are at their end.
  Inserted insert(std::span<const std::uint8_t> bytes) { return insert(bytes, hash(bytes)); }
  /// In two steps, for several states at once: what memory has to bring for one comes while the
  /// others are made.
  void announce(std::span<const std::uint8_t> bytes);
  /// Those that were announced since the last time, in their order; valid until the next time.
  const std::vector<Inserted>& insert_announced();
  /// Takes back what was announced.
  void forget_announced();
  [[nodiscard]] std::span<const std::uint8_t> operator[](std::uint32_t id) const;
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }
  /// What the states, and finding them, take.
  [[nodiscard]] std::size_t bytes() const;

 private:
  // A place is a number of four bytes; the states of a chunk lie in it from end to end.
  static constexpr std::size_t unit = 4;
  static constexpr std::size_t chunk_units = std::size_t{1} << 18U;

  [[nodiscard]] std::uint8_t* at(std::uint32_t place) const {
    return chunks_[place / chunk_units].get() + place % chunk_units * unit;
  }
  [[nodiscard]] bool is(std::uint32_t id, std::span<const std::uint8_t> bytes) const;
  [[nodiscard]] static std::uint64_t hash(std::span<const std::uint8_t> bytes);
  Inserted insert(std::span<const std::uint8_t> bytes, std::uint64_t hash);

  struct Announced {
    std::uint64_t hash = 0;
    std::size_t begin = 0;  // in announced_bytes_
    std::size_t size = 0;
    std::uint32_t candidate = IdSet::none;
  };

  IdSet numbers_;
  std::vector<std::uint32_t> places_;
  std::vector<std::unique_ptr<std::uint8_t[]>> chunks_;
  std::size_t next_ = 0;  // in units
  std::vector<Announced> announced_;
  std::vector<std::uint8_t> announced_bytes_;
  std::vector<Inserted> inserted_;
};

}  // namespace cohort::quotient
