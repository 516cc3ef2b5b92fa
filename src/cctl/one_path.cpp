// Idea.  `AG p` is false because of a path to a state without p, and then because of whatever shows
// that p is false there: the path goes on.  `AF p` is false because of a path on which every state
// lacks p: if p has a path of its own in it, one would be needed at every state.
#include "cctl/one_path.hpp"

#include <algorithm>

namespace cohort::cctl {
namespace {

using lang::Expr;
using lang::Op;
using lang::syntax::Path;
using lang::syntax::TemporalOperator;

[[nodiscard]] bool needs_paths(const Expr& expr) {
  return expr.op == Op::Temporal || std::ranges::any_of(expr.args, needs_paths);
}

/// All of these are as they should be, so all have to be shown: one path serves one.
[[nodiscard]] bool can_show_all(const Expr& first, bool first_truth, const Expr& second,
                                bool second_truth) {
  return one_path_can_show(first, first_truth) && one_path_can_show(second, second_truth) &&
         !(needs_paths(first) && needs_paths(second));
}

[[nodiscard]] bool can_show_operands(const Expr& expr, bool truth) {
  const auto shown = [&](const Expr& arg) { return one_path_can_show(arg, truth); };
  if (!std::ranges::all_of(expr.args, shown)) return false;
  const bool any_will_do = truth == (expr.op == Op::Or);
  return any_will_do || std::ranges::count_if(expr.args, needs_paths) <= 1;
}

[[nodiscard]] bool can_show_temporal(const Expr& expr, bool truth) {
  const bool exists = expr.path == Path::E || expr.path == Path::Efair;
  const bool fair = expr.path == Path::Efair || expr.path == Path::Afair;
  if (exists != truth) return false;
  const bool operands_are_plain = std::ranges::none_of(expr.args, needs_paths);
  // After what was promised a fair path goes on: the path that is shown may stop there.
  if (fair) {
    const auto lasting = exists ? TemporalOperator::G : TemporalOperator::F;
    return expr.temporal == lasting && operands_are_plain;
  }
  if (expr.temporal == TemporalOperator::X) return one_path_can_show(expr.args[0], truth);
  const auto reaching = exists ? TemporalOperator::F : TemporalOperator::G;
  if (expr.temporal == reaching) return one_path_can_show(expr.args[0], truth);
  return operands_are_plain;
}

}  // namespace

bool one_path_can_show(const Expr& formula, bool truth) {
  if (!needs_paths(formula)) return true;
  switch (formula.op) {
    case Op::Not:
      return one_path_can_show(formula.args[0], !truth);
    case Op::And:
    case Op::Or:
      return can_show_operands(formula, truth);
    case Op::Implies:
      if (formula.args.size() != 2) return false;
      if (!truth) return can_show_all(formula.args[0], true, formula.args[1], false);
      return one_path_can_show(formula.args[0], false) && one_path_can_show(formula.args[1], true);
    case Op::ForallProcess:
      return !truth && one_path_can_show(formula.args[0], truth);
    case Op::ExistsProcess:
      return truth && one_path_can_show(formula.args[0], truth);
    case Op::Temporal:
      return can_show_temporal(formula, truth);
    default:
      return false;
  }
}

}  // namespace cohort::cctl
