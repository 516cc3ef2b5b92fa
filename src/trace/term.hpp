// Exact arithmetic over the variables of a trace, and comparisons of it: what atoms are made of.
//
//   Term left;                                   // 2 * x, in postfix order
//   left.push_number(Value::integer(2));
//   left.push_variable(x);
//   left.push(Term::Step::Times);
//   const Comparison less{std::move(left), Relation::Less, std::move(right)};
//   const bool truth = less.holds([&](VariableId v) { return value_of(v); });
//
// Numbers are rationals of any size: nothing overflows, nothing is rounded, 1/3 * 3 is 1.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trace/value.hpp"
#include "trace/vocabulary.hpp"

namespace cohort::trace {

using ValueOf = std::function<Value(VariableId)>;

/// A term in postfix order.  A value.
class Term {
 public:
  enum class Step : std::uint8_t {
    Constant,
    Variable,
    Negate,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Min,
    Max
  };

  /// Keeps a copy.
  void push_number(const Value& number) { push_constant(number); }
  void push_text(std::string_view text) { push_constant(Value::text(text)); }
  void push_variable(VariableId variable);
  /// Applies an operation to the last one or two results.
  void push(Step step) { steps_.push_back({step, 0}); }

  /// The variables that occur, none twice, in the order of their first occurrence.
  [[nodiscard]] std::vector<VariableId> variables() const;
  /// A string or a variable and nothing else.
  [[nodiscard]] bool is_plain() const { return steps_.size() == 1; }
  [[nodiscard]] bool is_text() const;
  /// A string occurs among the operands of an operation.
  [[nodiscard]] bool computes_with_text() const;

  struct Instruction {
    Step step = Step::Constant;
    std::uint32_t operand = 0;  ///< a constant's index, or a variable
  };
  [[nodiscard]] const std::vector<Instruction>& steps() const { return steps_; }
  /// Valid as long as the term.
  [[nodiscard]] Value constant(std::uint32_t index) const { return constants_[index].get(); }

 private:
  friend class Comparison;
  friend class Evaluator;

  struct Constant {
    Value value;  // of a Long or a Text the characters are in `text`
    std::string text;
    [[nodiscard]] Value get() const;
  };

  void push_constant(const Value& value);

  std::vector<Instruction> steps_;
  std::vector<Constant> constants_;
};

enum class Relation : std::uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

/// Whether the relation holds of two values, the first of which is less (order < 0), equal or
/// greater.
[[nodiscard]] bool holds(Relation relation, int order);

/// A comparison of two terms.
///
/// `%` is C's: the remainder has the sign of the dividend.  A number and a string are not equal and
/// have no order.
class Comparison {
 public:
  Comparison(Term left, Relation relation, Term right)
      : left_(std::move(left)), relation_(relation), right_(std::move(right)) {}

  /// None where it has no value: a division by 0, arithmetic on a string, the order of strings.
  [[nodiscard]] std::optional<bool> evaluate(const ValueOf& value_of) const;
  /// The same, and false where it has no value.
  [[nodiscard]] bool holds(const ValueOf& value_of) const {
    return evaluate(value_of).value_or(false);
  }
  /// Whatever the variables are: an equation without arithmetic.
  [[nodiscard]] bool has_always_a_value() const {
    return left_.is_plain() && right_.is_plain() &&
           (relation_ == Relation::Equal || relation_ == Relation::NotEqual);
  }
  /// Of both sides, none twice.
  [[nodiscard]] std::vector<VariableId> variables() const;
  [[nodiscard]] const Term& left() const { return left_; }
  [[nodiscard]] const Term& right() const { return right_; }
  [[nodiscard]] Relation relation() const { return relation_; }

 private:
  Term left_;
  Relation relation_;
  Term right_;
};

}  // namespace cohort::trace
