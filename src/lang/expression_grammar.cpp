// Expressions of models, and formulas: grammar/model.ebnf and grammar/property.ebnf.
//
// The rules follow the EBNF, except that the ladder of binary operators is one rule, `operands`,
// whose operators the climber puts into order.
#include "lang/expression_grammar.hpp"

#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace cohort::lang::grammar {

bool IntegerParser::read(std::string_view digits, std::int64_t& number) {
  return std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc{};
}

namespace {

using base::Token;
using syntax::Expr;
using syntax::ExprKind;
using syntax::Join;
using syntax::Path;
using syntax::TemporalOperator;

// ---------------------------------------------------------------------------------------------------
// Operators

[[nodiscard]] Operator infix(Level level, ExprKind kind, Join join = Join::None) {
  Operator op;
  op.level = level;
  op.kind = kind;
  op.join = join;
  return op;
}

[[nodiscard]] std::optional<Operator> arithmetic_operator(Kind kind) {
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
    case Kind::And:
      return infix(Level::And, ExprKind::And);
    case Kind::Or:
      return infix(Level::Or, ExprKind::Or);
    case Kind::FatArrow:
      return infix(Level::Implies, ExprKind::Implies);
    default:
      return std::nullopt;
  }
}

[[nodiscard]] std::optional<Operator> infix_operator(Kind kind, Dialect dialect) {
  if (dialect == Dialect::Formula) {
    if (kind == Kind::Assign) return infix(Level::Compare, ExprKind::Compare, Join::Equal);
    if (kind == Kind::Arrow) return infix(Level::Implies, ExprKind::Implies);
    if (kind == Kind::Iff) return infix(Level::Iff, ExprKind::Iff);
  }
  return arithmetic_operator(kind);
}

[[nodiscard]] std::optional<Path> path_of(Kind kind) {
  switch (kind) {
    case Kind::PathE:
      return Path::E;
    case Kind::PathA:
      return Path::A;
    case Kind::PathEfair:
      return Path::Efair;
    case Kind::PathAfair:
      return Path::Afair;
    default:
      return std::nullopt;
  }
}

[[nodiscard]] std::optional<TemporalOperator> unary_temporal(Kind kind) {
  switch (kind) {
    case Kind::Next:
      return TemporalOperator::X;
    case Kind::Finally:
      return TemporalOperator::F;
    case Kind::Globally:
      return TemporalOperator::G;
    default:
      return std::nullopt;
  }
}

[[nodiscard]] std::optional<std::pair<Path, TemporalOperator>> fused(Kind kind) {
  const auto pair = [](Path path, TemporalOperator op) { return std::pair{path, op}; };
  switch (kind) {
    case Kind::EX:
      return pair(Path::E, TemporalOperator::X);
    case Kind::EF:
      return pair(Path::E, TemporalOperator::F);
    case Kind::EG:
      return pair(Path::E, TemporalOperator::G);
    case Kind::AX:
      return pair(Path::A, TemporalOperator::X);
    case Kind::AF:
      return pair(Path::A, TemporalOperator::F);
    case Kind::AG:
      return pair(Path::A, TemporalOperator::G);
    case Kind::EfairX:
      return pair(Path::Efair, TemporalOperator::X);
    case Kind::EfairF:
      return pair(Path::Efair, TemporalOperator::F);
    case Kind::EfairG:
      return pair(Path::Efair, TemporalOperator::G);
    case Kind::AfairX:
      return pair(Path::Afair, TemporalOperator::X);
    case Kind::AfairF:
      return pair(Path::Afair, TemporalOperator::F);
    case Kind::AfairG:
      return pair(Path::Afair, TemporalOperator::G);
    default:
      return std::nullopt;
  }
}

/// A prefix operator at `first`: `-`, `!`, and in formulas `EX`, `Efair G`, …  Its tokens are one
/// or two.
struct Prefix {
  Operator op;
  std::size_t num_tokens = 1;
};

