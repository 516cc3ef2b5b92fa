// Symbolic composition, explicit composition and the enumeration of all orders agree.
//
// COHORT_RANDOM_CASES=50 multiplies the number of cases.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "base/random.hpp"
#include "monitor/monitor_file.hpp"
#include "oracle/ltl_words.hpp"
#include "oracle/plain_trace.hpp"
#include "trace/check.hpp"
#include "trace/format/read.hpp"
#include "trace/replay.hpp"
#include "unit/ltl/random_formula.hpp"

namespace cohort::trace {
namespace {

using oracle::PlainEvent;
using oracle::PlainTrace;

/// The atoms of the random tests, and what they mean.
struct TestAtom {
  std::string text;
  std::string variable;
  bool (*holds)(int value);
};

const std::vector<TestAtom>& test_atoms() {
  static const std::vector<TestAtom> atoms = {
      {"x = 1", "x", [](int v) { return v == 1; }},
      {"y = 0", "y", [](int v) { return v == 0; }},
      {"2*x > 2", "x", [](int v) { return 2 * v > 2; }},
      {"y != 2", "y", [](int v) { return v != 2; }},
  };
  return atoms;
}

oracle::Letter letter_of(const PlainEvent& event) {
  oracle::Letter letter = 0;
  for (std::size_t a = 0; a < test_atoms().size(); ++a) {
    for (const auto& [name, value] : event.sets) {
      if (name == test_atoms()[a].variable && test_atoms()[a].holds(value)) {
        letter |= oracle::Letter{1} << a;
      }
    }
  }
  return letter;
}

std::vector<oracle::Letter> word_of(const PlainTrace& plain,
                                    const std::vector<std::size_t>& order) {
  std::vector<oracle::Letter> word;
  for (const std::size_t event : order) word.push_back(letter_of(plain.events[event]));
  return word;
}

/// The states in which an automaton can be after a word, from a given set.
std::vector<bool> run(const ltl::Automaton& automaton, std::vector<bool> states,
                      oracle::Letter letter) {
  std::vector<bool> next(automaton.num_states(), false);
  for (std::size_t m = 0; m < states.size(); ++m) {
    if (!states[m]) continue;
    for (const ltl::Edge& edge : automaton.states[m].edges) {
      if (automaton.letters.evaluate(edge.letter,
                                     [&](ltl::Variable v) { return ((letter >> v) & 1U) != 0; })) {
        next[edge.target] = true;
      }
    }
  }
  return next;
}

bool accepts(const ltl::Automaton& automaton, const std::vector<oracle::Letter>& word) {
  std::vector<bool> states(automaton.num_states(), false);
  for (const ltl::StateIndex m : automaton.initial) states[m] = true;
  for (const oracle::Letter letter : word) states = run(automaton, states, letter);
  for (std::size_t m = 0; m < states.size(); ++m) {
    if (states[m] && automaton.states[m].accepting) return true;
  }
  return false;
}

std::vector<std::string> atom_texts() {
  std::vector<std::string> texts;
  for (const TestAtom& atom : test_atoms()) texts.push_back(atom.text);
  return texts;
}

/// An order of evidence as the oracle numbers events; empty if it is not an order of the trace.
std::vector<std::size_t> plain_order(const PlainTrace& plain, const Order& order,
                                     const Evidence& evidence) {
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < plain.events.size(); ++i) {
    numbers[oracle::event_name(plain, i)] = i;
  }
  std::vector<std::size_t> events;
  for (const Event e : evidence.order) events.push_back(numbers.at(order.name(e)));
  return events;
}

std::vector<std::string> names_of(const Order& order, const Evidence& evidence) {
  std::vector<std::string> names;
  for (const Event e : evidence.order) names.push_back(order.name(e));
  return names;
}

bool is_order_of(const PlainTrace& plain, const std::vector<std::size_t>& events) {
  if (events.size() != plain.events.size()) return false;
  std::vector<bool> done(events.size(), false);
  for (const std::size_t event : events) {
    if (done[event]) return false;
    for (std::size_t i = 0; i < event; ++i) {
      if (plain.events[i].process == plain.events[event].process && !done[i]) return false;
    }
    for (const std::size_t i : plain.events[event].after) {
      if (!done[i]) return false;
    }
    done[event] = true;
  }
  return true;
}

/// The states of the evidence are a run of the automaton that ends in a bad state.
bool is_bad_run(const ltl::Automaton& automaton, const std::vector<oracle::Letter>& word,
                const std::vector<ltl::StateIndex>& states) {
  if (states.size() != word.size() + 1) return false;
  if (std::ranges::count(automaton.initial, states.front()) == 0) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    std::vector<bool> at(automaton.num_states(), false);
    at[states[i]] = true;
    if (!run(automaton, at, word[i])[states[i + 1]]) return false;
  }
  return automaton.states[states.back()].accepting;
}

