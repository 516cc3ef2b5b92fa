#include "monitor/monitor_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/suggest.hpp"

namespace cohort::monitor {

namespace syntax = ltl::syntax;
using syntax::Expr;
using syntax::ExprKind;

namespace {

constexpr base::FindingCode unmentioned_state{"unmentioned-state",
                                              "a state that no transition mentions"};

/// The text of a variable without its history.
[[nodiscard]] std::string variable_text(const Expr& variable) {
  Expr plain = variable;
  plain.history = {};
  plain.number = std::nullopt;
  return canonical_text(plain);
}

void collect_variables(const Expr& expr, std::set<std::string>& seen,
                       std::vector<const Expr*>& found) {
  if (expr.kind == ExprKind::Variable) {
    if (seen.insert(variable_text(expr)).second) found.push_back(&expr);
    return;
  }
  for (const Expr& arg : expr.args) collect_variables(arg, seen, found);
}

// ---------------------------------------------------------------------------------------------------
// What the grammar cannot say

class Check {
 public:
  Check(const MonitorFile& file, base::Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  void run() {
    if (file_.initial.empty()) {
      diagnostics_.error(file_.name.where, "the monitor has no initial state",
                         "write a line 'initial' and a state");
    }
    if (file_.initial_lines.size() > 1) {
      diagnostics_.error(file_.initial_lines[1], "a second line 'initial'",
                         "name all initial states in one line, with commas");
    }
    for (const Transition& transition : file_.transitions) {
      mention(transition.from);
      mention(transition.to);
    }
    check_states(file_.initial, file_.bad);
    check_states(file_.bad, file_.initial);
    for (const Counter& counter : file_.counters) {
      if (!counters_.insert(counter.name.text).second) {
        diagnostics_.error(counter.name.where,
                           fmt::format("a second counter '{}'", counter.name.text));
      }
    }
    for (const Transition& transition : file_.transitions) check_counters(transition);
  }

 private:
  void mention(const syntax::Name& state) {
    if (mentioned_.insert(state.text).second) names_.push_back(state.text);
  }

  /// A state that only one line names has its meaning (nothing leads there, or away), and is
  /// nevertheless likely to be a typing error.
  void check_states(const std::vector<syntax::Name>& states,
                    const std::vector<syntax::Name>& others) {
    for (const syntax::Name& state : states) {
      if (mentioned_.contains(state.text)) continue;
      const bool elsewhere = std::ranges::any_of(
          others, [&](const syntax::Name& other) { return other.text == state.text; });
      if (elsewhere || file_.transitions.empty()) continue;
      const auto near = base::nearest(state.text, names_);
      diagnostics_.warning(state.where, unmentioned_state,
                           fmt::format("no transition mentions the state '{}'", state.text),
                           near ? fmt::format("did you mean '{}'?", *near) : std::string{});
    }
  }

  void check_counters(const Transition& transition) {
    for (const Expr* const variable : variables_of(transition.guard)) {
      if (!counters_.contains(variable->text)) continue;
      diagnostics_.error(variable->where,
                         fmt::format("the guard names the counter '{}'", variable->text),
                         "a guard is about the trace only");
    }
    std::set<std::string_view> updated;
    for (const Update& update : transition.updates) {
      if (!counters_.contains(update.counter.text)) {
        const std::vector<std::string_view> candidates(counters_.begin(), counters_.end());
        const auto near = base::nearest(update.counter.text, candidates);
        diagnostics_.error(update.counter.where,
                           fmt::format("unknown counter '{}'", update.counter.text),
                           near ? fmt::format("did you mean '{}'?", *near)
                                : std::string("declare it in a line 'counter'"));
      } else if (!updated.insert(update.counter.text).second) {
        diagnostics_.error(update.counter.where,
                           fmt::format("a second update of '{}'", update.counter.text));
      }
    }
  }

  const MonitorFile& file_;
  base::Diagnostics& diagnostics_;
  std::set<std::string_view> mentioned_;
  std::vector<std::string_view> names_;
  std::set<std::string_view> counters_;
};

// ---------------------------------------------------------------------------------------------------
// The automaton

class Builder {
 public:
  Builder(const MonitorFile& file, Trigger trigger) : file_(file), trigger_(trigger) {}