[[nodiscard]] std::optional<Prefix> prefix_operator(const Token* first, Dialect dialect) {
  Prefix found;
  found.op.prefix = true;
  found.op.level = Level::Unary;
  found.op.where = first->where;
  const Kind kind = kind_of(*first);
  if (kind == Kind::Minus) {
    found.op.level = Level::Minus;
    found.op.kind = ExprKind::Minus;
    return found;
  }
  if (kind == Kind::Not) {
    found.op.kind = ExprKind::Not;
    return found;
  }
  if (dialect == Dialect::Model) return std::nullopt;
  found.op.kind = ExprKind::Temporal;
  if (const auto both = fused(kind)) {
    found.op.path = both->first;
    found.op.temporal = both->second;
    return found;
  }
  const std::optional<Path> path = path_of(kind);
  if (!path) return std::nullopt;
  const std::optional<TemporalOperator> temporal = unary_temporal(kind_of(first[1]));
  if (!temporal) return std::nullopt;
  found.op.path = *path;
  found.op.temporal = *temporal;
  found.num_tokens = 2;
  return found;
}

/// True if an operand that binds like a unary formula may start here; otherwise says why not.
[[nodiscard]] bool check_start(GrammarState& parsing, const Token& at) {
  if (!parsing.climber.allows(Level::Unary)) return false;
  if (parsing.climber.may_start_operand(Level::Unary)) return true;
  parsing.refuse(at,
                 "'" + std::string(parsing.text(at)) + "' binds looser than the operator before it",
                 "put it and its operand into brackets");
  return false;
}

struct PrefixParser : x3::parser<PrefixParser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;

  explicit PrefixParser(Dialect of) : dialect(of) {}

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& /*attribute*/) const {
    const std::optional<Prefix> found = prefix_operator(first, dialect);
    if (!found) return false;
    GrammarState& parsing = state(context);
    if (found->op.level == Level::Unary && !check_start(parsing, *first)) return false;
    parsing.climber.push_prefix(found->op);
    first += static_cast<std::ptrdiff_t>(found->num_tokens);
    return true;
  }

  Dialect dialect;
};

