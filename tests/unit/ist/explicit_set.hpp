// The oracle of the tests: a set of tuples as a std::set of vectors, every operation by its
// definition.
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "ist/iterate.hpp"
#include "ist/tree.hpp"

namespace cohort::ist {

using Tuple = std::vector<Value>;
using Explicit = std::set<Tuple>;

[[nodiscard]] inline Explicit explicit_of(const Set& set) {
  Explicit tuples;
  for (Tuples at{set}; at.valid(); at.next()) {
    tuples.insert(Tuple(at.tuple().begin(), at.tuple().end()));
  }
  return tuples;
}

[[nodiscard]] inline Set set_of(Forest& forest, const Explicit& tuples) {
  std::vector<Value> values;
  for (const Tuple& tuple : tuples) values.insert(values.end(), tuple.begin(), tuple.end());
  return forest.from_tuples(values);
}

/// All tuples with components 0..bound.
[[nodiscard]] inline Explicit universe(std::size_t k, Value bound) {
  Explicit all{Tuple{}};
  for (std::size_t i = 0; i < k; ++i) {
    Explicit longer;
    for (const Tuple& tuple : all) {
      for (Value v = 0; v <= bound; ++v) {
        Tuple next = tuple;
        next.push_back(v);
        longer.insert(next);
      }
    }
    all = longer;
  }
  return all;
}

/// Sparse, dense or made of boxes, by chance.
[[nodiscard]] inline Explicit random_tuples(base::Random& random, std::size_t k, Value bound) {
  Explicit tuples;
  const auto percent = static_cast<unsigned>(random.below(101));
  if (random.chance(50)) {
    for (const Tuple& tuple : universe(k, bound)) {
      if (random.chance(percent)) tuples.insert(tuple);
    }
    return tuples;
  }
  const std::uint64_t num_boxes = random.below(5);
  for (std::uint64_t b = 0; b < num_boxes; ++b) {
    Tuple low;
    Tuple high;
    for (std::size_t i = 0; i < k; ++i) {
      low.push_back(static_cast<Value>(random.below(bound + std::uint64_t{1})));
      high.push_back(static_cast<Value>(random.between(low.back(), bound)));
    }
    for (const Tuple& tuple : universe(k, bound)) {
      bool inside = true;
      for (std::size_t i = 0; i < k; ++i) {
        inside = inside && low[i] <= tuple[i] && tuple[i] <= high[i];
      }
      if (inside) tuples.insert(tuple);
    }
  }
  return tuples;
}

}  // namespace cohort::ist
