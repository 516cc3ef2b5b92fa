#include "lang/climber.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace cohort::lang {

using syntax::Expr;
using syntax::ExprKind;

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

bool Climber::may_start_operand(Level level) const {
  if (operators_.size() == base_operators_) return true;
  return level == Level::Minus || operators_.back().level <= Level::Unary;
}

bool Climber::may_continue(Level level) const {
  const ExprKind last = operands_.back().kind;
  const bool is_formula = last == ExprKind::Temporal || last == ExprKind::ForallProcess ||
                          last == ExprKind::ExistsProcess;
  return level < Level::Unary || !is_formula;
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

void Climber::push_prefix(const Operator& op) {
  operators_.push_back(op);
  awaits_operand_ = true;
}

void Climber::push_infix(const Operator& op) {
  const bool from_right = op.level == Level::Implies;
  while (operators_.size() > base_operators_) {
    const Level before = operators_.back().level;
    if (before < op.level || (from_right && before == op.level)) break;
    reduce();
  }
  operators_.push_back(op);
  awaits_operand_ = true;
}

void Climber::reduce() {
  const Operator op = operators_.back();
  operators_.pop_back();
  if (op.prefix) {
    reduce_prefix(op);
  } else if (op.level == Level::Implies) {
    reduce_right(op);
  } else {
    reduce_left(op);
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

void Climber::reduce_prefix(const Operator& op) {
  Expr made;
  made.kind = op.kind;
  made.path = op.path;
  made.temporal = op.temporal;
  made.where = base::join(op.where, operands_.back().where);
  note_depth(made, operands_.back());
  if (too_deep_) {
    // Nothing is built any more: the tree would only have to be taken down again.
    operands_.back() = Expr{};
    return;
  }
  made.args.push_back(std::move(operands_.back()));
  operands_.back() = std::move(made);
}

/// Takes all operators of one right-associative run at once: prepending one by one would be
/// quadratic.
void Climber::reduce_right(const Operator& op) {
  std::size_t num_operators = 1;
  while (operators_.size() > base_operators_ && operators_.back().level == op.level) {
    operators_.pop_back();
    ++num_operators;
  }
  const auto first = operands_.end() - static_cast<std::ptrdiff_t>(num_operators + 1);
  Expr made;
  made.kind = op.kind;
  made.where = base::join(first->where, operands_.back().where);
  for (auto operand = first; operand != operands_.end(); ++operand) {
    note_depth(made, *operand);
    made.args.push_back(std::move(*operand));
  }
  operands_.erase(first + 1, operands_.end());
  operands_.back() = std::move(made);
}

void Climber::reduce_left(const Operator& op) {
  Expr right = std::move(operands_.back());
  operands_.pop_back();
  Expr& left = operands_.back();
  right.join = op.join;
  // A chain in brackets is a Paren, so a bare one of the same kind is the one being built.
  const bool continues = left.kind == op.kind && op.level != Level::Compare;
  if (!continues) {
    Expr made;
    made.kind = op.kind;
    made.where = left.where;
    note_depth(made, left);
    made.args.push_back(std::move(left));
    left = std::move(made);
  }
  note_depth(left, right);
  left.where.end = right.where.end;
  left.args.push_back(std::move(right));
}

}  // namespace cohort::lang
