// Remembered states: each distinct one gets a number, in the order in which they came.
//
//   Store store{layout.num_words()};
//   const auto [id, is_new] = store.insert(words);
//   store[id]   // the words again
//
// The words lie in one arena; a robin-hood set holds the numbers only, and reads the arena to
// compare: 9 to 14 bytes a state on top of its words.  Keeping the states themselves in the set
// would cost three times the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/id_set.hpp"

namespace cohort::model {

using Word = std::uint64_t;
enum class StateId : std::uint32_t {};
constexpr StateId no_state{UINT32_MAX};

[[nodiscard]] inline std::uint64_t hash_words(const Word* words, std::size_t count) {
  std::uint64_t hash = count;
  for (std::size_t i = 0; i < count; ++i) hash = base::mixed(hash, words[i]);
  return hash;
}

class Store {
 public:
  struct Inserted {
    StateId id{};
    bool is_new = false;
  };

  explicit Store(std::size_t words_per_state) : words_(words_per_state) {}

  /// Throws std::bad_alloc when memory, or the 32 bits of a number, are at their end.
  Inserted insert(const Word* words) { return insert(words, hash_words(words, words_)); }
  /// In two steps, for several states at once: what memory has to bring for one comes while the
  /// others are made.  The words are copied.
  void announce(const Word* words);
  /// Those that were announced since the last time, in their order; valid until the next time.
  const std::vector<StateId>& insert_announced();
  /// Takes back what was announced.
  void forget_announced() { announced_.clear(); }
  [[nodiscard]] StateId find(const Word* words) const;
  [[nodiscard]] const Word* operator[](StateId id) const {
    return at(static_cast<std::uint32_t>(id));
  }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// What the states, and finding them, take.
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::uint32_t chunk_bits = 14;
  static constexpr std::uint32_t chunk_size = 1U << chunk_bits;

  Inserted insert(const Word* words, std::uint64_t hash);
  [[nodiscard]] const Word* at(std::uint32_t id) const {
    return chunks_[id >> chunk_bits].get() + std::size_t{id & (chunk_size - 1)} * words_;
  }
  [[nodiscard]] bool same(const Word* a, const Word* b) const {
    for (std::size_t i = 0; i < words_; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

  std::size_t words_;
  std::uint32_t size_ = 0;
  std::vector<std::unique_ptr<Word[]>> chunks_;
  base::IdSet numbers_;
  std::vector<Word> announced_;  // of each: hash, candidate, words
  std::vector<StateId> inserted_;
};

}  // namespace cohort::model
