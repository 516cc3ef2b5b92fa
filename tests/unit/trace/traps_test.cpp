// The traps of partial-order checking, by name, and the families with known numbers.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "base/source.hpp"
#include "support/trace_models.hpp"
#include "trace/check.hpp"
#include "trace/format/read.hpp"

namespace cohort::trace {
namespace {

const std::vector<Engine> engines = {Engine::Symbolic, Engine::Explicit, Engine::Auto};

Reading read(const std::string& text) {
  Reading reading = read_trace_text(text, {.format = Format::Native});
  INFO(render(reading.file, reading.findings));
  REQUIRE(reading.ok());
  return reading;
}

Answer answer_of(const Reading& reading, const Property& property, Engine engine) {
  INFO(base::render(property.source(), property.diagnostics()));
  REQUIRE(property.ok());
  base::Limits limits;
  return check(reading.trace.executions.front(), property, {.engine = engine}, limits);
}

/// The verdict that all engines give.
bool satisfies(const std::string& trace, const std::string& formula) {
  const Reading reading = read(trace);
  const Property property = Property::from_ltl("ltl", formula, reading.trace.words);
  const bool holds = answer_of(reading, property, Engine::Symbolic).verdict == base::Verdict::Holds;
  for (const Engine engine : engines) {
    CHECK((answer_of(reading, property, engine).verdict == base::Verdict::Holds) == holds);
  }
  return holds;
}

bool stays_good(const std::string& trace, const std::string& monitor) {
  const Reading reading = read(trace);
  const Property property =
      Property::from_monitor(base::Source::from_text("m.mon", monitor), reading.trace.words);
  const bool holds = answer_of(reading, property, Engine::Symbolic).verdict == base::Verdict::Holds;
  for (const Engine engine : engines) {
    CHECK((answer_of(reading, property, engine).verdict == base::Verdict::Holds) == holds);
  }
  return holds;
}

}  // namespace

TEST_CASE("a negated guard needs an assignment, a negated formula does not", "[trace][trap]") {
  const std::string trace = "init x = 3\nP1 y := 0\n";
  CHECK(stays_good(trace, "monitor m\ninitial a\nbad b\na -> b when !(x = 3)\n"));
  CHECK(satisfies(trace, "!(x = 3)"));
  CHECK_FALSE(stays_good("P1 x := 0\n", "monitor m\ninitial a\nbad b\na -> b when !(x = 3)\n"));
}

TEST_CASE("a letter that triggers nothing can be a step", "[trace][trap]") {
  CHECK(satisfies("P1 skip\nP1 x := 1\n", "X x = 1"));
  CHECK_FALSE(satisfies("P1 x := 1\nP1 skip\n", "X x = 1"));
  CHECK_FALSE(satisfies("P1 skip\nP2 x := 1\n", "X x = 1"));
}

TEST_CASE("a letter that triggers nothing can be a rejection", "[trace][trap]") {
  CHECK(satisfies("P1 x := 1\n", "G x = 1"));
  CHECK_FALSE(satisfies("P1 x := 1\nP2 y := 0\n", "G x = 1"));
}

TEST_CASE("an event is optional exactly when the monitor may stay", "[trace][trap]") {
  // b may be left or not on x = 1: some run ends in c only if both events move.
  const std::string monitor =
      "monitor m\ninitial a\nbad c\na -> a when x = 1\na -> b when x = 1\nb -> c when x = 1\n";
  CHECK(stays_good("P1 x := 1\n", monitor));
  CHECK_FALSE(stays_good("P1 x := 1\nP2 x := 1\n", monitor));
}

TEST_CASE("a bad state that is left is forgotten", "[trace][trap]") {
  const std::string monitor = "monitor m\ninitial a\nbad b\na -> b when x = 1\nb -> a when x = 0\n";
  CHECK(stays_good("P1 x := 1\nP1 x := 0\n", monitor));
  CHECK_FALSE(stays_good("P1 x := 1\nP2 x := 0\n", monitor));
  CHECK_FALSE(stays_good("P1 x := 0\nP1 x := 1\n", monitor));
}

TEST_CASE("the cut shrinks behind a mandatory event", "[trace][trap]") {
  // y := 1 is optional in a, and is needed again in b, after x := 1.
  const std::string monitor = "monitor m\ninitial a\nbad c\na -> b when x = 1\nb -> c when y = 1\n";
  CHECK_FALSE(stays_good("P1 x := 1\nP2 y := 1 after P1#1\n", monitor));
  CHECK(stays_good("P2 y := 1\nP1 x := 1 after P2#1\n", monitor));
  CHECK_FALSE(stays_good("P1 x := 1\nP2 y := 1\n", monitor));
}

TEST_CASE("what is covered may be a step behind", "[trace][trap]") {
  // The first configuration covers what comes back from b with the event fired already.
  const std::string monitor =
      "monitor m\ninitial a\nbad c\na -> b when x = 1\nb -> a when y = 1\na -> c when z = 1\n";
  CHECK_FALSE(stays_good("P1 x := 1\nP2 y := 1\nP3 z := 1\n", monitor));
  CHECK(stays_good("init y = 0\nP1 z := 0\nP2 x := 1\n", monitor));
}

TEST_CASE("a trace without events is the empty word", "[trace][trap]") {
  const std::string trace = "process P1\ninit x = 1\n";
  for (const char* const formula : {"G x = 2", "x = 2 W x = 3", "x = 2 R x = 3", "X x = 2"}) {
    CAPTURE(formula);
    CHECK(satisfies(trace, formula));
  }
  for (const char* const formula : {"x = 1", "F x = 1", "x = 1 U x = 1", "X[!] x = 1"}) {
    CAPTURE(formula);
    CHECK_FALSE(satisfies(trace, formula));
  }
}

TEST_CASE("decimals are compared exactly and strings by = and != only", "[trace]") {
  CHECK(satisfies("P1 x := 0.1\nP1 x := 0.30\n", "F x = 3/10 & F 3*x = 0.3"));
  CHECK(satisfies("P1 x := 12345678901234567890.5\n", "x > 12345678901234567890.4"));
  CHECK(satisfies("P1 m := \"on\"\n", "m = \"on\" & m != \"off\" & !(m = 1)"));
}

TEST_CASE("an atom without a value is an error, unless a test comes first", "[trace]") {
  const auto error = [](const std::string& text, const std::string& formula) {
    const Reading reading = read_trace_text(text, {.format = Format::Native});
    REQUIRE(reading.ok());
    const Property property = Property::from_ltl("ltl", formula, reading.trace.words);
    return base::render(property.source(), property.diagnostics());
  };
  const std::string text = "P1 x := 2\nP1 x := \"a\"\nP2 y := 0\nP2 y := 4\n";
  CHECK_THAT(error(text, "G !(x < 3)"),
             Catch::Contains("ltl:1:5: error: an event assigns a string, x := \"a\""));
  CHECK_THAT(error(text, "G !(x + 1 = 3)"), Catch::Contains("an event assigns a string"));
  CHECK_THAT(error(text, "G !(1 / y = 1)"),
             Catch::Contains("division by zero where an event assigns y := 0"));
  CHECK_THAT(error(text, "F(y = 4 & X 1 / y = 1)"), Catch::Contains("division by zero"));
  CHECK_THAT(error(text, "F(1 / 0 = 1)"), Catch::Contains("division by zero"));
  CHECK(error(text, "F(y != 0 & 1 / y = 0.25)").empty());
  CHECK(error(text, "G(y = 0 | 1 / y = 0.25 | !(y != 0))").empty());
  CHECK(error(text, "G(y = 4 -> 1 / y = 0.25)").empty());
  CHECK(error(text, "F(x = \"a\" & x != 3)").empty());
}

TEST_CASE("figure 4 has 17 symbolic configurations for 8 processes", "[trace]") {
  for (std::size_t k = 1; k <= 8; ++k) {
    CAPTURE(k);
    const Reading reading = read(support::figure4_trace(k));
    const Property property = Property::from_monitor(
        base::Source::from_text("chain.mon", support::figure4_monitor(k)), reading.trace.words);
    const Answer symbolic = answer_of(reading, property, Engine::Symbolic);
    CHECK(symbolic.verdict == base::Verdict::Fails);
    CHECK(symbolic.statistics.configurations == 2 * k + 1);
  }
  const Reading reading = read(support::figure4_trace(8));
  const Property property = Property::from_monitor(
      base::Source::from_text("chain.mon", support::figure4_monitor(8)), reading.trace.words);
  const Answer visited = answer_of(reading, property, Engine::Explicit);
  CHECK(visited.verdict == base::Verdict::Fails);
  CHECK(visited.statistics.configurations > 6561);  // 3^8 cuts, some with several states
}

TEST_CASE("Peterson's lock has the configurations of the paper's table", "[trace]") {
  const Reading reading = read(support::peterson_trace({.events = 10'000}));
  REQUIRE(reading.trace.executions.front().num_events() == 10'000);
  const Property formula =
      Property::from_ltl("mutex", support::mutex_formula(), reading.trace.words);
  const Property monitor = Property::from_monitor(
      base::Source::from_text("mutex.mon", support::mutex_monitor()), reading.trace.words);
  for (const Property* const property : {&formula, &monitor}) {
    const Answer answer = answer_of(reading, *property, Engine::Symbolic);
    CHECK(answer.verdict == base::Verdict::Holds);
    CHECK(answer.statistics.configurations == 4001);
    CHECK(answer_of(reading, *property, Engine::Explicit).verdict == base::Verdict::Holds);
  }
}

TEST_CASE("breadth first search finds the fault of Peterson's lock near the beginning", "[trace]") {
  const Reading reading = read(support::peterson_trace({.events = 10'000, .faulty = true}));
  const Property property =
      Property::from_ltl("mutex", support::mutex_formula(), reading.trace.words);
  const Answer answer = answer_of(reading, property, Engine::Symbolic);
  CHECK(answer.verdict == base::Verdict::Fails);
  CHECK(answer.statistics.configurations < 50);
}

TEST_CASE("a limit leaves the verdict unknown", "[trace]") {
  const Reading reading = read(support::peterson_trace({.events = 10'000}));
  const Property property =
      Property::from_ltl("mutex", support::mutex_formula(), reading.trace.words);
  base::Limits limits;
  limits.set_max_states(100);
  const Answer answer =
      check(reading.trace.executions.front(), property, {.engine = Engine::Symbolic}, limits);
  CHECK(answer.verdict == base::Verdict::Unknown);
  CHECK_FALSE(answer.reason.empty());
}

}  // namespace cohort::trace
