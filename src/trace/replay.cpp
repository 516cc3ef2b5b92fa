#include "trace/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "ltl/formula.hpp"
#include "ltl/lower.hpp"
#include "ltl/parse.hpp"
#include "trace/event_atoms.hpp"

namespace cohort::trace {
namespace {

/// The events of an order by their names, if it is an order of all events of the trace.
class Reader {
 public:
  Reader(const Order& order, Judgement& judgement) : order_(order), judgement_(judgement) {
    for (std::uint32_t p = 0; p < order.num_processes(); ++p) {
      processes_.emplace(order.name(ProcessId{p}), p);
    }
  }

  [[nodiscard]] std::vector<Event> read(std::span<const std::string> names) {
    std::vector<Event> events;
    std::vector<std::uint32_t> done(order_.num_processes(), 0);
    for (const std::string& name : names) {
      const std::optional<Event> e = find(name);
      if (!e) {
        object(fmt::format("the trace has no event '{}'", name));
        return {};
      }
      std::uint32_t& own = done[base::index_of(e->process)];
      if (e->position <= own) {
        object(fmt::format("the event {} stands in the order twice", name));
        return {};
      }
      if (e->position != own + 1) {
        object(fmt::format("the event {} stands before {}", name,
                           order_.name(Event{e->process, own + 1})));
        return {};
      }
      for (const Event before : order_.predecessors(*e)) {
        if (done[base::index_of(before.process)] >= before.position) continue;
        object(fmt::format("the event {} (line {}) stands before {} (line {}), which comes first",
                           name, order_.line(*e), order_.name(before), order_.line(before)));
        return {};
      }
      ++own;
      events.push_back(*e);
    }
    if (events.size() != order_.num_events()) {
      object(fmt::format("the order has {} of {} events", events.size(), order_.num_events()));
    }
    return events;
  }

 private:
  void object(std::string text) { judgement_.objections.push_back(std::move(text)); }

  [[nodiscard]] std::optional<Event> find(const std::string& name) const {
    const std::size_t sign = name.rfind('#');
    if (sign == std::string::npos) return std::nullopt;
    const auto process = processes_.find(name.substr(0, sign));
    std::uint32_t position = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + sign + 1, end, position);
    if (process == processes_.end() || error != std::errc{} || stop != end) return std::nullopt;
    const ProcessId p{process->second};
    if (position == 0 || position > order_.num_events(p)) return std::nullopt;
    return Event{p, position};
  }

  const Order& order_;
  Judgement& judgement_;
  std::map<std::string, std::uint32_t> processes_;
};

/// Regular expressions are matched by brute force; on longer words that would take too long.
constexpr std::size_t longest_for_regexes = 2000;

/// The truth of a formula on one word.
class Evaluation {
 public:
  Evaluation(const ltl::Formulas& formulas, const EventAtoms& atoms, const Order& order,
             const std::vector<Event>& word)
      : formulas_(formulas), atoms_(atoms), order_(order), word_(word) {}

  [[nodiscard]] bool holds(ltl::Formula f) {
    // Sub-formulas come before what they are part of.
    collect(f);
    std::vector<std::uint8_t> next;  // at the position behind this one
    std::vector<std::uint8_t> now(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) now[i] = behind_the_end(parts_[i], now);
    for (std::size_t at = word_.size(); at-- > 0;) {
      next = now;
      const bool is_last = at + 1 == word_.size();
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        now[i] = holds_at(parts_[i], at, is_last, now, next);
      }
      if (!regexes_.empty()) remember(at, now);
    }
    return now[number_.at(f)] != 0;
  }

  [[nodiscard]] bool has_regexes() const { return !regexes_.empty(); }
  void collect(ltl::Formula f) {
    if (number_.contains(f)) return;
    for (const ltl::Formula operand : formulas_.operands(f)) collect(operand);
    const ltl::Operator op = formulas_.op(f);
    if (op == ltl::Operator::Some || op == ltl::Operator::All) {
      collect_conditions(formulas_.regex_of(f));
      regexes_.push_back(f);
    }
    number_.emplace(f, parts_.size());
    parts_.push_back(f);
  }

 private:
  using Truths = std::vector<std::uint8_t>;

  void collect_conditions(ltl::Regex r) {
    if (formulas_.op(r) == ltl::RegexOperator::Condition) collect(formulas_.condition_of(r));
    for (const ltl::Regex operand : formulas_.operands(r)) collect_conditions(operand);
  }

  [[nodiscard]] bool of(const Truths& truths, ltl::Formula f) const {
    return truths[number_.at(f)] != 0;
  }

