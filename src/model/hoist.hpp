// Quantifiers, rewritten so that less is looked at.
//
// `forall c, d . c != d & state[c] = exclusive -> state[d] = invalid` asks about the state of c
// once for each pair.  Taken apart, `forall c . state[c] = exclusive -> forall d . c != d -> …`, it
// asks once for each c, and hardly ever comes to d.
#pragma once

#include "lang/program.hpp"

namespace cohort::model {

/// An expression with the same value wherever evaluating `expr` cannot be a fault; the order of
/// operands may be another.
[[nodiscard]] lang::Expr hoisted(const lang::Expr& expr);
/// Without a quantifier there is nothing to rewrite.
[[nodiscard]] bool has_quantifier(const lang::Expr& expr);

}  // namespace cohort::model
