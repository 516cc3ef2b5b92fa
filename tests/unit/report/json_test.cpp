#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/json.hpp"
#include "unit/report/example.hpp"

namespace cohort::report {
namespace {

using nlohmann::json;

[[nodiscard]] Run example_run(const lang::Loaded& loaded) {
  Run run;
  run.command = "check";
  run.version = "1";
  run.input = "example.coh";
  run.loaded = &loaded;
  return run;
}

[[nodiscard]] json written(const Run& run) {
  std::ostringstream out;
  write_json(out, run);
  return json::parse(out.str());
}

}  // namespace

TEST_CASE("evidence in JSON has names, complete states and typed values", "[report]") {
  const lang::Loaded loaded = load_example();
  Run run = example_run(loaded);
  run.results.push_back({&loaded.formulas.front(), {}});
  run.results.front().answer.verdict = base::Verdict::Fails;
  run.results.front().answer.evidence = example_evidence(loaded);
  const json property = written(run)["properties"][0];
  CHECK(property["formula"] == "AG (lk[0] = idle | lk[1] = idle)");
  CHECK_FALSE(property.contains("evaluation"));  // 0 and 1 are literals
  const json& evidence = property["evidence"];
  CHECK(evidence["initial"].size() == num_instances);
  CHECK(evidence["initial"]["lk[4]"] == "idle");
  CHECK(evidence["initial"]["owner"].is_null());
  CHECK(evidence["initial"]["flag[1]"] == false);
  CHECK(evidence["initial"]["q[1,4]"] == 0);
  CHECK(evidence["steps"] == json::parse(R"([
    {"label": "ask", "processes": {"k": 1, "t": 0}, "state": {"lk[1]": "waiting", "q[0,1]": 1}},
    {"label": "client#2", "processes": {"k": 1}, "state": {"owner": 1, "n": 1}},
    {"label": "client#2", "processes": {"k": 1}, "state": {}}])"));
  CHECK(evidence["loop"] == 2);
  CHECK(evidence["choices"] ==
        json::parse(R"([{"variable": "i", "module": "client", "process": 1}])"));
  CHECK(evidence["notes"][1] ==
        json::parse(R"({"position": 3, "formula": "lk[0] = idle", "holds": true})"));
}

TEST_CASE("the members come in the order of the contract", "[report]") {
  const lang::Loaded loaded = load_example();
  Run run = example_run(loaded);
  run.definitions.push_back({"client", 5});
  std::ostringstream out;
  write_json(out, run);
  CHECK(
      out.str() ==
      "{\n  \"tool\": \"cohort\",\n  \"version\": \"1\",\n  \"command\": \"check\",\n"
      "  \"input\": \"example.coh\",\n  \"definitions\": {\"client\": 5},\n  \"properties\": [],\n"
      "  \"errors\": []\n}\n");
}

TEST_CASE("a model error stands among the errors, with its path", "[report]") {
  const lang::Loaded loaded = load_example();
  Run run = example_run(loaded);
  run.results.push_back({&loaded.formulas[1], {}});
  cctl::Answer& answer = run.results.front().answer;
  answer.verdict = base::Verdict::Error;
  answer.error.emplace();
  answer.error->fault = {model::FaultKind::DivisionByZero, loaded.formulas[1].where, 0, 0};
  answer.error->in_formula = true;
  answer.error->path = example_evidence(loaded);
  const json report = written(run);
  CHECK(report["properties"][0]["verdict"] == "error");
  const json& error = report["errors"][0];
  CHECK(error["file"] == "example.coh");
  CHECK(error["line"] == 10);
  CHECK(error["message"] == "division by zero");
  CHECK(error["property"] == "z");
  CHECK_FALSE(error.contains("label"));
  CHECK(error["path"]["steps"].size() == 3);
}

TEST_CASE("findings about the input stand among the errors", "[report]") {
  const lang::Loaded loaded = lang::load_text("wrong.coh", "Program\nModule m = 0;", {});
  const json report = written(example_run(loaded));
  REQUIRE(report["errors"].size() == 1);
  CHECK(report["errors"][0]["line"] == 2);
  CHECK(report["errors"][0]["column"] == 12);
}

}  // namespace cohort::report
