// cohort graph: the quotient and the full graph, written out.
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

[[nodiscard]] json graph(std::vector<std::string> words) {
  words.insert(words.begin(), {"graph", "--format", "json"});
  const RunResult result = run_cohort(words);
  CAPTURE(result.out, result.err);
  REQUIRE(result.status == 0);
  return json::parse(result.out);
}

}  // namespace

TEST_CASE("the orbits of the quotient hold as many states as the full graph", "[cli][graph]") {
  // Without priorities; the second has variables over two processes.
  const std::vector<std::vector<std::string>> models{
      {"models/resource_controller_no_priority.coh", "-Dclient=4"},
      {"tests/cli/graph_pairs.coh", "--max-states", "5000"}};
  for (const std::vector<std::string>& words : models) {
    CAPTURE(words);
    std::vector<std::string> full_words = words;
    full_words.insert(full_words.end(), {"--engine", "full"});
    const json quotient = graph(words);
    const json full = graph(full_words);
    CHECK(quotient["complete"] == true);
    CHECK(full["complete"] == true);
    CHECK(quotient["states"].size() < full["states"].size());
    double states = 0;
    for (const json& state : quotient["states"]) states += state["orbit"].get<double>();
    CHECK(states == static_cast<double>(full["states"].size()));
    for (const json& edge : full["edges"]) CHECK_FALSE(edge.contains("permutation"));
    for (const json& edge : quotient["edges"]) CHECK(edge.contains("permutation"));
  }
}

TEST_CASE("an edge's permutation leads from the target's representative to the state",
          "[cli][graph]") {
  const json report = graph({"models/resource_controller_no_priority.coh", "-Dclient=3"});
  for (const json& edge : report["edges"]) {
    if (edge["label"] != "ask") continue;
    const json& from = report["states"][edge["from"].get<std::size_t>()]["state"];
    const json& to = report["states"][edge["to"].get<std::size_t>()]["state"];
    const json& permutation = edge["permutation"];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t real =
          permutation.contains("client") ? permutation["client"][i].get<std::size_t>() : i;
      const int before = from["lk[" + std::to_string(real) + "]"];
      const int after = to["lk[" + std::to_string(i) + "]"];
      CHECK(after == (real == edge["processes"]["k"] ? 1 : before));
    }
  }
}

TEST_CASE("priorities are guards on the quotient", "[cli][graph]") {
  const json report = graph({"models/resource_controller.coh", "-Dclient=3"});
  std::size_t guards = 0;
  for (const json& edge : report["edges"]) {
    if (!edge.contains("guard")) continue;
    ++guards;
    CHECK(edge["label"] == "grant");
    const json& from = report["states"][edge["from"].get<std::size_t>()]["state"];
    CHECK(edge["guard"]["process"] == edge["processes"]["k"]);
    CHECK_FALSE(edge["guard"]["rivals"].empty());
    for (const json& rival : edge["guard"]["rivals"]) {
      CHECK(from["request[0," + std::to_string(rival.get<int>()) + "]"] == 1);
    }
  }
  CHECK(guards > 0);
}

TEST_CASE("a cap is visible", "[cli][graph]") {
  const std::vector<std::string> words{"models/resource_controller.coh", "--max-states", "5"};
  const json report = graph(words);
  CHECK(report["states"].size() == 5);
  CHECK(report["complete"] == false);
  CHECK(report["edges_left_out"] > 0);
  const RunResult dot = run_cohort({"graph", words[0], words[1], words[2]});
  CHECK(dot.status == 0);
  CHECK(dot.out.find("only the first 5 states and ") != std::string::npos);
  CHECK(dot.out.find("digraph cohort {") != std::string::npos);
}

TEST_CASE("edges are capped as well, and thinned on request", "[cli][graph]") {
  // All clients may ask in the first state, and all look alike there.
  const std::vector<std::string> words{"models/resource_controller.coh", "-Dclient=40",
                                       "--max-states", "1"};
  const json capped = graph(words);
  CHECK(capped["most_edges"] == 20);
  CHECK(capped["edges_left_out"] == 40);
  const json thinned = graph({words[0], words[1], "--thin"});
  CHECK(thinned["complete"] == true);
  CHECK(thinned["states"].size() == 162);
  std::size_t from_first = 0;
  for (const json& edge : thinned["edges"]) {
    if (edge["from"] == 0) ++from_first;
  }
  CHECK(from_first == 1);
}

TEST_CASE("graph refuses what is no model", "[cli][graph]") {
  CHECK(run_cohort({"graph", "tests/corpus/reject/unknown_name.coh"}).status == 2);
  CHECK(run_cohort({"graph", "models/resource_controller.coh", "--format", "png"}).status == 2);
}

}  // namespace cohort
