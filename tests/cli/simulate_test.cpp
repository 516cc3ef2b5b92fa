// cohort simulate, as a user sees it; what its traces mean is checked by the differential tests.
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

TEST_CASE("simulate prints the same run for the same seed", "[simulate]") {
  const RunResult first = run_cohort({"simulate", "models/german.coh", "--steps", "7"});
  CHECK(first.status == 0);
  CHECK(first.out.find("\n7  ") != std::string::npos);
  CHECK(first.out.find("7 steps with seed 0\n") != std::string::npos);
  CHECK(run_cohort({"simulate", "models/german.coh", "--steps", "7", "--seed", "0"}).out ==
        first.out);
  CHECK(run_cohort({"simulate", "models/german.coh", "--steps", "7", "--seed", "1"}).out !=
        first.out);
}

TEST_CASE("simulate as JSON has the shape of evidence", "[simulate]") {
  const RunResult result =
      run_cohort({"simulate", "models/peterson.coh", "--steps", "20", "--format", "json"});
  CHECK(result.status == 0);
  const json report = json::parse(result.out);
  CHECK(report["command"] == "simulate");
  CHECK(report["end"] == "steps");
  CHECK(report["evidence"]["steps"].size() == 20);
  CHECK(report["evidence"]["initial"]["phase[0]"] == "idle");
  CHECK(report["errors"].empty());
}

TEST_CASE("a simulated trace is read by cohort trace", "[simulate]") {
  const TemporaryFolder folder;
  const std::string file = folder.path("run.trace");
  const RunResult result = run_cohort(
      {"simulate", "models/peterson_two.coh", "--steps", "500", "--trace", file, "--quiet"});
  CHECK(result.status == 0);
  CHECK(result.out.empty());
  CHECK(result.err.empty());
  const std::string turn_about =
      "G(crit[0] = 1 -> (!(crit[1] = 1) W crit[0] = 0)) & "
      "G(crit[1] = 1 -> (!(crit[0] = 1) W crit[1] = 0))";
  CHECK(run_cohort({"trace", file, "--ltl", turn_about}).status == 0);
  CHECK(run_cohort({"trace", file, "--ctl", "AG !(crit[0] = 1 & crit[1] = 1)"}).status == 0);

  // Both are in at once in some order of some run.
  bool found = false;
  for (int seed = 0; seed < 20 && !found; ++seed) {
    REQUIRE(run_cohort({"simulate", "models/peterson_two_faulty.coh", "--seed",
                        std::to_string(seed), "--trace", file, "-q"})
                .status == 0);
    const RunResult checked =
        run_cohort({"trace", file, "--ctl", "AG !(crit[0] = 1 & crit[1] = 1)"});
    REQUIRE((checked.status == 0 || checked.status == 1));
    found = checked.status == 1;
  }
  CHECK(found);
}

TEST_CASE("simulate --trace - writes the trace and nothing else", "[simulate]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model,
             "Module client = 2; Enum Phase = { idle, holding };\n"
             "lk[client] : Phase = idle; free : bool = true; owner : client? = none;\n"
             "k of client : {\n"
             "  [take] lk[k] == idle & free -> lk[k] = holding, free = false, owner = k;\n"
             "}\n");
  const RunResult result = run_cohort({"simulate", model, "--trace", "-", "--seed", "2"});
  CHECK(result.status == 0);
  const bool first = result.out.find("# take(0)") != std::string::npos;
  const std::string who = first ? "0" : "1";
  CHECK(result.out ==
        "process client(0) client(1)\n"
        "init lk[0] = \"idle\"\ninit lk[1] = \"idle\"\ninit free = 1\n"
        "init owner = -1\n"
        "client(" +
            who + ")  lk[" + who + "] := \"holding\", free := 0, owner := " + who + "  # take(" +
            who + ")\n");
}

TEST_CASE("simulate says a deadlock, a model error and a file that cannot be written",
          "[simulate]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model, "Module m = 1; x : 0..2 = 0; k of m : { [up] x < 2 -> x = x + 1; }\n");
  RunResult result = run_cohort({"simulate", model});
  CHECK(result.status == 0);
  CHECK(result.out.find("2 steps with seed 0; then a deadlock") != std::string::npos);
  result = run_cohort({"simulate", model, "--trace", folder.path("no/such/folder")});
  CHECK(result.status == 2);
  CHECK(result.err.find("cannot write") != std::string::npos);

  write_text(model, "Module m = 1; x : 0..2 = 0; k of m : { [up] true -> x = x + 1; }\n");
  result = run_cohort({"simulate", model, "--format", "json"});
  CHECK(result.status == 2);
  CHECK(result.err.find("3 is outside the type of 'x'") != std::string::npos);
  const json report = json::parse(result.out);
  CHECK(report["end"] == "error");
  CHECK(report["errors"].size() == 1);
  CHECK(report["evidence"]["steps"].size() == 2);
}

}  // namespace
}  // namespace cohort
