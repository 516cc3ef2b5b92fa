// The rules that model_grammar.cpp and property_grammar.cpp share.  Defined and instantiated once,
// in expression_grammar.cpp: Spirit is the slowest thing we compile.
#pragma once

#include "base/token_grammar.hpp"
#include "lang/climber.hpp"
#include "lang/syntax.hpp"

namespace cohort::lang::grammar {

namespace x3 = boost::spirit::x3;
using base::called;
using base::nested;
using base::token;

template <typename Context>
[[nodiscard]] GrammarState& state(const Context& context) {
  return static_cast<GrammarState&>(base::parse_state(context));
}

template <typename Context>
[[nodiscard]] syntax::Name name_of(const Context& context, const base::Token& token) {
  return {state(context).text(token), token.where};
}

/// A token that is optional where it stands: not worth a word in "expected …".
struct QuietToken : x3::parser<QuietToken> {
  using attribute_type = base::Token;
  static constexpr bool has_attribute = true;

  explicit QuietToken(Kind kind_wanted) : kind(kind_wanted) {}

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& /*context*/, RContext& /*r*/,
             Attribute& attribute) const {
    if (kind_of(*first) != kind) return false;
    x3::traits::move_to(*first, attribute);
    ++first;
    return true;
  }

  Kind kind;
};

[[nodiscard]] inline QuietToken quiet(Kind kind) { return QuietToken{kind}; }

/// A decimal integer that fits in 64 bits.
struct IntegerParser : x3::parser<IntegerParser> {
  using attribute_type = syntax::Expr;
  static constexpr bool has_attribute = true;

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& attribute) const {
    GrammarState& parsing = state(context);
    if (kind_of(*first) != Kind::Integer) {
      parsing.expected(*first, static_cast<base::TokenKind>(Kind::Integer));
      return false;
    }
    syntax::Expr number;
    number.kind = syntax::ExprKind::Number;
    number.where = first->where;
    if (!read(parsing.text(*first), number.number)) {
      parsing.refuse(*first, "the number does not fit in 64 bits", {});
      return false;
    }
    ++first;
    x3::traits::move_to(number, attribute);
    return true;
  }

  [[nodiscard]] static bool read(std::string_view digits, std::int64_t& number);
};

using ExpressionRule = x3::rule<struct ExpressionId, syntax::Expr>;
using SumRule = x3::rule<struct SumId, syntax::Expr>;
using ReferenceRule = x3::rule<struct ReferenceId, syntax::Expr>;
using IdRangeRule = x3::rule<struct IdRangeId, syntax::IdRange>;
using FormulaRule = x3::rule<struct FormulaId, syntax::Expr>;
using ValueRule = x3::rule<struct ValueId, syntax::Value>;

/// An expression of a model.
inline const ExpressionRule expression{"expression"};
/// An expression of a model without comparisons and connectives, as in `0..N - 1`.
inline const SumRule sum{"sum"};
/// A variable of a model, with its subscripts.
inline const ReferenceRule reference{"reference"};
/// `3`, `3-5`, `9-`.
inline const IdRangeRule id_range{"id_range"};
/// A CCTL formula.
inline const FormulaRule formula{"formula"};
/// `i = 3`.
inline const ValueRule value{"value"};

BOOST_SPIRIT_DECLARE(ExpressionRule, SumRule, ReferenceRule, IdRangeRule, FormulaRule, ValueRule)

}  // namespace cohort::lang::grammar
