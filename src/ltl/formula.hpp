// Formulas of linear temporal logic, with regular expressions over positions.
//
//   Formulas formulas;
//   const Formula asked = formulas.atom(Atom{0});
//   const Formula served = formulas.atom(Atom{1});
//   const Formula f = formulas.always(formulas.implication(asked, formulas.eventually(served)));
//   assert(formulas.to_string(f, names) == "G(!ask | F serve)");
//
// What an atom means is not known here: it is a number, and whoever made it says in which positions
// it is true.  Equal formulas are the same number (up to the order and repetition of operands of
// `&` and `|`), so they can be compared and used as keys.
//
// Every rewriting that this class does on its own is an equivalence on all words: infinite, finite
// and empty ones.  On the empty word atoms are false and `!` is negation, as everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cohort::ltl {

enum class Atom : std::uint32_t {};
/// A formula, as a number in its Formulas.
enum class Formula : std::uint32_t {};
/// A regular expression over positions, likewise.
enum class Regex : std::uint32_t {};

enum class Operator : std::uint8_t {
  False,
  True,
  Atom,
  Not,
  And,      ///< of two or more operands, sorted, none twice
  Or,       ///< likewise
  X,        ///< weak: true at the last position
  StrongX,  ///< `X[!]`: false at the last position
  F,
  G,
  U,
  W,
  R,
  M,     ///< strong release, the dual of W: `a M b` is `b U (a & b)`
  Some,  ///< some non-empty prefix matches the expression and the operand holds at its last
         ///< position
  All,   ///< the dual, `{r} |-> f`
};

enum class RegexOperator : std::uint8_t {
  None,       ///< matches nothing
  EmptyWord,  ///< matches the empty word only
  Condition,  ///< matches one position, by a boolean formula over atoms
  Concat,     ///< `;`
  Fusion,     ///< `:`, the last position of the left match is the first one of the right
  Union,
  Intersection,
  Repeat,
};

/// How often a Repeat matches.
struct Times {
  static constexpr std::uint32_t unbounded = 0xFFFF'FFFFU;
  std::uint32_t least = 0;
  std::uint32_t most = unbounded;

  friend bool operator==(const Times&, const Times&) = default;
};

using AtomNames = std::function<std::string(Atom)>;

/// Makes and keeps formulas.  A Formula stays valid as long as its Formulas, and in every copy.
/// Functions that walk a formula recurse as deep as it is nested; the parser limits that.
class Formulas {
 public:
  Formulas();

  // Making formulas.
  [[nodiscard]] Formula constant(bool value) const { return value ? true_ : false_; }
  [[nodiscard]] Formula atom(Atom atom);
  [[nodiscard]] Formula negation(Formula f);
  [[nodiscard]] Formula conjunction(std::vector<Formula> operands);
  [[nodiscard]] Formula conjunction(Formula f, Formula g) { return conjunction({f, g}); }
  [[nodiscard]] Formula disjunction(std::vector<Formula> operands);
  [[nodiscard]] Formula disjunction(Formula f, Formula g) { return disjunction({f, g}); }
  [[nodiscard]] Formula implication(Formula f, Formula g) { return disjunction(negation(f), g); }
  [[nodiscard]] Formula equivalence(Formula f, Formula g);
  [[nodiscard]] Formula next(Formula f);
  [[nodiscard]] Formula strong_next(Formula f);
  [[nodiscard]] Formula eventually(Formula f);
  [[nodiscard]] Formula always(Formula f);
  [[nodiscard]] Formula until(Formula f, Formula g);
  [[nodiscard]] Formula weak_until(Formula f, Formula g);
  [[nodiscard]] Formula release(Formula f, Formula g);
  [[nodiscard]] Formula strong_release(Formula f, Formula g);
  /// Some non-empty prefix matches r and f holds at its last position.
  [[nodiscard]] Formula some(Regex r, Formula f);
  /// At the last position of every non-empty prefix that matches r, f holds: `{r} |-> f`.
  [[nodiscard]] Formula all(Regex r, Formula f);
  /// `{r}`: some non-empty prefix matches.
  [[nodiscard]] Formula match(Regex r) { return some(r, true_); }
  /// `{r} |=> f`: at the next position after every prefix that matches, f holds, if there is one.
  /// The prefix may be empty; then that is the first position.
  [[nodiscard]] Formula all_next(Regex r, Formula f);

