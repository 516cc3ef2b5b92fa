// A large store waits for memory twice for each state: for the set of numbers and for the words.
// The successors of a state are therefore announced one by one and inserted together: they wait
// together.
#include "model/store.hpp"

#include <algorithm>
#include <new>

namespace cohort::model {

void Store::announce(const Word* words) {
  const std::uint64_t hash = hash_words(words, words_);
  numbers_.prefetch(hash);
  const std::size_t at = announced_.size();
  announced_.resize(at + words_ + 2);
  announced_[at] = hash;
  std::copy_n(words, words_, announced_.begin() + static_cast<std::ptrdiff_t>(at) + 2);
}

const std::vector<StateId>& Store::insert_announced() {
  inserted_.clear();
  for (std::size_t i = 0; i < announced_.size(); i += words_ + 2) {
    const std::uint32_t candidate = numbers_.candidate(announced_[i]);
    announced_[i + 1] = candidate;
    if (candidate != base::IdSet::none) __builtin_prefetch(at(candidate));
  }
  for (std::size_t i = 0; i < announced_.size(); i += words_ + 2) {
    const Word* const words = announced_.data() + i + 2;
    const auto candidate = static_cast<std::uint32_t>(announced_[i + 1]);
    const bool is_known = candidate != base::IdSet::none && same(at(candidate), words);
    inserted_.push_back(is_known ? StateId{candidate} : insert(words, announced_[i]).id);
  }
  forget_announced();
  return inserted_;
}

Store::Inserted Store::insert(const Word* words, std::uint64_t hash) {
  const std::uint32_t fresh = size_;
  if (fresh == UINT32_MAX - 1) throw std::bad_alloc();
  if ((fresh >> chunk_bits) == chunks_.size()) {
    // Not cleared: every word is written before it is read.
    chunks_.emplace_back(new Word[std::size_t{chunk_size} * words_]);
  }
  const std::uint32_t id =
      numbers_.insert(hash, fresh, [&](std::uint32_t known) { return same(at(known), words); });
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
