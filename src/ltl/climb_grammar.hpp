// What the grammars of formulas and monitors are made of, beside base/token_grammar.hpp: parsers
// that hand operands and operators to the climber.
//
// Included by *grammar.cpp files only: Spirit stays behind that door.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/token_grammar.hpp"
#include "ltl/climber.hpp"
#include "ltl/syntax.hpp"
#include "ltl/token.hpp"

namespace cohort::ltl::grammar {

namespace x3 = boost::spirit::x3;
using base::called;
using base::nested;
using base::token;
using base::Token;
using syntax::Expr;
using syntax::ExprKind;
using syntax::Join;
using syntax::TemporalOperator;

enum class Dialect : std::uint8_t { Formula, Regex, Monitor };

template <typename Context>
[[nodiscard]] GrammarState& state(const Context& context) {
  return static_cast<GrammarState&>(base::parse_state(context));
}

template <typename Context>
[[nodiscard]] syntax::Name name_of(const Context& context, const Token& token) {
  return {state(context).text(token), token.where};
}

/// A token that is optional where it stands: not worth a word in "expected …".
struct QuietToken : x3::parser<QuietToken> {
  using attribute_type = Token;
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

/// A number of processes, repetitions or changes; its place comes with it.
struct Count {
  std::uint64_t value = 0;
  base::Span where;
};

struct CountParser : x3::parser<CountParser> {
  using attribute_type = Count;
  static constexpr bool has_attribute = true;

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& attribute) const {
    GrammarState& parsing = state(context);
    if (kind_of(*first) != Kind::Integer) {
      parsing.expected(*first, static_cast<base::TokenKind>(Kind::Integer));
      return false;
    }
    Count count{0, first->where};
    const std::string_view digits = parsing.text(*first);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), count.value).ec !=
        std::errc{}) {
      parsing.refuse(*first, "the number does not fit in 64 bits", {});
      return false;
    }
    ++first;
    x3::traits::move_to(count, attribute);
    return true;
  }
};

[[nodiscard]] std::optional<OperatorToken> prefix_operator(const Token* first, Dialect dialect);
[[nodiscard]] std::optional<OperatorToken> infix_operator(Kind kind, Dialect dialect);

/// True if an operand that is no arithmetic may start here; otherwise says why not.
[[nodiscard]] bool check_start(GrammarState& parsing, const Token& at);

struct PrefixParser : x3::parser<PrefixParser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;

  explicit PrefixParser(Dialect of) : dialect(of) {}

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& /*attribute*/) const {
    const std::optional<OperatorToken> found = prefix_operator(first, dialect);
    if (!found) return false;
    GrammarState& parsing = state(context);
    if (found->level == Level::Unary && !check_start(parsing, *first)) return false;
    parsing.climber.push_prefix(*found);
    first += found->temporal == TemporalOperator::StrongX ? 2 : 1;
    return true;
  }

  Dialect dialect;
};

struct InfixParser : x3::parser<InfixParser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;

  explicit InfixParser(Dialect of) : dialect(of) {}

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& /*attribute*/) const {
    GrammarState& parsing = state(context);
    const std::optional<OperatorToken> op = infix_operator(kind_of(*first), dialect);
    if (!op || !parsing.climber.allows(op->level)) {
      parsing.expected(*first, "an operator");
      return false;
    }
    if (!parsing.climber.may_continue(op->level)) {
      parsing.refuse(*first, "'" + std::string(parsing.text(*first)) + "' cannot follow a formula",
                     "only numbers can be compared and calculated with");
      return false;
    }
    if (op->level == Level::Compare && parsing.climber.would_chain()) {
      parsing.refuse(*first, "comparisons cannot be chained", "write 'a < b & b < c'");
      return false;
    }
    parsing.climber.push_infix(*op);
    ++first;
    return true;
  }

  Dialect dialect;
};

/// Hands the operand that `subject` reads to the climber.
template <typename Subject>
struct OperandDirective : x3::unary_parser<Subject, OperandDirective<Subject>> {
  using base_type = x3::unary_parser<Subject, OperandDirective<Subject>>;
  explicit OperandDirective(const Subject& inner) : base_type(inner) {}
  static constexpr bool has_attribute = false;
  using attribute_type = x3::unused_type;

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& r,
             Attribute& /*attribute*/) const {
    GrammarState& parsing = state(context);
    const Iterator start = first;
    Expr operand;
    if (!this->subject.parse(first, last, context, r, operand)) return false;
    if (!operand.is_sum && parsing.climber.needs_sum()) {
      parsing.refuse(*start, "a formula stands where a number is needed",
                     "only numbers can be compared and calculated with");
      first = start;
      return false;
    }
    parsing.climber.push_operand(std::move(operand));
    return true;
  }
};

