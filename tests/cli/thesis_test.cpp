// The figures of Wang's thesis that can be compared.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
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

}  // namespace
}  // namespace cohort
