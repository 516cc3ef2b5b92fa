// From text to syntax tree.
//
//   base::Diagnostics diagnostics;
//   const syntax::ModelFile model = parse_model(source, diagnostics);
//   if (diagnostics.has_errors()) …
//
// After an error the parser goes on behind it, so that all errors of a file come in one run; the
// tree then holds what could be read.  The Source must outlive the tree.
#pragma once

#include "base/diagnostic.hpp"
#include "base/lexer.hpp"
#include "base/source.hpp"
#include "lang/syntax.hpp"

namespace cohort::lang {

[[nodiscard]] syntax::ModelFile parse_model(const base::Source& source,
                                            base::Diagnostics& diagnostics);
[[nodiscard]] syntax::SpecFile parse_spec(const base::Source& source,
                                          base::Diagnostics& diagnostics);
/// One formula and nothing behind it, as on the command line.
[[nodiscard]] syntax::Expr parse_formula(const base::Source& source,
                                         base::Diagnostics& diagnostics);

}  // namespace cohort::lang
