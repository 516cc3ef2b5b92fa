// Evidence out of counted nodes, and quantifiers that are asked together.
#include <catch2/catch.hpp>
#include <string>

#include "cctl/check.hpp"
#include "cctl/gathered.hpp"
#include "cctl/replay.hpp"
#include "lang/load.hpp"
#include "model/program.hpp"

namespace cohort::cctl {
namespace {

/// A model with one formula.
lang::Loaded load(const std::string& program, const std::string& formula) {
  lang::Loaded loaded = lang::load_text("test.coh", program + "Formula f : " + formula + ";", {});
  REQUIRE(loaded.ok());
  return loaded;
}

/// By counting.
Answer check(const lang::Loaded& loaded) {
  REQUIRE(can_count(loaded.program));
  const model::Program program{loaded.program};
  base::Limits limits;
  return Checker(program, {}, limits).check(loaded.formulas.front());
}

Judgement judge(const lang::Loaded& loaded, const Answer& answer) {
  REQUIRE(answer.evidence);
  return replay(loaded.program, loaded.formulas.front(), *answer.evidence, answer.verdict);
}

/// Clients that ask, use and give back.
std::string lock(int num_clients) {
  return "Program Module client = " + std::to_string(num_clients) +
         "; at[client] : 0..2 = 0; i of client;\n"
         "k of client : { [ask] at[k] == 0 -> at[k] = 1;\n"
         "[enter] at[k] == 1 & ALL(i: at[i] != 2) -> at[k] = 2; [leave] at[k] == 2 -> at[k] = 0; "
         "}\n";
}

}  // namespace

TEST_CASE("a counterexample names the process that the formula names, among thousands",
          "[cctl][counting]") {
  const lang::Loaded loaded = load(lock(5000), "AG at[4711] != 2");
  const Answer answer = check(loaded);
  CHECK(answer.verdict == base::Verdict::Fails);
  CHECK(judge(loaded, answer).support == Judgement::Support::Shown);
  REQUIRE(answer.evidence->steps.size() == 2);
  CHECK(answer.evidence->steps[1].processes == std::vector<Value>{4711});
}

// Found with the assertions of the library: who is alone in a module was looked up among the kinds.
TEST_CASE("a formula may name the one process of a module beside one of many", "[cctl][counting]") {
  const lang::Loaded named = load(
      "Program Module desk = 1; Module client = 3; taken[desk] : bool; holds[client] : bool;\n"
      "d of desk; k of client : { [take] !taken[d] -> taken[d] = true, holds[k] = true; }\n",
      "EF(taken[desk(0)] & EF holds[1])");
  const Answer shown = check(named);
  CHECK(shown.verdict == base::Verdict::Holds);
  CHECK(judge(named, shown).support == Judgement::Support::Shown);
}

TEST_CASE("the processes that quantifiers choose are different where the formula says so",
          "[cctl][counting]") {
  const lang::Loaded loaded =
      load(lock(1500),
           "exists i in client . exists j in client . i != j & EF(at[i] = 1 & EX at[j] = 2)");
  const Answer answer = check(loaded);
  CHECK(answer.verdict == base::Verdict::Holds);
  CHECK(judge(loaded, answer).support == Judgement::Support::Shown);
  REQUIRE(answer.evidence->choices.size() == 2);
  CHECK(answer.evidence->choices[0].process != answer.evidence->choices[1].process);
}

TEST_CASE("a fair loop serves every one of many processes", "[cctl][counting]") {
  const lang::Loaded loaded =
      load(lock(80), "forall i in client . AG(at[i] = 1 -> Afair F at[i] = 2)");
  const Answer answer = check(loaded);
  CHECK(answer.verdict == base::Verdict::Fails);
  CHECK(judge(loaded, answer).support == Judgement::Support::Shown);
}

TEST_CASE("a loop goes round until displaced processes are where they were", "[cctl][counting]") {
  // One node: a process each with 0, 1 and 2, and two with 3 and 4 that change places.
  const lang::Loaded loaded = load(
      "Program Module one = 1; Module m = 5; x[m] : 0..4 = 0; i of m;\n"
      "Init x[1] = 1; Init x[2] = 2; Init x[3] = 3; Init x[4] = 4;\n"
      "o of one : { [turn] true -> ALL(i: x[i] = x[i] < 3 ? (x[i] + 1) % 3 : 7 - x[i]); }\n",
      "EG COUNT(i in m : x[i] = 0) = 1");
  const Answer answer = check(loaded);
  CHECK(answer.verdict == base::Verdict::Holds);
  CHECK(judge(loaded, answer).support == Judgement::Support::Shown);
  CHECK(answer.statistics.states == 1);
  CHECK(answer.evidence->steps.size() == 6);
  CHECK(answer.evidence->loop == 0);
}

TEST_CASE("errors of the program and of the formula come with a path of real processes",
          "[cctl][counting]") {
  const std::string program =
      "Program Module m = 3000; x[m] : 0..2 = 0; Init x[2999] = 1; k, j of m;\n"
      "k of m : { [up] x[k] > 0 -> x[k] = x[k] + 1; [both] x[k] == 1 & x[j] == 0 -> x[j] = 0; }\n";
  const lang::Loaded faulty = load(program, "AG COUNT(i in m : x[i] = 2) < 2");
  const Answer answer = check(faulty);
  CHECK(answer.verdict == base::Verdict::Error);
  REQUIRE(answer.error);
  CHECK(answer.error->processes == std::vector<Value>{2999});
  CHECK(replay_error(faulty.program, faulty.formulas.front(), *answer.error).ok());

  const lang::Loaded division = load(lock(2000), "forall i in client . AG 4 / (2 - at[i]) > 0");
  const Answer blamed = check(division);
  CHECK(blamed.verdict == base::Verdict::Error);
  REQUIRE(blamed.error);
  CHECK(blamed.error->path.steps.size() == 2);
  CHECK(replay_error(division.program, division.formulas.front(), *blamed.error).ok());
}

TEST_CASE("quantifiers over whole modules are asked together, others one by one",
          "[cctl][counting]") {
  const auto gathers = [](const std::string& formula) {
    const lang::Loaded loaded = load(lock(5), formula);
    return gather_quantifiers(loaded.formulas.front()).has_value();
  };
  CHECK(gathers("forall i in client . AG at[i] != 2"));
  CHECK(gathers("forall i, j in client . (i != j -> AG(at[i] != 2 | at[j] != 2))"));
  CHECK(gathers("exists i in client . i != client(3) & EF at[i] = 2"));
  CHECK(gathers("forall i in client . AG(at[i] = 1 -> Afair F at[i] = 2)"));
  CHECK_FALSE(gathers("forall i in client{0, 2} . AG at[i] != 2"));
  CHECK_FALSE(gathers("forall i in client . (at[i] = 1 -> AG at[i] != 2)"));
  CHECK_FALSE(gathers("forall i in client . AF at[i] = 2"));
  CHECK_FALSE(gathers("forall i in client . EF at[i] = 2"));
  CHECK_FALSE(gathers("AG forall i in client . at[i] != 2"));
}

TEST_CASE("asking together saves the nodes of named processes", "[cctl][counting]") {
  const lang::Loaded loaded =
      load(lock(300), "forall i, j in client . (i != j -> AG(at[i] != 2 | at[j] != 2))");
  const Answer answer = check(loaded);
  CHECK(answer.verdict == base::Verdict::Holds);
  CHECK(answer.statistics.states == 601);
  CHECK(answer.statistics.marks == 601);
}

TEST_CASE("asking together saves them where processes are related, too", "[cctl]") {
  const lang::Loaded loaded = load(
      "Program Module node = 5; knows[node, node] : bool;"
      "n of node : { [tell] m != n & !knows[m, n] -> knows[m, n] = true; } m of node;",
      "forall i, j in node . i = j -> AG !knows[i, j]");
  REQUIRE_FALSE(can_count(loaded.program));
  const model::Program program{loaded.program};
  base::Limits limits;
  const Answer together = Checker(program, {}, limits).check(loaded.formulas.front());
  CHECK(together.verdict == base::Verdict::Holds);
  CHECK(together.statistics.states == 9608);  // digraphs with five vertices, up to isomorphism
  CHECK(together.statistics.marks == 9608);
  Options one_by_one;
  one_by_one.counting = Counting::Off;
  const Answer apart = Checker(program, one_by_one, limits).check(loaded.formulas.front());
  CHECK(apart.verdict == base::Verdict::Holds);
  CHECK(apart.statistics.marks > together.statistics.marks);
}

}  // namespace cohort::cctl
