// The states of a path against a list of them, asked for in any order.
#include "cctl/path_states.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

namespace cohort::cctl {
namespace {

TEST_CASE("a path's states are what they were, in whatever order they are asked for", "[cctl]") {
  std::mt19937 random{1};
  constexpr std::size_t num_instances = 7;
  std::vector<PathStates::State> expected{PathStates::State(num_instances, 0)};
  PathStates states{expected.front()};
  for (int step = 0; step < 200; ++step) {
    std::map<std::size_t, model::Value> changes;
    for (unsigned i = random() % 4; i > 0; --i)
      changes[random() % num_instances] = static_cast<model::Value>(random() % 3);
    expected.push_back(expected.back());
    for (const auto& [instance, value] : changes) expected.back()[instance] = value;
    states.step(changes);
    const std::size_t at = random() % expected.size();
    REQUIRE(states[at] == expected[at]);
  }
  REQUIRE(states.size() == expected.size());
  CHECK(states.back() == expected.back());
  for (int i = 0; i < 1000; ++i) {
    const std::size_t a = random() % expected.size();
    const std::size_t b = random() % expected.size();
    REQUIRE(states[a] == expected[a]);
    REQUIRE(states.are_equal(a, b) == (expected[a] == expected[b]));
  }
}

}  // namespace
}  // namespace cohort::cctl
