// The figures of Wang's thesis that can be compared.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "support/run_program.hpp"

namespace cohort {
namespace {

using nlohmann::json;
using support::run_cohort;

json statistics(const std::string& clients, const std::string& elimination) {
  const auto result = run_cohort(
      {"check", "models/resource_controller_no_priority.coh", "-D", "client=" + clients,
       "--quantifier-elimination", elimination, "--format", "json", "--property", "cctl1", "--cctl",
       "forall i in client forall j in client (i != j -> AG(lk[i] != 2 | lk[j] != 2))"});
  CHECK(result.status == 0);
  return json::parse(result.out)["properties"][0]["statistics"];
}

TEST_CASE("the resource controller takes no more marks than in Table VIII of the thesis", "[cli]") {
  CHECK(statistics("10", "on")["marks"] <= 208);
  CHECK(statistics("20", "on")["marks"] <= 448);
  // Here the authors' stack overflowed.
  CHECK(statistics("20", "off")["states"] == 82);
}

/// A property of the resource controller with fifty clients, as `check` reports it.
json fifty_clients(const std::string& model, const std::string& formula, int client) {
  const auto result =
      run_cohort({"check", model, "-D", "client=50", "--format", "json", "--property", "cctl1",
                  "--cctl", formula, "--evaluate", "i=client(" + std::to_string(client) + ")"});
  CAPTURE(model, formula, client, result.err);
  CHECK(result.status <= 1);
  return json::parse(result.out)["properties"][0];
}

/// The path ends in a loop on which the client waits all the time, and the others do not.
void check_starving(const json& evidence, int client) {
  const std::string waiting = "lk[" + std::to_string(client) + "]";
  REQUIRE(evidence["kind"] == "counterexample");
  REQUIRE(evidence.contains("loop"));
  json at = evidence["initial"];
  const auto loop = evidence["loop"].get<std::size_t>();
  const json& steps = evidence["steps"];
  std::size_t served = 0;
  std::set<int> acting;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (s >= loop) CHECK(at[waiting] == 1);
    at.update(steps[s]["state"]);
    if (s < loop) continue;
    if (steps[s]["label"] == "take") ++served;
    // `grant` and `reclaim` are the controller's.
    const bool own = steps[s]["label"] != "grant" && steps[s]["label"] != "reclaim";
    acting.insert(own ? steps[s]["processes"]["k"].get<int>() : -1);
  }
  CHECK(at[waiting] == 1);
  CHECK(served > 0);
  // Fair: the controller acts, and so does whoever could.
  CHECK(acting.contains(-1));
  CHECK_FALSE(acting.contains(client));
}

constexpr const char* with_classes = "models/resource_controller.coh";
constexpr const char* without_classes = "models/resource_controller_no_priority.coh";

TEST_CASE("with priorities client 0 is served and every other one may starve", "[cli]") {
  const std::string served = "AG(lk[i] = 1 -> Afair F lk[i] = 2)";
  CHECK(fifty_clients(with_classes, served, 0)["verdict"] == "holds");
  for (const int client : {1, 2, 25, 49}) {
    const json property = fifty_clients(with_classes, served, client);
    CHECK(property["verdict"] == "fails");
    check_starving(property["evidence"], client);
  }
  // All at once.
  const std::string all = "forall j in client . (j != i) <-> EF Efair G lk[j] = 1";
  CHECK(fifty_clients(with_classes, all, 0)["verdict"] == "holds");
}

TEST_CASE("without priorities every client may starve", "[cli]") {
  const std::string served = "AG(lk[i] = 1 -> Afair F lk[i] = 2)";
  for (const int client : {0, 1, 49}) {
    const json property = fifty_clients(without_classes, served, client);
    CHECK(property["verdict"] == "fails");
    check_starving(property["evidence"], client);
  }
  const std::string all = "lk[i] = 0 & forall j in client . EF Efair G lk[j] = 1";
  CHECK(fifty_clients(without_classes, all, 0)["verdict"] == "holds");
}

TEST_CASE("whenever a client waits some client is served in the end", "[cli]") {
  const std::string somebody =
      "lk[i] = 0 & AG(COUNT(j in client : lk[j] = 1) > 0 -> Afair F COUNT(j in client : lk[j] = 2) "
      "> "
      "0)";
  CHECK(fifty_clients(with_classes, somebody, 0)["verdict"] == "holds");
  CHECK(fifty_clients(without_classes, somebody, 0)["verdict"] == "holds");
}

}  // namespace
}  // namespace cohort
