// What a firing does, in Promela: everything is evaluated in the old state, then assigned.
//
// A right side, a subscript or a filter that reads what the same firing assigns is held in a cell
// of the hidden array `held`, which is no part of a state.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lang/program.hpp"
#include "translate/promela_expression.hpp"

namespace cohort::translate {

struct PromelaAction {
  std::vector<std::string> statements;
  std::size_t num_held = 0;  ///< cells of `held` that are used
};

/// `slots`: the instance's processes.
[[nodiscard]] PromelaAction promela_action(const model::Program& program, std::size_t schema,
                                           const Slots& slots, PromelaExpressions& expressions);

}  // namespace cohort::translate
