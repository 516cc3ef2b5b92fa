// Random formulas and words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "ltl/formula.hpp"
#include "oracle/ltl_words.hpp"

namespace cohort::ltl_test {

struct FormulaShape {
  std::size_t num_operators = 6;
  std::size_t num_atoms = 2;
  bool regexes = false;  ///< with `{r}` and `{r} |-> f`
};

[[nodiscard]] ltl::Formula random_formula(ltl::Formulas& formulas, base::Random& random,
                                          const FormulaShape& shape);
[[nodiscard]] ltl::Regex random_regex(ltl::Formulas& formulas, base::Random& random,
                                      const FormulaShape& shape);

/// All words over this many atoms of up to this length, the empty one first.
[[nodiscard]] std::vector<oracle::FiniteWord> all_words(std::size_t num_atoms, std::size_t longest);
[[nodiscard]] oracle::LassoWord random_lasso(base::Random& random, std::size_t num_atoms);
/// All stems of up to `longest_stem` with all loops of up to `longest_loop` positions.
[[nodiscard]] std::vector<oracle::LassoWord> all_lassos(std::size_t num_atoms,
                                                        std::size_t longest_stem,
                                                        std::size_t longest_loop);

/// a, b, c, …
[[nodiscard]] std::vector<std::string> atom_names(std::size_t num_atoms);
[[nodiscard]] std::string to_string(const ltl::Formulas& formulas, ltl::Formula f);
[[nodiscard]] std::string to_string(const ltl::Formulas& formulas, ltl::Regex r);

/// `cases` times the factor in the environment's COHORT_RANDOM_CASES.
[[nodiscard]] std::size_t scaled(std::size_t cases);

}  // namespace cohort::ltl_test
