// cohort test: which models and specs belong together, what is counted, and what is said.
#include <sys/stat.h>

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

constexpr const char* counter =
    "Program Module m = 1; Const MAX = 3; x : 0..MAX = 0;\n"
    "k of m : { [up] x < MAX -> x = x + 1; }\n";

/// models/ and specs/ in a folder of its own.
struct Library {
  TemporaryFolder folder;
  std::string models = folder.path("models");
  std::string specs = folder.path("specs");

  Library() {
    REQUIRE(mkdir(models.c_str(), 0700) == 0);
    REQUIRE(mkdir(specs.c_str(), 0700) == 0);
  }
  void model(const std::string& name, const std::string& text) const {
    write_text(models + "/" + name + ".coh", text);
  }
  void spec(const std::string& name, const std::string& text) const {
    write_text(specs + "/" + name + ".cctl", text);
  }
};

[[nodiscard]] bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("test compares verdicts with what the specs expect", "[test]") {
  const Library library;
  library.model("a", counter);
  library.spec("a", "property ends : EF deadlock; property grows expect false : AG x = 0;\n");
  library.model("b", counter);
  RunResult result = run_cohort({"test", library.models, library.specs});
  CHECK(result.status == 0);
  CHECK(contains(result.out, "ok       ends   holds"));
  CHECK(contains(result.out, "ok       grows  fails"));
  CHECK(contains(result.out, "no properties: explored"));
  CHECK(contains(result.out, "\n3 passed, 0 failed in "));

  library.spec("b", "property stays : AG x = 0; property ends : AF deadlock;\n");
  result = run_cohort({"test", library.specs, library.models, "--quiet"});
  CHECK(result.status == 1);
  CHECK(contains(result.out, "FAILED   stays  fails"));
  CHECK(contains(result.out, "was expected to hold"));
  CHECK(contains(result.out, "\n3 passed, 1 failed in "));
  CHECK(!contains(result.out, "a.coh"));  // all is well there
}

TEST_CASE("test finds the other half of a model or a spec", "[test]") {
  const Library library;
  library.model("a", counter);
  library.spec("a", "property ends : EF deadlock;\n");
  for (const std::string& path :
       {library.models, library.specs, library.models + "/a.coh", library.specs + "/a.cctl"}) {
    CAPTURE(path);
    const RunResult result = run_cohort({"test", path});
    CHECK(result.status == 0);
    CHECK(contains(result.out, "1 passed, 0 failed"));
  }
  library.spec("lonely", "property p : true;\n");
  const RunResult result = run_cohort({"test", library.specs});
  CHECK(result.status == 2);
  CHECK(contains(result.err, "there is no model 'lonely.coh' for this spec"));
  CHECK(run_cohort({"test", library.models + "/none.coh"}).status == 2);
}

TEST_CASE("a model or its spec says with which sizes it is tested", "[test]") {
  const Library library;
  library.model("a",
                std::string("// A counter.\n//! test: -D MAX=1\n//! test: -D MAX=5\n") + counter);
  library.spec("a", "property five : EF x = 5;\n");
  RunResult result = run_cohort({"test", library.models, "--format", "json"});
  CHECK(result.status == 1);
  const json report = json::parse(result.out);
  REQUIRE(report["tests"].size() == 2);
  CHECK(report["tests"][0]["definitions"]["MAX"] == 1);
  CHECK(report["tests"][0]["properties"][0]["verdict"] == "fails");
  CHECK(report["tests"][1]["properties"][0]["verdict"] == "holds");
  CHECK(report["passed"] == 1);
  CHECK(report["failed"] == 1);

  library.model("a", counter);
  library.spec("a", "//! test: -D MAX=5\nproperty five : EF x = 5;\n");
  CHECK(run_cohort({"test", library.models}).status == 0);
  library.spec("a", "//! test: --fast\nproperty five : EF x = 3;\n");
  result = run_cohort({"test", library.models});
  CHECK(result.status == 2);
  CHECK(contains(result.err, "a.cctl:1: error: after '//! test:' stands -D NAME=NUMBER"));
}

TEST_CASE("errors and limits are counted, and the other models are tested all the same", "[test]") {
  const Library library;
  library.model("a", "Program Module m = 1; x : 0..1 = 0; k of m : { [up] true -> x = x + 1; }\n");
  library.model("b", "Program Modul\n");
  library.model("c", counter);
  library.spec("c", "property ends : EF deadlock;\n");
  RunResult result = run_cohort({"test", library.models});
  CHECK(result.status == 2);
  CHECK(contains(result.out, "1 passed, 0 failed, 2 errors"));
  result = run_cohort({"test", library.models, "--format", "junit"});
  CHECK(
      contains(result.out, "<testsuites name=\"cohort\" tests=\"3\" failures=\"0\" errors=\"2\""));

  const Library large;
  large.model("a", counter);
  large.spec("a",
             "//! test: -D MAX=100000000\n"
             "property far : AF x = MAX; property near : EF x = 1;\n");
  result = run_cohort({"test", large.models, "--max-states", "1000"});
  CHECK(result.status == 3);
  CHECK(contains(result.out, "1 passed, 0 failed, 1 unknown"));  // near has limits of its own
}

TEST_CASE("the option -W makes errors of findings, and without it nothing is looked for",
          "[test]") {
  const Library library;
  library.model("a",
                "Program Module m = 1; x : 0..3 = 0; y = 0;\n"
                "k of m : { [up] x < 2 -> x = x + 1; [never] x == 3 -> x = 0; }\n");
  library.spec("a", "property ends : AF deadlock;\n");
  library.model("b", counter);
  RunResult result = run_cohort({"test", library.models});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  result = run_cohort({"test", library.models, "--build", "eager", "-W", "all=warn"});
  CHECK(result.status == 0);
  CHECK(contains(result.err, "warning: schema 'never' never fires [schema-never-fires]"));
  CHECK(contains(result.err, "warning: variable 'y' is never used [unused-variable]"));
  result =
      run_cohort({"test", library.models, "--build", "eager", "-W", "schema-never-fires=error"});
  CHECK(result.status == 2);
  CHECK_FALSE(contains(result.err, "unused"));
  CHECK(contains(result.out, "ERROR    -W makes errors of what was found"));
  CHECK(contains(result.out, "2 passed, 0 failed, 1 error in "));
  result = run_cohort({"test", library.models, "-W", "unused-variable=error", "--format", "json"});
  CHECK(result.status == 2);
  const json found = json::parse(result.out).at("tests").at(0).at("findings").at(0);
  CHECK(found.at("code") == "unused-variable");
  CHECK(found.at("severity") == "error");
  result = run_cohort({"test", library.models, "-W", "unused-variable=error", "--format", "junit"});
  CHECK(contains(result.out, "<testcase name=\"findings\""));
}

}  // namespace
}  // namespace cohort
