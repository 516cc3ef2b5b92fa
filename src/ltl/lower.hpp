// From the syntax tree to a formula whose atoms somebody has resolved.
//
//   class TraceAtoms : public AtomSource { … };       // knows the trace's variables
//   TraceAtoms atoms{trace, diagnostics};
//   const Formula f = lower(tree, formulas, atoms, diagnostics);
//
// Atoms are the largest parts without connectives and temporal operators: comparisons, labels,
// variables, `enabled(…)`, `deadlock`; and quantifiers whose scope has no temporal operator.  Where
// an atom is needed by name only, as for printing automata, NamedAtoms is enough.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.hpp"
#include "ltl/formula.hpp"
#include "ltl/syntax.hpp"

namespace cohort::ltl {

class AtomSource {
 public:
  AtomSource() = default;
  AtomSource(const AtomSource&) = delete;
  AtomSource& operator=(const AtomSource&) = delete;
  virtual ~AtomSource() = default;

  /// The formula for an atom: mostly an atom, it may be any formula without temporal operators.
  /// Called once for each place where the atom stands, in the order of the text; reports what is
  /// wrong with it on its own.
  [[nodiscard]] virtual Formula atom(const syntax::Expr& expr, Formulas& formulas) = 0;

  /// Whether `expr`, a connective without temporal operators below it, is to be one atom, because
  /// its operands cannot be asked one by one.
  [[nodiscard]] virtual bool is_one_atom(const syntax::Expr& /*expr*/) { return false; }

  /// The formula for a quantifier whose scope has temporal operators; it stands below none.  Mostly
  /// a conjunction or disjunction of lower(expr.args[0], …) with one atom source for each process.
  /// Unless overridden: an error.
  [[nodiscard]] virtual Formula quantified(const syntax::Expr& expr, Formulas& formulas,
                                           base::Diagnostics& diagnostics);
};

/// More repetitions than this are refused: `r[*n]` is spelled out.
constexpr std::uint64_t most_repetitions = 10'000;

/// The formula of a tree.  After errors, which are all reported, it means nothing.
[[nodiscard]] Formula lower(const syntax::Expr& tree, Formulas& formulas, AtomSource& atoms,
                            base::Diagnostics& diagnostics);

/// Atoms by their text alone.
class NamedAtoms : public AtomSource {
 public:
  [[nodiscard]] Formula atom(const syntax::Expr& expr, Formulas& formulas) override;

  /// By number.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, Atom> numbers_;
};

}  // namespace cohort::ltl
