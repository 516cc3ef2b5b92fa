// Model errors: what a program must not do when it runs.
#pragma once

#include <cstdint>
#include <string>

#include "lang/program.hpp"

namespace cohort::model {

using Value = std::int64_t;

enum class FaultKind : std::uint8_t {
  None,
  OutsideType,  ///< a value that the assigned variable cannot hold
  Conflict,     ///< two different values for one instance at once
  DivisionByZero,
  SubscriptOutside,  ///< of a range dimension
  NoneAsSubscript,
};

/// A fault, and the place of the program that it happened at.
struct Fault {
  FaultKind kind = FaultKind::None;
  lang::Span where;
  Value value = 0;             ///< the offending one; of a conflict the second
  std::uint32_t variable = 0;  ///< of OutsideType, Conflict and the subscripts: the variable's id

  explicit operator bool() const { return kind != FaultKind::None; }
};

/// "7 is outside the type of 'x', 0..3".
[[nodiscard]] std::string describe(const Fault& fault, const lang::Program& program);

}  // namespace cohort::model
