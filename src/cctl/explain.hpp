// From labels to evidence: why a formula is true, or false, as one path of the program.
#pragma once

#include <optional>

#include "cctl/evaluator.hpp"
#include "cctl/evidence.hpp"
#include "quotient/graph.hpp"

namespace cohort::cctl {

/// A path that explains why the formula has this truth at an initial state; nothing where no single
/// path can.  `frame` is the evaluation in terms of `initial.state`.  Paths are shortest where an
/// until is explained.  Throws what the evaluator throws.
[[nodiscard]] std::optional<Evidence> explain(PositionEvaluator& evaluator,
                                              const quotient::InitialState& initial, Frame frame,
                                              bool truth);

}  // namespace cohort::cctl
