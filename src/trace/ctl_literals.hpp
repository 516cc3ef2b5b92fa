// Decimals, strings and long integers in formulas on traces.
//
//   const Literals literals{source};
//   const syntax::Expr tree = lang::parse_formula(literals.source(), diagnostics);
//   if (const Literals::Literal* found = literals.at(expr.where)) …       // "off", 2.5
//
// The grammar of formulas is that of models, which know neither decimals nor strings.  So the
// parser gets a text in which each of them is a name of the same length; whoever reads the tree
// finds the literal by its place.  All places are those of the original text.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace cohort::trace::ctl {

class Literals {
 public:
  struct Literal {
    base::Span where;
    bool is_text = false;
    std::string characters;  ///< a string without quotes and backslashes, or a number as written
  };

  explicit Literals(const base::Source& original);

  /// What to parse.  Lives as long as this object.
  [[nodiscard]] const base::Source& source() const { return source_; }
  /// The literal that starts where the span does.
  [[nodiscard]] const Literal* at(base::Span span) const;
  /// The parser's findings in terms of the original text, together with errors in the literals.
  void hand_over(const base::Diagnostics& found, base::Diagnostics& diagnostics) const;

 private:
  [[nodiscard]] std::string masked(const base::Source& original);

  std::vector<Literal> literals_;
  base::Diagnostics errors_;
  std::string original_;
  base::Source source_;
};

}  // namespace cohort::trace::ctl
