// Operator precedence, without a rule for each level and without recursion.
//
// Idea.  The grammar hands over operands and operators in the order of the text; the climber keeps
// them on two stacks and joins operands as soon as a looser operator shows up.  Chains of one
// operator become one node, so that a sum of a million terms is a tree of depth two.  A rule for
// each of eleven levels would make each bracket cost eleven calls, in time and in stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/parse_state.hpp"
#include "lang/syntax.hpp"
#include "lang/token.hpp"

namespace cohort::lang {

/// How tightly an operator binds, loosest first.
enum class Level : std::uint8_t { Iff, Implies, Or, And, Unary, Compare, Sum, Product, Minus };

enum class Dialect : std::uint8_t { Model, Formula };

struct Operator {
  Level level = Level::Iff;
  bool prefix = false;
  syntax::ExprKind kind = syntax::ExprKind::And;
  syntax::Join join = syntax::Join::None;
  syntax::Path path = syntax::Path::E;
  syntax::TemporalOperator temporal = syntax::TemporalOperator::X;
  base::Span where;
};

class Climber {
 public:
  /// An expression that is being read inside others.
  struct Frame {
    std::size_t num_operands;
    std::size_t num_operators;
    Level loosest;
  };

  [[nodiscard]] Frame open(Level loosest);
  /// Forgets everything since `frame`.
  void abandon(const Frame& frame);
  /// Joins all that is left since `frame`; false if the tree is too deep.
  [[nodiscard]] bool close(const Frame& frame, syntax::Expr& result);

  /// Whether an operator of this level may occur in the expression being read.
  [[nodiscard]] bool allows(Level level) const { return level >= loosest_; }
  /// Whether a prefix operator may follow the operator before it: `a + !b` is not in the language.
  [[nodiscard]] bool may_start_operand(Level level) const;
  /// Whether an infix operator may follow the operand before it: `E[a U b] + 1` is not in the
  /// language.
  [[nodiscard]] bool may_continue(Level level) const;
  /// Whether a comparison is complete to the left of here, so that another would make a chain.
  [[nodiscard]] bool would_chain() const;

  /// Whether the last operator still has no operand to its right.
  [[nodiscard]] bool awaits_operand() const { return awaits_operand_; }

  void push_operand(syntax::Expr&& operand);
  void push_prefix(const Operator& op);
  void push_infix(const Operator& op);

 private:
  void reduce();
  void reduce_prefix(const Operator& op);
  void reduce_right(const Operator& op);
  void reduce_left(const Operator& op);
  void note_depth(syntax::Expr& expr, const syntax::Expr& child);

  std::vector<syntax::Expr> operands_;
  std::vector<Operator> operators_;
  std::size_t base_operators_ = 0;
  Level loosest_ = Level::Iff;
  bool awaits_operand_ = true;
  bool too_deep_ = false;
};

/// The parse state of models and specs.
struct GrammarState : base::ParseState {
  using base::ParseState::ParseState;
  Climber climber;
};

}  // namespace cohort::lang