  /// On the empty word.
  [[nodiscard]] std::uint8_t behind_the_end(ltl::Formula f, const Truths& now) const {
    const auto operands = formulas_.operands(f);
    switch (formulas_.op(f)) {
      case ltl::Operator::True:
      case ltl::Operator::X:
      case ltl::Operator::G:
      case ltl::Operator::W:
      case ltl::Operator::R:
      case ltl::Operator::All:
        return 1;
      case ltl::Operator::Not:
        return of(now, operands[0]) ? 0 : 1;
      case ltl::Operator::And:
        return std::ranges::all_of(operands, [&](ltl::Formula g) { return of(now, g); }) ? 1 : 0;
      case ltl::Operator::Or:
        return std::ranges::any_of(operands, [&](ltl::Formula g) { return of(now, g); }) ? 1 : 0;
      default:
        return 0;
    }
  }

  [[nodiscard]] bool holds_at(ltl::Formula f, std::size_t at, bool is_last, const Truths& now,
                              const Truths& next) {
    const auto operands = formulas_.operands(f);
    const auto first = [&] { return of(now, operands[0]); };
    const auto second = [&] { return of(now, operands[1]); };
    const bool later = !is_last && of(next, f);
    switch (formulas_.op(f)) {
      case ltl::Operator::False:
        return false;
      case ltl::Operator::True:
        return true;
      case ltl::Operator::Atom:
        return atoms_.holds(formulas_.atom_of(f), order_.effect(word_[at]));
      case ltl::Operator::Not:
        return !first();
      case ltl::Operator::And:
        return std::ranges::all_of(operands, [&](ltl::Formula g) { return of(now, g); });
      case ltl::Operator::Or:
        return std::ranges::any_of(operands, [&](ltl::Formula g) { return of(now, g); });
      case ltl::Operator::X:
        return is_last || of(next, operands[0]);
      case ltl::Operator::StrongX:
        return !is_last && of(next, operands[0]);
      case ltl::Operator::F:
        return first() || later;
      case ltl::Operator::G:
        return first() && (is_last || later);
      case ltl::Operator::U:
        return second() || (first() && later);
      case ltl::Operator::W:
        return second() || (first() && (is_last || later));
      case ltl::Operator::R:
        return second() && (first() || is_last || later);
      case ltl::Operator::M:
        return second() && (first() || later);
      case ltl::Operator::Some:
      case ltl::Operator::All:
        return matches(f, at, now);
    }
    return false;
  }

  // Regular expressions: `ends(r, i)` are the positions behind the matches of r that begin at i.

  void remember(std::size_t at, const Truths& now) {
    if (history_.empty()) history_.resize(word_.size());
    history_[at] = now;
  }

  [[nodiscard]] bool matches(ltl::Formula f, std::size_t at, const Truths& now) {
    remember(at, now);
    ends_.clear();
    const bool some = formulas_.op(f) == ltl::Operator::Some;
    for (const std::size_t end : ends(formulas_.regex_of(f), at)) {
      if (end == at) continue;  // only non-empty prefixes count
      if (of(history_[end - 1], formulas_.last(f)) == some) return some;
    }
    return !some;
  }

  [[nodiscard]] const std::vector<std::size_t>& ends(ltl::Regex r, std::size_t at) {
    const std::pair<ltl::Regex, std::size_t> key{r, at};
    if (const auto known = ends_.find(key); known != ends_.end()) return known->second;
    std::vector<std::size_t> found = find_ends(r, at);
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return ends_.emplace(key, std::move(found)).first->second;
  }

  [[nodiscard]] std::vector<std::size_t> find_ends(ltl::Regex r, std::size_t at) {
    const auto operands = formulas_.operands(r);
    std::vector<std::size_t> found;
    const auto add = [&](const std::vector<std::size_t>& more) {
      found.insert(found.end(), more.begin(), more.end());
    };
    switch (formulas_.op(r)) {
      case ltl::RegexOperator::None:
        break;
      case ltl::RegexOperator::EmptyWord:
        found.push_back(at);
        break;
      case ltl::RegexOperator::Condition:
        if (at < word_.size() && condition(formulas_.condition_of(r), at)) found.push_back(at + 1);
        break;
      case ltl::RegexOperator::Concat:
        for (const std::size_t middle : std::vector<std::size_t>{ends(operands[0], at)}) {
          add(ends(operands[1], middle));
        }
        break;
      case ltl::RegexOperator::Fusion:
        for (const std::size_t middle : std::vector<std::size_t>{ends(operands[0], at)}) {
          if (middle == at) continue;
          for (const std::size_t end : ends(operands[1], middle - 1)) {
            if (end >= middle) found.push_back(end);
          }
        }
        break;
      case ltl::RegexOperator::Union:
        for (const ltl::Regex operand : operands) add(ends(operand, at));
        break;
      case ltl::RegexOperator::Intersection: {
        found = ends(operands[0], at);
        for (const ltl::Regex operand : operands) {
          const std::vector<std::size_t>& others = ends(operand, at);
          std::erase_if(found,
                        [&](std::size_t end) { return !std::ranges::binary_search(others, end); });
        }
        break;
      }
      case ltl::RegexOperator::Repeat:
        return repeated(r, at);
    }
    return found;
  }

