#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/run_program.hpp"

namespace cohort {

using support::run_cohort;
using support::RunResult;
using support::TemporaryFolder;
using support::write_text;

TEST_CASE("a file that cannot be read is an error with a reason", "[cli]") {
  const TemporaryFolder folder;
  SECTION("there is none") {
    const RunResult result = run_cohort({"check", folder.path("none.coh")});
    CHECK(result.status == 2);
    CHECK(result.err == folder.path("none.coh") + ": error: No such file or directory\n");
  }
  SECTION("it is a directory") {
    const RunResult result = run_cohort({"check", folder.path(".")});
    CHECK(result.status == 2);
    CHECK(result.err == folder.path(".") + ": error: is a directory\n");
  }
  SECTION("one of several") {
    const RunResult result = run_cohort(
        {"check", "models/resource_controller.coh", folder.path("a.cctl"), folder.path("b.cctl")});
    CHECK(result.status == 2);
    CHECK(result.err == folder.path("a.cctl") + ": error: No such file or directory\n" +
                            folder.path("b.cctl") + ": error: No such file or directory\n");
  }
}

TEST_CASE("errors of the model and of every spec come in one run", "[cli]") {
  const TemporaryFolder folder;
  write_text(folder.path("m.coh"), "Module client = 2;\nlk[client] = 0;\nx[nobody] = 0;\n");
  write_text(folder.path("a.cctl"), "property p : AG lkk[0] = 0;\nproperty q : AG x[1] = 0;\n");
  write_text(folder.path("b.cctl"), "property p : AG (lk[0] = 0;\n");
  const RunResult result =
      run_cohort({"check", "--format", "json", folder.path("m.coh"), folder.path("a.cctl"),
                  folder.path("b.cctl"), "--cctl", "AG lk[7] = 0"});
  CHECK(result.status == 2);
  const auto report = nlohmann::json::parse(result.out);
  CHECK(report["tool"] == "cohort");
  CHECK(report["command"] == "check");
  CHECK(report["input"] == folder.path("m.coh"));
  CHECK(report["properties"].empty());
  const auto& errors = report["errors"];
  REQUIRE(errors.size() == 4);  // q's use of x is no error of its own
  CHECK(errors[0]["file"] == folder.path("m.coh"));
  CHECK(errors[0]["line"] == 3);
  CHECK(errors[0]["column"] == 3);
  CHECK(errors[0]["message"] == "unknown module 'nobody'");
  CHECK(errors[1]["file"] == folder.path("a.cctl"));
  CHECK(errors[1]["message"] == "unknown name 'lkk'");
  CHECK(errors[1]["hint"] == "did you mean 'lk'?");
  CHECK(errors[2]["file"] == folder.path("b.cctl"));
  CHECK(errors[3]["file"] == "cctl1");
  CHECK(errors[3]["column"] == 7);
}

TEST_CASE("a model error is told where a limit came before its path", "[cli]") {
  const TemporaryFolder folder;
  write_text(folder.path("m.coh"),
             "Module m = 2;\nModule n = 2;\nx[m] = 0;\nowner[m] : m = m(0);\nInit owner[0] in m;\n"
             "i of m;\ns of n : {\n  [bad] true -> x[i] = 1, x[i] = 0;\n}\n");
  std::vector<std::string> command{"check",         folder.path("m.coh"), "--cctl",
                                   "Efair F false", "--max-states",       "1"};
  const RunResult text = run_cohort(command);
  CHECK(text.status == 2);
  CHECK_THAT(text.err, Catch::Contains("m.coh:8:34: error: "));
  CHECK_THAT(text.err, Catch::Contains("  in bad; a limit came before a path to it was found\n"));
  command.insert(command.end(), {"--format", "json"});
  const RunResult json = run_cohort(command);
  CHECK(json.status == 2);
  const nlohmann::json report = nlohmann::json::parse(json.out);
  REQUIRE(report["errors"].size() == 1);
  const nlohmann::json& error = report["errors"][0];
  CHECK(error["label"] == "bad");
  CHECK(!error.contains("path"));
  CHECK(!error.contains("processes"));
}

TEST_CASE("a model error stands where a limit ends the search for a path to it", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model,
             "Program Module m = 3; x[m] : 0..1 in 0..1; n : 0..1 = 1;\n"
             "k of m : { [up] x[k] == 0 -> n = n + 1; }\nFormula EX n = 1\n");
  for (const char* const engine : {"quotient", "full"}) {
    for (const char* const limit : {"1", "2", "3", "4", "5"}) {
      CAPTURE(engine, limit);
      const std::vector<std::string> words{"check",        model, "--engine",   engine,
                                           "--max-states", limit, "--counting", "off",
                                           "--format",     "json"};
      const RunResult result = run_cohort(words);
      const auto report = nlohmann::json::parse(result.out);
      const bool is_error = report.at("properties").at(0).at("verdict") == "error";
      CHECK(result.status == (is_error ? 2 : 3));
      REQUIRE(report.at("errors").size() == (is_error ? 1 : 0));
      if (is_error) {
        CHECK(report.at("errors").at(0).at("label") == "up");
        CHECK(result.err.find("in up") != std::string::npos);
      }
    }
  }
}

