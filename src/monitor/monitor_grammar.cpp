// Monitors: grammar/monitor.ebnf.
//
// The form is one of lines, so each line is a piece of its own: after an error the parser goes on
// with the next line.
#include "ltl/climb_grammar.hpp"
#include "monitor/monitor_file.hpp"

namespace cohort::monitor {

namespace syntax = ltl::syntax;

namespace grammar {
namespace {

using namespace ltl::grammar;  // NOLINT(google-build-using-namespace): its parsers are words
using ltl::Kind;
using ltl::Level;

using GuardRule = x3::rule<struct GuardId, Expr>;
using SumRule = x3::rule<struct MonitorSumId, Expr>;
using PrimaryRule = x3::rule<struct MonitorPrimaryId, Expr>;
using IndexRule = x3::rule<struct IndexId, Expr>;
using NamesRule = x3::rule<struct NamesId, std::vector<syntax::Name>>;
using CounterRule = x3::rule<struct CounterId, Counter>;
using CountersRule = x3::rule<struct CountersId, std::vector<Counter>>;
using UpdateRule = x3::rule<struct UpdateId, Update>;
using TransitionRule = x3::rule<struct TransitionId, Transition>;
using TitleRule = x3::rule<struct TitleId, syntax::Name>;
const GuardRule guard{"guard"};
const SumRule sum{"sum"};
const PrimaryRule primary{"primary"};
const IndexRule index{"index"};
const NamesRule initial_line{"initial_line"};
using BadRule = x3::rule<struct BadId, std::vector<syntax::Name>>;
const BadRule bad_line{"bad_line"};
const CounterRule counter{"counter"};
const CountersRule counter_line{"counter_line"};
const UpdateRule update{"update"};
const TransitionRule transition_line{"transition_line"};
const TitleRule title_line{"title_line"};

const auto called_primary = operand[called("an expression")[primary]];
const auto operands = *PrefixParser{Dialect::Monitor} >> called_primary >>
                      *(InfixParser{Dialect::Monitor} >> *PrefixParser{Dialect::Monitor} >>
                        called_primary);
const auto guard_def = called("a guard")[nested[climb(Level::Or)[operands]]][take_whole];
const auto sum_def = called("an expression")[nested[climb(Level::Sum)[operands]]][take_whole];

const auto as_negative = start(ExprKind::Minus, Is::Sum);
const auto end_number = [](auto& context) {
  Expr number;
  number.kind = ExprKind::Integer;
  number.is_sum = true;
  number.text = state(context).text(x3::_attr(context));
  number.where = x3::_attr(context).where;
  Expr& made = x3::_val(context);
  if (made.kind == ExprKind::Minus) {
    made.where.end = number.where.end;
    add_arg(made, std::move(number));
  } else {
    made = std::move(number);
  }
};
const auto index_def = -quiet(Kind::Minus)[as_negative] >> token(Kind::Integer)[end_number];

const auto subscripts = quiet(Kind::SquareOpen) >> index[take_arg] >>
                        *(token(Kind::Comma) >> index[take_arg]) >>
                        token(Kind::SquareClose)[take_end];
const auto several = token(Kind::ParenOpen) >> sum[take_arg] >>
                     token(Kind::Comma) >> sum[take_arg] >>
                     *(token(Kind::Comma) >> sum[take_arg]) >> token(Kind::ParenClose)[take_end];
const auto primary_def = token(Kind::Integer)[start(ExprKind::Integer, Is::Sum)] |
                         token(Kind::Decimal)[start(ExprKind::Decimal, Is::Sum)] |
                         token(Kind::String)[start(ExprKind::String, Is::Sum)] |
                         token(Kind::True)[start(ExprKind::True, Is::Formula)] |
                         token(Kind::False)[start(ExprKind::False, Is::Formula)] |
                         (token(Kind::Min)[start(ExprKind::Min, Is::Sum)] >> several) |
                         (token(Kind::Max)[start(ExprKind::Max, Is::Sum)] >> several) |
                         (token(Kind::ParenOpen)[start(ExprKind::Paren, Is::Formula)] >>
                          guard[take_arg] >> token(Kind::ParenClose)[close_paren]) |
                         (token(Kind::Name)[start(ExprKind::Variable, Is::Sum)] >>
                          -((subscripts >> -history) | history));

/// Succeeds, reading nothing, at the end of a line.
struct EndOfLine : x3::parser<EndOfLine> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;
  template <typename Iterator, typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& /*last*/, const Context& context, RContext& /*r*/,
             Attribute& /*attribute*/) const {
    if (ltl::kind_of(*first) == Kind::LineBreak || ltl::kind_of(*first) == Kind::End) return true;
    state(context).expected(*first, static_cast<base::TokenKind>(Kind::LineBreak));
    return false;
  }
};
const EndOfLine end_of_line{};

const auto take_title = [](auto& context) {
  x3::_val(context) = name_of(context, x3::_attr(context));
};
const auto title_line_def = token(Kind::Monitor) >> token(Kind::Name)[take_title] >> end_of_line;

const auto take_name = [](auto& context) {
  x3::_val(context).push_back(name_of(context, x3::_attr(context)));
};
const auto names = token(Kind::Name)[take_name] >>
                   *(token(Kind::Comma) >> token(Kind::Name)[take_name]);
const auto initial_line_def = token(Kind::Initial) >> names >> end_of_line;
const auto bad_line_def = token(Kind::BadState) >> names >> end_of_line;

const auto take_counter_name = [](auto& context) {
  x3::_val(context).name = name_of(context, x3::_attr(context));
};
const auto take_sign = [](auto& context) { x3::_val(context).negative = true; };
const auto take_value = [](auto& context) {
  x3::_val(context).value = state(context).text(x3::_attr(context));
};
const auto counter_def = token(Kind::Name)[take_counter_name] >> token(Kind::Equal) >>
                         -quiet(Kind::Minus)[take_sign] >>
                         (token(Kind::Integer)[take_value] | token(Kind::Decimal)[take_value]);
const auto take_counter = [](auto& context) {
  x3::_val(context).push_back(std::move(x3::_attr(context)));
};
const auto counter_line_def = token(Kind::Counter) >> counter[take_counter] >>
                              *(token(Kind::Comma) >> counter[take_counter]) >> end_of_line;

const auto take_updated = [](auto& context) {
  x3::_val(context).counter = name_of(context, x3::_attr(context));
};
const auto take_update_value = [](auto& context) {
  x3::_val(context).value = std::move(x3::_attr(context));
};
const auto update_def = token(Kind::Name)[take_updated] >>
                        token(Kind::Equal) >> sum[take_update_value];

const auto take_from = [](auto& context) {
  x3::_val(context).from = name_of(context, x3::_attr(context));
};
const auto take_to = [](auto& context) {
  x3::_val(context).to = name_of(context, x3::_attr(context));
};
const auto take_guard = [](auto& context) {
  x3::_val(context).guard = std::move(x3::_attr(context));
};
const auto take_update = [](auto& context) {
  x3::_val(context).updates.push_back(std::move(x3::_attr(context)));
};
const auto transition_line_def = token(Kind::Name)[take_from] >> token(Kind::Arrow) >>
                                 token(Kind::Name)[take_to] >>
                                 token(Kind::When) >> guard[take_guard] >>
                                 -(token(Kind::Do) >> update[take_update] >>
                                   *(token(Kind::Comma) >> update[take_update])) >>
                                 end_of_line;

BOOST_SPIRIT_DEFINE(guard, sum, primary, index, initial_line, bad_line, counter, counter_line)
BOOST_SPIRIT_DEFINE(update, transition_line, title_line)

}  // namespace
}  // namespace grammar

