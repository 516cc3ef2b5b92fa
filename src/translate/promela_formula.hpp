// Properties of linear time in Promela's LTL.
//
// The first state of an export is none of the model: a formula is about what comes after it.
#pragma once

#include <string>
#include <vector>

#include "translate/linear.hpp"
#include "translate/promela_expression.hpp"
#include "translate/words.hpp"

namespace cohort::translate {

struct PromelaFormula {
  std::vector<std::string> parts;  ///< the property holds if each of them does
  std::string functions;           ///< declarations of what they call
};

[[nodiscard]] PromelaFormula promela_formula(const Linear& linear, PromelaExpressions& expressions);

/// Expressions, in C, become functions whose names begin with `name`.
[[nodiscard]] PromelaFormula promela_formula_of_functions(const Linear& linear,
                                                          PromelaExpressions& expressions,
                                                          Words& words, const std::string& name);

}  // namespace cohort::translate