void check_engines(const PlainTrace& plain, const Reading& reading, const ltl::Automaton& automaton,
                   bool expected) {
  const Order& order = reading.trace.executions.front();
  const Property property = Property::from_automaton(
      "automaton", base::Source::from_text("automaton", ""), automaton, reading.trace.words);
  REQUIRE(property.ok());
  for (const Engine engine : {Engine::Symbolic, Engine::Explicit, Engine::Auto}) {
    INFO("engine " << static_cast<int>(engine));
    base::Limits limits;
    const Answer answer = check(order, property, {.engine = engine}, limits);
    REQUIRE((answer.verdict == base::Verdict::Holds) == expected);
    REQUIRE(answer.evidence.has_value() == !expected);
    if (!answer.evidence) continue;
    const std::vector<std::size_t> events = plain_order(plain, order, *answer.evidence);
    REQUIRE(is_order_of(plain, events));
    REQUIRE(is_bad_run(automaton, word_of(plain, events), answer.evidence->states));
    const Judgement judgement =
        judge_automaton(reading.trace, order, automaton, names_of(order, *answer.evidence));
    REQUIRE(judgement.objections == std::vector<std::string>{});
  }
}

/// A monitor of a `.mon` file.
struct PlainMonitor {
  struct Transition {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t atom = 0;
    bool negated = false;
  };
  std::vector<bool> bad;
  std::vector<Transition> transitions;
};

PlainMonitor random_monitor(base::Random& random) {
  PlainMonitor monitor;
  const std::size_t size = 2 + random.below(3);
  for (std::size_t m = 0; m < size; ++m) monitor.bad.push_back(m + 1 == size || random.chance(20));
  // Every state is on the way from the first one to the last one.
  for (std::size_t m = 0; m + 1 < size; ++m) {
    monitor.transitions.push_back({m, m + 1, random.below(test_atoms().size()), random.chance(30)});
  }
  const std::size_t more = random.below(5);
  for (std::size_t i = 0; i < more; ++i) {
    monitor.transitions.push_back({random.below(size), random.below(size),
                                   random.below(test_atoms().size()), random.chance(30)});
  }
  return monitor;
}

std::string text_of(const PlainMonitor& monitor) {
  std::string text = "monitor m\ninitial m0\nbad ";
  bool first = true;
  for (std::size_t m = 0; m < monitor.bad.size(); ++m) {
    if (!monitor.bad[m]) continue;
    text += (first ? "m" : ", m") + std::to_string(m);
    first = false;
  }
  for (const PlainMonitor::Transition& transition : monitor.transitions) {
    const std::string& atom = test_atoms()[transition.atom].text;
    text += "\nm" + std::to_string(transition.from) + " -> m" + std::to_string(transition.to) +
            " when " + (transition.negated ? "!(" + atom + ")" : atom);
  }
  return text + "\n";
}

