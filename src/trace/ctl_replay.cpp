#include "trace/ctl_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "base/diagnostic.hpp"
#include "lang/parse.hpp"
#include "trace/ctl_literals.hpp"

namespace cohort::trace::ctl {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;
using lang::syntax::Expr;
using lang::syntax::ExprKind;
using lang::syntax::Join;
using lang::syntax::Path;
using lang::syntax::TemporalOperator;

constexpr std::size_t most_cuts = 300'000;

struct Undecided {
  std::string reason;
};
struct Wrong {
  std::string reason;
};

/// A cut and the values in it.
struct State {
  Cut cut;
  std::map<std::string, Value, std::less<>> values;
};

using Number = std::variant<cpp_rational, std::string>;

[[nodiscard]] Number number_of(const Value& value) {
  if (value.is_text()) return std::string{value.characters()};
  const std::string digits = to_string(value);
  cpp_rational result{0};
  cpp_rational weight{1};
  bool behind_point = false;
  for (const char c : digits) {
    if (c == '-') continue;
    if (c == '.') {
      behind_point = true;
      continue;
    }
    result = result * 10 + (c - '0');
    if (behind_point) weight *= 10;
  }
  result /= weight;
  if (digits.starts_with('-')) result = -result;
  return result;
}

[[nodiscard]] bool is_temporal(const Expr& expr) {
  return expr.kind == ExprKind::Temporal || std::ranges::any_of(expr.args, is_temporal);
}

class Judge {
 public:
  Judge(const Order& order, const Vocabulary& words, const Literals& literals)
      : order_(order), words_(words), literals_(literals) {}

  [[nodiscard]] Judgement run(const Expr& formula, bool holds, std::span<const std::uint32_t> cut,
                              std::span<const Event> path) {
    walk(cut, path);
    // Of a boolean combination constant parts may be all that was left to show.
    const Expr* whole = &formula;
    while (whole->kind == ExprKind::Paren || whole->kind == ExprKind::Not)
      whole = whole->args.data();
    const bool needs_path = whole->kind == ExprKind::Temporal || !path.empty();
    const Shown shown = shows(formula, holds);
    if (shown == Shown::False || (shown == Shown::Unshown && needs_path)) {
      return {Judgement::Outcome::Refuted, "the path does not show it"};
    }
    return {Judgement::Outcome::Confirmed, {}};
  }

 private:
  // -------------------------------------------------------------------------------------------------
  // The path

  [[nodiscard]] State initial() const {
    State state;
    state.cut.assign(order_.num_processes(), 0);
    for (std::uint32_t v = 0; v < words_.num_variables(); ++v) {
      state.values.emplace(words_.name(VariableId{v}), words_.initial(VariableId{v}));
    }
    return state;
  }

  [[nodiscard]] bool can_fire(const Cut& cut, Event e) const {
    if (base::index_of(e.process) >= cut.size()) return false;
    if (e.position != cut[base::index_of(e.process)] + 1) return false;
    if (e.position > order_.num_events(e.process)) return false;
    return std::ranges::all_of(order_.predecessors(e), [&](const Event before) {
      return cut[base::index_of(before.process)] >= before.position;
    });
  }

  void fire(State& state, Event e) const {
    ++state.cut[base::index_of(e.process)];
    for (const Assignment& a : words_.assignments(order_.effect(e))) {
      state.values.find(words_.name(a.variable))->second = words_.value(a.value);
    }
  }

  void walk(std::span<const std::uint32_t> cut, std::span<const Event> path) {
    run_.push_back(initial());
    for (const Event e : path) {
      if (base::index_of(e.process) >= order_.num_processes()) {
        throw Wrong{"an event of a process that is none"};
      }
      if (!can_fire(run_.back().cut, e)) {
        throw Wrong{
            fmt::format("{} cannot happen as event {} of the path", order_.name(e), run_.size())};
      }
      State next = run_.back();
      fire(next, e);
      run_.push_back(std::move(next));
    }
    if (!std::ranges::equal(run_.back().cut, cut)) throw Wrong{"the path ends in another cut"};
  }

  [[nodiscard]] bool is_end(const State& state) const { return state.cut == order_.everything(); }

  // -------------------------------------------------------------------------------------------------
  // What the path shows

  /// What the path says of a claim.
  enum class Shown : std::uint8_t {
    False,    ///< the claim is wrong
    Unshown,  ///< it is right, and a path can show that, but not this one
    Right,    ///< it is right, and no path is needed
    ByPath,   ///< the path shows it
  };

