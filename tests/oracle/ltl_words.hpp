// What a formula of linear temporal logic says about one word, straight from the definition: slow,
// and too simple to be wrong.
//
//   oracle::holds(formulas, f, FiniteWord{{0b01, 0b10}});
//   oracle::holds(formulas, f, LassoWord{{0b01}, {0b10, 0b00}});
#pragma once

#include <cstdint>
#include <vector>

#include "ltl/formula.hpp"

namespace cohort::oracle {

/// Which atoms are true at a position, as bits.
using Letter = std::uint64_t;

struct FiniteWord {
  std::vector<Letter> letters;
};

/// `stem` and then `loop` for ever; the loop is not empty.
struct LassoWord {
  std::vector<Letter> stem;
  std::vector<Letter> loop;
};

[[nodiscard]] bool holds(const ltl::Formulas& formulas, ltl::Formula f, const FiniteWord& word);
[[nodiscard]] bool holds(const ltl::Formulas& formulas, ltl::Formula f, const LassoWord& word);

/// Whether an expression matches a whole word.
[[nodiscard]] bool matches(const ltl::Formulas& formulas, ltl::Regex r,
                           const std::vector<Letter>& word);

}  // namespace cohort::oracle
