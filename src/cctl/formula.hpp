// A CCTL formula in the few forms that the checker knows.
//
//   const Formula formula{program, source};     // source: a lang::Formula
//   formula.root(), formula[id].kind, …
//
// Everything of the language is brought to EX, EU, EG and their fair kin, which start with E; the
// duals through negation, W and R through U and G.  What has no temporal operator stays one
// compiled expression.  Paths are maximal and may be finite; the identities used hold for these.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/program.hpp"
#include "model/expression.hpp"
#include "model/program.hpp"

namespace cohort::cctl {

using FormulaId = std::uint32_t;

enum class Kind : std::uint8_t {
  State,  ///< no temporal operator in it: `expression`, a condition or a number
  Not,
  And,  ///< args, from the left, until one is false
  Or,
  Iff,
  Forall,  ///< args[0] for every process of the binder's set
  Exists,
  // Numbers.
  Count,  ///< processes of the binder's set that satisfy args[0]
  Sum,    ///< args by their `join`, likewise the next two
  Product,
  Compare,
  Negative,
  // Temporal: true of a position.
  Next,          ///< EX args[0]
  Until,         ///< E[args[0] U args[1]]
  Globally,      ///< EG args[0]
  FairGlobally,  ///< Efair G args[0]
  Enabled,       ///< the process `expression` has a fireable instance
  Deadlock,
};

struct FormulaNode {
  Kind kind = Kind::State;
  lang::Span where;       ///< what it stands for; empty for a piece that nobody wrote
  bool opposite = false;  ///< what is written there is its negation: `AG p` stands where EF !p is
  std::vector<FormulaId> args;
  lang::syntax::Join join = lang::syntax::Join::None;  ///< of a Compare, or before an operand
  model::NodeId expression{};
  lang::ModuleId module{};  ///< of the binder, or of the process of Enabled
  std::uint32_t slot = 0;   ///< of the binder
  static constexpr std::uint32_t whole_module = UINT32_MAX;
  std::uint32_t set = whole_module;  ///< of the binder: the number of its set in `code()`
  /// Depends on more than the values in a state.
  bool temporal = false;
  /// No expression in it can be a fault.
  bool safe = true;
  /// Depends on ranks or on sets of processes, which the quotient tracks as colours.
  bool coloured = false;
  /// The free process variables, ascending.
  std::vector<std::uint32_t> variables;
};

class Formula {
 public:
  /// Keeps references to both.  Quantifiers over states that try at most `most_tries` assignments
  /// of processes become part of an expression; the others are nodes, so that a checker can ask
  /// once for each class of processes.
  Formula(const model::Program& program, const lang::Formula& source, double most_tries);

  [[nodiscard]] const lang::Formula& source() const { return source_; }
  [[nodiscard]] FormulaId root() const { return root_; }
  [[nodiscard]] const FormulaNode& operator[](FormulaId id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] const model::Expressions& code() const { return code_; }

 private:
  [[nodiscard]] FormulaId add(FormulaNode node);
  [[nodiscard]] FormulaId make(Kind kind, lang::Span where, std::vector<FormulaId> args);
  [[nodiscard]] FormulaId negation(FormulaId id);
  [[nodiscard]] FormulaId constant(bool value, lang::Span where);
  [[nodiscard]] FormulaId lower(const lang::Expr& expr);
  [[nodiscard]] FormulaId lower_number(const lang::Expr& expr);
  [[nodiscard]] FormulaId lower_quantifier(const lang::Expr& expr);
  [[nodiscard]] FormulaId lower_count(const lang::Expr& expr);
  [[nodiscard]] FormulaId lower_temporal(const lang::Expr& expr);
  struct Path {
    bool fair = false;
    lang::Span where;
    bool opposite = false;  ///< see FormulaNode
  };
  [[nodiscard]] FormulaId make(Kind kind, Path path, std::vector<FormulaId> args);
  [[nodiscard]] FormulaId next(FormulaId phi, Path path);
  [[nodiscard]] FormulaId until(FormulaId phi, FormulaId psi, Path path);
  [[nodiscard]] FormulaId globally(FormulaId phi, Path path);
  [[nodiscard]] FormulaId fair_from_here(Path path, FormulaId phi);
  [[nodiscard]] bool stays_expression(const lang::Expr& expr) const;
  void finish(FormulaNode& node) const;

  const model::Program& program_;
  const lang::Formula& source_;
  double most_tries_;
  model::Expressions code_;
  std::vector<FormulaNode> nodes_;
  FormulaId root_ = 0;
};

}  // namespace cohort::cctl
