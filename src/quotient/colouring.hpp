// Colours: what ranks and sets tell of a process.
#pragma once

#include "model/expression.hpp"
#include "quotient/graph.hpp"

namespace cohort::quotient {

/// Colours tell processes apart by their ranks and by the sets of a formula, and by nothing else.
/// `formula_code`, if not null, has the sets.
[[nodiscard]] Colouring make_colouring(const model::Program& program,
                                       const model::Expressions* formula_code);

}  // namespace cohort::quotient