/// Whether some run of the monitor over the order ends in a bad state: the paper's `next`.
bool ends_badly(const PlainMonitor& monitor, const PlainTrace& plain,
                const std::vector<std::size_t>& order) {
  std::vector<bool> states(monitor.bad.size(), false);
  states[0] = true;
  for (const std::size_t event : order) {
    std::vector<bool> next(states.size(), false);
    for (std::size_t m = 0; m < states.size(); ++m) {
      if (!states[m]) continue;
      bool stays = true;
      for (const PlainMonitor::Transition& transition : monitor.transitions) {
        if (transition.from != m) continue;
        const TestAtom& atom = test_atoms()[transition.atom];
        for (const auto& [name, value] : plain.events[event].sets) {
          if (name != atom.variable || atom.holds(value) == transition.negated) continue;
          next[transition.to] = true;
          stays = false;
        }
      }
      if (stays) next[m] = true;
    }
    states = next;
  }
  for (std::size_t m = 0; m < states.size(); ++m) {
    if (states[m] && monitor.bad[m]) return true;
  }
  return false;
}

/// A nondeterministic automaton that need not be complete.
ltl::Automaton random_automaton(base::Random& random) {
  ltl::Automaton automaton;
  automaton.atoms = atom_texts();
  automaton.states.resize(1 + random.below(4));
  for (ltl::AutomatonState& state : automaton.states) state.accepting = random.chance(35);
  for (ltl::StateIndex m = 0; m < automaton.num_states(); ++m) {
    if (m == 0 || random.chance(20)) automaton.initial.push_back(m);
    const std::size_t edges = random.below(5);
    for (std::size_t i = 0; i < edges; ++i) {
      ltl::Cube cube;
      for (ltl::Variable v = 0; v < automaton.atoms.size(); ++v) {
        if (random.chance(35)) cube.push_back({v, random.chance(60)});
      }
      const auto to = static_cast<ltl::StateIndex>(random.below(automaton.num_states()));
      automaton.add_edge(m, automaton.letters.cube(cube), to);
    }
    // Monitors stay when nothing is triggered.
    if (random.chance(60)) {
      ltl::Decision triggered = ltl::Decision::False;
      for (const ltl::Edge& edge : automaton.states[m].edges) {
        triggered = automaton.letters.disjunction(triggered, edge.letter);
      }
      const ltl::Decision rest = automaton.letters.negation(triggered);
      if (rest != ltl::Decision::False) automaton.add_edge(m, rest, m);
    }
  }
  return automaton;
}

}  // namespace

TEST_CASE("engines agree with all orders on random formulas", "[trace][random]") {
  const std::size_t cases = ltl_test::scaled(2000);
  for (std::size_t seed = 1; seed <= cases; ++seed) {
    base::Random random{seed};
    const PlainTrace plain = oracle::random_trace(random, {});
    const std::string text = oracle::native_text(plain, random);
    ltl::Formulas formulas;
    const ltl::Formula f = ltl_test::random_formula(
        formulas, random,
        {.num_operators = 1 + random.below(6), .num_atoms = 4, .regexes = random.chance(20)});
    const std::string formula = formulas.to_string(
        f, [](ltl::Atom a) { return test_atoms()[static_cast<std::size_t>(a)].text; });
    CAPTURE(seed, text, formula);
    bool expected = true;
    oracle::for_each_order(plain, [&](const std::vector<std::size_t>& order) {
      expected = oracle::holds(formulas, f, oracle::FiniteWord{word_of(plain, order)});
      return expected;
    });
    const Reading reading = read_trace_text(text, {.format = Format::Native});
    REQUIRE(render(reading.file, reading.findings).empty());
    const Order& order = reading.trace.executions.front();
    const Property property = Property::from_ltl("ltl", formula, reading.trace.words);
    REQUIRE(base::render(property.source(), property.diagnostics()).empty());
    for (const Engine engine : {Engine::Symbolic, Engine::Explicit}) {
      INFO("engine " << static_cast<int>(engine));
      base::Limits limits;
      const Answer answer = check(order, property, {.engine = engine}, limits);
      REQUIRE((answer.verdict == base::Verdict::Holds) == expected);
      if (expected) continue;
      const std::vector<std::size_t> events = plain_order(plain, order, *answer.evidence);
      REQUIRE(is_order_of(plain, events));
      REQUIRE(!oracle::holds(formulas, f, oracle::FiniteWord{word_of(plain, events)}));
      const Judgement judgement =
          judge_formula(reading.trace, order, formula, names_of(order, *answer.evidence));
      REQUIRE(judgement.objections == std::vector<std::string>{});
    }
  }
}

