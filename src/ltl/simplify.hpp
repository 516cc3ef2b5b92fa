// Simpler formulas with the same infinite words.
//
//   Simplifier simplify{formulas};
//   const Formula g = simplify(f);
//
// Not for finite words: `X[!]` becomes `X`, `F true` becomes `true`.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ltl/decision.hpp"
#include "ltl/derivative.hpp"
#include "ltl/formula.hpp"

namespace cohort::ltl {

class Simplifier {
 public:
  /// Keeps a reference to `formulas`.
  explicit Simplifier(Formulas& formulas) : formulas_(formulas), letters_(formulas, decisions_) {
    decisions_.bind({.nodes = most_nodes});
  }

  /// In negation normal form.
  [[nodiscard]] Formula operator()(Formula f);

  /// True only if every infinite word that satisfies f satisfies g; false means "not seen".  Both
  /// in negation normal form.
  [[nodiscard]] bool implies(Formula f, Formula g);

  /// f holds as soon as it holds later: f and F f are the same.  `true` is right, `false` means
  /// "not seen"; likewise for the other two.
  [[nodiscard]] bool eventual(Formula f);
  /// Once f holds it holds for ever: f and G f are the same.
  [[nodiscard]] bool universal(Formula f);
  /// Whether a word that does not satisfy f has a prefix that shows it.
  [[nodiscard]] bool safe(Formula f);

 private:
  /// Conditions that take more to compare are not compared.
  static constexpr std::size_t most_nodes = 200'000;

  [[nodiscard]] Formula rewrite(Formula f);
  [[nodiscard]] Formula rewrite_node(Formula f, const std::vector<Formula>& args);
  [[nodiscard]] Formula next(Formula f);
  [[nodiscard]] Formula eventually(Formula f);
  [[nodiscard]] Formula always(Formula f);
  [[nodiscard]] Formula until(Formula f, Formula g);
  [[nodiscard]] Formula weak_until(Formula f, Formula g);
  [[nodiscard]] Formula release(Formula f, Formula g);
  [[nodiscard]] Formula strong_release(Formula f, Formula g);
  [[nodiscard]] Formula conjunction(const std::vector<Formula>& args);
  [[nodiscard]] Formula disjunction(const std::vector<Formula>& args);
  [[nodiscard]] Formula join(Operator op, const std::vector<Formula>& args);
  [[nodiscard]] std::vector<Formula> merge_pairs(Operator op, std::vector<Formula> args);
  [[nodiscard]] bool merge_pair(Operator op, Formula f, Formula g, Formula& merged);
  [[nodiscard]] Formula without(Operator op, Formula f, Formula other);
  [[nodiscard]] bool excludes(Formula f, Formula g);
  [[nodiscard]] bool compute_implies(Formula f, Formula g);
  [[nodiscard]] bool all_args(Formula f, bool (Simplifier::*fact)(Formula));
  [[nodiscard]] bool is(Formula f, Operator op) const { return formulas_.op(f) == op; }
  [[nodiscard]] Formula left(Formula f) const { return formulas_.operands(f)[0]; }
  [[nodiscard]] Formula right(Formula f) const { return formulas_.last(f); }
  [[nodiscard]] std::vector<Formula> args_of(Formula f) const {
    return {formulas_.operands(f).begin(), formulas_.operands(f).end()};
  }

  Formulas& formulas_;
  Decisions decisions_;
  RegexSteps letters_;
  std::unordered_map<Formula, Formula> rewritten_;
  std::unordered_map<std::uint64_t, bool> implied_;
};

}  // namespace cohort::ltl