  [[nodiscard]] std::vector<std::size_t> repeated(ltl::Regex r, std::size_t at) {
    const ltl::Times times = formulas_.times_of(r);
    const ltl::Regex inner = formulas_.operands(r)[0];
    std::vector<std::size_t> found;
    std::vector<std::size_t> frontier = {at};
    std::vector<std::vector<std::size_t>> seen;
    for (std::uint32_t n = 0; !frontier.empty(); ++n) {
      if (n >= times.least) found.insert(found.end(), frontier.begin(), frontier.end());
      if (n == times.most) break;
      // Once the frontiers repeat, further rounds bring nothing that later `least`s exclude.
      if (n >= times.least && std::ranges::find(seen, frontier) != seen.end()) break;
      if (n >= times.least) seen.push_back(frontier);
      std::vector<std::size_t> next;
      for (const std::size_t middle : frontier) {
        const std::vector<std::size_t>& more = ends(inner, middle);
        next.insert(next.end(), more.begin(), more.end());
      }
      std::ranges::sort(next);
      next.erase(std::unique(next.begin(), next.end()), next.end());
      frontier = std::move(next);
    }
    return found;
  }

  [[nodiscard]] bool condition(ltl::Formula f, std::size_t at) const { return of(history_[at], f); }

  const ltl::Formulas& formulas_;
  const EventAtoms& atoms_;
  const Order& order_;
  const std::vector<Event>& word_;
  std::vector<ltl::Formula> parts_;
  std::map<ltl::Formula, std::size_t> number_;
  std::vector<ltl::Formula> regexes_;
  std::vector<Truths> history_;  // by position; only with regular expressions
  std::map<std::pair<ltl::Regex, std::size_t>, std::vector<std::size_t>> ends_;
};

/// A guard at one event: its truth, and whether the event assigns a variable that it names.
class Guard {
 public:
  Guard(const Vocabulary& words, base::Diagnostics& found) : words_(words), found_(found) {}

  [[nodiscard]] bool triggered(const ltl::syntax::Expr& guard, EffectId effect) {
    const auto variables = monitor::variables_of(guard);
    const bool assigned = std::ranges::any_of(variables, [&](const ltl::syntax::Expr* variable) {
      const auto id = find_variable(*variable, words_, found_);
      return std::ranges::any_of(words_.assignments(effect), [&](const Assignment& assignment) {
        return id == assignment.variable;
      });
    });
    return (assigned || variables.empty()) && holds(guard, effect);
  }

 private:
  /// Recurses as deep as the guard, which the parser limits.
  [[nodiscard]] bool holds(const ltl::syntax::Expr& bracketed, EffectId effect) {
    const ltl::syntax::Expr& expr = ltl::syntax::inside_brackets(bracketed);
    const auto inner = [&](const ltl::syntax::Expr& arg) { return holds(arg, effect); };
    switch (expr.kind) {
      case ltl::syntax::ExprKind::True:
        return true;
      case ltl::syntax::ExprKind::False:
        return false;
      case ltl::syntax::ExprKind::Not:
        return !inner(expr.args[0]);
      case ltl::syntax::ExprKind::And:
        return std::ranges::all_of(expr.args, inner);
      case ltl::syntax::ExprKind::Or:
        return std::ranges::any_of(expr.args, inner);
      default:
        break;
    }
    const std::optional<Comparison> comparison = make_comparison(expr, words_, found_);
    if (!comparison) return false;
    return comparison->holds([&](VariableId variable) {
      for (const Assignment& assignment : words_.assignments(effect)) {
        if (assignment.variable == variable) return words_.value(assignment.value);
      }
      return Value{};
    });
  }

  const Vocabulary& words_;
  base::Diagnostics& found_;
};

[[nodiscard]] std::string first_message(const base::Diagnostics& found) {
  return found.sorted().front().message;
}

}  // namespace