TEST_CASE("engines agree with all orders on random nondeterministic automata", "[trace][random]") {
  const std::size_t cases = ltl_test::scaled(4000);
  for (std::size_t seed = 1; seed <= cases; ++seed) {
    base::Random random{seed};
    const PlainTrace plain = oracle::random_trace(random, {.most_processes = 4});
    const std::string text = oracle::native_text(plain, random);
    const ltl::Automaton automaton = random_automaton(random);
    CAPTURE(seed, text);
    bool expected = true;
    oracle::for_each_order(plain, [&](const std::vector<std::size_t>& order) {
      expected = !accepts(automaton, word_of(plain, order));
      return expected;
    });
    const Reading reading = read_trace_text(text, {.format = Format::Native});
    REQUIRE(render(reading.file, reading.findings).empty());
    check_engines(plain, reading, automaton, expected);
  }
}

TEST_CASE("engines agree with all orders on random monitors", "[trace][random]") {
  const std::size_t cases = ltl_test::scaled(2000);
  for (std::size_t seed = 1; seed <= cases; ++seed) {
    base::Random random{seed};
    const PlainTrace plain = oracle::random_trace(random, {.most_processes = 4});
    const std::string text = oracle::native_text(plain, random);
    const PlainMonitor plain_monitor = random_monitor(random);
    const std::string monitor_text = text_of(plain_monitor);
    CAPTURE(seed, text, monitor_text);
    bool expected = true;
    oracle::for_each_order(plain, [&](const std::vector<std::size_t>& order) {
      expected = !ends_badly(plain_monitor, plain, order);
      return expected;
    });
    const Reading reading = read_trace_text(text, {.format = Format::Native});
    REQUIRE(render(reading.file, reading.findings).empty());
    const Order& order = reading.trace.executions.front();
    const base::Source source = base::Source::from_text("m.mon", monitor_text);
    base::Diagnostics found;
    const monitor::MonitorFile file = monitor::parse_monitor(source, found);
    const Property property =
        Property::from_monitor(base::Source::from_text("m.mon", monitor_text), reading.trace.words);
    REQUIRE(base::render(property.source(), property.diagnostics()).empty());
    for (const Engine engine : {Engine::Symbolic, Engine::Explicit}) {
      INFO("engine " << static_cast<int>(engine));
      base::Limits limits;
      const Answer answer = check(order, property, {.engine = engine}, limits);
      REQUIRE((answer.verdict == base::Verdict::Holds) == expected);
      if (expected) continue;
      const std::vector<std::size_t> events = plain_order(plain, order, *answer.evidence);
      REQUIRE(is_order_of(plain, events));
      REQUIRE(ends_badly(plain_monitor, plain, events));
      const Judgement judgement =
          judge_monitor(reading.trace, order, file, names_of(order, *answer.evidence));
      REQUIRE(judgement.objections == std::vector<std::string>{});
    }
  }
}

TEST_CASE("the two compositions agree on wider traces", "[trace][random]") {
  const std::size_t cases = ltl_test::scaled(300);
  for (std::size_t seed = 1; seed <= cases; ++seed) {
    base::Random random{seed};
    const PlainTrace plain =
        oracle::random_trace(random, {.most_processes = 5, .most_events = 40, .edge_percent = 3});
    const std::string text = oracle::native_text(plain, random);
    const ltl::Automaton automaton = random_automaton(random);
    CAPTURE(seed, text);
    const Reading reading = read_trace_text(text, {.format = Format::Native});
    REQUIRE(reading.ok());
    const Property property = Property::from_automaton(
        "automaton", base::Source::from_text("automaton", ""), automaton, reading.trace.words);
    base::Limits limits;
    const Answer answer =
        check(reading.trace.executions.front(), property, {.engine = Engine::Explicit}, limits);
    check_engines(plain, reading, automaton, answer.verdict == base::Verdict::Holds);
  }
}

}  // namespace cohort::trace
