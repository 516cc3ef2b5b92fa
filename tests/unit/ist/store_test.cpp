// Nodes: shared, counted, collected.
#include <catch2/catch.hpp>

#include "explicit_set.hpp"
#include "ist/operations.hpp"

namespace cohort::ist {
namespace {

TEST_CASE("a hundred components with a hundred values each are a hundred nodes", "[ist]") {
  constexpr std::size_t k = 100;
  Forest forest{k};
  const std::vector<Interval> intervals(k, Interval{0, 99});
  const Set cube = forest.box(intervals);
  CHECK(num_nodes(cube) == k + 1);
  CHECK(count(cube) == "1" + std::string(200, '0'));  // 100^100
  const std::vector<Value> corner(k, 99);
  CHECK(close_down(forest.singleton(corner)) == cube);
  CHECK(until(cube, forest.singleton(corner)) == cube);
}

TEST_CASE("as many components as are allowed do not overflow the stack", "[ist]") {
  constexpr std::size_t k = Forest::most_components;
  Forest forest{k};
  const Set a = forest.box(std::vector<Interval>(k, Interval{0, 1}));
  const Set b = forest.box(std::vector<Interval>(k, Interval{1, 2}));
  const Set ones = forest.singleton(std::vector<Value>(k, 1));
  CHECK(intersect(a, b) == ones);
  CHECK(close_down(ones) == a);
  CHECK(until(a, ones) == a);
  CHECK(includes(unite(a, b), b));
  CHECK(subtract(unite(a, b), a) == subtract(b, a));
  CHECK(close_up(ones, std::vector<Value>(k, 2)) == b);
  CHECK(shift(a, k - 1, -1) ==
        shift(forest.box(std::vector<Interval>(k, Interval{0, 1})), k - 1, -1));
  CHECK_THROWS_AS(Forest{k + 1}, std::logic_error);
}

TEST_CASE("collection frees what no set needs, and nothing else", "[ist]") {
  Forest forest{3};
  base::Random random{7};
  const Explicit kept = random_tuples(random, 3, 5);
  Explicit tuples = kept;
  tuples.insert({1, 2, 3});
  const Set set = set_of(forest, tuples);
  for (int i = 0; i < 20; ++i) {
    const Set dropped = set_of(forest, random_tuples(random, 3, 5));
    CHECK(explicit_of(unite(set, dropped)).size() >= tuples.size());
  }
  const std::size_t before = forest.statistics().nodes;
  forest.collect();
  const std::size_t after = forest.statistics().nodes;
  CHECK(after < before);
  CHECK(after + 1 == num_nodes(set));  // the end is no node of the store
  CHECK(explicit_of(set) == tuples);
  CHECK(set_of(forest, tuples) == set);
  CHECK(forest.statistics().nodes == after);
}

TEST_CASE("a set that is copied and moved keeps its nodes", "[ist]") {
  Forest forest{2};
  Set copy;
  {
    const Set original = forest.box({{1, 2}, {3, 4}});
    copy = original;
    Set moved = std::move(copy);
    copy = moved;
  }
  forest.collect();
  CHECK(count(copy) == "4");
  copy = forest.empty();
  forest.collect();
  CHECK(forest.statistics().nodes == 0);
}

TEST_CASE("tuples may be loaded in any order and more than once", "[ist]") {
  Forest forest{2};
  const std::vector<Value> values{3, 1, 0, 0, 3, 1, 3, 2, 0, 1};
  const Set set = forest.from_tuples(values);
  CHECK(explicit_of(set) == Explicit{{0, 0}, {0, 1}, {3, 1}, {3, 2}});
  CHECK(num_nodes(set) == 4);
}

TEST_CASE("an operation can be stopped, and the forest used afterwards", "[ist]") {
  constexpr std::size_t k = 12;
  Forest forest{k};
  base::Random random{3};
  const auto many = [&] {
    std::vector<Value> values;
    for (std::size_t i = 0; i < 4000 * k; ++i)
      values.push_back(static_cast<Value>(random.below(9)));
    return forest.from_tuples(values);
  };
  const Set a = many();
  const Set b = many();
  forest.set_should_stop([] { return true; });
  CHECK_THROWS_AS(close_down(unite(a, b)), Stopped);
  forest.set_should_stop({});
  CHECK(subtract(unite(a, b), b) == subtract(a, b));
}

}  // namespace
}  // namespace cohort::ist
