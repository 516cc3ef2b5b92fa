#include "quotient/states.hpp"

#include <algorithm>
#include <cassert>
#include <new>
#include <stdexcept>
#include <utility>

namespace cohort::quotient {

FieldTuples::FieldTuples(const model::Layout& layout) : num_words_(layout.num_words()) {
  constexpr std::uint8_t widest = 32;
  std::vector<model::Field> fields;
  for (std::size_t i = 0; i < layout.num_instances(); ++i) {
    if (layout.field(i).width > 0) fields.push_back(layout.field(i));
  }
  std::ranges::sort(fields, {}, [](const model::Field& f) { return std::pair{f.word, f.shift}; });
  // One component for each field; where these are more than a tree may have, for neighbours that
  // fit into a component together.
  const bool crowded = 2 * fields.size() > ist::Forest::most_components;
  for (const model::Field& field : fields) {
    if (crowded && !components_.empty()) {
      Component& last = components_.back();
      const int width = field.shift + field.width - last.shift;
      if (last.word == field.word && width <= widest) {
        last.width = static_cast<std::uint8_t>(width);
        continue;
      }
    }
    const std::uint8_t low = std::min(field.width, widest);
    components_.push_back({field.word, field.shift, low});
    if (field.width > widest) {
      components_.push_back({field.word, static_cast<std::uint8_t>(field.shift + widest),
                             static_cast<std::uint8_t>(field.width - widest)});
    }
  }
  if (components_.empty()) components_.push_back({});  // one state only, and a tuple for it
}

void FieldTuples::to_tuple(const Word* words, ist::Value* tuple) const {
  for (const Component& c : components_) {
    *tuple++ = static_cast<ist::Value>((words[c.word] >> c.shift) & ((Word{1} << c.width) - 1));
  }
}

void FieldTuples::to_words(const ist::Value* tuple, Word* words) const {
  std::fill_n(words, num_words_, 0);
  for (const Component& c : components_) words[c.word] |= Word{*tuple++} << c.shift;
}

void States::adopt(ist::Ranking tree) {
  if (size() > 0) throw std::logic_error("a tree of states for a graph that has some already");
  tree_ = std::move(tree);
  tuple_.resize(tuples_.num_components());
}

StateId States::insert_behind(const Word* words) {
  tuples_.to_tuple(words, tuple_.data());
  if (const auto rank = tree_.rank(tuple_)) return StateId{*rank};
  const auto behind = static_cast<std::uint32_t>(hashed_.insert(words).id);
  if (behind >= UINT32_MAX - 1 - tree_.size()) throw std::bad_alloc();
  return StateId{tree_.size() + behind};
}

const Word* States::unrank(StateId id) const {
  const auto number = static_cast<std::uint32_t>(id);
  if (number >= tree_.size()) return hashed_[StateId{number - tree_.size()}];
  tree_.tuple(number, tuple_);
  tuples_.to_words(tuple_.data(), words_.data());
  return words_.data();
}

}  // namespace cohort::quotient
