// Trap.  A quantifier over a part of a module makes the sub-formula depend on who is in that part:
// two groups have to be counted apart in every state, where the quantifier outside follows one
// process.  Such quantifiers stay where they are.
#include "cctl/gathered.hpp"

#include <algorithm>
#include <utility>

namespace cohort::cctl {
namespace {

using lang::Expr;
using lang::Op;
using lang::syntax::Path;
using lang::syntax::TemporalOperator;

/// What goes together: forall with AG behind implications, exists with EF behind conjunctions.
struct Pattern {
  Op quantifier;
  Op joint;
  Path path;
  TemporalOperator temporal;
};
constexpr Pattern always{Op::ForallProcess, Op::Implies, Path::A, TemporalOperator::G};
constexpr Pattern sometimes{Op::ExistsProcess, Op::And, Path::E, TemporalOperator::F};

/// The operator of the pattern at the end of quantifiers and joints, or null.
[[nodiscard]] const Expr* operator_of(const Expr& expr, const Pattern& pattern) {
  if (expr.op == Op::Temporal) {
    return expr.path == pattern.path && expr.temporal == pattern.temporal ? &expr : nullptr;
  }
  if (expr.op == pattern.quantifier) {
    const auto is_whole = [](const lang::Binder& binder) { return binder.set.all; };
    if (!std::ranges::all_of(expr.binders, is_whole)) return nullptr;
    return operator_of(expr.args.front(), pattern);
  }
  if (expr.op == pattern.joint) {
    if (!std::all_of(expr.args.begin(), expr.args.end() - 1, lang::is_rigid)) return nullptr;
    return operator_of(expr.args.back(), pattern);
  }
  return nullptr;
}

/// The quantifiers and joints, around the operator's operand in place of the operator.
[[nodiscard]] Expr around_operand(const Expr& expr) {
  if (expr.op == Op::Temporal) return expr.args.front();
  Expr made = expr;
  made.args.back() = around_operand(expr.args.back());
  return made;
}

}  // namespace

std::optional<Gathered> gather_quantifiers(const lang::Formula& source) {
  const Pattern& pattern = source.root.op == Op::ForallProcess ? always : sometimes;
  if (source.root.op != pattern.quantifier) return std::nullopt;
  const Expr* const found = operator_of(source.root, pattern);
  if (found == nullptr) return std::nullopt;
  Gathered made{source,
                source.root.op == Op::ForallProcess ? base::Verdict::Holds : base::Verdict::Fails};
  made.formula.root = *found;
  made.formula.root.args.front() = around_operand(source.root);
  return made;
}

}  // namespace cohort::cctl