struct InfixParser : x3::parser<InfixParser> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;

  explicit InfixParser(Dialect of) : dialect(of) {}

  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& /*attribute*/) const {
    GrammarState& parsing = state(context);
    const std::optional<Operator> op = infix_operator(kind_of(*first), dialect);
    if (op && parsing.climber.allows(op->level) && !parsing.climber.may_continue(op->level)) {
      parsing.refuse(*first, "'" + std::string(parsing.text(*first)) + "' cannot follow a formula",
                     "only '&', '|', '->' and '<->' can");
      return false;
    }
    if (!op || !parsing.climber.allows(op->level)) {
      if (dialect == Dialect::Model) explain(parsing, *first);
      parsing.expected(*first, "an operator");
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

  static void explain(GrammarState& parsing, const Token& at) {
    if (kind_of(at) == Kind::Assign && parsing.climber.allows(Level::Compare)) {
      parsing.refuse(at, "'=' assigns; a condition compares with '=='",
                     "write '=='; assignments stand behind '->', with ',' between them");
    }
    if (kind_of(at) == Kind::Iff) {
      parsing.refuse(at, "'<->' is for formulas", "compare the two conditions with '=='");
    }
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
    Expr operand;
    if (!this->subject.parse(first, last, context, r, operand)) return false;
    state(context).climber.push_operand(std::move(operand));
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
[[nodiscard]] ClimbGenerator climb(Level loosest) { return ClimbGenerator{loosest}; }

struct OperandGenerator {
  template <typename Subject>
  auto operator[](const Subject& inner) const {
    return OperandDirective<typename x3::extension::as_parser<Subject>::value_type>(
        x3::as_parser(inner));
  }
};
constexpr OperandGenerator operand{};

/// Succeeds, reading nothing, where a formula that is no comparison may start.
struct UnaryStart : x3::parser<UnaryStart> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;
  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& /*attribute*/) const {
    return check_start(state(context), *first);
  }
};

// ---------------------------------------------------------------------------------------------------
// Semantic actions: each adds a piece to the node that its rule builds.

void add_arg(Expr& parent, Expr&& child) {
  parent.depth = std::max(parent.depth, static_cast<std::uint16_t>(child.depth + 1));
  parent.args.push_back(std::move(child));
}

const auto take_arg = [](auto& context) {
  add_arg(x3::_val(context), std::move(x3::_attr(context)));
};
const auto take_end = [](auto& context) {
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
const auto take_name = [](auto& context) {
  const Token& word = x3::_attr(context);
  Expr& made = x3::_val(context);
  made.kind = ExprKind::Reference;
  made.name = state(context).text(word);
  made.where = word.where;
};
const auto take_bound_name = [](auto& context) {
  x3::_val(context).bindings.back().names.push_back(name_of(context, x3::_attr(context)));
};
const auto as_process_literal = [](auto& context) {
  x3::_val(context).kind = ExprKind::ProcessLiteral;
};

/// Starts a node of a kind at the token just read.
[[nodiscard]] auto start(ExprKind kind) {
  return [kind](auto& context) {
    Expr& made = x3::_val(context);
    made = Expr{};
    made.kind = kind;
    made.where = x3::_attr(context).where;
  };
}

/// The same, with room for the names that it binds.
[[nodiscard]] auto start_binding(ExprKind kind) {
  return [kind](auto& context) {
    start(kind)(context);
    x3::_val(context).bindings.emplace_back();
  };
}

const auto end_with_arg = [](auto& context) {
  Expr& made = x3::_val(context);
  add_arg(made, std::move(x3::_attr(context)));
  made.where.end = made.args.back().where.end;
};

const auto take_whole = [](auto& context) { x3::_val(context) = std::move(x3::_attr(context)); };

// ---------------------------------------------------------------------------------------------------
// Models

using PrimaryRule = x3::rule<struct PrimaryId, Expr>;
using QuantifierRule = x3::rule<struct QuantifierId, Expr>;
using ConditionalRule = x3::rule<struct ConditionalId, Expr>;
const PrimaryRule primary{"primary"};
const QuantifierRule quantifier{"quantifier"};
const ConditionalRule conditional{"conditional"};

const auto called_primary = operand[called("an expression")[primary]];
const auto operands = *PrefixParser{Dialect::Model} >> called_primary >>
                      *(InfixParser{Dialect::Model} >> *PrefixParser{Dialect::Model} >>
                        called_primary);

/// `c` has been read into the value; `? a : b` makes a conditional of it.
const auto wrap_condition = [](auto& context) {
  Expr& made = x3::_val(context);
  Expr condition = std::move(made);
  made = Expr{};
  made.kind = ExprKind::Conditional;
  made.where = condition.where;
  add_arg(made, std::move(condition));
};

const auto conditional_def = climb(Level::Implies)[operands][take_whole] >>
                             -(quiet(Kind::Question)[wrap_condition] >> expression[take_arg] >>
                               token(Kind::Colon) >> expression[end_with_arg]);
const auto expression_def = called("an expression")[nested[conditional]][take_whole];
const auto sum_def = called("an expression")[nested[climb(Level::Sum)[operands]]][take_whole];

const auto subscripts = quiet(Kind::SquareOpen) >> expression[take_arg] >>
                        *(token(Kind::Comma) >> expression[take_arg]) >>
                        token(Kind::SquareClose)[take_end];
const auto reference_def = token(Kind::Name)[take_name] >> -subscripts;

const auto binder_names = token(Kind::Name)[take_bound_name] >>
                          *(token(Kind::Comma) >> token(Kind::Name)[take_bound_name]);
const auto quantifier_def = (token(Kind::All)[start_binding(ExprKind::All)] |
                             token(Kind::Exists)[start_binding(ExprKind::Exists)] |
                             token(Kind::Count)[start_binding(ExprKind::CountIndex)]) >>
                            token(Kind::ParenOpen) >> binder_names >>
                            -(token(Kind::Where) >> expression[take_arg]) >>
                            token(Kind::Colon) >> expression[take_arg] >>
                            token(Kind::ParenClose)[take_end];

// `x = 1 (Priority …)`: the bracket behind a name may belong to the schema.
const auto primary_def =
    IntegerParser{}[take_whole] | quantifier[take_whole] |
    token(Kind::True)[start(ExprKind::True)] | token(Kind::False)[start(ExprKind::False)] |
    token(Kind::None)[start(ExprKind::None)] |
    (token(Kind::ParenOpen)[start(ExprKind::Paren)] >> expression[take_arg] >>
     token(Kind::ParenClose)[take_end]) |
    (token(Kind::Name)[take_name] >>
     -(subscripts | (!(quiet(Kind::ParenOpen) >> quiet(Kind::Priority)) >>
                     quiet(Kind::ParenOpen)[as_process_literal] >> expression[take_arg] >>
                     token(Kind::ParenClose)[take_end])));

// ---------------------------------------------------------------------------------------------------
// Id lists and evaluations

const auto take_first_id = [](auto& context) {
  syntax::IdRange& range = x3::_val(context);
  range.first = x3::_attr(context).number;
  range.last = range.first;
  range.where = x3::_attr(context).where;
};
const auto take_open_end = [](auto& context) {
  x3::_val(context).last = std::nullopt;
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
const auto take_last_id = [](auto& context) {
  x3::_val(context).last = x3::_attr(context).number;
  x3::_val(context).where.end = x3::_attr(context).where.end;
};
const auto id_range_def = IntegerParser{}[take_first_id] >>
                          -(quiet(Kind::Minus)[take_open_end] >>
                            -(&quiet(Kind::Integer) >> IntegerParser{}[take_last_id]));

const auto take_variable = [](auto& context) {
  x3::_val(context).variable = name_of(context, x3::_attr(context));
};
const auto take_process_id = [](auto& context) {
  x3::_val(context).id = x3::_attr(context).number;
  if (!x3::_val(context).module) x3::_val(context).where = x3::_attr(context).where;
};
const auto take_process_module = [](auto& context) {
  x3::_val(context).module = name_of(context, x3::_attr(context));
  x3::_val(context).where = x3::_attr(context).where;
};
const auto value_def = token(Kind::Name)[take_variable] >> token(Kind::Assign) >>
                       (IntegerParser{}[take_process_id] |
                        (token(Kind::Name)[take_process_module] >> token(Kind::ParenOpen) >>
                         IntegerParser{}[take_process_id] >> token(Kind::ParenClose)[take_end]));

// ---------------------------------------------------------------------------------------------------
// Formulas

using AtomRule = x3::rule<struct AtomId, Expr>;
using FormulaSumRule = x3::rule<struct FormulaSumId, Expr>;
using QuantifiedRule = x3::rule<struct QuantifiedId, Expr>;
using UntilRule = x3::rule<struct UntilId, Expr>;
using CountRule = x3::rule<struct CountId, Expr>;
using SetRule = x3::rule<struct SetId, syntax::ProcessSet>;
const AtomRule atom{"atom"};
const FormulaSumRule formula_sum{"formula_sum"};
const QuantifiedRule quantified{"quantified"};
const UntilRule until{"until"};
const CountRule count{"count"};
const SetRule process_set{"process_set"};

const auto called_atom = operand[called("a formula")[atom]];
const auto formula_operands = *PrefixParser{Dialect::Formula} >> called_atom >>
                              *(InfixParser{Dialect::Formula} >> *PrefixParser{Dialect::Formula} >>
                                called_atom);
const auto formula_def =
    called("a formula")[nested[climb(Level::Iff)[formula_operands]]][take_whole];
const auto formula_sum_def =
    called("an expression")[nested[climb(Level::Sum)[formula_operands]]][take_whole];

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

const auto take_set = [](auto& context) {
  x3::_val(context).bindings.back().set = std::move(x3::_attr(context));
};
const auto next_binding = [](auto& context) { x3::_val(context).bindings.emplace_back(); };
const auto binding = binder_names >> token(Kind::In) >> process_set[take_set];
const auto quantified_def = (token(Kind::ForallProcess)[start_binding(ExprKind::ForallProcess)] |
                             token(Kind::ExistsProcess)[start_binding(ExprKind::ExistsProcess)]) >>
                            binding >> *(token(Kind::Comma)[next_binding] >> binding) >>
                            (((token(Kind::Dot) | token(Kind::Colon)) >> formula[end_with_arg]) |
                             (&(quiet(Kind::ForallProcess) | quiet(Kind::ExistsProcess)) >>
                              nested[quantified][end_with_arg]) |
                             (&quiet(Kind::ParenOpen) >> formula[end_with_arg]));

const auto set_path = [](Path path) {
  return [path](auto& context) {
    start(ExprKind::Temporal)(context);
    x3::_val(context).path = path;
  };
};
const auto set_temporal = [](TemporalOperator op) {
  return [op](auto& context) { x3::_val(context).temporal = op; };
};
const auto until_operator = token(Kind::Until)[set_temporal(TemporalOperator::U)] |
                            token(Kind::WeakUntil)[set_temporal(TemporalOperator::W)] |
                            token(Kind::Release)[set_temporal(TemporalOperator::R)];
const auto until_body = formula[take_arg] >> until_operator >> formula[take_arg];
const auto until_def = (token(Kind::PathE)[set_path(Path::E)] |
                        token(Kind::PathA)[set_path(Path::A)] |
                        token(Kind::PathEfair)[set_path(Path::Efair)] |
                        token(Kind::PathAfair)[set_path(Path::Afair)]) >>
                       called("'X', 'F', 'G', '[' or '('")[(token(Kind::SquareOpen) >> until_body >>
                                                            token(Kind::SquareClose)[take_end]) |
                                                           (token(Kind::ParenOpen) >> until_body >>
                                                            token(Kind::ParenClose)[take_end])];

const auto count_def = token(Kind::Count)[start_binding(ExprKind::CountProcess)] >>
                       token(Kind::ParenOpen) >> token(Kind::Name)[take_bound_name] >>
                       ((token(Kind::Comma) >> process_set[take_set] >> token(Kind::Comma)) |
                        (token(Kind::In) >> process_set[take_set] >> token(Kind::Colon))) >>
                       formula[take_arg] >> token(Kind::ParenClose)[take_end];

const auto formula_subscripts = quiet(Kind::SquareOpen) >> formula_sum[take_arg] >>
                                *(token(Kind::Comma) >> formula_sum[take_arg]) >>
                                token(Kind::SquareClose)[take_end];
const auto atom_def =
    IntegerParser{}[take_whole] | token(Kind::True)[start(ExprKind::True)] |
    token(Kind::False)[start(ExprKind::False)] | token(Kind::None)[start(ExprKind::None)] |
    token(Kind::Deadlock)[start(ExprKind::Deadlock)] |
    (token(Kind::Enabled)[start(ExprKind::Enabled)] >> token(Kind::ParenOpen) >>
     formula_sum[take_arg] >> token(Kind::ParenClose)[take_end]) |
    (token(Kind::ParenOpen)[start(ExprKind::Paren)] >> formula[take_arg] >>
     token(Kind::ParenClose)[take_end]) |
    (token(Kind::Name)[take_name] >>
     -(formula_subscripts | (quiet(Kind::ParenOpen)[as_process_literal] >> formula_sum[take_arg] >>
                             token(Kind::ParenClose)[take_end]))) |
    count[take_whole] |
    (&(quiet(Kind::ForallProcess) | quiet(Kind::ExistsProcess)) >> UnaryStart{} >>
     nested[quantified][take_whole]) |
    (&(quiet(Kind::PathE) | quiet(Kind::PathA) | quiet(Kind::PathEfair) | quiet(Kind::PathAfair)) >>
     UnaryStart{} >> until[take_whole]);

BOOST_SPIRIT_DEFINE(primary, quantifier, conditional)
BOOST_SPIRIT_DEFINE(atom, formula_sum, quantified, until, count, process_set)

}  // namespace

BOOST_SPIRIT_DEFINE(expression, sum, reference, id_range, formula, value)
BOOST_SPIRIT_INSTANTIATE(ExpressionRule, base::TokenIterator, base::ParseContext)
BOOST_SPIRIT_INSTANTIATE(SumRule, base::TokenIterator, base::ParseContext)
BOOST_SPIRIT_INSTANTIATE(ReferenceRule, base::TokenIterator, base::ParseContext)
BOOST_SPIRIT_INSTANTIATE(IdRangeRule, base::TokenIterator, base::ParseContext)
BOOST_SPIRIT_INSTANTIATE(FormulaRule, base::TokenIterator, base::ParseContext)
BOOST_SPIRIT_INSTANTIATE(ValueRule, base::TokenIterator, base::ParseContext)

}  // namespace cohort::lang::grammar