Judgement judge_formula(const Trace& trace, const Order& order, const std::string& formula,
                        std::span<const std::string> names) {
  Judgement judgement;
  const std::vector<Event> word = Reader{order, judgement}.read(names);
  if (!judgement.stands()) return judgement;
  const base::Source source = base::Source::from_text("formula", formula);
  base::Diagnostics found;
  EventAtoms atoms{trace.words, found};
  ltl::Formulas formulas;
  const ltl::syntax::Expr tree = ltl::parse_formula(source, found);
  ltl::Formula f = formulas.constant(true);
  if (!found.has_errors()) f = ltl::lower(tree, formulas, atoms, found);
  if (found.has_errors()) {
    judgement.objections.push_back("the formula: " + first_message(found));
    return judgement;
  }
  Evaluation evaluation{formulas, atoms, order, word};
  evaluation.collect(f);
  if (evaluation.has_regexes() && word.size() > longest_for_regexes) {
    judgement.objections.push_back(
        fmt::format("formulas with regular expressions are judged on up to {} events only",
                    longest_for_regexes));
  } else if (evaluation.holds(f)) {
    judgement.objections.emplace_back("the order satisfies the formula");
  }
  return judgement;
}

Judgement judge_monitor(const Trace& trace, const Order& order, const monitor::MonitorFile& file,
                        std::span<const std::string> names) {
  Judgement judgement;
  const std::vector<Event> word = Reader{order, judgement}.read(names);
  if (!judgement.stands()) return judgement;
  base::Diagnostics found;
  Guard guard{trace.words, found};
  std::set<std::string_view> states;
  for (const ltl::syntax::Name& name : file.initial) states.insert(name.text);
  // What a transition says of an effect is asked once.
  std::map<std::pair<std::size_t, EffectId>, bool> known;
  for (const Event e : word) {
    const EffectId effect = order.effect(e);
    std::set<std::string_view> next;
    std::set<std::string_view> moved;
    for (std::size_t i = 0; i < file.transitions.size(); ++i) {
      const monitor::Transition& transition = file.transitions[i];
      if (!states.contains(transition.from.text)) continue;
      const auto [place, is_new] = known.try_emplace({i, effect}, false);
      if (is_new) place->second = guard.triggered(transition.guard, effect);
      if (!place->second) continue;
      next.insert(transition.to.text);
      moved.insert(transition.from.text);
    }
    for (const std::string_view state : states) {
      if (!moved.contains(state)) next.insert(state);
    }
    states.swap(next);
    if (found.has_errors()) {
      judgement.objections.push_back("the monitor: " + first_message(found));
      return judgement;
    }
  }
  for (const ltl::syntax::Name& name : file.bad) {
    if (states.contains(name.text)) return judgement;
  }
  judgement.objections.emplace_back("no run along the order ends in a bad state");
  return judgement;
}

Judgement judge_automaton(const Trace& trace, const Order& order, const ltl::Automaton& automaton,
                          std::span<const std::string> names) {
  Judgement judgement;
  const std::vector<Event> word = Reader{order, judgement}.read(names);
  if (!judgement.stands()) return judgement;
  base::Diagnostics found;
  EventAtoms atoms{trace.words, found};
  ltl::Formulas formulas;
  std::vector<ltl::Formula> conditions;
  for (const std::string& text : automaton.atoms) {
    const base::Source source = base::Source::from_text("atom", text);
    const ltl::syntax::Expr tree = ltl::parse_formula(source, found);
    if (!found.has_errors()) conditions.push_back(ltl::lower(tree, formulas, atoms, found));
    if (found.has_errors()) {
      judgement.objections.push_back(fmt::format("atom '{}': {}", text, first_message(found)));
      return judgement;
    }
  }
  std::vector<bool> states(automaton.num_states(), false);
  for (const ltl::StateIndex m : automaton.initial) states[m] = true;
  for (const Event e : word) {
    // A condition without temporal operators is true of a word of this one event, or is not.
    const std::vector<Event> alone = {e};
    std::vector<bool> truth;
    for (const ltl::Formula condition : conditions) {
      truth.push_back(Evaluation{formulas, atoms, order, alone}.holds(condition));
    }
    std::vector<bool> next(automaton.num_states(), false);
    for (std::size_t m = 0; m < states.size(); ++m) {
      if (!states[m]) continue;
      for (const ltl::Edge& edge : automaton.states[m].edges) {
        if (automaton.letters.evaluate(edge.letter, [&](ltl::Variable v) { return truth[v]; })) {
          next[edge.target] = true;
        }
      }
    }
    states.swap(next);
  }
  for (std::size_t m = 0; m < states.size(); ++m) {
    if (states[m] && automaton.states[m].accepting) return judgement;
  }
  judgement.objections.emplace_back("no run along the order ends in a bad state");
  return judgement;
}

}  // namespace cohort::trace
