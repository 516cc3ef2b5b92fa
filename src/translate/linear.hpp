// Properties as LTL formulas without quantifiers.
//
//   const Linear linear = to_linear(program, formula);
//   if (!linear.findings.empty()) …   // it has no equal in LTL that this knows of
//
// A CCTL formula has to say the same as an LTL formula.  Leaving out the path quantifiers of a
// formula with A only makes a weaker one: `AF AG p` is more than FG p.  Both say the same where the
// state decides which side of a disjunction, and which moment of an until, is meant (Maidl's
// ACTL^det); that is the fragment read here.  Its proof needs that a path may change to another one
// of the same state: fair paths may do that as well.
//
// Quantifiers are unfolded: what is left of a process variable is its value.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/program.hpp"
#include "online/property.hpp"
#include "translate/translation.hpp"

namespace cohort::translate {

struct LinearNode {
  enum class Kind : std::uint8_t { State, And, Or, Next, Globally, Finally, Until, Weak, Release };
  Kind kind = Kind::State;
  std::vector<std::uint32_t> args;
  // Of a state formula:
  const lang::Expr* state = nullptr;
  bool holds = true;                ///< false: its negation
  std::vector<std::int64_t> slots;  ///< the processes of its variables
};

struct Linear {
  std::vector<LinearNode> nodes;  ///< arguments before what they are arguments of; the last is all
  bool fair = false;              ///< of fair paths only
  std::vector<Finding> findings;
};

[[nodiscard]] Linear to_linear(const lang::Program& program, const lang::Formula& formula);
/// A property that is one of linear time already, about states.
[[nodiscard]] Linear to_linear(const lang::Program& program, const online::Property& property);

}  // namespace cohort::translate