TEST_CASE("a constant outside its variable's type is an error where a run assigns it", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model,
             "Program Module m = 2; Const LIMIT = 1; x[m] : 0..LIMIT = 0;\n"
             "k of m : { [up] x[k] == 0 -> x[k] = 1; [far] x[k] > 1 -> x[k] = 2; }\n"
             "Formula AG x[0] <= 1\n");
  for (const char* const engine : {"quotient", "full"}) {
    for (const char* const build : {"lazy", "eager"}) {
      CAPTURE(engine, build);
      const RunResult never =
          run_cohort({"check", model, "--quiet", "--engine", engine, "--build", build});
      CHECK(never.status == 0);
      CHECK(never.out == "formula: holds\n");
      const RunResult met =
          run_cohort({"check", model, "-D", "LIMIT=0", "--engine", engine, "--build", build});
      CHECK(met.status == 2);
      CHECK(met.err.find("m.coh:2:37: error: 1 is outside the type of 'x', 0..0\n") !=
            std::string::npos);
      CHECK(met.err.find("), in this initial state:\n") != std::string::npos);
    }
  }
}

TEST_CASE("option -D changes sizes and constants", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model,
             "Program\nModule client = 4;\nConst N = 2;\nx[client] : 0..N = 2;\n"
             "PriorityClass all : client = (0-3);\nInit x[3] = 1;\nk of client : { x[k] == x[j] -> "
             "x[j] = N Priority (all); }\nj of client;\nFormula AG x[3] = 0\n");
  CHECK(run_cohort({"check", model}).status == 1);
  CHECK(run_cohort({"check", model, "-D", "client=5"})
            .err.find("process 4 of module 'client' is in no set of the priority") !=
        std::string::npos);
  SECTION("ids that a smaller module does not have are dropped, but a formula needs them") {
    const RunResult result = run_cohort({"check", model, "-D", "client=2"});
    CHECK(result.status == 2);
    CHECK(result.err.find("m.coh:5:31: warning: process 2 is beyond module 'client'") !=
          std::string::npos);
    CHECK(result.err.find("m.coh:6:8: warning: process 3 is beyond module 'client'") !=
          std::string::npos);
    CHECK(result.err.find("m.coh:9:14: error: process 3 is beyond module 'client'") !=
          std::string::npos);
  }
  SECTION("a constant is used everywhere") {
    CHECK(run_cohort({"check", model, "-DN=1"}).err.find("2 is outside the type of 'x', 0..1") !=
          std::string::npos);
  }
  SECTION("an unknown name is an error") {
    const RunResult result = run_cohort({"check", model, "-D", "M=1", "-D", "x=2"});
    CHECK(result.status == 2);
    CHECK(result.err ==
          "-D M: error: is no Module and no Const of the model\n"
          "  hint: there are: client, N\n"
          "-D x: error: is no Module and no Const of the model\n"
          "  hint: there are: client, N\n");
  }
  SECTION("what is no number is an error") {
    for (const char* const wrong : {"client", "client=", "=3", "client=3x", "client=1e9",
                                    "client=99999999999999999999", "client=0", "client=-1"}) {
      CAPTURE(wrong);
      CHECK(run_cohort({"check", model, "-D", wrong}).status == 2);
    }
  }
}

