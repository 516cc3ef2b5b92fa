#include <catch2/catch.hpp>
#include <string>

#include "support/run_program.hpp"

namespace cohort {

using support::run_cohort;
using support::RunResult;

TEST_CASE("automaton prints a minimal deterministic automaton for finite words", "[cli]") {
  const RunResult result =
      run_cohort({"automaton", "G(a -> X(!a U b))", "--finite", "--format", "hoa"});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  // One state where nothing is owed, one just after an a, one that waits for b, one without hope.
  CHECK_THAT(result.out, Catch::StartsWith("HOA: v1\n") && Catch::Contains("States: 4\n") &&
                             Catch::Contains("AP: 2 \"a\" \"b\"") &&
                             Catch::Contains("deterministic complete finite-words") &&
                             Catch::EndsWith("--END--\n"));
}

TEST_CASE("automaton prints a Büchi automaton unless told otherwise", "[cli]") {
  const RunResult result = run_cohort({"automaton", "F G x = 1"});
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("AP: 1 \"x = 1\"") &&
                             Catch::Contains("Acceptance: 1 Inf(0)") &&
                             !Catch::Contains("finite-words"));
  CHECK(run_cohort({"automaton", "F G x = 1", "--infinite"}).out == result.out);
  CHECK_THAT(run_cohort({"automaton", "G F x = 1", "--negate"}).out,
             Catch::Contains("name: \"!(G F x = 1)\""));
  CHECK_THAT(run_cohort({"automaton", "F a", "--format", "dot"}).out,
             Catch::StartsWith("digraph automaton {"));
}

TEST_CASE("automaton says what is wrong with a formula", "[cli]") {
  const RunResult result = run_cohort({"automaton", "G(a -> )"});
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(result.err ==
        "formula:1:8: error: expected a formula but found ')'\n"
        "    1 | G(a -> )\n"
        "      |        ^\n");
  CHECK(run_cohort({"automaton", "a", "--finite", "--infinite"}).status == 2);
  CHECK(run_cohort({"automaton", ""}).status == 2);
  CHECK(run_cohort({"automaton", "F(a & {true[*200]; b})", "--finite"}).status == 3);
}

}  // namespace cohort