/// Reads operands and operators with `subject` and makes one expression of them.
template <typename Subject>
struct ClimbDirective : x3::unary_parser<Subject, ClimbDirective<Subject>> {
  using base_type = x3::unary_parser<Subject, ClimbDirective<Subject>>;
  ClimbDirective(const Subject& inner, Level loosest_level)
      : base_type(inner), loosest(loosest_level) {}
  static constexpr bool has_attribute = true;
  using attribute_type = Expr;

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& r,
             Attribute& attribute) const {
    GrammarState& parsing = state(context);
    const Iterator start = first;
    const Climber::Frame frame = parsing.climber.open(loosest);
    // A repetition succeeds although its last turn failed, behind an operator without an operand.
    if (!this->subject.parse(first, last, context, r, x3::unused) ||
        parsing.climber.awaits_operand()) {
      parsing.climber.abandon(frame);
      first = start;
      return false;
    }
    Expr made;
    if (!parsing.climber.close(frame, made)) {
      parsing.refuse_depth(*start);
      first = start;
      return false;
    }
    x3::traits::move_to(made, attribute);
    return true;
  }

  Level loosest;
};

struct ClimbGenerator {
  template <typename Subject>
  auto operator[](const Subject& inner) const {
    return ClimbDirective<typename x3::extension::as_parser<Subject>::value_type>(
        x3::as_parser(inner), loosest);
  }
  Level loosest;
};
[[nodiscard]] inline ClimbGenerator climb(Level loosest) { return ClimbGenerator{loosest}; }

struct OperandGenerator {
  template <typename Subject>
  auto operator[](const Subject& inner) const {
    return OperandDirective<typename x3::extension::as_parser<Subject>::value_type>(
        x3::as_parser(inner));
  }
};
inline constexpr OperandGenerator operand{};

/// Succeeds, reading nothing, where a formula that is no comparison may start.
struct UnaryStart : x3::parser<UnaryStart> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& /*attribute*/) const {
    return check_start(state(context), *first);
  }
};

// ---------------------------------------------------------------------------------------------------
// Semantic actions: each adds a piece to the node that its rule builds.

inline void add_arg(Expr& parent, Expr&& child) {
  parent.depth = std::max(parent.depth, static_cast<std::uint16_t>(child.depth + 1));
  parent.args.push_back(std::move(child));
}

inline const auto take_whole = [](auto& context) {
  x3::_val(context) = std::move(x3::_attr(context));
};
inline const auto take_arg = [](auto& context) {
  add_arg(x3::_val(context), std::move(x3::_attr(context)));
};
inline const auto take_end = [](auto& context) {
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
inline const auto end_with_arg = [](auto& context) {
  Expr& made = x3::_val(context);
  add_arg(made, std::move(x3::_attr(context)));
  made.where.end = made.args.back().where.end;
};

enum class Is : std::uint8_t { Sum, Formula };

/// Starts a node of a kind at the token just read.
[[nodiscard]] inline auto start(ExprKind kind, Is is) {
  return [kind, is](auto& context) {
    Expr& made = x3::_val(context);
    made = Expr{};
    made.kind = kind;
    made.is_sum = is == Is::Sum;
    made.text = state(context).text(x3::_attr(context));
    made.where = x3::_attr(context).where;
  };
}

/// Ends a bracket: what it holds says what it is.
inline const auto close_paren = [](auto& context) {
  Expr& made = x3::_val(context);
  made.is_sum = made.args.front().is_sum;
  made.where.end = x3::_attr(context).where.end;
};

[[nodiscard]] inline auto ask_history(syntax::History::Asked asked) {
  return [asked](auto& context) {
    x3::_val(context).history.asked = asked;
    take_end(context);
  };
}
inline const auto take_changes = [](auto& context) {
  x3::_val(context).history.changes_ago = x3::_attr(context).value;
  x3::_val(context).number = x3::_attr(context).value;
  take_end(context);
};

/// `?T`, `?2?C`, …
inline const auto history =
    quiet(Kind::QuestionTime)[ask_history(syntax::History::Asked::Time)] |
    quiet(Kind::QuestionCount)[ask_history(syntax::History::Asked::Count)] |
    (quiet(Kind::Question) >> CountParser{}[take_changes] >>
     -(quiet(Kind::QuestionTime)[ask_history(syntax::History::Asked::Time)] |
       quiet(Kind::QuestionCount)[ask_history(syntax::History::Asked::Count)]));

}  // namespace cohort::ltl::grammar
