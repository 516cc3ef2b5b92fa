// How a program whose processes are counted gets to a fault.
#pragma once

#include <optional>

#include "base/limits.hpp"
#include "cctl/counted_evaluator.hpp"
#include "cctl/evidence.hpp"
#include "quotient/counted_graph.hpp"

namespace cohort::cctl {

/// As nearest_fault of fault_path.hpp; `space` has no variables.
[[nodiscard]] std::optional<ModelError> nearest_counted_fault(quotient::CountedSpace& space,
                                                              const quotient::Colouring& colouring,
                                                              base::Limits& limits);

/// A shortest path to a state where evaluating a sub-formula is a fault, for some processes that
/// its variables may stand for: those are the variables of `space`.
[[nodiscard]] std::optional<Evidence> path_to_counted_fault(CountedEvaluator& evaluator,
                                                            FormulaId id,
                                                            quotient::CountedSpace& space,
                                                            base::Limits& limits);

}  // namespace cohort::cctl
