#include "monitor/monitor_file.hpp"

#include <catch2/catch.hpp>
#include <set>

namespace cohort::monitor {
namespace {

constexpr const char* fork =
    "monitor fork\ninitial idle\nbad grabbed\nidle    -> holding  when left = 1\n"
    "holding -> grabbed  when right = 1\n";

[[nodiscard]] std::string errors(const std::string& text) {
  const base::Source source = base::Source::from_text("m.mon", text);
  base::Diagnostics diagnostics;
  (void)parse_monitor(source, diagnostics);
  return base::render(source, diagnostics);
}

/// A monitor with the source that it lives on.
struct Read {
  explicit Read(const std::string& text, Trigger trigger = Trigger::OnAssignment)
      : source(base::Source::from_text("m.mon", text)), file(parse_monitor(source, diagnostics)) {
    INFO(base::render(source, diagnostics));
    REQUIRE_FALSE(diagnostics.has_errors());
    monitor = automaton_of(file, trigger);
  }

  base::Source source;
  base::Diagnostics diagnostics;
  MonitorFile file;
  Monitor monitor;

  /// The states after events that make these atoms true.
  [[nodiscard]] std::set<std::string> after(
      const std::vector<std::set<std::string>>& events) const {
    const ltl::Automaton& automaton = monitor.automaton;
    std::set<ltl::StateIndex> at(automaton.initial.begin(), automaton.initial.end());
    for (const std::set<std::string>& event : events) {
      std::set<ltl::StateIndex> next;
      for (const ltl::StateIndex s : at) {
        for (const ltl::Edge& edge : automaton.states[s].edges) {
          const bool taken = automaton.letters.evaluate(
              edge.letter, [&](ltl::Variable v) { return event.contains(automaton.atoms[v]); });
          if (taken) next.insert(edge.target);
        }
      }
      at = next;
    }
    std::set<std::string> names;
    for (const ltl::StateIndex s : at) names.insert(automaton.states[s].name);
    return names;
  }
};

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("a monitor moves when triggered and stays otherwise", "[monitor]") {
  Read read{fork};
  CHECK(read.after({}) == Names{"idle"});
  CHECK(read.after({{"assigns left", "left = 1"}}) == Names{"holding"});
  CHECK(read.after({{"assigns right", "right = 1"}}) == Names{"idle"});
  CHECK(read.after({{"assigns left", "left = 1"}, {"assigns right"}}) == Names{"holding"});
  CHECK(read.after({{"assigns left", "left = 1"}, {"assigns right", "right = 1"}, {}}) ==
        Names{"grabbed"});
  CHECK(read.monitor.automaton.is_complete());
  for (const ltl::AutomatonState& state : read.monitor.automaton.states) {
    CHECK(state.accepting == (state.name == "grabbed"));
  }
}

TEST_CASE("a guard is triggered only by events that assign its variable", "[monitor]") {
  const std::string text = "monitor m\ninitial a\nbad b\na -> b when !(x = 3)";
  Read assigned{text};
  CHECK(assigned.after({{}}) == Names{"a"});
  CHECK(assigned.after({{"assigns x"}}) == Names{"b"});
  CHECK(assigned.after({{"assigns x", "x = 3"}}) == Names{"a"});
  Read always{text, Trigger::Always};
  CHECK(always.after({{}}) == Names{"b"});
  Read constant{"monitor m\ninitial a\nbad b\na -> b when true"};
  CHECK(constant.after({{}}) == Names{"b"});
}

TEST_CASE("a monitor may go several ways at once", "[monitor]") {
  Read read{"monitor m\ninitial a\nbad c\na -> b when x > 1\na -> c when x > 1 & x < 5\n"};
  CHECK(read.after({{"assigns x", "x > 1"}}) == Names{"b"});
  CHECK(read.after({{"assigns x", "x > 1", "x < 5"}}) == Names{"b", "c"});
}

TEST_CASE("a state without transitions is a state", "[monitor]") {
  CHECK(Read{"monitor m\ninitial a\nbad c\na -> b when x = 1\n"}.after({{"assigns x", "x = 1"}}) ==
        Names{"b"});
  const Read stuck{"monitor m\ninitial c\nbad c\na -> b when x = 1\n"};
  CHECK(stuck.after({{"assigns x", "x = 1"}}) == Names{"c"});
  CHECK(stuck.monitor.automaton.states[stuck.monitor.automaton.initial[0]].accepting);
  CHECK(Read{"monitor m\ninitial c\nbad c\n"}.after({{}}) == Names{"c"});
  CHECK_THAT(errors("monitor m\ninitial a\nbad c\na -> b when x = 1\n"),
             Catch::Contains("warning: no transition mentions the state 'c'"));
}

TEST_CASE("counters and updates are read", "[monitor]") {
  Read read{
      "monitor longest_wait\ninitial calm\ncounter since = 0, longest = -2.5\n"
      "calm -> busy when request = 1 do since = time\n"
      "busy -> calm when reply = 1 do longest = max(longest, time - since)\n"};
  REQUIRE(read.file.counters.size() == 2);
  CHECK(read.file.counters[1].negative);
  CHECK(read.file.counters[1].value == "2.5");
  REQUIRE(read.file.transitions[1].updates.size() == 1);
  CHECK(canonical_text(read.file.transitions[1].updates[0].value) == "max(longest, time - since)");
}

TEST_CASE("all errors of a monitor are listed, line by line", "[monitor]") {
  const std::string all = errors(
      "monitor\ninitial a b\nbad a,\na -> b when\na -> when x = 1\na b when x = 1\n= 3\n"
      "a -> b when x\n");
  for (const char* line : {"m.mon:1:", "m.mon:2:", "m.mon:3:", "m.mon:4:", "m.mon:5:", "m.mon:6:",
                           "m.mon:7:", "m.mon:8:"}) {
    CAPTURE(all, line);
    CHECK_THAT(all, Catch::Contains(line));
  }
}

TEST_CASE("what the grammar cannot say is checked", "[monitor]") {
  const std::string body = "idle -> grabbed when x = 1 do n = 1\n";
  const std::string counter = "counter n = 0\n";
  CHECK(errors("monitor m\ninitial idle\nbad grabbed\n" + counter + body) == "");
  CHECK_THAT(errors("monitor m\nbad grabbed\n" + counter + body),
             Catch::Contains("no initial state"));
  CHECK_THAT(errors("monitor m\ninitial idle\ninitial idle\n" + counter + body),
             Catch::Contains("m.mon:3:1: error: a second line 'initial'"));
  CHECK_THAT(errors("monitor m\ninitial idle\nbad grabed\n" + counter + body),
             Catch::Contains("did you mean 'grabbed'?"));
  CHECK_THAT(errors("monitor m\ninitial idle\n" + body), Catch::Contains("unknown counter 'n'"));
  CHECK_THAT(errors("monitor m\ninitial idle\n" + counter + "idle -> b when n = 1"),
             Catch::Contains("the guard names the counter 'n'"));
  CHECK_THAT(errors(""), Catch::Contains("the file is empty"));
}

}  // namespace cohort::monitor
