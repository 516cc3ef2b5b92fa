#include "cctl/evaluator.hpp"

#include <algorithm>
#include <utility>

namespace cohort::cctl {

using lang::syntax::Join;
using model::Int128;

void Evaluator::tick() {
  if (setting_.limits.exceeded(num_states())) throw LimitReached{};
  constexpr std::uint32_t ticks_between_reports = 4096;
  if (++ticks_ % ticks_between_reports == 0 && show_progress_) show_progress_();
}

bool Evaluator::holds(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula_[id];
  switch (node.kind) {
    case Kind::State:
      return evaluate(id, node.coloured, frame) != 0;
    case Kind::Not:
      return !holds(node.args.front(), frame);
    case Kind::And:
      return std::ranges::all_of(node.args, [&](FormulaId arg) { return holds(arg, frame); });
    case Kind::Or:
      return std::ranges::any_of(node.args, [&](FormulaId arg) { return holds(arg, frame); });
    case Kind::Iff: {
      const bool left = holds(node.args[0], frame);
      return left == holds(node.args[1], frame);
    }
    case Kind::Forall:
    case Kind::Exists:
      return quantified(id, frame);
    case Kind::Count:
    case Kind::Sum:
    case Kind::Product:
    case Kind::Negative:
      return number(id, frame) != 0;
    case Kind::Compare: {
      const Int128 left = number(node.args[0], frame);
      const Int128 right = number(node.args[1], frame);
      return lang::syntax::compares(node.join, left, right);
    }
    case Kind::Enabled:
      return is_enabled(id, frame);
    case Kind::Deadlock:
      return is_deadlocked(id, frame);
    case Kind::Next:
    case Kind::Until:
    case Kind::Globally:
    case Kind::FairGlobally:
      return holds_at(id, enter(id, frame));
  }
  return false;
}

bool Evaluator::is_fault(FormulaId id, Frame& frame) {
  try {
    (void)number(id, frame);
  } catch (const FormulaFault&) {
    return true;
  }
  return false;
}

Int128 Evaluator::number(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula_[id];
  switch (node.kind) {
    case Kind::State:
      return evaluate(id, node.coloured, frame);
    case Kind::Count: {
      Int128 count = 0;
      for (const Candidate& candidate : candidates(id, frame)) {
        bind(id, candidate, frame);
        if (holds(node.args.front(), frame)) count += candidate.weight;
        release(id, candidate, frame);
      }
      return count;
    }
    case Kind::Negative:
      return -number(node.args.front(), frame);
    case Kind::Sum:
    case Kind::Product:
      return chain(id, frame);
    default:
      return holds(id, frame) ? 1 : 0;
  }
}

Int128 Evaluator::chain(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula_[id];
  Int128 left = number(node.args.front(), frame);
  for (std::size_t i = 1; i < node.args.size(); ++i) {
    const Int128 right = number(node.args[i], frame);
    switch (formula_[node.args[i]].join) {
      case Join::Plus:
        left += right;
        break;
      case Join::Minus:
        left -= right;
        break;
      case Join::Times:
        left *= right;
        break;
      default:
        if (right == 0) {
          throw FormulaFault{{model::FaultKind::DivisionByZero, formula_[node.args[i]].where, 0, 0},
                             frame.state,
                             id};
        }
        left = formula_[node.args[i]].join == Join::Divide ? left / right : left % right;
        break;
    }
  }
  return left;
}

bool Evaluator::quantified(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula_[id];
  const FormulaNode& body = formula_[node.args.front()];
  const bool wanted = node.kind == Kind::Exists;
  // A fault in one process is a fault, so that the answer does not depend on their order; temporal
  // bodies are asked lazily all the same.
  const bool may_stop = body.temporal || body.safe;
  bool decided = false;
  for (const Candidate& candidate : candidates(id, frame)) {
    bind(id, candidate, frame);
    decided = holds(node.args.front(), frame) == wanted || decided;
    release(id, candidate, frame);
    if (decided && may_stop) break;
  }
  return decided ? wanted : !wanted;
}

}  // namespace cohort::cctl
