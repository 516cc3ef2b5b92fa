#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_program.hpp"
#include "support/trace_models.hpp"

namespace cohort {

using support::run_cohort;
using support::RunResult;
using support::TemporaryFolder;
using support::write_text;

namespace {

/// Two valves: B must not open before A is closed; nothing orders the two events.
const std::string valves = "plc1 a := 0\nplc2 b := 1\n";
const std::string ordered_valves = "plc1 a := 0\nplc2 b := 1 after plc1#1\n";
const std::string closed_first = "!(b = 1) W a = 0";

}  // namespace

TEST_CASE("a trace that satisfies a formula is reported with exit status 0", "[cli][trace]") {
  const RunResult result =
      run_cohort({"trace", "-", "--input", "trace", "--ltl", closed_first}, ordered_valves);
  CHECK(result.err == "");
  CHECK(result.status == 0);
  CHECK(result.out.find("ltl1: holds") != std::string::npos);
  CHECK(result.out.find("explicit engine (all events are ordered)") != std::string::npos);
}

TEST_CASE("a violation shows the events that matter, then all of them", "[cli][trace]") {
  const RunResult result = run_cohort({"trace", "-", "--ltl", closed_first}, valves);
  CHECK(result.status == 1);
  CHECK(result.out.find("ltl1: fails") != std::string::npos);
  CHECK(result.out.find("the events that matter, in this order:\n    plc2#1  b := 1") !=
        std::string::npos);
  CHECK(result.out.find("an order of all events:\n    plc2#1 plc1#1\n") != std::string::npos);
  CHECK(result.out.find("symbolic engine (some events are not ordered)") != std::string::npos);
}

TEST_CASE("JSON evidence names all events, and replay judges it", "[cli][trace]") {
  const TemporaryFolder folder;
  const std::string trace = folder.path("valves.trace");
  const std::string monitor = folder.path("valve.mon");
  const std::string evidence = folder.path("evidence.json");
  write_text(trace, valves);
  write_text(monitor,
             "monitor valve\ninitial start\nbad early\nstart -> fine when a = 0\n"
             "start -> early when b = 1\n");
  const RunResult result = run_cohort({"trace", trace, "--ltl", closed_first, "--ltl", "F b = 1",
                                       "--monitor", monitor, "--format", "json"});
  CHECK(result.status == 1);
  const nlohmann::json json = nlohmann::json::parse(result.out);
  CHECK(json["tool"] == "cohort");
  CHECK(json["command"] == "trace");
  CHECK(json["input"] == trace);
  CHECK(json["errors"].empty());
  REQUIRE(json["properties"].size() == 3);
  CHECK(json["properties"][0]["name"] == "ltl1");
  CHECK(json["properties"][0]["verdict"] == "fails");
  CHECK(json["properties"][0]["expected"] == true);
  CHECK(json["properties"][0]["evidence"]["order"] == nlohmann::json::array({"plc2#1", "plc1#1"}));
  CHECK(json["properties"][0]["statistics"]["events"] == 2);
  CHECK(json["properties"][1]["verdict"] == "holds");
  CHECK(json["properties"][2]["name"] == "valve");
  CHECK(json["properties"][2]["verdict"] == "fails");

  write_text(evidence, result.out);
  const RunResult judged = run_cohort({"replay", trace, evidence});
  CHECK(judged.err == "");
  CHECK(judged.out == "ltl1: the evidence stands\nvalve: the evidence stands\n");
  CHECK(judged.status == 0);

  write_text(evidence, R"({"order": ["plc1#1", "plc2#1"]})");
  const RunResult refuted = run_cohort({"replay", trace, evidence, "--ltl", closed_first});
  CHECK(refuted.status == 1);
  CHECK(refuted.out == "evidence: refuted\n  the order satisfies the formula\n");
  write_text(evidence, R"({"order": ["plc2#1"]})");
  CHECK(run_cohort({"replay", trace, evidence, "--ltl", closed_first}).out ==
        "evidence: refuted\n  the order has 1 of 2 events\n");
  write_text(trace, ordered_valves);
  write_text(evidence, R"({"order": ["plc2#1", "plc1#1"]})");
  CHECK(
      run_cohort({"replay", trace, evidence, "--ltl", closed_first})
          .out.find("the event plc2#1 (line 2) stands before plc1#1 (line 1), which comes first") !=
      std::string::npos);
}

TEST_CASE("errors in a trace or a formula are listed and nothing is checked", "[cli][trace]") {
  const RunResult bad = run_cohort({"trace", "-", "--ltl", "F x = 1", "--format", "json"},
                                   "P1 x := 1 after P2#1\nP2 x :=\n");
  CHECK(bad.status == 2);
  const nlohmann::json json = nlohmann::json::parse(bad.out);
  CHECK(json["properties"].empty());
  REQUIRE(json["errors"].size() == 1);
  CHECK(json["errors"][0]["line"] == 2);
  const RunResult typo = run_cohort({"trace", "-", "--ltl", "G !(crti = 1)"}, "P1 crit := 1\n");
  CHECK(typo.status == 2);
  CHECK(typo.err.find("the trace never mentions a variable 'crti'") != std::string::npos);
  CHECK(typo.err.find("did you mean 'crit'?") != std::string::npos);
  CHECK(run_cohort({"trace", "no such file", "--ltl", "true"}).status == 2);
  CHECK(run_cohort({"trace", "-", "--monitor", "no such file"}, valves).status == 2);
  const RunResult two = run_cohort({"trace", "-", "--ltl", "a = b"}, valves);
  CHECK(two.status == 2);
  CHECK(two.err.find("names two variables") != std::string::npos);
}

TEST_CASE("with an error in one formula no other is checked, CTL neither", "[cli][trace]") {
  const RunResult bad = run_cohort({"trace", "-", "--ltl", "G !(crti = 1)", "--ltl", "F crit = 1",
                                    "--ctl", "AG crit = 0", "--format", "json"},
                                   "P1 crit := 1\n");
  CHECK(bad.status == 2);
  const nlohmann::json json = nlohmann::json::parse(bad.out);
  REQUIRE(json["properties"].size() == 3);
  CHECK(json["properties"][0]["verdict"] == "error");
  CHECK(json["properties"][1]["verdict"] == "unknown");
  CHECK(json["properties"][2]["verdict"] == "unknown");
}

TEST_CASE("a partial order is not extended", "[cli][trace]") {
  const RunResult bad =
      run_cohort({"trace", "-", "--extend", "loop", "--ltl", "F x = 1"}, "P1 x := 1\n");
  CHECK(bad.status == 2);
  CHECK(bad.err.find("--extend is for sequential traces") != std::string::npos);
}

TEST_CASE("a formula whose automaton is too large is checked with the letters of the trace",
          "[cli][trace]") {
  std::string formula = "G(";
  for (int i = 0; i < 24; ++i) {
    formula += (i == 0 ? "" : " & ") + ("(a = " + std::to_string(i) + " -> X[!]X[!]F b = ") +
               std::to_string(i) + ")";
  }
  const RunResult result = run_cohort({"trace", "-", "--ltl", formula + ")"},
                                      "P a := 1\nQ skip\nP b := 2\nP b := 1 after Q#1\n");
  CHECK(result.status == 0);
}

TEST_CASE("automata come in as HOA", "[cli][trace]") {
  const TemporaryFolder folder;
  const std::string hoa = folder.path("early.hoa");
  const RunResult made = run_cohort({"automaton", "--finite", "--negate", closed_first});
  REQUIRE(made.status == 0);
  write_text(hoa, made.out);
  CHECK(run_cohort({"trace", "-", "--automaton", hoa}, valves).status == 1);
  CHECK(run_cohort({"trace", "-", "--automaton", hoa}, ordered_valves).status == 0);
}

TEST_CASE("a monitor may be an automaton in HOA, on a partial order or not", "[cli][trace]") {
  const TemporaryFolder folder;
  const std::string hoa = folder.path("early.hoa");
  write_text(hoa, "/* a comment */\n" +
                      run_cohort({"automaton", "--finite", "--negate", closed_first}).out);
  CHECK(run_cohort({"trace", "-", "--monitor", hoa}, valves).status == 1);
  CHECK(run_cohort({"trace", "-", "--monitor", hoa}, ordered_valves).status == 0);
  CHECK(run_cohort({"trace", "-", "--sequential", "--monitor", hoa}, ordered_valves).status == 0);
}

TEST_CASE("a limit holds while a trace is read", "[cli][trace]") {
  std::string trace;
  for (int i = 0; i < 300'000; ++i) trace += "P1 x := 1 after P2#1\n";  // there is no P2
  const RunResult result = run_cohort({"trace", "-", "--ltl", "G x = 1", "--ctl", "AG x = 1",
                                       "--timeout", "0.000001", "--format", "json"},
                                      trace);
  CHECK(result.status == 3);
  const nlohmann::json report = nlohmann::json::parse(result.out);
  REQUIRE(report["properties"].size() == 2);
  CHECK(report["properties"][0]["verdict"] == "unknown");
  CHECK(report["properties"][1]["name"] == "ctl1");
  CHECK(report["errors"].empty());
  CHECK(run_cohort({"trace", "-", "--sequential", "--input", "trace", "--ltl", "G x = 1",
                    "--timeout", "0.000001"},
                   trace)
            .status == 3);
}

TEST_CASE("the JSON object in an event's text says what the event assigns", "[cli][trace]") {
  const std::string log =
      "a {\"a\":1}\nINFO sent {\"size\": 3}\nb {\"b\":1,\"a\":1}\n{\"size\": 4}\n";
  const auto check = [&](const std::string& formula) {
    return run_cohort({"trace", "-", "--input", "shiviz", "--ltl", formula}, log).status;
  };
  CHECK(check("size = 3 & event = \"INFO sent {\\\"size\\\": 3}\"") == 0);
  CHECK(check("X (size = 4 & !(event != \"\"))") == 0);
}

TEST_CASE("a limit gives unknown and exit status 3", "[cli][trace]") {
  const std::string trace = support::peterson_trace({.events = 200'000});
  const RunResult result =
      run_cohort({"trace", "-", "--ltl", support::mutex_formula(), "--timeout", "0.000001"}, trace);
  CHECK(result.status == 3);
  CHECK(result.out.find("ltl1: unknown") != std::string::npos);
}

TEST_CASE("the time limit is looked at while the automaton of a formula is made", "[cli][trace]") {
  std::string formula = "true";  // in any order: too many subsets
  std::string header = "a0";
  std::string trace = "P1 a0 := 0\n";
  for (int i = 0; i < 9; ++i) {
    const std::string n = std::to_string(i);
    formula += " & F(a" + n + " = 1 & X F(b" + n + " = 1))";
    trace += "P2 a" + n + " := 1\nP1 b" + n + " := 1\n";
    if (i > 0) header += ",a" + n;
    header += ",b" + n;
  }
  for (const char* const input : {"trace", "csv"}) {
    CAPTURE(input);
    const bool is_csv = input == std::string("csv");
    const RunResult result =
        run_cohort({"trace", "-", "--input", input, "--ltl", formula, "--timeout", "0.01"},
                   is_csv ? header + "\n" : trace);
    CHECK(result.status == 3);
    CHECK(result.out.find("ltl1: unknown (the time limit of 0.01 s was reached)") !=
          std::string::npos);
  }
}

TEST_CASE("a byte-order mark is no part of a trace", "[cli][trace]") {
  const std::string mark = "\xEF\xBB\xBF";
  const RunResult native =
      run_cohort({"trace", "-", "--input", "trace", "--ltl", "F x = 3"}, mark + "P1 x := 3\n");
  CHECK(native.out.find("ltl1: holds") != std::string::npos);
  const RunResult lines = run_cohort({"trace", "-", "--input", "jsonl", "--ltl", "F x = 3"},
                                     mark + R"({"process":"P1","set":{"x":3}})");
  CHECK(lines.out.find("ltl1: holds") != std::string::npos);
  const RunResult wrong =
      run_cohort({"trace", "-", "--input", "trace", "--ltl", "F x = 3"}, mark + "P1 x = 3\n");
  CHECK(wrong.err.find("-:1:6: error: ") != std::string::npos);
}

TEST_CASE("JUnit has a case for each property", "[cli][trace]") {
  const RunResult result = run_cohort(
      {"trace", "-", "--ltl", closed_first, "--ltl", "F a = 0", "--format", "junit"}, valves);
  CHECK(result.status == 1);
  CHECK(result.out.find("tests=\"2\" failures=\"1\"") != std::string::npos);
}

}  // namespace cohort
