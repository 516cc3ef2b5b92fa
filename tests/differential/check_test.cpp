// Every engine against the oracle, on random models; every evidence replayed.
//
// COHORT_RANDOM_MODELS says how many models (two hundred unless it is set), COHORT_RANDOM_SEED with
// which seed they begin.  tests/differential/fuzz_check does the same by the hour, and shrinks.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "differential/compare.hpp"
#include "differential/random_case.hpp"

namespace cohort::differential {
namespace {

[[nodiscard]] std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

using Maker = std::string (*)(std::uint64_t seed, unsigned fault_percent);

[[nodiscard]] std::string usual_case(std::uint64_t seed, unsigned fault_percent) {
  return random_case(seed, fault_percent);
}

/// Returns how many models were compared of which processes were counted by kinds.
std::size_t run(std::uint64_t first, unsigned fault_percent, Maker make, std::uint64_t count) {
  std::size_t compared = 0;
  std::size_t counted = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = make(seed, fault_percent);
    const Comparison found = compare(text, {.most_states = 600, .most_initial_states = 100});
    CAPTURE(seed, text);
    CHECK(found.complaints == std::vector<std::string>{});
    if (found.outcome == Comparison::Outcome::Compared) ++compared;
    if (found.is_counted) ++counted;
  }
  CHECK(compared >= count / 2);
  return counted;
}

[[nodiscard]] std::uint64_t num_models() { return setting("COHORT_RANDOM_MODELS", 200); }

TEST_CASE("every engine gives the oracle's verdict and evidence that stands", "[cctl][random]") {
  run(setting("COHORT_RANDOM_SEED", 1), 0, usual_case, num_models());
}

TEST_CASE("the path to a formula's model error leads to the process that meets it", "[cctl]") {
  const std::string program =
      "Program Module client = 3; v0[client]; v1[0..0]; PriorityClass last : client = (2);\n"
      "c0 of client : { true -> v0[c0] = 1; }\nFormula ";
  for (const std::string formula :
       {"EF(v1[v0[1]])", "exists p in client{1} . EF(v1[v0[p]])", "AG v1[v0[2]] = 0",
        "forall p in last . AG v1[v0[p]] = 0", "AG forall p in client{0, 2} . AG v1[v0[p]] = 0"}) {
    CAPTURE(formula);
    const Comparison found = compare(program + "f : " + formula + ";", {});
    CHECK(found.outcome == Comparison::Outcome::Compared);
    CHECK(found.complaints == std::vector<std::string>{});
  }
}

TEST_CASE("every engine gives the oracle's verdict where symmetry is hard", "[cctl][random]") {
  run(setting("COHORT_RANDOM_SEED", 2'000'000), 0, random_entangled_case, num_models());
}

TEST_CASE("every engine gives the oracle's verdict where only some processes can be counted",
          "[cctl][counting][random]") {
  const unsigned fault_percent = GENERATE(0U, 6U);
  // These models are larger than those of the other tests, and there are two lots of them.
  const std::uint64_t count = num_models() / 4;
  const std::size_t counted = run(setting("COHORT_RANDOM_SEED", 3'000'000 + fault_percent),
                                  fault_percent, random_mixed_case, count);
  CHECK(counted >= count / 3);
}

TEST_CASE("every engine finds the model errors that there are", "[cctl][random]") {
  run(setting("COHORT_RANDOM_SEED", 1'000'000), 12, usual_case, num_models());
}

}  // namespace
}  // namespace cohort::differential
