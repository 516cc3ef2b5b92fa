// The words of `cohort check`.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_program.hpp"

namespace cohort {
namespace {

using support::run_cohort;
using support::RunResult;
using support::TemporaryFolder;
using support::write_text;

constexpr const char* lock_model =
    "Program Module client = 3; at[client] : 0..2 = 0;\n"
    "i of client;\n"
    "k of client : {\n"
    "  [ask] at[k] == 0 -> at[k] = 1;\n"
    "  [enter] at[k] == 1 & ALL(i: at[i] != 2) -> at[k] = 2;\n"
    "  [leave] at[k] == 2 -> at[k] = 0;\n"
    "  [jump] at[k] == 2 & EXISTS(i where i != k: at[i] == 2) -> at[k] = 0;\n"
    "}\n"
    "Formula\n"
    "  mutex : AG COUNT(i in client : at[i] = 2) <= 1;\n"
    "  first : AG at[i] != 2;\n"
    "Evaluation i = 2;\n";

/// A model of its own for each test.
struct Lock {
  TemporaryFolder folder;
  std::string model = folder.path("lock.coh");
  std::string spec = folder.path("lock.cctl");

  Lock() {
    write_text(model, lock_model);
    write_text(spec,
               "property never expect false : AG at[0] = 0;\n"
               "property wrong expect false : AG at[0] <= 2;\n");
  }

  [[nodiscard]] RunResult check(std::vector<std::string> words) const {
    words.insert(words.begin(), {"check", model});
    return run_cohort(words);
  }
};

[[nodiscard]] bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

}  // namespace

TEST_CASE("verdicts are said and expectations marked", "[cli]") {
  const Lock lock;
  const RunResult result =
      lock.check({lock.spec, "--no-witness", "--quiet", "--cctl", "EF at[1] = 2"});
  CHECK(result.out ==
        "mutex: holds\n"
        "first: fails\n"
        "never: fails (as expected)\n"
        "wrong: holds (expected to fail)\n"
        "cctl1: holds\n");
  CHECK(result.err.empty());
  CHECK(result.status == 1);
  CHECK(lock.check({"--property", "mutex"}).status == 0);
  CHECK(lock.check({lock.spec, "--property", "never"}).status == 0);
  CHECK(lock.check({lock.spec, "--property", "wrong"}).status == 1);
  CHECK(lock.check({"--property", "first"}).status == 1);
}

TEST_CASE("every engine gives the same verdicts", "[cli]") {
  const Lock lock;
  for (const char* const engine : {"quotient", "full"}) {
    for (const char* const elimination : {"on", "off"}) {
      for (const char* const build : {"lazy", "eager"}) {
        CAPTURE(engine, elimination, build);
        const RunResult result =
            lock.check({"--engine", engine, "--quantifier-elimination", elimination, "--build",
                        build, "--quiet", "--no-witness", "--jobs", "2", "--seed", "7"});
        CHECK(result.out == "mutex: holds\nfirst: fails\n");
      }
    }
  }
}

TEST_CASE("a counterexample shows every step and only what it changes", "[cli]") {
  const Lock lock;
  CHECK(lock.check({"--property", "first", "--quiet"}).out ==
        "first: fails\n"
        "  counterexample:\n"
        "   0  at[*] = 0\n"
        "      fails: AG at[i] != 2\n"
        "   1  ask(2)    at[2] = 1\n"
        "   2  enter(2)  at[2] = 2\n"
        "      fails: at[i] != 2\n");
}

TEST_CASE("the option --property names properties of every place, or is an error", "[cli]") {
  const Lock lock;
  CHECK(lock.check({"--cctl", "EF at[0] = 2", "--property", "cctl1", "--quiet", "--no-witness"})
            .out == "cctl1: holds\n");
  CHECK(lock.check({lock.spec, "--property", "never", "--property", "mutex", "--quiet",
                    "--no-witness"})
            .out == "mutex: holds\nnever: fails (as expected)\n");
  const RunResult near = lock.check({"--property", "mutx"});
  CHECK(near.status == 2);
  CHECK(near.out.empty());
  CHECK(near.err == "--property mutx: error: names no property\n  hint: did you mean 'mutex'?\n");
  const RunResult far = lock.check({"--property", "qqqqqqqq"});
  CHECK(far.err ==
        "--property qqqqqqqq: error: names no property\n  hint: there are: mutex, first\n");
}

TEST_CASE("the summary says what users of model checkers expect", "[cli]") {
  const Lock lock;
  // 2^3 states without a holder, 3 * 2^2 with one.
  const RunResult full =
      lock.check({"--property", "mutex", "--engine", "full", "--build", "eager"});
  CHECK(has(full.out, "\nstates       20\n"));
  CHECK(has(full.out, "\ndeadlocks    0\n"));
  CHECK(has(full.out, "\nnever fired  jump\n"));
  CHECK(has(full.out, "\ntime         "));
  CHECK(has(full.out, " bytes for each state\n"));
  CHECK_FALSE(has(lock.check({"--quiet"}).out, "states"));
}

TEST_CASE("a model without properties is explored", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(
      model,
      "Program Module m = 2; x[m] : 0..2 = 0; k of m : { [up] x[k] < 2 -> x[k] = x[k] + 1; }");
  const RunResult result = run_cohort({"check", model, "--engine", "full"});
  CHECK(result.status == 0);
  CHECK(has(result.out, "states       9\nedges        12\n"));
  CHECK(
      has(result.out, "deadlocks    1\n  one of them, after 4 steps:\n   0  x[*] = 0\n   1  up("));
  CHECK(run_cohort({"check", model, "--max-states", "3"}).status == 3);
}

TEST_CASE("a model error shows its place, its instance and the path", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model,
             "Program Module m = 2; x[m] : 0..1 = 0;\n"
             "k of m : { [up] x[k] <= 1 -> x[k] = x[k] + 1; }\n"
             "Formula p : AG x[0] <= 1; q : x[0] = 0;\n");
  const RunResult lazy = run_cohort({"check", model, "--quiet"});
  CHECK(lazy.status == 2);
  CHECK(lazy.out == "p: error\nq: holds\n");  // q needs no step
  CHECK(has(lazy.err, model + ":2:37: error: 2 is outside the type of 'x', 0..1\n"));
  CHECK(has(lazy.err, "\n      |                                     ^\n"));
  CHECK(has(lazy.err, "), after 1 step:\n   0  x[*] = 0\n   1  up("));
  const RunResult eager = run_cohort({"check", model, "--quiet", "--build", "eager"});
  CHECK(eager.status == 2);
  CHECK(eager.out == "p: error\nq: error\n");
}

