// LTL formulas: grammar/ltl.ebnf.
//
// The rules follow the EBNF, except that the ladders of binary operators are one rule each, for
// formulas and for regular expressions, whose operators the climber puts into order.
#include "ltl/climb_grammar.hpp"
#include "ltl/parse.hpp"

namespace cohort::ltl {
namespace grammar {
namespace {

[[nodiscard]] OperatorToken infix(Level level, ExprKind kind, Join join = Join::None) {
  OperatorToken op;
  op.level = level;
  op.kind = kind;
  op.join = join;
  return op;
}

[[nodiscard]] OperatorToken until_operator(TemporalOperator temporal) {
  OperatorToken op = infix(Level::Until, ExprKind::Temporal);
  op.temporal = temporal;
  return op;
}

[[nodiscard]] std::optional<OperatorToken> arithmetic_operator(Kind kind) {
  switch (kind) {
    case Kind::Plus:
      return infix(Level::Sum, ExprKind::Sum, Join::Plus);
    case Kind::Minus:
      return infix(Level::Sum, ExprKind::Sum, Join::Minus);
    case Kind::Times:
      return infix(Level::Product, ExprKind::Product, Join::Times);
    case Kind::Divide:
      return infix(Level::Product, ExprKind::Product, Join::Divide);
    case Kind::Modulo:
      return infix(Level::Product, ExprKind::Product, Join::Modulo);
    case Kind::Equal:
      return infix(Level::Compare, ExprKind::Compare, Join::Equal);
    case Kind::NotEqual:
      return infix(Level::Compare, ExprKind::Compare, Join::NotEqual);
    case Kind::Less:
      return infix(Level::Compare, ExprKind::Compare, Join::Less);
    case Kind::LessEqual:
      return infix(Level::Compare, ExprKind::Compare, Join::LessEqual);
    case Kind::Greater:
      return infix(Level::Compare, ExprKind::Compare, Join::Greater);
    case Kind::GreaterEqual:
      return infix(Level::Compare, ExprKind::Compare, Join::GreaterEqual);
    default:
      return std::nullopt;
  }
}

[[nodiscard]] std::optional<OperatorToken> formula_operator(Kind kind) {
  switch (kind) {
    case Kind::AndAnd:
      return infix(Level::And, ExprKind::And);
    case Kind::Until:
      return until_operator(TemporalOperator::U);
    case Kind::WeakUntil:
      return until_operator(TemporalOperator::W);
    case Kind::Release:
      return until_operator(TemporalOperator::R);
    default:
      return std::nullopt;
  }
}

[[nodiscard]] std::optional<OperatorToken> regex_operator(Kind kind) {
  switch (kind) {
    case Kind::Semicolon:
      return infix(Level::Concat, ExprKind::Concat);
    case Kind::Colon:
      return infix(Level::Fusion, ExprKind::Fusion);
    case Kind::AndAnd:
      return infix(Level::Intersection, ExprKind::Intersection);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<OperatorToken> infix_operator(Kind kind, Dialect dialect) {
  if (kind == Kind::And) return infix(Level::And, ExprKind::And);
  if (kind == Kind::Or) return infix(Level::Or, ExprKind::Or);
  if (dialect != Dialect::Monitor) {
    if (kind == Kind::Iff) return infix(Level::Iff, ExprKind::Iff);
    if (kind == Kind::Arrow || kind == Kind::FatArrow) {
      return infix(Level::Implies, ExprKind::Implies);
    }
    const std::optional<OperatorToken> own =
        dialect == Dialect::Formula ? formula_operator(kind) : regex_operator(kind);
    if (own) return own;
  }
  return arithmetic_operator(kind);
}

std::optional<OperatorToken> prefix_operator(const Token* first, Dialect dialect) {
  OperatorToken found;
  found.prefix = true;
  found.level = Level::Unary;
  found.where = first->where;
  const Kind kind = kind_of(*first);
  if (kind == Kind::Minus) {
    found.level = Level::Minus;
    found.kind = ExprKind::Minus;
    return found;
  }
  if (kind == Kind::Not) {
    found.kind = ExprKind::Not;
    return found;
  }
  if (dialect != Dialect::Formula) return std::nullopt;
  found.kind = ExprKind::Temporal;
  switch (kind) {
    case Kind::Always:
      found.temporal = TemporalOperator::G;
      return found;
    case Kind::Eventually:
      found.temporal = TemporalOperator::F;
      return found;
    case Kind::Next:
      if (kind_of(first[1]) == Kind::Strong) {
        found.temporal = TemporalOperator::StrongX;
        found.where = base::join(first[0].where, first[1].where);
      }
      return found;
    default:
      return std::nullopt;
  }
}

bool check_start(GrammarState& parsing, const Token& at) {
  if (parsing.climber.may_start_operand(Level::Unary)) return true;
  parsing.refuse(at, "'" + std::string(parsing.text(at)) + "' stands where a number is needed",
                 "only numbers can be compared and calculated with");
  return false;
}

namespace {

using AtomRule = x3::rule<struct AtomId, Expr>;
using FormulaRule = x3::rule<struct FormulaId, Expr>;
using SumRule = x3::rule<struct SumId, Expr>;
using PositionRule = x3::rule<struct PositionId, Expr>;
using RegexRule = x3::rule<struct RegexId, Expr>;
using PrimaryRule = x3::rule<struct PrimaryId, Expr>;
using QuantifiedRule = x3::rule<struct QuantifiedId, Expr>;
using CountRule = x3::rule<struct CountId, Expr>;
using SetRule = x3::rule<struct SetId, syntax::ProcessSet>;
using IdRangeRule = x3::rule<struct IdRangeId, syntax::IdRange>;
using RepetitionRule = x3::rule<struct RepetitionId, syntax::Repetition>;
using OnlyFormulaRule = x3::rule<struct OnlyFormulaId, Expr>;
const AtomRule atom{"atom"};
const FormulaRule formula{"formula"};
const SumRule sum{"sum"};
const PositionRule position{"position"};
const RegexRule regex{"regex"};
const PrimaryRule primary{"primary"};
const QuantifiedRule quantified{"quantified"};
const CountRule count{"count"};
const SetRule process_set{"process_set"};
const IdRangeRule id_range{"id_range"};
const RepetitionRule repetition{"repetition"};
const OnlyFormulaRule only_formula{"only_formula"};

const auto called_atom = operand[called("a formula")[atom]];
const auto formula_operands = *PrefixParser{Dialect::Formula} >> called_atom >>
                              *(InfixParser{Dialect::Formula} >> *PrefixParser{Dialect::Formula} >>
                                called_atom);
const auto formula_def =
    called("a formula")[nested[climb(Level::Iff)[formula_operands]]][take_whole];
const auto sum_def =
    called("an expression")[nested[climb(Level::Sum)[formula_operands]]][take_whole];

// ---------------------------------------------------------------------------------------------------
// Regular expressions

const auto take_least = [](auto& context) {
  x3::_val(context).least = x3::_attr(context).value;
  x3::_val(context).most = x3::_attr(context).value;
};
const auto take_no_most = [](auto& context) { x3::_val(context).most = std::nullopt; };
const auto take_most = [](auto& context) { x3::_val(context).most = x3::_attr(context).value; };
const auto repetition_def =
    -(CountParser{}[take_least] >>
      -(token(Kind::DotDot)[take_no_most] >> -(&quiet(Kind::Integer) >> CountParser{}[take_most])));

/// Hands `[*…]` and `[+]` to the climber.
struct RepetitionParser : x3::parser<RepetitionParser> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& r,
             Attribute& /*attribute*/) const {
    GrammarState& parsing = state(context);
    const Iterator start = first;
    syntax::Repetition times;
    if (kind_of(*first) == Kind::RepeatSome) {
      times.least = 1;
    } else if (kind_of(*first) == Kind::Repeat) {
      ++first;
      if (!repetition.parse(first, last, context, r, times) ||
          kind_of(*first) != Kind::SquareClose) {
        parsing.expected(*first, static_cast<base::TokenKind>(Kind::SquareClose));
        first = start;
        return false;
      }
    } else {
      return false;
    }
    parsing.climber.push_repetition(times, first->where.end);
    ++first;
    return true;
  }
};

/// `[*]` alone repeats a position with any letter.
struct AnythingParser : x3::parser<AnythingParser> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& r,
             Attribute& attribute) const {
    GrammarState& parsing = state(context);
    const bool starts = kind_of(*first) == Kind::Repeat || kind_of(*first) == Kind::RepeatSome;
    if (!starts || !parsing.climber.may_start_repetition()) return false;
    Expr anything;
    anything.kind = ExprKind::True;
    anything.text = "true";
    anything.where = {first->where.begin, first->where.begin};
    parsing.climber.push_operand(std::move(anything));
    return RepetitionParser{}.parse(first, last, context, r, attribute);
  }
};

const auto called_position = operand[called("a regular expression")[position]];
const auto repeated = (AnythingParser{} | called_position) >> *RepetitionParser{};
const auto regex_operands = *PrefixParser{Dialect::Regex} >> repeated >>
                            *(InfixParser{Dialect::Regex} >> *PrefixParser{Dialect::Regex} >>
                              repeated);
const auto regex_def =
    called("a regular expression")[nested[climb(Level::Concat)[regex_operands]]][take_whole];

/// Unlike round brackets, braces are never about numbers.
const auto end_braces = [](auto& context) {
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
const auto position_def = primary[take_whole] |
                          (token(Kind::ParenOpen)[start(ExprKind::Paren, Is::Formula)] >>
                           &(quiet(Kind::Forall) | quiet(Kind::Exists)) >>
                           nested[quantified][take_arg] >> token(Kind::ParenClose)[close_paren]) |
                          (token(Kind::ParenOpen)[start(ExprKind::Paren, Is::Formula)] >>
                           regex[take_arg] >> token(Kind::ParenClose)[close_paren]) |
                          (token(Kind::BraceOpen)[start(ExprKind::Paren, Is::Formula)] >>
                           regex[take_arg] >> token(Kind::BraceClose)[end_braces]);

// ---------------------------------------------------------------------------------------------------
// Quantifiers and COUNT

const auto take_first_id = [](auto& context) {
  syntax::IdRange& range = x3::_val(context);
  range.first = x3::_attr(context).value;
  range.last = range.first;
  range.where = x3::_attr(context).where;
};
const auto take_open_end = [](auto& context) {
  x3::_val(context).last = std::nullopt;
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
const auto take_last_id = [](auto& context) {
  x3::_val(context).last = x3::_attr(context).value;
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
const auto id_range_def = CountParser{}[take_first_id] >>
                          -(quiet(Kind::Minus)[take_open_end] >>
                            -(&quiet(Kind::Integer) >> CountParser{}[take_last_id]));

const auto take_set_name = [](auto& context) {
  x3::_val(context).name = name_of(context, x3::_attr(context));
};
const auto take_listed = [](auto& context) { x3::_val(context).listed = true; };
const auto take_ids = [](auto& context) {
  x3::_val(context).ids.push_back(std::move(x3::_attr(context)));
};
const auto process_set_def = token(Kind::Name)[take_set_name] >>
                             -(quiet(Kind::BraceOpen)[take_listed] >> id_range[take_ids] >>
                               *(token(Kind::Comma) >> id_range[take_ids]) >>
                               token(Kind::BraceClose));

const auto take_bound_name = [](auto& context) {
  x3::_val(context).bindings.back().names.push_back(name_of(context, x3::_attr(context)));
};
const auto take_set = [](auto& context) {
  x3::_val(context).bindings.back().set = std::move(x3::_attr(context));
};
const auto next_binding = [](auto& context) { x3::_val(context).bindings.emplace_back(); };
[[nodiscard]] auto start_binding(ExprKind kind, Is is) {
  return [kind, is](auto& context) {
    start(kind, is)(context);
    x3::_val(context).bindings.emplace_back();
  };
}

const auto binding = token(Kind::Name)[take_bound_name] >>
                     *(token(Kind::Comma) >> token(Kind::Name)[take_bound_name]) >>
                     token(Kind::In) >> process_set[take_set];
const auto quantified_def = (token(Kind::Forall)[start_binding(ExprKind::Forall, Is::Formula)] |
                             token(Kind::Exists)[start_binding(ExprKind::Exists, Is::Formula)]) >>
                            binding >> *(token(Kind::Comma)[next_binding] >> binding) >>
                            (((token(Kind::Dot) | token(Kind::Colon)) >> formula[end_with_arg]) |
                             (&(quiet(Kind::Forall) | quiet(Kind::Exists)) >>
                              nested[quantified][end_with_arg]) |
                             (&quiet(Kind::ParenOpen) >> formula[end_with_arg]));

const auto count_def = token(Kind::Count)[start_binding(ExprKind::Count, Is::Sum)] >>
                       token(Kind::ParenOpen) >> token(Kind::Name)[take_bound_name] >>
                       ((token(Kind::Comma) >> process_set[take_set] >> token(Kind::Comma)) |
                        (token(Kind::In) >> process_set[take_set] >> token(Kind::Colon))) >>
                       formula[take_arg] >> token(Kind::ParenClose)[take_end];

// ---------------------------------------------------------------------------------------------------
// Operands

const auto as_label = [](auto& context) { x3::_val(context).kind = ExprKind::Label; };
const auto take_number = [](auto& context) {
  x3::_val(context).number = x3::_attr(context).value;
  take_end(context);
};
const auto processes = quiet(Kind::ParenOpen)[as_label] >> sum[take_arg] >>
                       *(token(Kind::Comma) >> sum[take_arg]) >> token(Kind::ParenClose)[take_end];
const auto subscripts = quiet(Kind::SquareOpen) >> sum[take_arg] >>
                        *(token(Kind::Comma) >> sum[take_arg]) >>
                        token(Kind::SquareClose)[take_end];
const auto primary_def =
    token(Kind::Integer)[start(ExprKind::Integer, Is::Sum)] |
    token(Kind::Decimal)[start(ExprKind::Decimal, Is::Sum)] |
    token(Kind::String)[start(ExprKind::String, Is::Sum)] |
    token(Kind::True)[start(ExprKind::True, Is::Sum)] |
    token(Kind::False)[start(ExprKind::False, Is::Sum)] |
    token(Kind::None)[start(ExprKind::None, Is::Sum)] |
    token(Kind::Deadlock)[start(ExprKind::Deadlock, Is::Sum)] |
    (token(Kind::Enabled)[start(ExprKind::Enabled, Is::Sum)] >> token(Kind::ParenOpen) >>
     sum[take_arg] >> token(Kind::ParenClose)[take_end]) |
    count[take_whole] |
    (token(Kind::Name)[start(ExprKind::Variable, Is::Sum)] >>
     -(processes | (quiet(Kind::Hash)[as_label] >> CountParser{}[take_number] >> -processes) |
       (subscripts >> -history) | history));

[[nodiscard]] auto as_suffix(ExprKind kind) {
  return [kind](auto& context) { x3::_val(context).kind = kind; };
}
const auto atom_def = primary[take_whole] |
                      (token(Kind::ParenOpen)[start(ExprKind::Paren, Is::Formula)] >>
                       formula[take_arg] >> token(Kind::ParenClose)[close_paren]) |
                      (&(quiet(Kind::Forall) | quiet(Kind::Exists)) >> UnaryStart{} >>
                       nested[quantified][take_whole]) |
                      (&quiet(Kind::BraceOpen) >> UnaryStart{} >>
                       token(Kind::BraceOpen)[start(ExprKind::Match, Is::Formula)] >>
                       regex[take_arg] >> token(Kind::BraceClose)[end_braces] >>
                       -((quiet(Kind::Suffix)[as_suffix(ExprKind::Suffix)] |
                          quiet(Kind::SuffixNext)[as_suffix(ExprKind::SuffixNext)]) >>
                         formula[end_with_arg]));

const auto only_formula_def = formula[take_whole] >> token(Kind::End);

BOOST_SPIRIT_DEFINE(atom, formula, sum, position, regex, primary, quantified, count, process_set)
BOOST_SPIRIT_DEFINE(id_range, repetition, only_formula)

}  // namespace
}  // namespace grammar

syntax::Expr parse_formula(const base::Source& source, base::Diagnostics& diagnostics) {
  const std::vector<base::Token> tokens = base::lex(source, formula_lexicon(), diagnostics).tokens;
  syntax::Expr tree;
  if (diagnostics.full()) return tree;
  if (kind_of(tokens.front()) == Kind::End && !diagnostics.has_errors()) {
    diagnostics.error(tokens.front().where, "the formula is empty");
    return tree;
  }
  GrammarState parsing(source, formula_lexicon(), tokens, diagnostics);
  const base::Token* at = tokens.data();
  parsing.start_piece(at);
  if (!base::run(grammar::only_formula, at, tokens.data() + tokens.size(), parsing, tree)) {
    parsing.report();
    return {};
  }
  return tree;
}

}  // namespace cohort::ltl
