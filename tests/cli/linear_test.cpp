#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_program.hpp"

namespace cohort {

using support::run_cohort;
using support::RunResult;
using support::TemporaryFolder;
using support::write_text;

namespace {
const std::string controller = "models/resource_controller.coh";

[[nodiscard]] RunResult ask(const std::string& model, std::vector<std::string> more) {
  more.insert(more.begin(), {"check", model, "--quiet", "--no-witness", "--property", "ltl1"});
  return run_cohort(more);
}
}  // namespace

TEST_CASE("whenever somebody asks, somebody is granted the resource", "[cli][online]") {
  for (const char* const engine : {"full", "quotient"}) {
    const RunResult result = ask(controller, {"--ltl", "G(ask -> F grant)", "--view", "actions",
                                              "--engine", engine, "-D", "client=5"});
    CHECK(result.out == "ltl1: holds\n");
    CHECK(result.status == 0);
  }
}

TEST_CASE("on the empty word labels do not hold, under a quantifier neither", "[cli][online]") {
  const std::string model = "tests/cli/ends_at_once.coh";
  for (const char* const engine : {"full", "quotient"}) {
    CAPTURE(engine);
    const auto verdict = [&](const std::string& formula) {
      return ask(model, {"--ltl", formula, "--view", "actions", "--engine", engine}).out;
    };
    CHECK(verdict("forall i in client . (go -> go)") == "ltl1: holds\n");
    CHECK(verdict("forall i in client . !go(i)") == "ltl1: holds\n");
    CHECK(verdict("exists i in client . !go(i)") == "ltl1: holds\n");
    CHECK(verdict("forall i in client . go(i) <-> go") == "ltl1: holds\n");
    CHECK(verdict("forall i in client . go(i)") == "ltl1: fails\n");
  }
}

TEST_CASE("a quantifier in brackets is an element of a regular expression", "[cli][online]") {
  for (const char* const engine : {"full", "quotient"}) {
    CAPTURE(engine);
    const auto verdict = [&](const std::string& formula) {
      return ask(controller, {"--ltl", formula, "--engine", engine, "-D", "client=3"}).out;
    };
    CHECK(verdict("{(forall i in client . lk[i] = 0) ; !(forall i in client . lk[i] = 0)}") ==
          "ltl1: holds\n");
    CHECK(verdict("{(forall i in client . lk[i] = 0)[*2]}") == "ltl1: fails\n");
    CHECK(verdict("forall j in client . {true[*] ; (exists i in client . i != j & lk[i] = 2) : "
                  "lk[j] = 2} |-> false") == "ltl1: holds\n");
    CHECK(verdict("{true[*] ; (exists i in client . forall j in client . i = j | lk[j] = 0) & "
                  "lk[0] = 2} |=> lk[0] = 0") == "ltl1: fails\n");
  }
  CHECK_THAT(run_cohort({"check", controller, "--ltl", "{(forall i in client . F lk[i] = 0)}"}).err,
             Catch::Contains("this is no condition on one position of a run"));
}

TEST_CASE("conditions in regular expressions stop early, however they are joined",
          "[cli][online]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model,
             "Program Module client = 2; o : client?; y[client] : 0..1;\n"
             "k of client : { [own] o == none -> o = k, y[k] = 1; }\n");
  for (const char* const holds :
       {"{o = none | y[o] = 0}", "{(o = none | y[o] = 0) ; o != none}",
        "{!(o != none && y[o] = 0)}", "{!(o != none & y[o] = 0)}",
        "{o != none && y[o] = 0} |-> false", "{true ; (o = none | y[o] = 1) && o != none}",
        "{o = client(1) && y[o] = 0 -> false}"}) {
    CAPTURE(holds);
    const RunResult result = run_cohort({"check", model, "--quiet", "--ltl", holds});
    CHECK(result.out == "ltl1: holds\n");
    CHECK(result.err == "");
  }
  CHECK(run_cohort({"check", model, "--ltl", "{y[o] = 0 | o = none}"}).status == 2);
}

TEST_CASE("of the processes of an empty set all are fired and none is", "[cli][online]") {
  const auto verdict = [&](const std::string& formula) {
    return ask(controller, {"--ltl", formula, "-D", "client=2"}).out;
  };
  // Client 2 is left out where there are two.
  CHECK(verdict("exists i in client{2} . ask(i)") == "ltl1: fails\n");
  CHECK(verdict("G !(exists i in client{2} . ask(i))") == "ltl1: holds\n");
  CHECK(verdict("G forall i in client{2} . ask(i)") == "ltl1: holds\n");
  CHECK(verdict("G (COUNT(i in client{2} : ask(i)) = 0 & (ask | !ask))") == "ltl1: holds\n");
  CHECK(verdict("{(exists i in client{2} . ask(i))[+]} |-> false") == "ltl1: holds\n");
}