  [[nodiscard]] Monitor run() {
    ltl::Automaton& automaton = made_.automaton;
    automaton.acceptance = ltl::Acceptance::Finite;
    automaton.name = std::string(file_.name.text);
    for (const syntax::Name& name : file_.initial) automaton.initial.push_back(state_of(name));
    std::ranges::sort(automaton.initial);
    automaton.initial.erase(std::unique(automaton.initial.begin(), automaton.initial.end()),
                            automaton.initial.end());
    for (const Transition& transition : file_.transitions) add(transition);
    for (const syntax::Name& name : file_.bad) automaton.states[state_of(name)].accepting = true;
    for (ltl::StateIndex s = 0; s < automaton.num_states(); ++s) {
      ltl::Decision triggered = ltl::Decision::False;
      for (const ltl::Edge& edge : automaton.states[s].edges) {
        triggered = automaton.letters.disjunction(triggered, edge.letter);
      }
      automaton.add_edge(s, automaton.letters.negation(triggered), s);
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] ltl::StateIndex state_of(const syntax::Name& name) {
    const auto number = static_cast<ltl::StateIndex>(made_.automaton.num_states());
    const auto [place, is_new] = states_.emplace(name.text, number);
    if (is_new) made_.automaton.states.emplace_back().name = std::string(name.text);
    return place->second;
  }

  void add(const Transition& transition) {
    ltl::Decisions& letters = made_.automaton.letters;
    const ltl::StateIndex from = state_of(transition.from);
    const ltl::StateIndex to = state_of(transition.to);
    ltl::Decision letter = condition(transition.guard);
    const std::vector<const Expr*> variables = variables_of(transition.guard);
    if (trigger_ == Trigger::OnAssignment && !variables.empty()) {
      ltl::Decision assigned = ltl::Decision::False;
      for (const Expr* const variable : variables) {
        assigned = letters.disjunction(assigned, atom({MonitorAtom::Kind::Assigns, variable},
                                                      "assigns " + variable_text(*variable)));
      }
      letter = letters.conjunction(letter, assigned);
    }
    made_.moves.push_back({from, to, letter});
    made_.automaton.add_edge(from, letter, to);
  }

  [[nodiscard]] ltl::Decision atom(const MonitorAtom& atom, const std::string& text) {
    const auto number = static_cast<ltl::Variable>(made_.atoms.size());
    const auto [place, is_new] = atoms_.emplace(text, number);
    if (is_new) {
      made_.atoms.push_back(atom);
      made_.automaton.atoms.push_back(text);
    }
    return made_.automaton.letters.variable(place->second);
  }

  /// Recurses as deep as the guard, which the parser limits.
  [[nodiscard]] ltl::Decision condition(const Expr& bracketed) {
    ltl::Decisions& letters = made_.automaton.letters;
    const Expr& expr = syntax::inside_brackets(bracketed);
    ltl::Decision made = letters.constant(expr.kind != ExprKind::Or);
    switch (expr.kind) {
      case ExprKind::True:
      case ExprKind::False:
        return letters.constant(expr.kind == ExprKind::True);
      case ExprKind::Not:
        return letters.negation(condition(expr.args[0]));
      case ExprKind::And:
        for (const Expr& arg : expr.args) made = letters.conjunction(made, condition(arg));
        return made;
      case ExprKind::Or:
        for (const Expr& arg : expr.args) made = letters.disjunction(made, condition(arg));
        return made;
      default:
        return atom({MonitorAtom::Kind::Comparison, &expr}, canonical_text(expr));
    }
  }

  const MonitorFile& file_;
  Trigger trigger_;
  Monitor made_;
  std::map<std::string_view, ltl::StateIndex> states_;
  std::map<std::string, ltl::Variable> atoms_;
};

}  // namespace

std::vector<const Expr*> variables_of(const Expr& expr) {
  std::set<std::string> seen;
  std::vector<const Expr*> found;
  collect_variables(expr, seen, found);
  return found;
}

MonitorFile parse_monitor(const base::Source& source, base::Diagnostics& diagnostics) {
  MonitorFile file = parse_monitor_syntax(source, diagnostics);
  if (!diagnostics.has_errors()) Check(file, diagnostics).run();
  return file;
}

Monitor automaton_of(const MonitorFile& file, Trigger trigger) {
  return Builder(file, trigger).run();
}

}  // namespace cohort::monitor
