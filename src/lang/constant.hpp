// Constant expressions.
#pragma once

#include <cstdint>

#include "lang/program.hpp"

namespace cohort::lang {

/// The value of an expression, or why it has none that is known before the program runs.
struct ConstantResult {
  enum class Outcome : std::uint8_t { Value, NotConstant, DivisionByZero, TooLarge };
  Outcome outcome = Outcome::Value;
  std::int64_t value = 0;
  Span where;  ///< what is not constant, or the operation that fails
};

/// Exact in 64 bits; what needs more is TooLarge.
[[nodiscard]] ConstantResult evaluate_constant(const Expr& expr);

}  // namespace cohort::lang
