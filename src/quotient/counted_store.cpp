#include "quotient/counted_store.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace cohort::quotient {

std::uint64_t CountedStore::hash(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = bytes.size();
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    hash = mixed(hash, word);
  }
  if (i == bytes.size()) return mixed(hash, 0);
  std::uint64_t rest = 0;
  if (i > 0) {
    std::memcpy(&rest, bytes.data() + bytes.size() - 8, 8);  // some bytes once more
  } else {
    std::memcpy(&rest, bytes.data(), bytes.size());
  }
  return mixed(hash, rest);
}

std::span<const std::uint8_t> CountedStore::operator[](std::uint32_t id) const {
  const std::uint8_t* begin = at(places_[id]);
  const std::size_t size = Encoding::pop(begin);
  return {begin, size};
}

bool CountedStore::is(std::uint32_t id, std::span<const std::uint8_t> bytes) const {
  const std::uint8_t* begin = at(places_[id]);
  return Encoding::pop(begin) == bytes.size() &&
         std::memcmp(begin, bytes.data(), bytes.size()) == 0;
}

void CountedStore::announce(std::span<const std::uint8_t> bytes) {
  announced_.push_back({hash(bytes), announced_bytes_.size(), bytes.size()});
  announced_bytes_.insert(announced_bytes_.end(), bytes.begin(), bytes.end());
  numbers_.prefetch(announced_.back().hash);
}

const std::vector<CountedStore::Inserted>& CountedStore::insert_announced() {
  for (Announced& state : announced_) {
    state.candidate = numbers_.candidate(state.hash);
    if (state.candidate != IdSet::none) __builtin_prefetch(&places_[state.candidate]);
  }
  for (const Announced& state : announced_) {
    if (state.candidate != IdSet::none) __builtin_prefetch(at(places_[state.candidate]));
  }
  inserted_.clear();
  for (const Announced& state : announced_) {
    const std::span<const std::uint8_t> bytes{announced_bytes_.data() + state.begin, state.size};
    const bool is_known = state.candidate != IdSet::none && is(state.candidate, bytes);
    inserted_.push_back(is_known ? Inserted{state.candidate, false} : insert(bytes, state.hash));
  }
  forget_announced();
  return inserted_;
}

void CountedStore::forget_announced() {
  announced_.clear();
  announced_bytes_.clear();
}

CountedStore::Inserted CountedStore::insert(std::span<const std::uint8_t> bytes,
                                            std::uint64_t hash) {
  const std::uint32_t fresh = size();
  if (fresh == IdSet::none) throw std::bad_alloc();
  const std::uint32_t found =
      numbers_.insert(hash, fresh, [&](std::uint32_t id) { return is(id, bytes); });
  if (found != fresh) return {found, false};
  std::array<std::uint8_t, 5> length{};
  const std::uint8_t* const length_end =
      Encoding::write(static_cast<std::uint32_t>(bytes.size()), length.data());
  const auto length_size = static_cast<std::size_t>(length_end - length.data());
  const std::size_t units = (length_size + bytes.size() + unit - 1) / unit;
  if (units > chunk_units) throw std::bad_alloc();
  if (next_ % chunk_units + units > chunk_units || next_ == chunks_.size() * chunk_units) {
    next_ = chunks_.size() * chunk_units;
    chunks_.emplace_back(new std::uint8_t[chunk_units * unit]);
  }
  if (next_ + units > UINT32_MAX) throw std::bad_alloc();
  places_.push_back(static_cast<std::uint32_t>(next_));
  std::uint8_t* const to = at(places_.back());
  next_ += units;
  std::ranges::copy(bytes, std::copy_n(length.data(), length_size, to));
  return {fresh, true};
}

std::size_t CountedStore::bytes() const {
  return next_ * unit + places_.capacity() * sizeof(std::uint32_t) + numbers_.bytes();
}

}  // namespace cohort::quotient