  [[nodiscard]] Shown shows(const Expr& expr, bool claim) {
    switch (expr.kind) {
      case ExprKind::Paren:
        return shows(expr.args[0], claim);
      case ExprKind::Not:
        return shows(expr.args[0], !claim);
      case ExprKind::And:
      case ExprKind::Or:
        return shows_several(expr, (expr.kind == ExprKind::Or) == claim,
                             [&](std::size_t) { return claim; });
      case ExprKind::Implies: {
        const std::size_t last = expr.args.size() - 1;
        return shows_several(expr, claim, [&](std::size_t i) { return (i == last) == claim; });
      }
      case ExprKind::Iff: {
        std::vector<bool> values;
        for (const Expr& arg : expr.args) values.push_back(truth(arg, run_.front()));
        bool value = values[0];
        for (std::size_t i = 1; i < values.size(); ++i) value = value == values[i];
        if (value != claim) return Shown::False;
        return shows_several(expr, false, [&](std::size_t i) { return values[i]; });
      }
      case ExprKind::Temporal:
        if ((expr.path == Path::E) == claim) {
          if (run_shows(expr, claim) || shown_at_once(expr, claim)) return Shown::ByPath;
          return truth(expr, run_.front()) == claim ? Shown::Unshown : Shown::False;
        }
        break;
      default:
        break;
    }
    return truth(expr, run_.front()) == claim ? Shown::Right : Shown::False;
  }

  /// Part i is to be shown to be wanted(i).  All parts are tried even where one is enough: the path
  /// may be about the last one.  Where all are needed it has to be about one of them.
  template <typename Wanted>
  [[nodiscard]] Shown shows_several(const Expr& expr, bool one_is_enough, Wanted wanted) {
    Shown best = Shown::False;
    bool any_wrong = false;
    bool any_unshown = false;
    std::optional<Undecided> undecided;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      try {
        const Shown shown = shows(expr.args[i], wanted(i));
        best = std::max(best, shown);
        any_wrong = any_wrong || shown == Shown::False;
        any_unshown = any_unshown || shown == Shown::Unshown;
      } catch (const Undecided& found) {
        undecided = found;
      }
    }
    if (one_is_enough && best > Shown::Unshown) return best;
    if (!one_is_enough && any_wrong) return Shown::False;
    if (undecided) throw Undecided{*undecided};
    return !one_is_enough && best == Shown::Right && any_unshown ? Shown::Unshown : best;
  }

  /// The first cut decides E…, or with `claim` false A…, because of an operand that is about other
  /// cuts, and the path is about that operand.
  [[nodiscard]] bool shown_at_once(const Expr& expr, bool claim) {
    const Expr& a = expr.args[0];
    const Expr& b = expr.args.back();
    const auto one = [&](const Expr& arg) {
      return is_temporal(arg) && shows(arg, claim) == Shown::ByPath;
    };
    const auto both = [&] {
      if (!is_temporal(a) && !is_temporal(b)) return false;
      const Shown left = shows(a, claim);
      const Shown right = shows(b, claim);
      return std::min(left, right) > Shown::False && std::max(left, right) == Shown::ByPath;
    };
    switch (expr.temporal) {
      case TemporalOperator::X:
        return false;
      case TemporalOperator::F:
        return claim && one(a);
      case TemporalOperator::G:
        return !claim && one(a);
      case TemporalOperator::U:
      case TemporalOperator::W:
        return claim ? one(b) : both();
      case TemporalOperator::R:
        return claim ? both() : one(b);
    }
    return false;
  }

