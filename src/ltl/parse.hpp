// From text to the syntax tree of an LTL formula.
//
//   const Source source = Source::from_text("formula", "G(req = 1 -> F ack = 1)");
//   base::Diagnostics diagnostics;
//   const syntax::Expr tree = parse_formula(source, diagnostics);
//   if (diagnostics.has_errors()) …
#pragma once

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "ltl/syntax.hpp"

namespace cohort::ltl {

/// One formula and nothing behind it: grammar/ltl.ebnf.  The Source must outlive the tree.
[[nodiscard]] syntax::Expr parse_formula(const base::Source& source,
                                         base::Diagnostics& diagnostics);

}  // namespace cohort::ltl
