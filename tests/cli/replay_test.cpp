// Saved evidence, replayed: what stands, what does not, and what cannot be read.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "base/random.hpp"
#include "support/run_program.hpp"

namespace cohort {
namespace {

using nlohmann::json;
using support::run_cohort;
using support::RunResult;
using support::TemporaryFolder;
using support::write_text;

constexpr const char* model_text =
    "Program Module client = 3; Module desk = 1;\n"
    "Enum Phase = { idle, waiting, holding };\n"
    "lk[client] : Phase = idle; owner : client? = none; busy[desk] : bool = 0;\n"
    "k of client : {\n"
    "  [ask] lk[k] == idle -> lk[k] = waiting;\n"
    "  [take] lk[k] == waiting & owner == none -> lk[k] = holding, owner = k, busy[d] = 1;\n"
    "  [leave] owner == k -> lk[k] = idle, owner = none, busy[d] = 0;\n"
    "}\n"
    "d of desk;\n"
    "Formula\n"
    "  first : AG lk[i] != holding;\n"
    "  live : forall i in client . AG (lk[i] = waiting -> AF lk[i] = holding);\n"
    "  can : exists i in client . EF (lk[i] = holding & busy[0]);\n"
    "  mutex : AG COUNT(i in client : lk[i] = holding) <= 1;\n"
    "Evaluation i = 1;\n";

struct Saved {
  TemporaryFolder folder;
  std::string model = folder.path("m.coh");
  json report;

  Saved() {
    write_text(model, model_text);
    const RunResult result = run_cohort({"check", model, "--format", "json"});
    REQUIRE(result.status == 1);
    report = json::parse(result.out);
  }

  [[nodiscard]] RunResult replay(const json& evidence, std::vector<std::string> more = {}) const {
    return replay_text(evidence.dump(), std::move(more));
  }

  [[nodiscard]] RunResult replay_text(const std::string& text,
                                      std::vector<std::string> more = {}) const {
    const std::string file = folder.path("evidence.json");
    write_text(file, text);
    more.insert(more.begin(), {"replay", model, file});
    return run_cohort(more);
  }

  [[nodiscard]] json evidence(std::size_t property) const {
    return report["properties"][property]["evidence"];
  }
};

[[nodiscard]] bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

}  // namespace

TEST_CASE("the evidence of a report stands", "[cli][replay]") {
  const Saved saved;
  const RunResult whole = saved.replay(saved.report);
  CAPTURE(whole.out, whole.err);
  CHECK(whole.status == 0);
  CHECK(
      has(whole.out,
          "first: counterexample of 2 steps: a path of the program, which shows that the property "
          "fails\n"));
  CHECK(has(whole.out, "live: counterexample of "));
  CHECK(
      has(whole.out,
          "can: witness of 2 steps: a path of the program, which shows that the property holds\n"));
  CHECK(has(whole.out, "mutex: no evidence to replay\n"));

  const RunResult one = saved.replay(saved.report, {"--property", "can"});
  CHECK(one.status == 0);
  CHECK(has(one.out, "can: witness"));
  CHECK_FALSE(has(one.out, "first"));

  CHECK(saved.replay(saved.report["properties"][0]).status == 0);
  CHECK(saved.replay(saved.evidence(0)).out ==
        "evidence: counterexample of 2 steps: a path of the program\n");
  CHECK(saved.replay(saved.evidence(0), {"--property", "first"}).status == 0);
  CHECK(saved.replay(saved.evidence(0), {"--cctl", "AG lk[1] != holding"}).status == 0);

  const json as_json = json::parse(saved.replay(saved.report, {"--format", "json"}).out);
  CHECK(as_json["command"] == "replay");
  CHECK(as_json["properties"][0]["stands"] == true);
}

TEST_CASE("replay takes the values of free variables from the report alone", "[cli][replay]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  const std::string spec = folder.path("s.cctl");
  const std::string report = folder.path("report.json");
  // The model's `w` is a client, has no value there, and the spec's `w` is a desk.
  write_text(model,
             "Program Module client = 2; Module desk = 2; x[client] : bool; y[desk] : bool;\n"
             "k of client : { [set] x[k] == 0 -> x[k] = 1; }\n"
             "d of desk : { [put] y[d] == 0 -> y[d] = 1; }\n"
             "Formula own : AG x[w] = 0;\n");
  const auto check_and_replay = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"check", model});
    words.insert(words.end(), {"--format", "json"});
    const RunResult checked = run_cohort(words);
    CAPTURE(checked.err);
    REQUIRE(checked.status == 1);
    write_text(report, checked.out);
    const RunResult replayed = run_cohort({"replay", model, report});
    CAPTURE(replayed.out, replayed.err);
    CHECK(replayed.status == 0);
    CHECK(has(replayed.out, "which shows that the property fails"));
  };
  check_and_replay({"--evaluate", "w=1"});
  write_text(model,
             "Program Module client = 2; Module desk = 2; x[client] : bool; y[desk] : bool;\n"
             "k of client : { [set] x[k] == 0 -> x[k] = 1; }\n"
             "d of desk : { [put] y[d] == 0 -> y[d] = 1; }\n"
             "Formula own : AG x[w] = 0;\nEvaluation w = 0;\n");
  write_text(spec, "property other with w = 1 : AG y[w] = 0;");
  check_and_replay({spec});
}

