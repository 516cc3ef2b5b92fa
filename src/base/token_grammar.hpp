// Spirit X3 over tokens: what the grammars of all our languages are made of.
//
// A grammar's rules run over `const Token*`.  Their context carries a ParseState, found with
// `parse_state(context)`, that remembers the failure furthest to the right and what would have been
// accepted there.  That is the error a person means nearly always, and it needs no expectation
// points in the grammar.
//
//   token(Kind::Semicolon)         one token
//   called("an expression")[p]     p; if it fails on its first token, "an expression" was expected
//   nested[p]                      p, one level deeper; fails at the depth limit with its own
//   message
//
// Included by *grammar.cpp files only: Spirit stays behind that door.
#pragma once

#include <boost/spirit/home/x3.hpp>
#include <boost/spirit/home/x3/support/context.hpp>
#include <utility>

#include "base/parse_state.hpp"

namespace cohort::base {

namespace x3 = boost::spirit::x3;

struct ParseStateTag;

/// The parse state in a rule's or a semantic action's context.
template <typename Context>
[[nodiscard]] ParseState& parse_state(const Context& context) {
  return x3::get<ParseStateTag>(context);
}

struct TokenParser : x3::parser<TokenParser> {
  using attribute_type = Token;
  static constexpr bool has_attribute = true;

  explicit TokenParser(TokenKind kind_wanted) : kind(kind_wanted) {}

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& attribute) const {
    if (first->kind != kind) {
      parse_state(context).expected(*first, kind);
      return false;
    }
    x3::traits::move_to(*first, attribute);
    if (kind != end_token) ++first;
    return true;
  }

  TokenKind kind;
};

/// One token of a kind; the token is the attribute.
template <typename Kind>
[[nodiscard]] TokenParser token(Kind kind) {
  return TokenParser{static_cast<TokenKind>(kind)};
}

/// A semicolon at the end of a declaration.  Where a new line starts, or something closes, the
/// author plainly forgot it: that is reported, and parsing goes on as if it stood there.
struct EndOfDeclaration : x3::parser<EndOfDeclaration> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;

  explicit EndOfDeclaration(TokenKind semicolon_kind) : semicolon(semicolon_kind) {}

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& /*attribute*/) const {
    if (first->kind == semicolon) {
      ++first;
      return true;
    }
    ParseState& parsing = parse_state(context);
    parsing.expected(*first, semicolon);
    const bool plainly_forgotten = first->first_on_line || first->kind == end_token;
    return plainly_forgotten && parsing.forgotten(first, semicolon);
  }

  TokenKind semicolon;
};

template <typename Subject>
struct CalledDirective : x3::unary_parser<Subject, CalledDirective<Subject>> {
  using base_type = x3::unary_parser<Subject, CalledDirective<Subject>>;

  static constexpr bool is_pass_through_unary = true;

  CalledDirective(const Subject& inner, std::string_view what)
      : base_type(inner), description(what) {}

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& r,
             Attribute& attribute) const {
    ParseState& parsing = parse_state(context);
    const ParseState::Mark mark = parsing.mark();
    const Iterator start = first;
    if (this->subject.parse(first, last, context, r, attribute)) return true;
    parsing.rename_since(mark, *start, description);
    return false;
  }

  std::string_view description;
};

struct CalledGenerator {
  template <typename Subject>
  auto operator[](const Subject& inner) const {
    return CalledDirective<typename x3::extension::as_parser<Subject>::value_type>(
        x3::as_parser(inner), description);
  }
  std::string_view description;
};

[[nodiscard]] inline CalledGenerator called(std::string_view description) {
  return CalledGenerator{description};
}

template <typename Subject>
struct NestedDirective : x3::unary_parser<Subject, NestedDirective<Subject>> {
  using base_type = x3::unary_parser<Subject, NestedDirective<Subject>>;

  static constexpr bool is_pass_through_unary = true;

  explicit NestedDirective(const Subject& inner) : base_type(inner) {}

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& r,
             Attribute& attribute) const {
    ParseState& parsing = parse_state(context);
    if (!parsing.enter(*first)) return false;
    const bool matched = this->subject.parse(first, last, context, r, attribute);
    parsing.leave();
    return matched;
  }
};

struct NestedGenerator {
  template <typename Subject>
  auto operator[](const Subject& inner) const {
    return NestedDirective<typename x3::extension::as_parser<Subject>::value_type>(
        x3::as_parser(inner));
  }
};
inline constexpr NestedGenerator nested{};

using TokenIterator = const Token*;
using ParseContext = x3::context<ParseStateTag, ParseState>;

/// Runs a rule from `first` on; moves `first` behind what matched.
template <typename Rule, typename Attribute>
[[nodiscard]] bool run(const Rule& rule, TokenIterator& first, TokenIterator last,
                       ParseState& parsing, Attribute& attribute) {
  const ParseContext context = x3::make_context<ParseStateTag>(parsing);
  x3::unused_type no_rule_context;
  return rule.parse(first, last, context, no_rule_context, attribute);
}

}  // namespace cohort::base