  /// The path itself is the witness of E…, or with `claim` false the counterexample to A….
  [[nodiscard]] bool run_shows(const Expr& expr, bool claim) {
    const std::size_t last = run_.size() - 1;
    const Expr& a = expr.args[0];
    const Expr& b = expr.args.back();
    const auto is = [&](const Expr& arg, std::size_t i, bool value) {
      return truth(arg, run_[i]) == value;
    };
    const auto always = [&](const Expr& arg, std::size_t behind, bool value) {
      for (std::size_t i = 0; i < behind; ++i) {
        if (!is(arg, i, value)) return false;
      }
      return true;
    };
    const bool end = is_end(run_.back());
    switch (expr.temporal) {
      case TemporalOperator::X:
        return last == 1 && is(a, 1, claim);
      case TemporalOperator::F:
        return claim ? is(a, last, true) : end && always(a, last + 1, false);
      case TemporalOperator::G:
        return claim ? end && always(a, last + 1, true) : is(a, last, false);
      case TemporalOperator::U:
        if (claim) return is(b, last, true) && always(a, last, true);
        return (end || is(a, last, false)) && always(b, last + 1, false);
      case TemporalOperator::W:
        if (claim)
          return always(a, last, true) && (is(b, last, true) || (end && is(a, last, true)));
        return is(a, last, false) && always(b, last + 1, false);
      case TemporalOperator::R:
        if (claim) return (end || is(a, last, true)) && always(b, last + 1, true);
        return is(b, last, false) && always(a, last, false);
    }
    return false;
  }

  // -------------------------------------------------------------------------------------------------
  // Truth in a cut: by a list of all cuts above it where there are temporal operators other than X

  [[nodiscard]] bool truth(const Expr& expr, const State& state) {
    if (!is_temporal(expr)) return condition(expr, state);
    const auto holds = [&](const Expr& arg) { return truth(arg, state); };
    switch (expr.kind) {
      case ExprKind::Paren:
        return holds(expr.args[0]);
      case ExprKind::Not:
        return !holds(expr.args[0]);
      case ExprKind::And:
        return std::ranges::all_of(expr.args, holds);
      case ExprKind::Or:
        return std::ranges::any_of(expr.args, holds);
      case ExprKind::Temporal:
        if (expr.temporal == TemporalOperator::X) return truth_of_next(expr, state);
        break;
      default:
        break;
    }
    const auto above = [](const Cut& high, const Cut& low) {
      return std::equal(low.begin(), low.end(), high.begin(),
                        [](std::uint32_t x, std::uint32_t y) { return x <= y; });
    };
    if (listed_.empty() || !above(state.cut, listed_.front().cut)) list_from(state);
    return column(expr)[numbers_.at(state.cut)];
  }

  [[nodiscard]] bool truth_of_next(const Expr& expr, const State& state) {
    const bool decisive = expr.path == Path::E;
    for (std::uint32_t p = 0; p < state.cut.size(); ++p) {
      const Event e{ProcessId{p}, state.cut[p] + 1};
      if (!can_fire(state.cut, e)) continue;
      State next = state;
      fire(next, e);
      if (truth(expr.args[0], next) == decisive) return decisive;
    }
    return !decisive;
  }

