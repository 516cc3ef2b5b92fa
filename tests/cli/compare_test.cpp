// cohort compare: one table, every engine.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_program.hpp"

namespace cohort {
namespace {

using nlohmann::json;
using support::run_cohort;
using support::RunResult;
using support::TemporaryFolder;
using support::write_text;

constexpr const char* lock_model =
    "Program Module client = 4; at[client] : 0..2 = 0;\n"
    "i of client;\n"
    "k of client : {\n"
    "  [ask] at[k] == 0 -> at[k] = 1;\n"
    "  [enter] at[k] == 1 & ALL(i: at[i] != 2) -> at[k] = 2;\n"
    "  [leave] at[k] == 2 -> at[k] = 0;\n"
    "}\n"
    "Formula mutex : forall i, j in client . i != j -> AG !(at[i] = 2 & at[j] = 2);\n"
    "  wrong : AG at[0] != 2;\n";

struct Lock {
  TemporaryFolder folder;
  std::string model = folder.path("lock.coh");

  Lock() { write_text(model, lock_model); }
  [[nodiscard]] RunResult compare(std::vector<std::string> words) const {
    words.insert(words.begin(), {"compare", model});
    return run_cohort(words);
  }
};

[[nodiscard]] std::size_t count_lines(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(piece, at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace

TEST_CASE("every engine checks every property, and they agree", "[cli][compare]") {
  const Lock lock;
  const RunResult result = lock.compare({"--format", "json"});
  CHECK(result.status == 1);  // wrong fails
  const json report = json::parse(result.out);
  CHECK(report["command"] == "compare");
  REQUIRE(report["properties"].size() == 2);
  CHECK(report["properties"][0]["verdict"] == "holds");
  CHECK(report["properties"][1]["verdict"] == "fails");
  for (const json& property : report["properties"]) {
    CHECK(property["agree"] == true);
    REQUIRE(property["configurations"].size() == 8);
    for (const json& configuration : property["configurations"]) {
      CHECK(configuration["verdict"] == property["verdict"]);
    }
    CHECK(property["configurations"][0]["engine"] == "full");
    CHECK(property["configurations"][0]["ratio"]["states"] == 1.0);
  }
  // Without a holder 2^4 states, with one 4 * 2^3; of orbits 5 and 4.
  const json& mutex = report["properties"][0]["configurations"];
  CHECK(mutex[1]["statistics"]["states"] == 48);
  CHECK(mutex[3]["statistics"]["states"] == 9);
  CHECK(mutex[5]["statistics"]["states"] == 9);
  CHECK(mutex[7]["counting"] == "on");
  CHECK(mutex[7]["statistics"]["states"] == 9);
}

TEST_CASE("the table has a line for each configuration", "[cli][compare]") {
  const Lock lock;
  const RunResult result = lock.compare({"--property", "mutex"});
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("property  engine    elimination  counting  build  "));
  CHECK(count_lines(result.out, "\n") == 9);
  CHECK(count_lines(result.out, "holds\n") == 8);
  CHECK(count_lines(lock.compare({"--engine", "full"}).out, "\n") == 1 + 2 * 2);
  CHECK(count_lines(lock.compare({"--build", "lazy", "--quantifier-elimination", "on"}).out,
                    "\n") == 1 + 2 * 3);
  CHECK(count_lines(lock.compare({"--build", "lazy", "--counting", "on"}).out, "\n") == 1 + 2 * 2);
}

TEST_CASE("a configuration that exceeds the limits says so, and the table still comes",
          "[cli][compare]") {
  const Lock lock;
  // Between the number of orbits and the number of states.
  const RunResult result = lock.compare({"--property", "mutex", "--max-states", "20"});
  CHECK(result.status == 0);  // the others can tell
  CHECK(count_lines(result.out, "unknown (the limit of 20 states was reached)\n") == 2);
  CHECK(count_lines(result.out, "holds\n") == 6);
  const RunResult none = lock.compare({"--property", "mutex", "--max-states", "1"});
  CHECK(none.status == 3);
  CHECK(count_lines(none.out, "unknown (") == 8);
}

TEST_CASE("compare reports errors of the input and of the model", "[cli][compare]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model, "Program Module m = 2; x[n] = 0;");
  CHECK(run_cohort({"compare", model}).status == 2);
  write_text(
      model,
      "Program Module m = 2; x[m] : 0..1 = 0; k of m : { [up] x[k] >= 0 -> x[k] = x[k] + 1; }\n"
      "Formula p : AG x[0] <= 1;");
  const RunResult result = run_cohort({"compare", model});
  CHECK(result.status == 2);
  CHECK(count_lines(result.out, "error\n") == 8);
  CHECK(result.err.find("2 is outside the type of 'x', 0..1") != std::string::npos);

  const nlohmann::json report =
      nlohmann::json::parse(run_cohort({"compare", model, "--format", "json"}).out);
  REQUIRE(report.at("errors").size() == 1);
  const nlohmann::json& error = report.at("errors").at(0);
  CHECK(error.at("message") == "2 is outside the type of 'x', 0..1");
  CHECK(error.at("property") == "p");
  CHECK(error.at("line") == 1);
  CHECK(error.at("path").at("steps").size() == 1);
}

TEST_CASE("where nothing can be counted quantifiers are asked together all the same",
          "[cli][compare]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model,
             "Program Module m = 3; x[m, m] : bool; i of m;\n"
             "k of m : { [tell] i != k & !x[i, k] -> x[i, k] = 1; }\n"
             "Formula p : forall a, b in m . a = b -> AG !x[a, b];");
  const RunResult result = run_cohort({"compare", model, "--format", "json"});
  CHECK(result.status == 0);
  const json report = json::parse(result.out);
  const json& ways = report["properties"][0]["configurations"];
  REQUIRE(ways.size() == 6);
  CHECK(ways[4]["quantifier_elimination"] == "on");
  CHECK(ways[4]["counting"] == "off");
  // Digraphs with three vertices; one by one each is met with a vertex besides.
  CHECK(ways[4]["statistics"]["marks"] == 16);
  CHECK(ways[2]["statistics"]["marks"] > 16);
  CHECK(ways[0]["statistics"]["states"] == 64);
}

}  // namespace cohort