TEST_CASE("option --evaluate gives free variables their values", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model,
             "Program Module client = 2; x[client] = 0; k of client : { x[k] == 0 -> x[k] = 1; }\n"
             "Formula AG x[i] = 0 Evaluation i = 0;\n");
  CHECK(run_cohort({"check", model, "--cctl", "EF x[i] = 1", "--property", "cctl1"}).status == 0);
  CHECK(run_cohort({"check", model, "--cctl", "EF x[j] = 1"}).status == 2);
  CHECK(run_cohort(
            {"check", model, "--cctl", "EF x[j] = 1", "--evaluate", "j=1", "--property", "cctl1"})
            .status == 0);
  CHECK(run_cohort({"check", model, "--evaluate", "i=client(1)"})
            .out.find("  1  client#1(1)  x[1] = 1\n") != std::string::npos);
  for (const char* const wrong : {"i=2", "i=x", "i", "i=nobody(0)", "i=client(5)", "i=client(1"}) {
    CAPTURE(wrong);
    CHECK(run_cohort({"check", model, "--evaluate", wrong}).status == 2);
  }
}

TEST_CASE("a model may come from standard input", "[cli]") {
  const RunResult result = run_cohort({"check", "-"}, "Module client = 0;\n");
  CHECK(result.status == 2);
  CHECK(result.err.starts_with("<stdin>:1:17: error: module 'client' has size 0\n"));
}

TEST_CASE("a wrong command line is exit status 2, help and version are 0", "[cli]") {
  CHECK(run_cohort({}).status == 2);
  CHECK(run_cohort({"chek"}).status == 2);
  CHECK(run_cohort({"check"}).status == 2);
  CHECK(run_cohort({"check", "--no-such-option", "x.coh"}).status == 2);
  CHECK(run_cohort({"check", "--format", "yaml", "models/resource_controller.coh"}).status == 2);
  CHECK(run_cohort({"--help"}).status == 0);
  CHECK(run_cohort({"check", "--help"}).status == 0);
  CHECK(run_cohort({"--version"}).out.starts_with("cohort "));
}

TEST_CASE("states in a tree give the same answers, and the tree's size", "[cli]") {
  const std::vector<std::string> words{"check",   "models/german.coh", "specs/german.cctl",
                                       "-D",      "cache=2",           "--build",
                                       "eager",   "--format",          "json",
                                       "--engine"};
  for (const char* const engine : {"full", "quotient"}) {
    CAPTURE(engine);
    std::vector<std::string> with_hash = words;
    with_hash.insert(with_hash.end(), {engine, "--store", "hash"});
    std::vector<std::string> with_tree = words;
    with_tree.insert(with_tree.end(), {engine, "--store", "ist"});
    const auto hash = nlohmann::json::parse(run_cohort(with_hash).out);
    const auto tree = nlohmann::json::parse(run_cohort(with_tree).out);
    REQUIRE(hash["properties"].size() == tree["properties"].size());
    for (std::size_t i = 0; i < hash["properties"].size(); ++i) {
      CHECK(hash["properties"][i]["verdict"] == tree["properties"][i]["verdict"]);
    }
    for (const char* const number : {"states", "edges", "deadlocks", "complete", "unfired"}) {
      CHECK(hash["summary"][number] == tree["summary"][number]);
    }
    CHECK_FALSE(hash["summary"].contains("nodes"));
    CHECK(tree["summary"]["nodes"] > 0);
    CHECK(tree["summary"]["state_bytes"] < hash["summary"]["state_bytes"]);
  }
}

TEST_CASE("states in a tree go with an eager build only", "[cli]") {
  const RunResult result = run_cohort({"check", "models/german.coh", "--store", "ist"});
  CHECK(result.status == 2);
  CHECK(result.err.find("--store ist: needs --build eager") != std::string::npos);
}

}  // namespace cohort