TEST_CASE("processes that look alike are not alike for a later quantifier over a set",
          "[cli][online]") {
  for (const char* const engine : {"full", "quotient"}) {
    CAPTURE(engine);
    const auto verdict = [&](const std::string& formula) {
      return ask(controller, {"--ltl", formula, "--engine", engine, "-D", "client=3"}).out;
    };
    CHECK(verdict("forall i in client, j in client{0} . G i = j") == "ltl1: fails\n");
    CHECK(verdict("forall i in client . forall j in client{0, 2} . F(i != j | lk[j] = 9)") ==
          "ltl1: fails\n");
    CHECK(verdict("forall i in client{1-}, j in client{0} . G i != j") == "ltl1: holds\n");
  }
}

TEST_CASE("a quantifier that no atom needs hides no choice of another", "[cli][online]") {
  for (const char* const engine : {"full", "quotient"}) {
    CAPTURE(engine);
    const RunResult result = ask(
        controller, {"--ltl", "forall i in client . forall j in client{0, 1} . G i != client(1)",
                     "--engine", engine, "-D", "client=3"});
    CHECK(result.out == "ltl1: fails\n");
  }
}

TEST_CASE("LTL and CTL agree where both can say it", "[cli][online]") {
  struct Pair {
    std::string ltl;
    std::string cctl;
  };
  for (const Pair& pair :
       {Pair{"forall i, j in client . i != j -> G !(lk[i] = 2 & lk[j] = 2)",
             "forall i, j in client . i != j -> AG !(lk[i] = 2 & lk[j] = 2)"},
        Pair{"forall i in client . G(lk[i] = 1 -> F lk[i] = 2)",
             "forall i in client . AG(lk[i] = 1 -> AF lk[i] = 2)"},
        Pair{"G(lk[0] = 1 -> F lk[0] = 2)", "AG(lk[0] = 1 -> AF lk[0] = 2)"},
        Pair{"F COUNT(i in client : lk[i] = 1) >= 2", "AF COUNT(i in client : lk[i] = 1) >= 2"}}) {
    CAPTURE(pair.ltl);
    const RunResult branching = run_cohort({"check", controller, "--quiet", "--property", "cctl1",
                                            "--cctl", pair.cctl, "-D", "client=4"});
    for (const char* const engine : {"full", "quotient"}) {
      CHECK(ask(controller, {"--ltl", pair.ltl, "--engine", engine, "-D", "client=4"}).status ==
            branching.status);
    }
  }
}

TEST_CASE("fairness is about processes, also in linear time", "[cli][online]") {
  const std::string model = "models/resource_controller.coh";
  const std::string served = "G(lk[0] = 1 -> F lk[0] = 2)";
  CHECK(ask(model, {"--ltl", served, "--fair", "-D", "client=3"}).out == "ltl1: holds\n");
  const std::string other = "G(lk[1] = 1 -> F lk[1] = 2)";
  CHECK(ask(model, {"--ltl", other, "--fair", "-D", "client=3"}).out == "ltl1: fails\n");
}

TEST_CASE("the connect-disconnect protocol has as many states as the paper says", "[cli][online]") {
  for (const int n : {1, 2, 3, 4, 5, 10, 25}) {
    const int states = n * n / 4 + 3 * (n + 1);
    CAPTURE(n);
    const RunResult all =
        run_cohort({"check", "models/connect_disconnect.coh", "--ltl", "true", "--property", "ltl1",
                    "--heap", "1000", "--format", "json", "-D", "N=" + std::to_string(n)});
    CHECK(all.status == 0);
    const nlohmann::json report = nlohmann::json::parse(all.out);
    CHECK(report["properties"][0]["statistics"]["generated"] == states);
    CHECK(report["properties"][0]["statistics"]["forgotten"] == 0);
  }
}

