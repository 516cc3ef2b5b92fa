// What a bounded search remembers: the states of its paths, always, and some finished ones.
//
//   SearchMemory<State> memory{options};
//   const auto [entry, is_new] = memory.find_or_add(state);
//
// A state is kept while it is pinned, that is, while a path of the search goes through it; when it
// is released it goes to the heap, where it may be replaced at random by the next one.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace cohort::monitor {

/// `Hash` is a functor; states are copied and compared with `==`.
template <typename State, typename Hash>
class SearchMemory {
 public:
  using Entry = std::uint32_t;
  static constexpr Entry none = std::numeric_limits<Entry>::max();
  static constexpr std::uint32_t not_on_path = std::numeric_limits<std::uint32_t>::max();

  /// What the search knows of a state.
  struct Facts {
    std::uint32_t place = not_on_path;  ///< on the outer path
    bool on_inner_path = false;
    bool finished = false;        ///< by the outer search
    bool inner_finished = false;  ///< by the inner searches
  };

  /// At most `capacity` states in the heap; 0: any number.
  SearchMemory(std::size_t capacity, std::uint64_t seed) : capacity_(capacity), random_(seed) {
    table_.assign(first_table_size, none);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t largest_size() const { return largest_size_; }
  [[nodiscard]] std::uint64_t num_forgotten() const { return num_forgotten_; }
  [[nodiscard]] const State& state(Entry entry) const { return pool_[entry].state; }
  [[nodiscard]] Facts& facts(Entry entry) { return pool_[entry].facts; }

  /// The entry of a state, added if need be.  A new entry must be pinned by its facts, or released.
  [[nodiscard]] std::pair<Entry, bool> find_or_add(const State& state) {
    if ((size_ + 1) * 2 > table_.size()) grow();
    const std::size_t hash = mixed(Hash{}(state));
    std::size_t at = hash & (table_.size() - 1);
    for (; table_[at] != none; at = (at + 1) & (table_.size() - 1)) {
      const Item& item = pool_[table_[at]];
      if (item.hash == hash && item.state == state) return {table_[at], false};
    }
    const Entry entry = new_entry(state, hash);
    table_[at] = entry;
    ++size_;
    if (size_ > largest_size_) largest_size_ = size_;
    return {entry, true};
  }

  /// Puts a state that is on no path any more into the heap, at the cost of another one if the heap
  /// is full.
  void release(Entry entry) {
    Item& item = pool_[entry];
    assert(item.facts.place == not_on_path && !item.facts.on_inner_path);
    if (item.in_heap != none || capacity_ == 0) return;
    if (heap_.size() < capacity_) {
      item.in_heap = static_cast<Entry>(heap_.size());
      heap_.push_back(entry);
      return;
    }
    const auto victim = static_cast<std::size_t>(random_.below(heap_.size()));
    const Entry old = heap_[victim];
    heap_[victim] = entry;
    item.in_heap = static_cast<Entry>(victim);
    pool_[old].in_heap = none;
    forget(old);
  }

  /// Takes a state out of the heap, because a path goes through it again.
  void pin(Entry entry) {
    Item& item = pool_[entry];
    if (item.in_heap == none) return;
    const Entry last = heap_.back();
    heap_[item.in_heap] = last;
    pool_[last].in_heap = item.in_heap;
    heap_.pop_back();
    item.in_heap = none;
  }

 private:
  struct Item {
    State state;
    std::size_t hash;
    Entry in_heap;
    Facts facts;
  };
  static constexpr std::size_t first_table_size = 1024;

  [[nodiscard]] static std::size_t mixed(std::size_t hash) {
    std::uint64_t h = hash;
    h = (h ^ (h >> 32U)) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(h ^ (h >> 29U));
  }

  [[nodiscard]] Entry new_entry(const State& state, std::size_t hash) {
    if (!free_.empty()) {
      const Entry entry = free_.back();
      free_.pop_back();
      pool_[entry] = Item{state, hash, none, Facts{}};
      return entry;
    }
    pool_.push_back(Item{state, hash, none, Facts{}});
    return static_cast<Entry>(pool_.size() - 1);
  }

  void grow() {
    table_.assign(table_.size() * 2, none);
    const std::size_t mask = table_.size() - 1;
    std::vector<bool> is_free(pool_.size(), false);
    for (const Entry entry : free_) is_free[entry] = true;
    for (Entry entry = 0; entry < pool_.size(); ++entry) {
      if (is_free[entry]) continue;
      std::size_t at = pool_[entry].hash & mask;
      while (table_[at] != none) at = (at + 1) & mask;
      table_[at] = entry;
    }
  }

  /// Linear probing without tombstones: what stands behind moves up.
  void forget(Entry entry) {
    ++num_forgotten_;
    const std::size_t mask = table_.size() - 1;
    std::size_t hole = pool_[entry].hash & mask;
    while (table_[hole] != entry) hole = (hole + 1) & mask;
    for (std::size_t at = (hole + 1) & mask; table_[at] != none; at = (at + 1) & mask) {
      const std::size_t home = pool_[table_[at]].hash & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      table_[hole] = table_[at];
      hole = at;
    }
    table_[hole] = none;
    --size_;
    free_.push_back(entry);
  }

  std::size_t capacity_;
  base::Random random_;
  std::vector<Item> pool_;
  std::vector<Entry> free_;
  std::vector<Entry> table_;  // open addressing
  std::vector<Entry> heap_;
  std::size_t size_ = 0;
  std::size_t largest_size_ = 0;
  std::uint64_t num_forgotten_ = 0;
};

}  // namespace cohort::monitor
