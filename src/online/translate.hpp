// Trees of LTL formulas as trees of the language.
//
//   Translator translator{program, diagnostics};
//   add_arg(items, translator.expr(atom));
//
// Everything that an atom can be is a formula of the language already, so that its resolver can do
// the work.  A label `grant(c, k)` becomes `true & true & c = controller(0) & k = client(0)`: the
// comparisons give the processes their modules.  What stands at a label's place is known
// (Translator::labels) and never evaluated as a comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "lang/program.hpp"
#include "lang/syntax.hpp"
#include "ltl/syntax.hpp"

namespace cohort::online {

/// Items before those of the text, so that a conjunction has two operands at least.
constexpr std::size_t fillers = 2;

[[nodiscard]] lang::syntax::Expr node(lang::syntax::ExprKind kind, lang::Span where);
void add_arg(lang::syntax::Expr& parent, lang::syntax::Expr arg);
/// Of the fillers.
[[nodiscard]] lang::syntax::Expr conjunction(lang::Span where);

class Translator {
 public:
  /// Keeps references to both.
  Translator(const lang::Program& program, base::Diagnostics& diagnostics);
  Translator(const Translator&) = delete;
  Translator& operator=(const Translator&) = delete;
  ~Translator();

  /// Of a formula without temporal operators.
  [[nodiscard]] lang::syntax::Expr expr(const ltl::syntax::Expr& from);
  /// Of a quantifier.
  [[nodiscard]] std::vector<lang::syntax::Binding> bindings(const ltl::syntax::Expr& from);
  /// Whether evaluating it may be a fault, as far as the text tells.
  [[nodiscard]] bool may_fault(const ltl::syntax::Expr& from) const;

  using Labels = std::map<std::pair<std::uint32_t, std::uint32_t>, base::SchemaId>;
  /// The labels that were met, by place.
  [[nodiscard]] const Labels& labels() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace cohort::online
