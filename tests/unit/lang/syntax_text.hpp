// A syntax tree as text, without places: two sources that differ in layout only give the same text.
//
//   CHECK(syntax_text(parse_model(source, diagnostics)) == syntax_text(expected));
#pragma once

#include <string>

#include "lang/syntax.hpp"

namespace cohort::lang {

[[nodiscard]] std::string syntax_text(const syntax::Expr& expr);
/// Each declaration on a line, in the order of the tree's members.
[[nodiscard]] std::string syntax_text(const syntax::ModelFile& model);
[[nodiscard]] std::string syntax_text(const syntax::SpecFile& spec);

}  // namespace cohort::lang
