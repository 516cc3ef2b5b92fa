#include "ltl/climber.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace cohort::ltl {

using syntax::Expr;
using syntax::ExprKind;

namespace {

[[nodiscard]] bool is_chain(ExprKind kind) {
  return kind == ExprKind::And || kind == ExprKind::Or || kind == ExprKind::Sum ||
         kind == ExprKind::Product || kind == ExprKind::Concat || kind == ExprKind::Intersection;
}

[[nodiscard]] bool from_right(Level level) {
  return level == Level::Implies || level == Level::Until;
}

}  // namespace

Climber::Frame Climber::open(Level loosest) {
  const Frame outer{operands_.size(), base_operators_, loosest_};
  base_operators_ = operators_.size();
  loosest_ = loosest;
  awaits_operand_ = true;
  return outer;
}

void Climber::abandon(const Frame& frame) {
  operands_.resize(frame.num_operands);
  operators_.resize(base_operators_);
  base_operators_ = frame.num_operators;
  loosest_ = frame.loosest;
  awaits_operand_ = true;  // what was being read is a part of an operand of the outer expression
  too_deep_ = false;
}

bool Climber::close(const Frame& frame, Expr& result) {
  assert(!awaits_operand_);
  while (operators_.size() > base_operators_) reduce();
  result = std::move(operands_.back());
  const bool fits = !too_deep_;
  abandon(frame);
  return fits;
}

bool Climber::may_start_operand(Level level) const { return level >= Level::Minus || !needs_sum(); }

bool Climber::needs_sum() const {
  if (operators_.size() == base_operators_) return loosest_ > Level::Unary;
  return operators_.back().level > Level::Unary;
}

bool Climber::may_start_repetition() const {
  return operators_.size() == base_operators_ || operators_.back().level < Level::Unary;
}

bool Climber::would_chain() const {
  for (std::size_t i = operators_.size(); i > base_operators_; --i) {
    const Level level = operators_[i - 1].level;
    if (level == Level::Compare) return true;
    if (level < Level::Compare) return false;
  }
  return false;
}

void Climber::push_operand(Expr&& operand) {
  operands_.push_back(std::move(operand));
  awaits_operand_ = false;
}

void Climber::push_prefix(const OperatorToken& op) {
  operators_.push_back(op);
  awaits_operand_ = true;
}

void Climber::push_infix(const OperatorToken& op) {
  while (operators_.size() > base_operators_) {
    const Level before = operators_.back().level;
    if (before < op.level || (from_right(op.level) && before == op.level)) break;
    reduce();
  }
  operators_.push_back(op);
  awaits_operand_ = true;
}

void Climber::push_repetition(const syntax::Repetition& times, std::uint32_t end) {
  while (operators_.size() > base_operators_ && operators_.back().level >= Level::Unary) reduce();
  Expr made;
  made.kind = ExprKind::Repeat;
  made.times = times;
  made.where = {operands_.back().where.begin, end};
  note_depth(made, operands_.back());
  if (!too_deep_) made.args.push_back(std::move(operands_.back()));
  operands_.back() = std::move(made);
}

void Climber::reduce() {
  const OperatorToken op = operators_.back();
  operators_.pop_back();
  if (op.prefix) {
    reduce_prefix(op);
  } else {
    reduce_infix(op);
  }
}

void Climber::note_depth(Expr& expr, const Expr& child) {
  const auto below = static_cast<std::uint16_t>(child.depth + 1);
  expr.depth = std::max(expr.depth, below);
  // A few levels for each bracket that the parser lets through, or the limit would never be its.
  constexpr std::size_t levels_for_a_bracket = 5;
  if (expr.depth > levels_for_a_bracket * base::deepest_nesting) {
    too_deep_ = true;
    expr.depth = 1;
  }
}

void Climber::reduce_prefix(const OperatorToken& op) {
  Expr made;
  made.kind = op.kind;
  made.temporal = op.temporal;
  made.is_sum = op.kind == ExprKind::Minus;
  made.where = base::join(op.where, operands_.back().where);
  note_depth(made, operands_.back());
  // Too deep: nothing is built any more, the tree would only have to be taken down again.
  if (!too_deep_) made.args.push_back(std::move(operands_.back()));
  operands_.back() = std::move(made);
}

void Climber::reduce_infix(const OperatorToken& op) {
  Expr right = std::move(operands_.back());
  operands_.pop_back();
  Expr& left = operands_.back();
  right.join = op.join;
  // A chain in brackets is a Paren, so a bare one of the same kind is the one being built.
  if (left.kind != op.kind || !is_chain(op.kind)) {
    Expr made;
    made.kind = op.kind;
    made.temporal = op.temporal;
    made.is_sum = op.level >= Level::Sum;
    made.where = left.where;
    note_depth(made, left);
    made.args.push_back(std::move(left));
    left = std::move(made);
  }
  note_depth(left, right);
  left.where.end = right.where.end;
  left.args.push_back(std::move(right));
  if (too_deep_) left.args.clear();
}

}  // namespace cohort::ltl
