// From labels to evidence: why a formula is true, or false, as one path of the program.
#pragma once

#include <optional>

#include "cctl/evaluator.hpp"
#include "cctl/evidence.hpp"
#include "cctl/walk.hpp"

namespace cohort::cctl {

/// A path that explains why the formula has this truth at an initial state; nothing where no single
/// path can, or it would be too long.  `walk` and `frame` are at that state.  Paths are shortest
/// where an until is explained.  Throws what the evaluator throws.
[[nodiscard]] std::optional<Evidence> explain(Evaluator& evaluator, Walk& walk, Frame frame,
                                              bool truth);

}  // namespace cohort::cctl
