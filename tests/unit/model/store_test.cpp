// The store of packed states against a map, one by one and announced in groups.
#include "model/store.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

namespace cohort::model {
namespace {

TEST_CASE("states that are announced together get the numbers that they get one by one",
          "[model]") {
  using State = std::array<Word, 2>;
  std::mt19937_64 random{1};
  Store store{2};
  std::map<State, StateId> numbers;
  for (int group = 0; group < 20'000; ++group) {
    std::vector<State> states;
    // Few values: a group often has one state twice, and states that are known.
    for (std::uint64_t i = random() % 6; i > 0; --i)
      states.push_back({random() % 200, random() % 200});
    for (const State& state : states) store.announce(state.data());
    if (group % 7 == 0) {
      store.forget_announced();
      continue;
    }
    const std::vector<StateId>& found = store.insert_announced();
    REQUIRE(found.size() == states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const StateId fresh{static_cast<std::uint32_t>(numbers.size())};
      REQUIRE(found[i] == numbers.emplace(states[i], fresh).first->second);
      REQUIRE(store[found[i]][0] == states[i][0]);
      REQUIRE(store[found[i]][1] == states[i][1]);
    }
    REQUIRE(store.size() == numbers.size());
  }
  for (const auto& [state, number] : numbers) REQUIRE(store.find(state.data()) == number);
}

}  // namespace
}  // namespace cohort::model
