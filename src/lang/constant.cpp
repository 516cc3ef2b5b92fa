#include "lang/constant.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace cohort::lang {
namespace {

using Outcome = ConstantResult::Outcome;
using syntax::Join;

[[nodiscard]] ConstantResult value(std::int64_t number) { return {Outcome::Value, number, {}}; }

[[nodiscard]] ConstantResult divide(std::int64_t left, std::int64_t right, Join join, Span where) {
  if (right == 0) return {Outcome::DivisionByZero, 0, where};
  if (right == -1) {
    if (join == Join::Modulo) return value(0);
    if (left == std::numeric_limits<std::int64_t>::min()) return {Outcome::TooLarge, 0, where};
  }
  return value(join == Join::Divide ? left / right : left % right);
}

[[nodiscard]] ConstantResult combine(std::int64_t left, std::int64_t right, Join join, Span where) {
  std::int64_t result = 0;
  bool overflow = false;
  switch (join) {
    case Join::Plus:
      overflow = __builtin_add_overflow(left, right, &result);
      break;
    case Join::Minus:
      overflow = __builtin_sub_overflow(left, right, &result);
      break;
    case Join::Times:
      overflow = __builtin_mul_overflow(left, right, &result);
      break;
    case Join::Divide:
    case Join::Modulo:
      return divide(left, right, join, where);
    case Join::Equal:
      return value(left == right ? 1 : 0);
    case Join::NotEqual:
      return value(left != right ? 1 : 0);
    case Join::Less:
      return value(left < right ? 1 : 0);
    case Join::LessEqual:
      return value(left <= right ? 1 : 0);
    case Join::Greater:
      return value(left > right ? 1 : 0);
    case Join::GreaterEqual:
      return value(left >= right ? 1 : 0);
    case Join::None:
      break;
  }
  if (overflow) return {Outcome::TooLarge, 0, where};
  return value(result);
}

[[nodiscard]] ConstantResult chain(const Expr& expr) {
  ConstantResult left = evaluate_constant(expr.args.front());
  for (std::size_t i = 1; i < expr.args.size() && left.outcome == Outcome::Value; ++i) {
    const ConstantResult right = evaluate_constant(expr.args[i]);
    if (right.outcome != Outcome::Value) return right;
    left = combine(left.value, right.value, expr.args[i].join, expr.where);
  }
  return left;
}

/// `&`, `|`, `=>`: the first operand that decides ends it.
[[nodiscard]] ConstantResult connective(const Expr& expr) {
  const std::int64_t decisive = expr.op == Op::Or ? 1 : 0;
  for (std::size_t i = 0; i + 1 < expr.args.size(); ++i) {
    const ConstantResult operand = evaluate_constant(expr.args[i]);
    if (operand.outcome != Outcome::Value) return operand;
    if ((operand.value != 0 ? 1 : 0) == decisive) {
      return value(expr.op == Op::And ? 0 : 1);
    }
  }
  const ConstantResult last = evaluate_constant(expr.args.back());
  if (last.outcome != Outcome::Value) return last;
  return value(last.value != 0 ? 1 : 0);
}

}  // namespace

ConstantResult evaluate_constant(const Expr& expr) {
  switch (expr.op) {
    case Op::Constant:
      return value(expr.value);
    case Op::Minus:
    case Op::Not: {
      const ConstantResult operand = evaluate_constant(expr.args.front());
      if (operand.outcome != Outcome::Value) return operand;
      if (expr.op == Op::Not) return value(operand.value == 0 ? 1 : 0);
      return combine(0, operand.value, Join::Minus, expr.where);
    }
    case Op::Product:
    case Op::Sum:
    case Op::Compare:
      return chain(expr);
    case Op::And:
    case Op::Or:
    case Op::Implies:
      return connective(expr);
    case Op::Conditional: {
      const ConstantResult condition = evaluate_constant(expr.args[0]);
      if (condition.outcome != Outcome::Value) return condition;
      return evaluate_constant(expr.args[condition.value != 0 ? 1 : 2]);
    }
    default:
      return {Outcome::NotConstant, 0, expr.where};
  }
}

std::optional<std::int64_t> constant_value(const Expr& expr) {
  const ConstantResult result = evaluate_constant(expr);
  if (result.outcome != Outcome::Value) return std::nullopt;
  return result.value;
}

bool is_rigid(const Expr& expr) {
  switch (expr.op) {
    case Op::Variable:
    case Op::Temporal:
    case Op::Enabled:
    case Op::Deadlock:
      return false;
    default:
      return std::ranges::all_of(expr.args, is_rigid);
  }
}

}  // namespace cohort::lang