TEST_CASE("a model error in a formula names the formula", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model,
             "Program Module m = 2; x[m] : 0..1 = 0; k of m : { [up] x[k] == 0 -> x[k] = 1; }");
  const RunResult result = run_cohort({"check", model, "--quiet", "--cctl", "AG 1 / x[0] < 7"});
  CHECK(result.status == 2);
  CHECK(result.out == "cctl1: error\n");
  CHECK(has(result.err, "cctl1:1:"));
  CHECK(has(result.err, "error: division by zero\n"));
  CHECK(has(result.err, "  in the formula 'cctl1', in this initial state:\n   0  x[*] = 0\n"));
}

TEST_CASE("words that make no sense are refused with a reason", "[cli]") {
  const Lock lock;
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"--engine", "fast"}, "'fast' is none of quotient|full"},
      {{"--quantifier-elimination", "maybe"}, "'maybe' is none of on|off"},
      {{"--build", "slow"}, "'slow' is none of lazy|eager"},
      {{"--format", "xml"}, "'xml' is none of text|json|junit"},
      {{"--progress", "yes"}, "'yes' is none of auto|always|never"},
      {{"--timeout", "0"}, "'0' is no number of seconds above 0"},
      {{"--timeout", "inf"}, "'inf' is no number of seconds above 0"},
      {{"--timeout", "5s"}, "'5s' is no number of seconds above 0"},
      {{"--max-memory", "4X"}, "'4X' is no size"},
      {{"--max-memory", "0"}, "'0' is no size"},
      {{"--max-memory", "99999999999G"}, "is no size"},
      {{"--max-states", "0"}, "'0' is no whole number above 0"},
      {{"--max-states", "-1"}, "'-1' is no whole number above 0"},
      {{"--jobs", "many"}, "'many' is no whole number above 0"},
      {{"--seed", "x"}, "--seed"},
      {{"-D", "client"}, "'client' is not of the form NAME=NUMBER"},
  };
  for (const auto& [words, message] : wrong) {
    CAPTURE(words);
    const RunResult result = lock.check(words);
    CHECK(result.status == 2);
    CHECK(has(result.err, message));
    CHECK(result.out.empty());
  }
  const RunResult unknown = run_cohort({"chekc", lock.model});
  CHECK(unknown.status == 2);
  CHECK(has(unknown.err, "there is no command 'chekc'; did you mean 'check'?"));
}

TEST_CASE("a wrong command line is a JSON object where one is asked for", "[cli]") {
  const Lock lock;
  const std::vector<std::vector<std::string>> wrong{
      {"check", lock.model, "--format", "json", "--bogus"},
      {"check", lock.model, "--format=json", "--timeout", "soon"},
      {"check", "--format", "json"},
      {"trace", "--format", "json"},
  };
  for (const std::vector<std::string>& words : wrong) {
    CAPTURE(words);
    const RunResult result = run_cohort(words);
    CHECK(result.status == 2);
    const auto report = nlohmann::json::parse(result.out);
    CHECK(report["command"] == words.front());
    CHECK(report["properties"].empty());
    REQUIRE(report["errors"].size() == 1);
    CHECK(has(result.err, report["errors"][0]["message"].get<std::string>()));
  }
}

TEST_CASE("options of linear time without a formula of linear time are told", "[cli]") {
  const Lock lock;
  const RunResult result = lock.check({"--fair"});
  CHECK(has(result.err, "say nothing without --ltl"));
  CHECK_FALSE(has(lock.check({"--fair", "--ltl", "G !deadlock"}).err, "without --ltl"));
}

TEST_CASE("a model in the place of a spec is one error", "[cli]") {
  const Lock lock;
  const RunResult result = run_cohort({"check", lock.model, lock.model});
  CHECK(result.status == 2);
  CHECK(has(result.err, ":1:1: error: this is a model, where a spec is expected\n"));
  CHECK_FALSE(has(result.err, "expected 'property'"));
}

TEST_CASE("sizes of memory have units", "[cli]") {
  const Lock lock;
  for (const char* const size :
       {"1G", "1g", "1GiB", "1GB", "1.5G", "900M", "4096000K", "1073741824"}) {
    CAPTURE(size);
    CHECK(lock.check({"--property", "mutex", "--max-memory", size}).status == 0);
  }
}

TEST_CASE("a number of steps or a seed below zero is refused", "[cli]") {
  const Lock lock;
  CHECK(run_cohort({"simulate", lock.model, "--steps", "-1"}).status == 2);
  CHECK(run_cohort({"simulate", lock.model, "--seed", "-1"}).status == 2);
  CHECK(lock.check({"--seed", "-1"}).status == 2);
  CHECK(run_cohort({"simulate", lock.model, "--steps", "0"}).status == 0);
}

}  // namespace cohort
