// Spec files and single formulas: grammar/property.ebnf.
#include <utility>

#include "lang/expression_grammar.hpp"
#include "lang/file_grammar.hpp"
#include "lang/parse.hpp"

namespace cohort::lang {
namespace grammar {
namespace {

const base::EndOfDeclaration end_of_property{static_cast<base::TokenKind>(Kind::Semicolon)};

const auto take_name = [](auto& context) {
  x3::_val(context).name = name_of(context, x3::_attr(context));
};
const auto take_value = [](auto& context) {
  x3::_val(context).values.push_back(std::move(x3::_attr(context)));
};
[[nodiscard]] auto set_expected(bool expected) {
  return [expected](auto& context) { x3::_val(context).expected = expected; };
}
const auto take_formula = [](auto& context) {
  x3::_val(context).formula = std::move(x3::_attr(context));
};

const x3::rule<struct PropertyRuleId, syntax::Property> property_rule{"property"};
const auto property_rule_def =
    token(Kind::Property) >> token(Kind::Name)[take_name] >>
    -(token(Kind::With) >> value[take_value] >> *(token(Kind::Comma) >> value[take_value])) >>
    -(token(Kind::Expect) >>
      (token(Kind::True)[set_expected(true)] | token(Kind::False)[set_expected(false)])) >>
    token(Kind::Colon) >> formula[take_formula] >> end_of_property;

const x3::rule<struct OnlyFormulaId, syntax::Expr> only_formula{"only_formula"};
const auto only_formula_def =
    formula[([](auto& context) { x3::_val(context) = std::move(x3::_attr(context)); })] >>
    token(Kind::End);

BOOST_SPIRIT_DEFINE(property_rule, only_formula)

}  // namespace
}  // namespace grammar

namespace {

class SpecParser : FileParser {
 public:
  using FileParser::FileParser;

  [[nodiscard]] syntax::SpecFile parse() {
    if (diagnostics_.full()) return std::move(spec_);
    if (kind() == Kind::End && !diagnostics_.has_errors()) {
      diagnostics_.error({},
                         at_->where.begin == 0 ? "the file is empty" : "the file has no property",
                         "write a property, for instance 'property safe : AG x = 0;'");
    }
    if (kind() == Kind::Program || kind() == Kind::Module) {
      refuse("this is a model, where a spec is expected",
             "the model comes first; a spec has lines such as 'property safe : AG x = 0;'");
      return std::move(spec_);
    }
    while (!done()) property();
    return std::move(spec_);
  }

  [[nodiscard]] syntax::Expr parse_single() {
    syntax::Expr formula;
    if (diagnostics_.full()) return formula;
    if (kind() == Kind::End && !diagnostics_.has_errors()) refuse("the formula is empty", {});
    if (!done()) piece(grammar::only_formula, formula);
    return formula;
  }

 private:
  void property() {
    syntax::Property property;
    if (piece(grammar::property_rule, property, Recovery::InFormula))
      spec_.properties.push_back(std::move(property));
  }

  syntax::SpecFile spec_;
};

}  // namespace

syntax::SpecFile parse_spec(const base::Source& source, base::Diagnostics& diagnostics) {
  return SpecParser(source, diagnostics).parse();
}

syntax::Expr parse_formula(const base::Source& source, base::Diagnostics& diagnostics) {
  return SpecParser(source, diagnostics).parse_single();
}

}  // namespace cohort::lang
