#include <catch2/catch.hpp>
#include <string>

#include "lang/load.hpp"
#include "oracle/graph.hpp"
#include "oracle/holds.hpp"

namespace cohort::oracle {
namespace {

/// The verdicts about a formula of a program.
[[nodiscard]] Verdicts verdicts(const std::string& program, const std::string& formula) {
  const lang::Loaded loaded =
      lang::load_text("test.coh", "Program " + program + "\nFormula f : " + formula + ";", {});
  CAPTURE(program, formula);
  REQUIRE(loaded.ok());
  const Semantics semantics{loaded.program};
  const std::optional<Graph> graph = build(semantics, 10000);
  REQUIRE(graph.has_value());
  return judge(*graph, semantics, loaded.formulas.at(0));
}

[[nodiscard]] bool holds(const std::string& program, const std::string& formula) {
  const Allowed lazy = verdicts(program, formula).lazy;
  REQUIRE(lazy.is_certain());
  REQUIRE_FALSE(lazy.error);
  return lazy.holds;
}

/// 0 -> 1 -> 0, 0 -> 2; 2 is a deadlock.
const std::string detour =
    "Module p = 1; x : 0..2; k of p : { x == 0 -> x = 1; x == 1 -> x = 0; x "
    "== 0 -> x = 2; }";
/// 0 -> 0, 0 -> 1, 1 -> 1.
const std::string loops =
    "Module p = 1; x : 0..1; k of p : { x == 0 -> x = 0; x == 0 -> x = 1; x == 1 -> x = 1; }";
/// Each process counts to 1 and back.
const std::string two =
    "Module p = 2; x[p] : 0..1; k of p : { x[k] == 0 -> x[k] = 1; x[k] == 1 -> x[k] = 0; }";

TEST_CASE("the graph has the states that a closed form says", "[oracle]") {
  const lang::Loaded loaded = lang::load_text(
      "test.coh", "Program Module p = 5; x[p] : 0..2; k of p : { x[k] < 2 -> x[k] = x[k] + 1; }",
      {});
  REQUIRE(loaded.ok());
  const Semantics semantics{loaded.program};
  const std::optional<Graph> graph = build(semantics, 1000);
  REQUIRE(graph.has_value());
  CHECK(graph->nodes.size() == 243);        // 3^5
  CHECK(graph->num_edges() == 5 * 2 * 81);  // a process that moves, the others anywhere
  CHECK(graph->num_deadlocks() == 1);
  CHECK(graph->nodes.back().distance == 10);
  CHECK_FALSE(build(semantics, 242).has_value());
}

TEST_CASE("a state on the way back to an open ancestor reaches what the ancestor reaches",
          "[oracle]") {
  CHECK_FALSE(holds(detour, "AG EF x = 1"));
  CHECK(holds(detour, "AG(x < 2 -> EF x = 2)"));
  CHECK(holds(detour, "AG EF x = 2"));
}

TEST_CASE("a self-loop is an infinite path", "[oracle]") {
  CHECK(holds(loops, "EG x = 0"));
  CHECK_FALSE(holds(loops, "AF x = 1"));
  CHECK(holds(loops, "A[x = 0 W x = 1]"));
  CHECK_FALSE(holds(loops, "A[x = 0 U x = 1]"));
}

TEST_CASE("a path may end in a deadlock and nowhere else", "[oracle]") {
  const std::string stuck = "Module p = 1; x : 0..1; k of p : { x == 0 -> x = 1; }";
  CHECK(holds(stuck, "AX(x = 1 & deadlock & !EX true & AX false)"));
  CHECK(holds(stuck, "AF(x = 1 & EG x = 1 & AF x = 1 & !AF x = 0)"));
  CHECK_FALSE(holds(stuck, "EG x = 0"));
  CHECK(holds(stuck, "Afair F deadlock & Efair G x < 2 & AX Efair G x = 1"));
  CHECK(holds(stuck, "AX(Afair X false & !Efair X true)"));
  CHECK_FALSE(holds(stuck, "E[x = 1 R x = 0]"));
  CHECK(holds(stuck, "E[x = 1 R x < 2]"));
  CHECK(holds(stuck, "E[false R x < 2] & A[false R x < 2] & A[x < 2 W false]"));
}

TEST_CASE("a fair path serves every process that stays enabled", "[oracle]") {
  CHECK(holds(two, "EG x[0] = 0"));
  CHECK_FALSE(holds(two, "Efair G x[0] = 0"));
  CHECK(holds(two, "Afair F x[0] = 1 & Afair G Afair F x[1] = 1"));
  CHECK_FALSE(holds(two, "AF x[0] = 1"));
  // Fairness says nothing about order.
  CHECK(holds(two, "Efair[x[0] = 0 U x[1] = 1] & Efair[x[1] = 0 U x[0] = 1]"));
  CHECK_FALSE(holds(two, "Afair[x[0] = 0 U x[1] = 1]"));
}

TEST_CASE("weak fairness is about processes, and being disabled now and then is enough",
          "[oracle]") {
  // The lock is free now and then, so process 1 may starve; it is never executed on 0's loop.
  const std::string lock =
      "Module p = 2; in_use : bool; has[p] : bool;"
      "k of p : { !in_use -> in_use = true, has[k] = true; has[k] -> in_use = false, has[k] = "
      "false; }";
  CHECK(holds(lock, "Efair G !has[1]"));
  CHECK_FALSE(holds(lock, "Afair F has[1]"));
  CHECK(holds(lock, "AG !(has[0] & has[1])"));
  // One process with two choices: fairness does not care which is taken.
  CHECK(holds(loops, "Efair G x = 0"));
}

TEST_CASE("COUNT is a number in every state", "[oracle]") {
  const std::string up = "Module p = 3; x[p] : bool; k of p : { !x[k] -> x[k] = true; }";
  CHECK(holds(up, "AG(COUNT(i in p : x[i]) + COUNT(i in p : !x[i]) = 3)"));
  CHECK(holds(up, "forall i in p . EF(COUNT(j in p : x[j]) = 1 & x[i])"));
  CHECK(holds(up, "COUNT(i in p : EF(x[i] & COUNT(j in p{0, 1} : x[j]) = 0)) = 1"));
  CHECK(holds(up, "AG(2 * COUNT(i in p : x[i]) - 3 <= 3 & COUNT(i, p, EF x[i]) >= 3)"));
  CHECK(holds(up, "AG(deadlock <-> COUNT(i in p : enabled(i)) = 0)"));
}

TEST_CASE("a property holds when it holds in every initial state", "[oracle]") {
  const std::string choice = "Module p = 1; x : 0..2 in 0..2; k of p : { x == 1 -> x = 2; }";
  CHECK_FALSE(holds(choice, "x = 0"));
  CHECK_FALSE(holds(choice, "x != 0"));
  CHECK(holds(choice, "x = 0 | EF x = 2"));
}

TEST_CASE("with a model error a lazy verdict may not depend on what lies behind it", "[oracle]") {
  const std::string faulty =
      "Module p = 1; x : 0..2; y : bool; k of p : { x < 2 & !y -> x = x + 1; x == 0 -> y = true; x "
      "== 2 -> x = x + 1; }";
  const auto allowed = [&](const std::string& formula) { return verdicts(faulty, formula).lazy; };
  CHECK(allowed("EF y").holds);
  CHECK(allowed("EF y").error);
  CHECK_FALSE(allowed("EF y").fails);
  CHECK(allowed("AG x < 2").fails);
  CHECK_FALSE(allowed("AG x < 2").holds);
  // Behind the fault everything may be.
  CHECK(allowed("AG x < 3").error);
  CHECK_FALSE(allowed("EX EX x = 2").fails);
  CHECK(allowed("EX EX EX y").error);
  const Allowed eager = verdicts(faulty, "true").eager;
  CHECK((eager.error && !eager.holds && !eager.fails));
  const Allowed in_formula = verdicts(loops, "1 / x = 1 & false").lazy;
  CHECK((in_formula.error && !in_formula.holds && !in_formula.fails));
  CHECK(holds(loops, "x = 0 | 1 / x = 1"));
}

}  // namespace
}  // namespace cohort::oracle
