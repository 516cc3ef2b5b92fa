// Operator precedence for formulas, regular expressions and guards, without a rule for each level
// and without recursion.
//
// Idea.  The grammar hands over operands and operators in the order of the text; the climber keeps
// them on two stacks and joins operands as soon as a looser operator shows up.  Chains of `&`, `|`,
// `;`, `+` and so on become one node.  What nests, be it by brackets, prefixes or `U`, is counted:
// everything that walks the tree later recurses at most so deep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parse_state.hpp"
#include "ltl/syntax.hpp"

namespace cohort::ltl {

/// How tightly an operator binds, loosest first.  No language has all of them.
enum class Level : std::uint8_t {
  Concat,
  Fusion,
  Iff,
  Implies,
  Or,
  Intersection,
  And,
  Until,
  Unary,
  Compare,
  Sum,
  Product,
  Minus,
};

struct OperatorToken {
  Level level = Level::Iff;
  bool prefix = false;
  syntax::ExprKind kind = syntax::ExprKind::And;
  syntax::Join join = syntax::Join::None;
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
  /// Whether what binds like a prefix operator of this level may stand here: `a + !b` is not in the
  /// language.
  [[nodiscard]] bool may_start_operand(Level level) const;
  /// Whether what stands here must be an operand of arithmetic or of a comparison.
  [[nodiscard]] bool needs_sum() const;
  /// A repetition may start here, as an operand of its own.
  [[nodiscard]] bool may_start_repetition() const;
  /// Whether an operator of this level may follow the operand before it: `(F a) + 1` is not in the
  /// language.
  [[nodiscard]] bool may_continue(Level level) const {
    return level < Level::Unary || operands_.back().is_sum;
  }
  /// Whether a comparison is complete to the left of here, so that another would make a chain.
  [[nodiscard]] bool would_chain() const;
  /// Whether the last operator still has no operand to its right.
  [[nodiscard]] bool awaits_operand() const { return awaits_operand_; }

  void push_operand(syntax::Expr&& operand);
  void push_prefix(const OperatorToken& op);
  void push_infix(const OperatorToken& op);
  /// `[*2..3]` behind all operators that bind tighter; ends at `end`.
  void push_repetition(const syntax::Repetition& times, std::uint32_t end);

 private:
  void reduce();
  void reduce_prefix(const OperatorToken& op);
  void reduce_infix(const OperatorToken& op);
  void note_depth(syntax::Expr& expr, const syntax::Expr& child);

  std::vector<syntax::Expr> operands_;
  std::vector<OperatorToken> operators_;
  std::size_t base_operators_ = 0;
  Level loosest_ = Level::Concat;
  bool awaits_operand_ = true;
  bool too_deep_ = false;
};

/// The parse state of formulas and monitors.
struct GrammarState : base::ParseState {
  using base::ParseState::ParseState;
  Climber climber;
};

}  // namespace cohort::ltl
