#include "model/store.hpp"

#include <algorithm>
#include <new>

namespace cohort::model {

Store::Inserted Store::insert(const Word* words) {
  const std::uint32_t fresh = size_;
  if (fresh == UINT32_MAX - 1) throw std::bad_alloc();
  if ((fresh >> chunk_bits) == chunks_.size()) {
    // Not cleared: every word is written before it is read.
    chunks_.emplace_back(new Word[std::size_t{chunk_size} * words_]);
  }
  const std::uint32_t id =
      numbers_.insert(hash_words(words, words_), fresh,
                      [&](std::uint32_t known) { return same(at(known), words); });
  if (id != fresh) return {StateId{id}, false};
  std::copy_n(words, words_,
              chunks_[fresh >> chunk_bits].get() + std::size_t{fresh & (chunk_size - 1)} * words_);
  ++size_;
  return {StateId{fresh}, true};
}

StateId Store::find(const Word* words) const {
  const std::uint32_t id = numbers_.find(
      hash_words(words, words_), [&](std::uint32_t known) { return same(at(known), words); });
  return id == base::IdSet::none ? no_state : StateId{id};
}

std::size_t Store::bytes() const {
  // What of a chunk was never written to takes no memory.
  return std::size_t{size_} * words_ * sizeof(Word) + numbers_.bytes();
}

}  // namespace cohort::model