namespace {

using ltl::Kind;
using ltl::kind_of;

class MonitorParser {
 public:
  MonitorParser(const base::Source& source, base::Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        tokens_(base::lex(source, ltl::monitor_lexicon(), diagnostics).tokens),
        state_(source, ltl::monitor_lexicon(), tokens_, diagnostics),
        at_(tokens_.data()) {}

  [[nodiscard]] MonitorFile parse() {
    skip_breaks();
    if (kind_of(*at_) == Kind::End) {
      if (!diagnostics_.has_errors()) {
        diagnostics_.error(at_->where, "the file is empty", "it begins with 'monitor' and a name");
      }
      return std::move(file_);
    }
    (void)piece(grammar::title_line, file_.name);
    for (skip_breaks(); kind_of(*at_) != Kind::End && !diagnostics_.full(); skip_breaks()) line();
    return std::move(file_);
  }

 private:
  void skip_breaks() {
    while (kind_of(*at_) == Kind::LineBreak) ++at_;
  }

  template <typename Rule, typename Attribute>
  bool piece(const Rule& rule, Attribute& attribute) {
    state_.start_piece(at_);
    const base::Token* at = at_;
    const bool matched = base::run(rule, at, tokens_.data() + tokens_.size(), state_, attribute);
    if (!matched) state_.report();
    while (kind_of(*at_) != Kind::LineBreak && kind_of(*at_) != Kind::End) ++at_;
    return matched;
  }

  void line() {
    switch (kind_of(*at_)) {
      case Kind::Initial:
        file_.initial_lines.push_back(at_->where);
        names(grammar::initial_line, file_.initial);
        return;
      case Kind::BadState:
        names(grammar::bad_line, file_.bad);
        return;
      case Kind::Counter: {
        std::vector<Counter> read;
        if (piece(grammar::counter_line, read)) {
          file_.counters.insert(file_.counters.end(), read.begin(), read.end());
        }
        return;
      }
      default:
        transition();
        return;
    }
  }

  template <typename Rule>
  void names(const Rule& rule, std::vector<syntax::Name>& all) {
    std::vector<syntax::Name> read;
    if (piece(rule, read)) all.insert(all.end(), read.begin(), read.end());
  }

  void transition() {
    Transition read;
    if (kind_of(*at_) != Kind::Name) {
      state_.start_piece(at_);
      state_.expected(*at_, "'initial', 'bad', 'counter' or a transition");
      state_.report();
      while (kind_of(*at_) != Kind::LineBreak && kind_of(*at_) != Kind::End) ++at_;
      return;
    }
    if (!piece(grammar::transition_line, read)) return;
    check_condition(read.guard);
    file_.transitions.push_back(std::move(read));
  }

  /// A guard is made of comparisons: a number alone is none.
  void check_condition(const syntax::Expr& expr) {
    if (expr.is_sum) {
      diagnostics_.error(expr.where, "a value stands where a condition is needed",
                         "compare it with something, as in 'x = 1'");
      return;
    }
    if (expr.kind == syntax::ExprKind::Compare) return;
    for (const syntax::Expr& arg : expr.args) check_condition(arg);
  }

  base::Diagnostics& diagnostics_;
  std::vector<base::Token> tokens_;
  ltl::GrammarState state_;
  const base::Token* at_;
  MonitorFile file_;
};

}  // namespace

MonitorFile parse_monitor_syntax(const base::Source& source, base::Diagnostics& diagnostics) {
  return MonitorParser(source, diagnostics).parse();
}

}  // namespace cohort::monitor