TEST_CASE("commands that check no formula need no values for free variables", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model,
             "Program Module client = 2; x[client] : bool;\n"
             "k of client : { [set] x[k] == 0 -> x[k] = 1; }\n"
             "Formula own : AG x[w] = 0;\n");
  CHECK(run_cohort({"graph", model}).status == 0);
  CHECK(run_cohort({"simulate", model}).status == 0);
  CHECK(run_cohort({"explain", model}).status == 0);
  CHECK(run_cohort({"check", model}).status == 2);
}

TEST_CASE("the path to a deadlock that a summary has stands", "[cli][replay]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  const std::string file = folder.path("report.json");
  // From the initial state with x = 2 no deadlock can be reached.
  write_text(model,
             "Program Module m = 1; x[m] : 0..2 in { 0, 2 };\n"
             "k of m : { [go] x[k] < 1 -> x[k] = x[k] + 1; [stay] x[k] == 2 -> x[k] = 2; }\n"
             "Formula a : AG x[0] = 0; b : AG x[0] <= 2;\n");
  const RunResult checked = run_cohort({"check", model, "--format", "json"});
  CHECK(checked.status == 1);
  REQUIRE(json::parse(checked.out)["summary"].contains("deadlock"));
  write_text(file, checked.out);
  const RunResult result = run_cohort({"replay", model, file});
  CHECK(result.status == 0);
  CHECK(result.out.find("deadlock: counterexample of 1 step: a path") != std::string::npos);
}

TEST_CASE("evidence against another formula does not stand", "[cli][replay]") {
  const Saved saved;
  CHECK(saved.replay(saved.evidence(0), {"--cctl", "AG lk[0] != holding"}).status == 1);
  CHECK(saved.replay(saved.evidence(0), {"--property", "first", "--evaluate", "i=0"}).status == 1);
  // A path that stops too early.
  json shorter = saved.report;
  shorter["properties"][0]["evidence"]["steps"].erase(1);
  CHECK(saved.replay(shorter).status == 1);
  json turned = saved.report;
  turned["properties"][0]["verdict"] = "holds";
  CHECK(saved.replay(turned).status == 1);
  turned["properties"][0]["evidence"]["kind"] = "witness";
  CHECK(saved.replay(turned).status == 1);
}

