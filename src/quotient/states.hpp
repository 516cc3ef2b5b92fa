// The states of a graph, by number: in a hash store while the graph grows, or in an interval
// sharing tree that was built beforehand.
//
//   States states{program.layout()};
//   const StateId id = states.insert(words);     // as model::Store
//   states.adopt(std::move(ranking));            // all reachable states at once: reach.hpp
//
// In a tree a state is the tuple of its packed fields, and its number the tuple's rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ist/ranking.hpp"
#include "model/layout.hpp"
#include "model/store.hpp"

namespace cohort::quotient {

using model::StateId;
using model::Word;

/// A packed state as a tuple of naturals, field by field in the order of the words.
class FieldTuples {
 public:
  explicit FieldTuples(const model::Layout& layout);

  [[nodiscard]] std::size_t num_components() const { return components_.size(); }
  void to_tuple(const Word* words, ist::Value* tuple) const;
  void to_words(const ist::Value* tuple, Word* words) const;

 private:
  struct Component {
    std::uint32_t word = 0;
    std::uint8_t shift = 0;
    std::uint8_t width = 0;  ///< at most 32
  };

  std::vector<Component> components_;
  std::size_t num_words_;
};

class States {
 public:
  explicit States(const model::Layout& layout)
      : hashed_(layout.num_words()), tuples_(layout), words_(layout.num_words()) {}

  /// Throws std::bad_alloc when memory, or the 32 bits of a number, are at their end.
  [[nodiscard]] StateId insert(const Word* words) {
    return in_tree() ? insert_behind(words) : hashed_.insert(words).id;
  }
  /// In two steps, for several states at once, as model::Store.
  void announce(const Word* words) {
    if (in_tree()) {
      announced_behind_.push_back(insert_behind(words));
    } else {
      hashed_.announce(words);
    }
  }
  const std::vector<StateId>& insert_announced() {
    if (!in_tree()) return hashed_.insert_announced();
    inserted_.swap(announced_behind_);
    announced_behind_.clear();
    return inserted_;
  }
  void forget_announced() {
    hashed_.forget_announced();
    announced_behind_.clear();
  }
  /// While states are in a tree the words are valid until the next call only.
  [[nodiscard]] const Word* operator[](StateId id) const {
    return in_tree() ? unrank(id) : hashed_[id];
  }
  [[nodiscard]] std::uint32_t size() const { return tree_.size() + hashed_.size(); }
  /// What the states, and finding them, take.
  [[nodiscard]] std::size_t bytes() const {
    return in_tree() ? tree_.bytes() + (hashed_.size() > 0 ? hashed_.bytes() : 0) : hashed_.bytes();
  }
  [[nodiscard]] bool in_tree() const { return tree_.size() > 0; }
  /// Of the tree; 0 without one.
  [[nodiscard]] std::size_t num_nodes() const { return tree_.num_nodes(); }

  /// Takes all states from a tree; there must be none yet.
  void adopt(ist::Ranking tree);

 private:
  [[nodiscard]] StateId insert_behind(const Word* words);
  [[nodiscard]] const Word* unrank(StateId id) const;

  model::Store hashed_;  // with a tree: states that it lacks, numbered behind it
  ist::Ranking tree_;
  FieldTuples tuples_;
  std::vector<StateId> announced_behind_;
  std::vector<StateId> inserted_;
  mutable std::vector<ist::Value> tuple_;
  mutable std::vector<Word> words_;
};

}  // namespace cohort::quotient
