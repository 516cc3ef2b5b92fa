#include "unit/ltl/read_formula.hpp"

#include <catch2/catch.hpp>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "ltl/lower.hpp"
#include "ltl/parse.hpp"

namespace cohort::ltl_test {

NamedFormula read_formula(const std::string& text, const std::vector<std::string>& first) {
  const base::Source source = base::Source::from_text("formula", text);
  base::Diagnostics diagnostics;
  const ltl::syntax::Expr tree = ltl::parse_formula(source, diagnostics);
  NamedFormula read;
  ltl::NamedAtoms atoms;
  for (const std::string& name : first) {
    ltl::syntax::Expr variable;
    variable.kind = ltl::syntax::ExprKind::Variable;
    variable.text = name;
    (void)atoms.atom(variable, read.formulas);
  }
  if (!diagnostics.has_errors()) read.formula = lower(tree, read.formulas, atoms, diagnostics);
  INFO(base::render(source, diagnostics));
  REQUIRE_FALSE(diagnostics.has_errors());
  read.atoms = atoms.names();
  return read;
}

}  // namespace cohort::ltl_test