TEST_CASE("a verdict does not depend on the heap", "[cli][online]") {
  for (const char* const formula :
       {"true", "G(open -> F opened)", "G F disconnect", "G(close -> X !close)"}) {
    CAPTURE(formula);
    const std::string all =
        ask("models/connect_disconnect.coh", {"--ltl", formula, "-D", "N=3"}).out;
    for (const char* const heap : {"1", "2", "5", "14", "100"}) {
      for (const char* const seed : {"1", "2"}) {
        const std::string out = ask("models/connect_disconnect.coh",
                                    {"--ltl", formula, "-D", "N=3", "--heap", heap, "--seed", seed})
                                    .out;
        CHECK(out.substr(0, out.find('\n') + 1) == all);
      }
    }
  }
}

TEST_CASE("an automaton accepts the bad runs", "[cli][online]") {
  const support::TemporaryFolder folder;
  for (const char* const formula : {"G(ask -> F grant)", "G(grant -> X take)"}) {
    const RunResult made = run_cohort({"automaton", formula, "--negate"});
    const std::string path = folder.path("bad.hoa");
    support::write_text(path, made.out);
    const RunResult by_formula = run_cohort(
        {"check", controller, "--quiet", "--property", "ltl1", "--ltl", formula, "-D", "client=3"});
    const RunResult by_automaton =
        run_cohort({"check", controller, "--quiet", "--property", "automaton1", "--automaton", path,
                    "-D", "client=3"});
    CHECK(by_automaton.status == by_formula.status);
    CHECK(by_automaton.err.empty());
  }
}

TEST_CASE("evidence against an LTL formula is replayed from a report", "[cli][online]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.path("report.json");
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--ltl", "forall i in client . G(ask(i) -> F grant(0, i))"},
        {"--ltl", "G lk[i] != 2", "--evaluate", "i=2"},
        {"--ltl", "G(ask -> F grant)", "--finite"},
        {"--ltl", "forall i in client . G(lk[i] = 1 -> F lk[i] = 2)", "--fair"},
        {"--ltl", "G(grant -> X take)", "--heap", "50"}}) {
    std::vector<std::string> words{"check", controller, "-D",         "client=3", "--format",
                                   "json",  "--quiet",  "--property", "ltl1"};
    words.insert(words.end(), more.begin(), more.end());
    const RunResult result = run_cohort(words);
    REQUIRE(result.status == 1);
    support::write_text(path, result.out);
    const RunResult replayed = run_cohort({"replay", controller, path});
    CHECK(replayed.status == 0);
    CHECK_THAT(replayed.out, Catch::Contains("which shows that the property fails"));
    // Of another formula it shows nothing.
    nlohmann::json report = nlohmann::json::parse(result.out);
    report["properties"][0]["formula"] = "true";
    support::write_text(path, report.dump());
    CHECK(run_cohort({"replay", controller, path}).status == 1);
  }
}

TEST_CASE("mistakes in LTL formulas are found where they are", "[cli][online]") {
  const auto error = [](const std::string& formula, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--ltl", formula});
    const RunResult result = ask(controller, more);
    CHECK(result.status == 2);
    return result.err;
  };
  CHECK_THAT(error("G(grnt(0, 1) -> F take)"),
             Catch::Contains("ltl1:1:3: error: unknown label 'grnt'") &&
                 Catch::Contains("did you mean 'grant'?"));
  CHECK_THAT(error("G grant(0)"), Catch::Contains("'grant' has 2 processes"));
  CHECK_THAT(error("G(ask & lk[0] = 1)"),
             Catch::Contains("a condition on states in a formula about actions"));
  CHECK_THAT(error("G ask", {"--view", "states"}),
             Catch::Contains("a label in a formula about states"));
  CHECK_THAT(error("G lk[i] = 0"), Catch::Contains("free process variable 'i' has no value"));
  CHECK_THAT(error("G lk[99] = 0"), Catch::Contains("process 99 is beyond module 'client'"));
}

TEST_CASE("all mistakes of all formulas come at once", "[cli][online]") {
  const RunResult result =
      run_cohort({"check", controller, "--cctl", "AG lkk[0] = 0", "--ltl",
                  "G(lk[0] = 0 -> F lkkk[1] = 2 & asj(3) & lk[k] = 3 & grant(1))", "--ltl", "G ("});
  CHECK(result.status == 2);
  for (const char* const part :
       {"cctl1:1:4: error: unknown name 'lkk'", "ltl1:1:18: error: unknown name 'lkkk'",
        "ltl1:1:32: error: unknown label 'asj'", "free process variable 'k' has no value",
        "'grant' has 2 processes", "ltl2:1:4: error: expected a formula"}) {
    CHECK_THAT(result.err, Catch::Contains(part));
  }
}

}  // namespace cohort
