#include "model/store.hpp"

#include <algorithm>
#include <new>

namespace cohort::model {

Store::Store(std::size_t words_per_state)
    : words_(words_per_state), numbers_(64, Hash{this}, Equal{this}) {
  numbers_.max_load_factor(0.85F);
}

Store::Inserted Store::insert(const Word* words) {
  const std::size_t hash = hash_words(words, words_);
  const auto found = numbers_.find(words, hash);
  if (found != numbers_.end()) return {StateId{*found}, false};
  if (size_ == UINT32_MAX - 1) throw std::bad_alloc();
  const std::uint32_t id = size_;
  if ((id >> chunk_bits) == chunks_.size()) {
    // Not cleared: every word is written before it is read.
    chunks_.emplace_back(new Word[std::size_t{chunk_size} * words_]);
  }
  std::copy_n(words, words_,
              chunks_[id >> chunk_bits].get() + std::size_t{id & (chunk_size - 1)} * words_);
  ++size_;
  numbers_.insert(id);
  return {StateId{id}, true};
}

StateId Store::find(const Word* words) const {
  const auto found = numbers_.find(words);
  return found == numbers_.end() ? no_state : StateId{*found};
}

std::size_t Store::bytes() const {
  // A bucket holds a number, its hash and its distance from home.
  constexpr std::size_t bucket_bytes = 12;
  // What of a chunk was never written to takes no memory.
  return std::size_t{size_} * words_ * sizeof(Word) + numbers_.bucket_count() * bucket_bytes;
}

}  // namespace cohort::model