TEST_CASE("every change of a path is noticed", "[cli][replay]") {
  const Saved saved;
  const auto changed = [&](const char* pointer, const json& value) {
    json evidence = saved.evidence(0);
    evidence[json::json_pointer(pointer)] = value;
    const RunResult result = saved.replay(evidence);
    CAPTURE(pointer, value, result.out, result.err);
    CHECK(result.status == 1);
    CHECK(has(result.out, "does not stand"));
  };
  changed("/initial/lk[0]", "waiting");
  changed("/initial/lk[0]", "sleeping");
  changed("/initial/lk[0]", 0);
  changed("/initial/lk[9]", "idle");
  changed("/initial/owner", -1);
  changed("/initial/owner", 2);
  changed("/initial/busy[0]", 1);
  changed("/steps/0/label", "take");
  changed("/steps/0/label", "nothing");
  changed("/steps/0/processes/k", 0);
  changed("/steps/0/processes/k", 3);
  changed("/steps/0/processes/k", 18446744073709551615U);
  changed("/steps/0/processes/z", 0);
  changed("/steps/0/processes", json::object());
  changed("/steps/0/state/lk[1]", "holding");
  changed("/steps/0/state/lk[0]", "waiting");
  changed("/steps/1/state", json::object());
  changed("/loop", 0);
  changed("/loop", 2);
  changed("/loop", -1);
  json shorter = saved.evidence(0);
  shorter["initial"].erase("owner");
  CHECK(has(saved.replay(shorter).out, "\"initial\" gives 'owner' no value"));
}

TEST_CASE("what is no evidence is refused", "[cli][replay]") {
  const Saved saved;
  for (const char* const text :
       {"", "{", "[]", "3", "null", "{}", "\"x\"", "{\"properties\": 3}", "{\"properties\": [3]}",
        "{\"properties\": [{\"name\": \"p\"}]}", "{\"steps\": []}",
        "{\"initial\": {}, \"steps\": 1}", "{\"kind\": \"proof\", \"initial\": {}, \"steps\": []}",
        "{\"initial\": {}, \"steps\": [3]}",
        "{\"initial\": {}, \"steps\": [{\"label\": 1, \"processes\": {}, \"state\": {}}]}",
        "{\"initial\": {}, \"steps\": [], \"loop\": \"x\"}",
        "{\"initial\": {}, \"steps\": [], \"choices\": [{}]}", "{\"a\": \"\xff\"}"}) {
    CAPTURE(text);
    const RunResult result = saved.replay_text(text);
    CHECK(result.status == 2);
    CHECK(has(result.err, "error: "));
    CHECK(json::parse(saved.replay_text(text, {"--format", "json"}).out)["errors"].size() > 0);
  }
  CHECK(run_cohort({"replay", saved.model, saved.folder.path("none.json")}).status == 2);
  CHECK(run_cohort({"replay", saved.folder.path("none.coh"), saved.model}).status == 2);
  json foreign = saved.report;
  foreign["properties"][0]["formula"] = "AG nobody[0] = 1";
  CHECK(saved.replay(foreign).status == 2);
  foreign["properties"][0]["formula"] = std::string(100'000, '(');
  CHECK(saved.replay(foreign).status == 2);
  CHECK(saved.replay_text(std::string(1'000'000, '[')).status == 2);
}

TEST_CASE("no damage of a report makes replay crash", "[cli][replay][random]") {
  const Saved saved;
  const std::string whole = saved.report.dump();
  const auto seed = GENERATE(range(1U, 61U));
  base::Random random{seed};
  std::string text = whole;
  const std::uint64_t changes = 1 + random.next() % 3;
  for (std::uint64_t i = 0; i < changes; ++i) {
    const auto at = static_cast<std::size_t>(random.next() % text.size());
    switch (random.next() % 3) {
      case 0:
        text.erase(at, 1 + random.next() % 8);
        break;
      case 1:
        text[at] = "{}[]\",:0-9a\\"[random.next() % 12];
        break;
      default:
        text.insert(at, whole.substr(random.next() % whole.size(), random.next() % 8));
        break;
    }
  }
  CAPTURE(seed, text);
  const int status = saved.replay_text(text).status;
  CHECK((status == 0 || status == 1 || status == 2));
}

}  // namespace cohort
