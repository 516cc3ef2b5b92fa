// Judging evidence against LTL properties.
//
//   const cctl::Judgement judgement = replay(program, property, evidence);
//
// Steps through the path with the plain semantics, then evaluates the formula on the word that it
// is, a finite one or a lasso, by the definition (word_truth.hpp).  Shares no code with the search.
#pragma once

#include "cctl/evidence.hpp"
#include "cctl/replay.hpp"
#include "online/property.hpp"

namespace cohort::online {

/// Whether the evidence shows that the property fails.  A path that neither ends nor has a loop
/// shows it if no continuation can satisfy the formula.
[[nodiscard]] cctl::Judgement replay(const lang::Program& program, const Property& property,
                                     const cctl::Evidence& evidence);

}  // namespace cohort::online
