// Divisions by zero that a formula or a guard meets.
//
//   ValueChecks checks;
//   checks.add_formula(tree, atoms);
//   checks.fault(truth, lacking)          // at a position: an atom that has to be evaluated, and
//   cannot
//
// A formula, an operand of a temporal operator and an element of a regular expression are evaluated
// at every position, from left to right; `& | ->` stop early, so `x != 0 & 1 / x > 2` is fine.  A
// guard is evaluated in lines that assign a variable which it names.  On partial orders it is the
// same: EventAtoms::check_values().
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ltl/syntax.hpp"
#include "trace/sequential/atoms.hpp"

namespace cohort::trace::sequential {

class ValueChecks {
 public:
  /// All atoms of the tree are in the table.
  void add_formula(const ltl::syntax::Expr& tree, const Atoms& atoms);
  void add_guard(const ltl::syntax::Expr& guard, const Atoms& atoms);

  [[nodiscard]] bool empty() const { return asked_.empty(); }
  /// By atom of the table: whether it is true, and whether it has no value.
  [[nodiscard]] std::optional<std::uint32_t> fault(const std::vector<std::uint8_t>& truth,
                                                   const std::vector<std::uint8_t>& lacking) const;

 private:
  struct Node {
    enum class Kind : std::uint8_t { True, False, Atom, Not, And, Or, Implies, Iff, Unknown };
    Kind kind = Kind::Unknown;
    std::uint32_t atom = 0;
    bool can_fault = false;  ///< an atom below may lack a value
    std::vector<Node> args;
  };
  class Evaluation;

  [[nodiscard]] static Node node_of(const ltl::syntax::Expr& tree, const Atoms& atoms);

  std::vector<Node> asked_;
};

}  // namespace cohort::trace::sequential
