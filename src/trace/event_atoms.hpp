// The atoms of LTL formulas and monitors on partial-order traces: comparisons about what an event
// assigns.
//
//   EventAtoms atoms{trace.words, diagnostics};
//   const ltl::Formula f = ltl::lower(tree, formulas, atoms, diagnostics);
//   atoms.holds(ltl::Atom{0}, order.effect(e))
//
// Event semantics: an atom over x holds at an event that assigns x if the comparison is true of the
// assigned value; at an event that does not assign x it is false.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.hpp"
#include "ltl/formula.hpp"
#include "ltl/lower.hpp"
#include "trace/term.hpp"
#include "trace/vocabulary.hpp"

namespace cohort::trace {

/// Reports what is wrong with an atom: a variable that the trace never mentions, more than one
/// variable, history, labels.
class EventAtoms : public ltl::AtomSource {
 public:
  /// Keeps references to both.
  EventAtoms(const Vocabulary& words, base::Diagnostics& diagnostics)
      : words_(words), diagnostics_(diagnostics) {}

  [[nodiscard]] ltl::Formula atom(const ltl::syntax::Expr& expr, ltl::Formulas& formulas) override;

  /// Reports atoms of a formula that have no value at some event: order of or arithmetic with a
  /// string, division by zero.  `& | ->` stop early, so `x != 0 & 1 / x > 2` is fine.
  void check_values(const ltl::syntax::Expr& tree) const;

  /// By number: the atoms in their canonical spelling.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] bool holds(ltl::Atom atom, EffectId effect) const;

 private:
  const Vocabulary& words_;
  base::Diagnostics& diagnostics_;
  std::vector<std::string> names_;
  std::vector<Comparison> comparisons_;
  std::vector<VariableId> variables_;  // of the comparisons
  std::unordered_map<std::string, ltl::Atom> numbers_;
  std::vector<EffectId> suspects_;  // some atom has no value there; ascending

  enum class Truth : std::uint8_t { False, True, Unknown };
  [[nodiscard]] Truth truth(const ltl::syntax::Expr& tree, EffectId effect) const;
};

/// A comparison out of a syntax tree; reports what is wrong and returns nothing then.
[[nodiscard]] std::optional<Comparison> make_comparison(const ltl::syntax::Expr& expr,
                                                        const Vocabulary& words,
                                                        base::Diagnostics& diagnostics);

/// What a variable of a tree stands for; reports what is wrong with it and returns nothing then.
using ResolveVariable = std::function<std::optional<VariableId>(const ltl::syntax::Expr&)>;

/// The same where somebody else knows the variables.
[[nodiscard]] std::optional<Comparison> make_comparison(const ltl::syntax::Expr& expr,
                                                        const ResolveVariable& resolve,
                                                        base::Diagnostics& diagnostics);

/// Appends arithmetic to a term; false, with the error reported, if the tree is none.
[[nodiscard]] bool add_term(const ltl::syntax::Expr& expr, Term& term,
                            const ResolveVariable& resolve, base::Diagnostics& diagnostics);

/// `x`, or `x[1,2]` without blanks; reports a subscript that is no integer.
[[nodiscard]] std::optional<std::string> variable_name(const ltl::syntax::Expr& expr,
                                                       base::Diagnostics& diagnostics);

/// The variable that a tree names, `x` or `x[1,2]`; reports one that the trace never mentions.
[[nodiscard]] std::optional<VariableId> find_variable(const ltl::syntax::Expr& expr,
                                                      const Vocabulary& words,
                                                      base::Diagnostics& diagnostics);

}  // namespace cohort::trace