  void list_from(const State& state) {
    listed_.assign(1, state);
    successors_.clear();
    numbers_.clear();
    columns_.clear();
    numbers_.emplace(state.cut, 0);
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      successors_.emplace_back();
      for (std::uint32_t p = 0; p < state.cut.size(); ++p) {
        const Event e{ProcessId{p}, listed_[i].cut[p] + 1};
        if (!can_fire(listed_[i].cut, e)) continue;
        State next = listed_[i];
        fire(next, e);
        const auto [at, is_new] = numbers_.try_emplace(next.cut, listed_.size());
        if (is_new) listed_.push_back(std::move(next));
        successors_.back().push_back(at->second);
      }
      if (listed_.size() > most_cuts) {
        throw Undecided{fmt::format("more than {} cuts to look at", most_cuts)};
      }
    }
  }

  /// The truth of an expression in every listed cut.  Cuts are listed by size, so that going
  /// backwards every successor comes first.
  [[nodiscard]] const std::vector<bool>& column(const Expr& expr) {
    if (const auto found = columns_.find(&expr); found != columns_.end()) return found->second;
    std::vector<const std::vector<bool>*> args;
    const bool inner = is_temporal(expr);
    if (inner) {
      for (const Expr& arg : expr.args) args.push_back(&column(arg));
    }
    std::vector<bool> made(listed_.size());
    for (std::size_t i = listed_.size(); i-- > 0;) {
      made[i] = inner ? combine(expr, args, made, i) : condition(expr, listed_[i]);
    }
    return columns_[&expr] = std::move(made);
  }

  [[nodiscard]] bool combine(const Expr& expr, const std::vector<const std::vector<bool>*>& args,
                             const std::vector<bool>& self, std::size_t i) const {
    const auto arg = [&](std::size_t n) { return (*args[n])[i]; };
    switch (expr.kind) {
      case ExprKind::Paren:
        return arg(0);
      case ExprKind::Not:
        return !arg(0);
      case ExprKind::And:
        for (std::size_t n = 0; n < args.size(); ++n) {
          if (!arg(n)) return false;
        }
        return true;
      case ExprKind::Or:
        for (std::size_t n = 0; n < args.size(); ++n) {
          if (arg(n)) return true;
        }
        return false;
      case ExprKind::Implies:
        for (std::size_t n = 0; n + 1 < args.size(); ++n) {
          if (!arg(n)) return true;
        }
        return arg(args.size() - 1);
      case ExprKind::Iff: {
        bool value = arg(0);
        for (std::size_t n = 1; n < args.size(); ++n) value = value == arg(n);
        return value;
      }
      case ExprKind::Temporal:
        break;
      default:
        throw Undecided{"a temporal operator inside arithmetic"};
    }
    const std::vector<std::size_t>& next = successors_[i];
    const auto quantified = [&](const std::vector<bool>& column, bool if_none) {
      if (next.empty()) return if_none;
      const auto holds = [&](std::size_t n) { return static_cast<bool>(column[n]); };
      return expr.path == Path::E ? std::ranges::any_of(next, holds)
                                  : std::ranges::all_of(next, holds);
    };
    switch (expr.temporal) {
      case TemporalOperator::X:
        return quantified(*args[0], expr.path == Path::A);
      case TemporalOperator::F:
        return arg(0) || quantified(self, false);
      case TemporalOperator::G:
        return arg(0) && quantified(self, true);
      case TemporalOperator::U:
        return arg(1) || (arg(0) && quantified(self, false));
      case TemporalOperator::W:
        return arg(1) || (arg(0) && quantified(self, true));
      case TemporalOperator::R:
        return arg(1) && (arg(0) || quantified(self, true));
    }
    return false;
  }

  // -------------------------------------------------------------------------------------------------
  // Conditions

  [[nodiscard]] bool condition(const Expr& expr, const State& state) const {
    switch (expr.kind) {
      case ExprKind::Paren:
        return condition(expr.args[0], state);
      case ExprKind::Not:
        return !condition(expr.args[0], state);
      case ExprKind::And:
        return std::ranges::all_of(expr.args,
                                   [&](const Expr& arg) { return condition(arg, state); });
      case ExprKind::Or:
        return std::ranges::any_of(expr.args,
                                   [&](const Expr& arg) { return condition(arg, state); });
      case ExprKind::Implies:
        for (std::size_t i = 0; i + 1 < expr.args.size(); ++i) {
          if (!condition(expr.args[i], state)) return true;
        }
        return condition(expr.args.back(), state);
      case ExprKind::Iff: {
        bool value = condition(expr.args[0], state);
        for (std::size_t i = 1; i < expr.args.size(); ++i) {
          value = value == condition(expr.args[i], state);
        }
        return value;
      }
      case ExprKind::Compare: {
        const Number a = number(expr.args[0], state);
        const Number b = number(expr.args[1], state);
        switch (expr.args[1].join) {
          case Join::Equal:
            return a == b;
          case Join::NotEqual:
            return a != b;
          case Join::Less:
            return a < b;
          case Join::LessEqual:
            return a <= b;
          case Join::Greater:
            return a > b;
          default:
            return a >= b;
        }
      }
      default:
        return number(expr, state) != Number{cpp_rational{0}};
    }
  }

  [[nodiscard]] Number number(const Expr& expr, const State& state) const {
    const auto exact = [&](const Expr& arg) { return std::get<cpp_rational>(number(arg, state)); };
    switch (expr.kind) {
      case ExprKind::Paren:
        return number(expr.args[0], state);
      case ExprKind::Number:
        return cpp_rational{expr.number};
      case ExprKind::True:
        return cpp_rational{1};
      case ExprKind::False:
        return cpp_rational{0};
      case ExprKind::Minus:
        return cpp_rational{-exact(expr.args[0])};
      case ExprKind::Reference:
        return reference(expr, state);
      case ExprKind::Sum:
      case ExprKind::Product: {
        cpp_rational value = exact(expr.args[0]);
        for (std::size_t i = 1; i < expr.args.size(); ++i) {
          const cpp_rational next = exact(expr.args[i]);
          const Join join = expr.args[i].join;
          if (join == Join::Plus) value += next;
          if (join == Join::Minus) value -= next;
          if (join == Join::Times) value *= next;
          if (join != Join::Divide && join != Join::Modulo) continue;
          if (next == 0) throw Wrong{"division by zero"};
          const cpp_rational quotient = value / next;
          if (join == Join::Divide) {
            value = quotient;
          } else {
            value -= next * cpp_int{numerator(quotient) / denominator(quotient)};
          }
        }
        return value;
      }
      default:
        return cpp_rational{condition(expr, state) ? 1 : 0};
    }
  }

  [[nodiscard]] Number reference(const Expr& expr, const State& state) const {
    if (const Literals::Literal* literal = literals_.at(expr.where)) {
      if (literal->is_text) return literal->characters;
      std::string digits;
      return number_of(parse_number(literal->characters, digits).value_or(Value{}));
    }
    std::string name{expr.name};
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      const cpp_rational subscript = std::get<cpp_rational>(number(expr.args[i], state));
      name += (i == 0 ? "[" : ",") + subscript.str() + (i + 1 == expr.args.size() ? "]" : "");
    }
    const auto found = state.values.find(name);
    if (found == state.values.end()) throw Wrong{fmt::format("unknown variable '{}'", name)};
    return number_of(found->second);
  }

  const Order& order_;
  const Vocabulary& words_;
  const Literals& literals_;
  std::vector<State> run_;
  std::vector<State> listed_;
  std::vector<std::vector<std::size_t>> successors_;
  std::map<Cut, std::size_t> numbers_;
  std::map<const Expr*, std::vector<bool>> columns_;
};

}  // namespace