  // Making regular expressions.
  [[nodiscard]] Regex none() const { return none_; }
  [[nodiscard]] Regex empty_word() const { return empty_word_; }
  /// One position where `f` holds, a formula without temporal operators.
  [[nodiscard]] Regex condition(Formula f);
  [[nodiscard]] Regex concat(Regex r, Regex s);
  [[nodiscard]] Regex fusion(Regex r, Regex s);
  [[nodiscard]] Regex either(std::vector<Regex> operands);
  [[nodiscard]] Regex both(std::vector<Regex> operands);
  [[nodiscard]] Regex repeat(Regex r, Times times);

  // Looking at them.
  [[nodiscard]] Operator op(Formula f) const { return static_cast<Operator>(node(f).op); }
  [[nodiscard]] std::span<const Formula> operands(Formula f) const;
  /// The operand of a unary operator; the right one of a binary one.
  [[nodiscard]] Formula last(Formula f) const { return operands(f).back(); }
  [[nodiscard]] Atom atom_of(Formula f) const { return Atom{node(f).payload}; }
  /// The expression of Some and All.
  [[nodiscard]] Regex regex_of(Formula f) const { return Regex{node(f).payload}; }
  /// True if f has no temporal operator and no regular expression.
  [[nodiscard]] bool is_boolean(Formula f) const { return node(f).boolean; }
  /// True for an atom and for a negated one.
  [[nodiscard]] bool is_literal(Formula f) const;

  [[nodiscard]] RegexOperator op(Regex r) const { return static_cast<RegexOperator>(node(r).op); }
  [[nodiscard]] std::span<const Regex> operands(Regex r) const;
  [[nodiscard]] Formula condition_of(Regex r) const { return Formula{node(r).payload}; }
  [[nodiscard]] Times times_of(Regex r) const { return {node(r).payload, node(r).payload2}; }
  [[nodiscard]] bool matches_empty_word(Regex r) const { return node(r).boolean; }

  /// The same formula with `!` in front of atoms only.
  [[nodiscard]] Formula negation_normal_form(Formula f) { return normal_form(f, false); }
  /// The negation of f, in negation normal form.
  [[nodiscard]] Formula negated(Formula f) { return normal_form(f, true); }

  /// The atoms that occur in f, ascending.
  [[nodiscard]] std::vector<Atom> atoms(Formula f) const;
  [[nodiscard]] std::size_t num_formulas() const { return formulas_.size(); }

  /// In the syntax of grammar/ltl.ebnf, with as few brackets as can be.
  [[nodiscard]] std::string to_string(Formula f, const AtomNames& names) const;
  [[nodiscard]] std::string to_string(Regex r, const AtomNames& names) const;

 private:
  struct Node {
    std::uint8_t op;
    bool boolean;  // of a formula: has no temporal operator; of an expression: matches empty word
    std::uint32_t first_operand;
    std::uint32_t num_operands;
    std::uint32_t payload;   // atom, expression, condition or least times
    std::uint32_t payload2;  // most times
  };
  using Key = std::vector<std::uint32_t>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  using Table = std::unordered_map<Key, std::uint32_t, KeyHash>;

  [[nodiscard]] const Node& node(Formula f) const { return formulas_[static_cast<std::size_t>(f)]; }
  [[nodiscard]] const Node& node(Regex r) const { return regexes_[static_cast<std::size_t>(r)]; }
  [[nodiscard]] Formula make(Operator op, const std::vector<Formula>& operands,
                             std::uint32_t payload = 0);
  [[nodiscard]] Regex make(RegexOperator op, const std::vector<Regex>& operands,
                           std::uint32_t payload = 0, std::uint32_t payload2 = 0);
  [[nodiscard]] Formula join(Operator op, std::vector<Formula> operands);
  [[nodiscard]] Regex join(RegexOperator op, std::vector<Regex> operands);
  [[nodiscard]] Formula normal_form(Formula f, bool negate);
  [[nodiscard]] Formula compute_normal_form(Formula f, bool negate);

  std::vector<Node> formulas_;
  std::vector<Node> regexes_;
  std::vector<Formula> formula_operands_;
  std::vector<Regex> regex_operands_;
  Table formula_table_;
  Table regex_table_;
  std::unordered_map<std::uint64_t, Formula> normal_forms_;
  Formula false_{};
  Formula true_{};
  Regex none_{};
  Regex empty_word_{};
};

}  // namespace cohort::ltl
