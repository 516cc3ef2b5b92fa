// Where the paper goes wrong (semantics.md, partial-order traces, CTL), by name; and what is
// refused.
#include <catch2/catch.hpp>

#include "ist/operations.hpp"
#include "trace/ctl.hpp"
#include "trace/ctl_replay.hpp"
#include "trace/ctl_where.hpp"
#include "trace/format/read.hpp"

namespace cohort::trace::ctl {
namespace {

struct Checked {
  std::vector<std::string> verdicts;  ///< of each engine, without repetitions
  std::string errors;
  std::optional<Evidence> evidence;
  std::string engine;
};

[[nodiscard]] Checked run(const std::string& trace, const std::string& text) {
  Checked checked;
  const Reading reading = read_trace_text(trace, {});
  REQUIRE(reading.ok());
  const base::Source source = base::Source::from_text("formula", text);
  base::Diagnostics diagnostics;
  const std::vector<Formula> parsed = parse_formula(source, reading.trace.words, diagnostics);
  checked.errors = render(source, diagnostics);
  if (parsed.empty()) return checked;
  const Order& order = reading.trace.executions.front();
  for (const Engine engine : {Engine::Explicit, Engine::Symbolic, Engine::Auto}) {
    base::Diagnostics errors;
    Options options;
    options.engine = engine;
    const Answer answer = check(order, reading.trace.words, parsed[0], options, errors);
    checked.errors = render(source, errors);
    checked.evidence = answer.evidence;
    checked.engine = answer.engine;
    const bool holds = answer.verdict == base::Verdict::Holds;
    const std::string verdict = answer.verdict == base::Verdict::Error   ? "error"
                                : answer.verdict == base::Verdict::Fails ? "fails"
                                : holds                                  ? "holds"
                                                                         : "unknown";
    if (std::ranges::find(checked.verdicts, verdict) == checked.verdicts.end()) {
      checked.verdicts.push_back(verdict);
    }
    if (!answer.evidence) continue;
    CHECK(replay(order, reading.trace.words, source, holds, answer.evidence->cut,
                 answer.evidence->path)
              .outcome == Judgement::Outcome::Confirmed);
  }
  return checked;
}

void holds(const std::string& trace, const std::string& formula) {
  INFO(trace << formula);
  CHECK(run(trace, formula).verdicts == std::vector<std::string>{"holds"});
}
void fails(const std::string& trace, const std::string& formula) {
  INFO(trace << formula);
  CHECK(run(trace, formula).verdicts == std::vector<std::string>{"fails"});
}
[[nodiscard]] std::string refused(const std::string& trace, const std::string& formula) {
  const Checked checked = run(trace, formula);
  for (const std::string& verdict : checked.verdicts) CHECK(verdict == "error");
  CHECK_FALSE(checked.errors.empty());
  return checked.errors;
}

const std::string two_processes = "P1 x := 1\nP2 y := 1\nP1 x := 0\n";

TEST_CASE("EG true holds though the last cut has no successor", "[trace][ctl]") {
  holds(two_processes, "EG true");
  holds(two_processes, "EG x <= 1");
  fails(two_processes, "EG x = 0");
}

TEST_CASE("AF fails where its operand never holds", "[trace][ctl]") {
  fails("P1 x := 0\n", "AF(x = 1)");
  fails("process P1\ninit x = 0\n", "AF(x = 1)");
  holds("P1 x := 1\n", "AF(x = 1)");
}

TEST_CASE("A[f U g] fails on runs that end before g", "[trace][ctl]") {
  fails("P1 x := 0\n", "A[x = 0 U x = 1]");
  holds("P1 x := 0\n", "A[x = 0 W x = 1]");
}

TEST_CASE("a value lasts until the event that assigns the next one", "[trace][ctl]") {
  const std::string trace = "P1 x := 1\nP2 y := 1\nP1 x := 0\n";
  const Reading reading = read_trace_text(trace, {});
  const base::Source source = base::Source::from_text("formula", "x = 1");
  base::Diagnostics diagnostics;
  const auto parsed = parse_formula(source, reading.trace.words, diagnostics);
  const Where where = satisfying_cuts(reading.trace.executions.front(), reading.trace.words,
                                      parsed.at(0), {}, diagnostics);
  // One event of P1, and P2 as it likes.
  CHECK(where.cuts == where.forest->box({{1, 1}, {0, 1}}));
}

TEST_CASE(
    "before its first event a variable has its initial value, after the last block it keeps its "
    "own",
    "[trace][ctl]") {
  holds("init x = 7\nP1 x := 1\n", "x = 7");
  holds("init x = 7\nP1 skip\n", "AG x = 7");
  holds("P1 x := 1\nP1 skip\n", "AF AG x = 1");
}

TEST_CASE("until does not ask for its left side where its right side holds", "[trace][ctl]") {
  holds("P1 x := 1\n", "E[x = 0 U x = 1]");
  holds("P1 x := 1\n", "A[x = 0 U x = 1]");
  holds("P1 x := 1\n", "E[false U x = 0]");
}

TEST_CASE("EF looks at cuts only", "[trace][ctl]") {
  fails("P1 x := 1\nP2 y := 1 after P1#1\n", "EF(y = 1 & x = 0)");
  holds("P1 x := 1\nP2 y := 1\n", "EF(y = 1 & x = 0)");
}

TEST_CASE("an event is enabled when all that comes before it has happened", "[trace][ctl]") {
  const std::string trace = "P1 x := 1\nP1 x := 2\nP2 y := 1 after P1#2\n";
  fails(trace, "EX y = 1");
  fails(trace, "EX EX y = 1");
  holds(trace, "EX EX EX y = 1");
  holds(trace, "AX AX AX (y = 1 & AX false)");
}

TEST_CASE("complements stay within the cuts", "[trace][ctl]") {
  // y = 1 only behind x = 1: the tuple (0, 1) is no cut.
  holds("P1 x := 1\nP2 y := 1 after P1#1\n", "!EF !(y = 0 | x = 1)");
  holds("P1 x := 1\nP2 y := 1 after P1#1\n", "AG(y = 1 -> x = 1)");
}

TEST_CASE("the last cut satisfies AX of everything, EX of nothing, EG f and AF f as it satisfies f",
          "[trace][ctl]") {
  const std::string nothing = "process P1\ninit x = 3\n";
  holds(nothing, "AX false");
  fails(nothing, "EX true");
  holds(nothing, "EG x = 3");
  holds(nothing, "AF x = 3");
  fails(nothing, "EG x = 4");
  fails(nothing, "AF x = 4");
}

TEST_CASE("a formula without X cannot tell how many events there are, one with X can",
          "[trace][ctl]") {
  const std::string trace = "P1 skip\nP1 x := 1\nP1 skip\n";
  holds(trace, "AF x = 1");
  fails(trace, "AX x = 1");
  holds(trace, "AX AX x = 1");
  holds(trace, "AX AX AX (x = 1 & AX false)");
}

TEST_CASE("unordered writes to a variable of the formula are refused, with both lines",
          "[trace][ctl]") {
  const std::string trace = "P1 x := 1\nP1 z := 5\nP2 x := 2\n";
  const std::string errors = refused(trace, "AG x < 3");
  CHECK(errors.find("line 1 (P1#1)") != std::string::npos);
  CHECK(errors.find("line 3 (P2#1)") != std::string::npos);
  CHECK(errors.find("formula:1:4") != std::string::npos);
  holds(trace, "EF z = 5");  // x is not named
}

TEST_CASE("ordered writes of several processes are one variable", "[trace][ctl]") {
  const std::string trace =
      "P1 turn := 1\nP2 turn := 2 after P1#1\nP1 turn := 1 after P2#1\nP3 c := 1\n";
  holds(trace, "EF(turn = 2 & c = 1)");
  holds(trace, "AG(turn = 2 -> AF turn = 1)");
  fails(trace, "AG(turn = 1 -> AF turn = 2)");
  CHECK(run(trace, "AG !(turn = 2 & c = 1)").engine == "detection");
}

TEST_CASE("arithmetic is exact", "[trace][ctl]") {
  holds("P1 x := 0.1\nP1 x := 0.2\nP1 x := 0.3\n", "EF x = 0.1 + 0.2");
  holds("P1 x := 1\n", "EF x / 3 * 3 = 1");
  holds("P1 x := 9007199254740993\n", "AG x != 9007199254740992");
  holds("P1 x := 1, y := 3\n", "EF(y != 0 & x / y < 0.334 & x / y > 0.333)");
  holds("P1 x := 123456789012345678901234567890\n", "EF x - 1 = 123456789012345678901234567889");
  holds("P1 x := -7\n", "EF x % 3 = -1");
}

TEST_CASE("division by zero is an error, unless a test comes first", "[trace][ctl]") {
  const std::string trace = "P1 y := 2\nP2 x := 4\n";
  CHECK(refused(trace, "AG x / y < 3").find("division by zero") != std::string::npos);
  holds(trace, "AG(y != 0 -> x / y < 3)");
  holds(trace, "AG(y = 0 | x / y < 3)");
  CHECK(refused(trace, "AG(y != 2 | x / y < 3) & AG(x / y < 3)").find("division") !=
        std::string::npos);
  CHECK(refused(trace, "AG x / 0 < 3").find("division by zero") != std::string::npos);
}

TEST_CASE("strings are compared for equality only", "[trace][ctl]") {
  const std::string trace = "init mode = \"off\"\nP1 mode := \"on\"\nP1 n := 3\n";
  holds(trace, "mode = \"off\" & AF mode = \"on\"");
  holds(trace, "AG n != \"3\"");
  CHECK(refused(trace, "AG mode < 3").find("strings can be compared with '=' and '!=' only") !=
        std::string::npos);
  CHECK(refused(trace, "AG mode").find("can be a string") != std::string::npos);
  CHECK(refused(trace, "AG n + \"a\" = 3").find("a string can be compared") != std::string::npos);
  CHECK(refused(trace, "AG mode = \"on").find("not closed") != std::string::npos);
}

TEST_CASE("conditions count as 0 and 1", "[trace][ctl]") {
  const std::string trace = "P1 a := 1\nP2 b := 1\n";
  fails(trace, "AG (a = 1) + (b = 1) < 2");
  holds(trace, "AG (a = 1) + (b = 1) <= 2");
  holds(trace, "EF (a & b)");
  holds(trace, "EF a");
}

TEST_CASE("a typo is an error with a suggestion", "[trace][ctl]") {
  const std::string errors = refused("P1 ready := 1\n", "AF redy = 1");
  CHECK(errors.find("the trace has no variable 'redy'") != std::string::npos);
  CHECK(errors.find("did you mean 'ready'?") != std::string::npos);
  CHECK(errors.find("formula:1:4") != std::string::npos);
}

TEST_CASE("what is about models is refused", "[trace][ctl]") {
  const std::string trace = "P1 x := 1\n";
  CHECK(refused(trace, "forall i in client . x = 1").find("about models") != std::string::npos);
  CHECK(refused(trace, "COUNT(i in client : x = 1) < 2").find("COUNT is about models") !=
        std::string::npos);
  CHECK(refused(trace, "Afair F x = 1").find("fairness is about models") != std::string::npos);
  CHECK(refused(trace, "AG !deadlock").find("about models") != std::string::npos);
  CHECK(refused(trace, "AG enabled(x)").find("about models") != std::string::npos);
  CHECK(refused(trace, "AG x = none").find("about models") != std::string::npos);
}

TEST_CASE("variables with subscripts are variables", "[trace][ctl]") {
  const std::string trace = "P1 crit[0] := 1\nP2 crit[1,2] := 1\n";
  holds(trace, "EF(crit[0] = 1 & crit[1, 2] = 1)");
  CHECK(refused(trace, "EF crit[3] = 1").find("no variable 'crit[3]'") != std::string::npos);
}

TEST_CASE("a counterexample of AG is the cut, and a shortest way to it", "[trace][ctl]") {
  const Checked checked =
      run("P1 skip\nP1 c1 := 1\nP2 skip\nP2 c2 := 1\nP1 c1 := 0\n", "AG !(c1 = 1 & c2 = 1)");
  REQUIRE(checked.evidence);
  CHECK(checked.evidence->cut == Cut{2, 2});
  CHECK(checked.evidence->path.size() == 4);
}

TEST_CASE("a run that refutes AF goes to the end", "[trace][ctl]") {
  const Checked checked = run("P1 x := 1\nP2 y := 1\nP1 x := 0\nP2 skip\n", "AF(x = 1 & y = 1)");
  REQUIRE(checked.evidence);
  CHECK(checked.evidence->cut == Cut{2, 2});
  CHECK(checked.evidence->path.size() == 4);
}

}  // namespace
}  // namespace cohort::trace::ctl
