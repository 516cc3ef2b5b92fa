// Which verdicts one path can show alone.
//
//   if (one_path_can_show(formula.root, true)) …   // a witness has no excuse to leave it open
//
// Part of what judges the search: knows formulas and nothing that the search uses.
#pragma once

#include "lang/program.hpp"

namespace cohort::cctl {

/// Whether, wherever the formula is as `truth` says, a single path and the processes chosen for its
/// outer quantifiers can show it.  Careful: where that is not plain, the answer is no.
[[nodiscard]] bool one_path_can_show(const lang::Expr& formula, bool truth);

}  // namespace cohort::cctl
