// Atoms of CTL formulas on traces: comparisons of exact arithmetic over trace variables.
//
//   const Atom& atom = formula.atoms[0];                        // x / 2 < y + 1
//   const Truth truth = evaluate(atom, values);                 // a value for each atom.variables
//
// Numbers are rational and never rounded; division is exact, `a % b` is a minus b times the whole
// part of a / b.  Strings can be compared for equality, and are equal to no number.  A condition
// used as a number is 0 or 1; a number used as a condition is "not 0".
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/source.hpp"
#include "trace/value.hpp"

namespace cohort::trace::ctl {

using base::VariableId;

enum class Truth : std::uint8_t { False, True, Fault };

struct Expression {
  enum class Kind : std::uint8_t {
    Constant,
    Variable,  ///< number `slot` of the atom's variables
    Minus,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Not,
    And,
    Or,
    Implies,
    Iff,
  };

  Kind kind = Kind::Constant;
  std::uint32_t slot = 0;
  Value constant;
  std::shared_ptr<const std::string> text;  ///< what `constant` refers to, if it refers to anything
  std::vector<Expression> args;
};

struct Atom {
  Expression condition;
  std::vector<VariableId> variables;  ///< each once, in the order of their first occurrence
  /// True if a value was undefined (division by zero): the atom asks for the fault, not the truth.
  bool asks_for_fault = false;
  base::Span where;
};

/// With `asks_for_fault`: True where the condition faults, else False.  Without: Fault where it
/// does.
[[nodiscard]] Truth evaluate(const Atom& atom, std::span<const Value> values);

/// A division or a modulo by something that is no constant other than 0.
[[nodiscard]] bool can_fault(const Expression& expression);

}  // namespace cohort::trace::ctl
