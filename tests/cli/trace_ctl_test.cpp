#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/run_program.hpp"

namespace cohort {
namespace {

using nlohmann::json;
using support::run_cohort;
using support::RunResult;
using support::TemporaryFolder;
using support::write_text;

/// Two processes that do not know of each other: both can be in their critical section.
const std::string race = "P1 crit1 := 1\nP2 skip\nP2 crit2 := 1\nP1 crit1 := 0\nP2 crit2 := 0\n";

[[nodiscard]] std::string race_file(const TemporaryFolder& folder) {
  write_text(folder.path("race.trace"), race);
  return folder.path("race.trace");
}

TEST_CASE("a CTL formula that fails on a trace shows a cut and a path to it", "[cli][trace]") {
  const TemporaryFolder folder;
  const RunResult result = run_cohort(
      {"trace", race_file(folder), "--ctl", "AG !(crit1 = 1 & crit2 = 1)", "--format", "json"});
  CHECK(result.status == 1);
  const json report = json::parse(result.out);
  CHECK(report["command"] == "trace");
  const json& property = report["properties"][0];
  CHECK(property["name"] == "ctl1");
  CHECK(property["verdict"] == "fails");
  CHECK(property["evidence"]["kind"] == "counterexample");
  CHECK(property["evidence"]["cut"] == json{{"P1", 1}, {"P2", 2}});
  CHECK(property["evidence"]["path"] == json{"P1#1", "P2#1", "P2#2"});
  CHECK(property["statistics"]["events"] == 5);
  CHECK(property["statistics"]["nodes"].is_number());
}

TEST_CASE("a CTL formula that holds because of one cut shows it as a witness", "[cli][trace]") {
  const TemporaryFolder folder;
  const RunResult result = run_cohort(
      {"trace", race_file(folder), "--ctl", "EF(crit1 = 1 & crit2 = 1)", "--format", "json"});
  CHECK(result.status == 0);
  const json report = json::parse(result.out);
  CHECK(report["properties"][0]["evidence"]["kind"] == "witness");
}

TEST_CASE("replay judges a cut and the path to it", "[cli][trace]") {
  const TemporaryFolder folder;
  const std::string trace = race_file(folder);
  const std::string saved = folder.path("evidence.json");
  for (const char* const formula :
       {"AG !(crit1 = 1 & crit2 = 1)", "EF(crit1 = 1 & crit2 = 1)", "AF(crit1 = 1 & crit2 = 1)",
        "E[crit2 = 0 U crit1 = 1]", "AG(crit1 = 1 -> AX crit1 = 1)"}) {
    CAPTURE(formula);
    const RunResult checked = run_cohort({"trace", trace, "--ctl", formula, "--format", "json"});
    write_text(saved, checked.out);
    CHECK(run_cohort({"replay", trace, saved}).out == "ctl1: the evidence stands\n");
    // Without its report, and against the opposite.
    const json evidence = json::parse(checked.out)["properties"][0]["evidence"];
    write_text(saved, evidence.dump());
    CHECK(run_cohort({"replay", trace, saved}).status == 1);
    CHECK(run_cohort({"replay", trace, saved, "--ctl", formula}).status == 0);
    CHECK(run_cohort({"replay", trace, saved, "--ctl", std::string("!(") + formula + ")"}).status ==
          1);
    json shorter = evidence;
    shorter["path"].erase(shorter["path"].size() - 1);
    write_text(saved, shorter.dump());
    CHECK(run_cohort({"replay", trace, saved, "--ctl", formula}).status == 1);
  }
}

TEST_CASE("replay wants evidence that shows the verdict", "[cli][trace]") {
  const TemporaryFolder folder;
  const std::string trace = race_file(folder);
  const std::string saved = folder.path("evidence.json");
  const RunResult checked =
      run_cohort({"trace", trace, "--ctl", "AG !(crit1 = 1 & crit2 = 1)", "--format", "json"});
  const json report = json::parse(checked.out);
  const auto judge = [&](const json& changed) {
    write_text(saved, changed.dump());
    return run_cohort({"replay", trace, saved}).status;
  };
  CHECK(judge(report) == 0);
  // The formula is false in the empty cut as well, but nothing is shown there.
  json elsewhere = report;
  elsewhere["properties"][0]["evidence"]["cut"] = json{{"P1", 0}, {"P2", 0}};
  elsewhere["properties"][0]["evidence"]["path"] = json::array();
  CHECK(judge(elsewhere) == 1);
  json opposite = report;
  opposite["properties"][0]["verdict"] = "holds";
  CHECK(judge(opposite) == 1);
  // An operand that is true at once is what the path is about; a constant part needs none.
  for (const char* const formula :
       {"E[crit1 = 5 U EF(crit1 = 1 & crit2 = 1)]", "EG true & crit1 = 0"}) {
    CAPTURE(formula);
    const RunResult holds = run_cohort({"trace", trace, "--ctl", formula, "--format", "json"});
    REQUIRE(holds.status == 0);
    CHECK(judge(json::parse(holds.out)) == 0);
  }
}

TEST_CASE("every engine can be asked for, and auto says which it took and why", "[cli][trace]") {
  const TemporaryFolder folder;
  const std::string file = race_file(folder);
  for (const std::string engine : {"symbolic", "explicit", "detection"}) {
    CAPTURE(engine);
    const RunResult result =
        run_cohort({"trace", file, "--ctl", "AG !(crit1 = 1 & crit2 = 1)", "--engine", engine});
    CHECK(result.status == 1);
    CHECK(result.out.find(engine + " engine") != std::string::npos);
  }
  const RunResult result = run_cohort({"trace", file, "--ctl", "AG(crit1 = 1 -> AF crit2 = 1)"});
  CHECK(result.status == 1);
  CHECK(result.out.find("explicit engine (") != std::string::npos);
}

TEST_CASE("the option --where lists, counts and draws the cuts", "[cli][trace]") {
  const TemporaryFolder folder;
  const RunResult result =
      run_cohort({"trace", race_file(folder), "--quiet", "--ctl", "crit1 = 1 & crit2 = 1",
                  "--where", "--dot", folder.path("tree.dot")});
  CHECK(result.status == 1);
  CHECK(result.out.find("in 1 of 12 cuts") != std::string::npos);
  CHECK(result.out.find("    P1:1 P2:2\n") != std::string::npos);
  CHECK(result.out.find("     2 .#.\n") != std::string::npos);
  const std::string dot = support::read_text(folder.path("tree.dot"));
  CHECK(dot.starts_with("digraph cuts {"));
  CHECK(dot.find("label=\"2\"") != std::string::npos);
}

TEST_CASE("a spec file of CTL formulas is checked on a trace", "[cli][trace]") {
  const TemporaryFolder folder;
  write_text(folder.path("race.cctl"),
             "property mutex expect false : AG !(crit1 = 1 & crit2 = 1);\n"
             "property ends : AF(crit1 = 0 & crit2 = 0);\n");
  const RunResult result =
      run_cohort({"trace", race_file(folder), "--spec", folder.path("race.cctl")});
  CHECK(result.status == 0);
  CHECK(result.out.find("mutex: fails") != std::string::npos);
  CHECK(result.out.find("ends: holds") != std::string::npos);
}

TEST_CASE("what is wrong with a CTL formula on a trace is an error at its place", "[cli][trace]") {
  const TemporaryFolder folder;
  const std::string file = race_file(folder);
  const RunResult typo = run_cohort({"trace", file, "--ctl", "AG crit3 = 0", "--format", "json"});
  CHECK(typo.status == 2);
  const json report = json::parse(typo.out);
  CHECK(report["properties"][0]["verdict"] == "error");
  CHECK(report["errors"][0]["column"] == 4);
  CHECK(report["errors"][0]["message"] == "the trace has no variable 'crit3'");

  write_text(folder.path("unordered.trace"), "P1 x := 1\nP2 x := 2\n");
  const RunResult unordered =
      run_cohort({"trace", folder.path("unordered.trace"), "--ctl", "AG x < 3"});
  CHECK(unordered.status == 2);
  CHECK(unordered.err.find("line 1 (P1#1)") != std::string::npos);
  CHECK(unordered.err.find("line 2 (P2#1)") != std::string::npos);
}

}  // namespace
}  // namespace cohort