Judgement replay(const Order& order, const Vocabulary& words, const base::Source& formula,
                 bool holds, std::span<const std::uint32_t> cut, std::span<const Event> path) {
  const Literals literals{formula};
  base::Diagnostics diagnostics;
  const Expr expr = lang::parse_formula(literals.source(), diagnostics);
  if (diagnostics.has_errors()) return {Judgement::Outcome::Refuted, "the formula has errors"};
  try {
    return Judge{order, words, literals}.run(expr, holds, cut, path);
  } catch (const Undecided& undecided) {
    return {Judgement::Outcome::Undecided, undecided.reason};
  } catch (const Wrong& wrong) {
    return {Judgement::Outcome::Refuted, wrong.reason};
  } catch (const std::bad_variant_access&) {
    return {Judgement::Outcome::Refuted, "a string where a number is wanted"};
  }
}

trace::Judgement judge_ctl(const Trace& trace, const Order& order, const std::string& formula,
                           bool holds, std::span<const std::pair<std::string, std::uint32_t>> cut,
                           std::span<const std::string> path) {
  const auto object = [](std::string text) { return trace::Judgement{{std::move(text)}}; };
  std::map<std::string, ProcessId> by_name;
  std::map<std::string, ProcessId> by_event_name;  // quoted where `P1#2` would not be clear
  for (std::uint32_t p = 0; p < order.num_processes(); ++p) {
    const std::string event = order.name(Event{ProcessId{p}, 1});
    by_name.emplace(order.name(ProcessId{p}), ProcessId{p});
    by_event_name.emplace(event.substr(0, event.size() - 2), ProcessId{p});
  }
  Cut counts(order.num_processes(), 0);
  for (const auto& [name, count] : cut) {
    const auto process = by_name.find(name);
    if (process == by_name.end()) {
      return object(fmt::format("the trace has no process '{}'", name));
    }
    counts[base::index_of(process->second)] = count;
  }
  std::vector<Event> events;
  for (const std::string& name : path) {
    const std::size_t sign = std::min(name.rfind('#'), name.size());
    const auto process = by_event_name.find(name.substr(0, sign));
    std::uint32_t position = 0;
    const char* const end = name.data() + name.size();
    const char* const digits = sign < name.size() ? name.data() + sign + 1 : end;
    const auto [stop, error] = std::from_chars(digits, end, position);
    if (process == by_event_name.end() || error != std::errc{} || stop != end || position == 0) {
      return object(fmt::format("the trace has no event '{}'", name));
    }
    events.push_back({process->second, position});
  }
  const Judgement judgement = replay(
      order, trace.words, base::Source::from_text("formula", formula), holds, counts, events);
  if (judgement.outcome == Judgement::Outcome::Confirmed) return {};
  trace::Judgement found = object(judgement.reason);
  found.undecided = judgement.outcome == Judgement::Outcome::Undecided;
  return found;
}

}  // namespace cohort::trace::ctl
