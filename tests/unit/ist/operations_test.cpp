// Every operation against explicit sets, and the laws that they must obey.
#include "ist/operations.hpp"
#include "ist/ranking.hpp"

#include <catch2/catch.hpp>
#include <iterator>
#include <numeric>

#include "explicit_set.hpp"

namespace cohort::ist {
namespace {

[[nodiscard]] bool at_most(const Tuple& a, const Tuple& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
  }
  return true;
}

[[nodiscard]] Explicit until_by_rounds(const Explicit& through, const Explicit& target) {
  Explicit reached = target;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Tuple& tuple : through) {
      if (reached.contains(tuple)) continue;
      for (std::size_t i = 0; i < tuple.size(); ++i) {
        Tuple next = tuple;
        ++next[i];
        if (!reached.contains(next)) continue;
        reached.insert(tuple);
        changed = true;
        break;
      }
    }
  }
  return reached;
}

/// The form promised in tree.hpp, checked node by node.
void check_form(const Set& set) {
  std::vector<NodeId> open{set.root()};
  std::set<NodeId> seen;
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const std::span<const Edge> edges = set.forest().edges(id);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      REQUIRE(edges[i].low <= edges[i].high);
      REQUIRE(edges[i].child != empty_node);
      open.push_back(edges[i].child);
      if (i == 0) continue;
      REQUIRE(edges[i - 1].high < edges[i].low);
      const bool touch = edges[i - 1].high + 1 == edges[i].low;
      REQUIRE((!touch || edges[i - 1].child != edges[i].child));
    }
  }
}

struct Fixture {
  explicit Fixture(std::uint64_t seed) : random(seed) {
    k = 1 + random.below(4);
    constexpr Value bounds_by_k[] = {12, 6, 4, 2};
    bound = bounds_by_k[k - 1];
    bounds.assign(k, bound);
    forest = std::make_unique<Forest>(k);
    if (random.chance(50)) forest->set_collection_threshold(random.below(40));
    a = random_tuples(random, k, bound);
    b = random_tuples(random, k, bound);
    all = universe(k, bound);
    set_a = set_of(*forest, a);
    set_b = set_of(*forest, b);
  }

  base::Random random;
  std::size_t k = 1;
  Value bound = 0;
  std::vector<Value> bounds;
  std::unique_ptr<Forest> forest;
  Explicit a;
  Explicit b;
  Explicit all;
  Set set_a;
  Set set_b;
};

TEST_CASE("operations on trees are operations on sets", "[ist][random]") {
  const auto seed = GENERATE(range(1U, 401U));
  CAPTURE(seed);
  Fixture f{seed};
  const auto& [a, b] = std::tie(f.a, f.b);
  CAPTURE(a, b);
  const auto check = [&](const Set& set, const Explicit& expected) {
    check_form(set);
    CHECK(explicit_of(set) == expected);
    CHECK(set == set_of(*f.forest, expected));  // canonical
  };
  check(f.set_a, a);
  Explicit expected;
  const auto into = std::inserter(expected, expected.end());

  std::ranges::set_union(a, b, into);
  check(unite(f.set_a, f.set_b), expected);
  expected.clear();
  std::ranges::set_intersection(a, b, into);
  check(intersect(f.set_a, f.set_b), expected);
  expected.clear();
  std::ranges::set_difference(a, b, into);
  check(subtract(f.set_a, f.set_b), expected);
  expected.clear();
  std::ranges::set_difference(f.all, a, into);
  check(complement(f.set_a, f.bounds), expected);

  Explicit below;
  Explicit above;
  for (const Tuple& tuple : f.all) {
    if (std::ranges::any_of(a, [&](const Tuple& t) { return at_most(tuple, t); })) {
      below.insert(tuple);
    }
    if (std::ranges::any_of(a, [&](const Tuple& t) { return at_most(t, tuple); })) {
      above.insert(tuple);
    }
  }
  check(close_down(f.set_a), below);
  check(close_up(f.set_a, f.bounds), above);

  const auto component = static_cast<std::size_t>(f.random.below(f.k));
  const std::int64_t delta = f.random.between(-8, 8);
  Explicit shifted;
  for (Tuple tuple : a) {
    if (tuple[component] + delta < 0) continue;
    tuple[component] = static_cast<Value>(tuple[component] + delta);
    shifted.insert(tuple);
  }
  check(shift(f.set_a, component, delta), shifted);

  Explicit back;
  for (Tuple tuple : a) {
    for (Value& value : tuple) {
      if (value == 0) continue;
      --value;
      back.insert(tuple);
      ++value;
    }
  }
  check(step_back(f.set_a), back);
  check(until(f.set_a, f.set_b), until_by_rounds(a, b));

  CHECK(includes(f.set_a, f.set_b) == std::ranges::includes(a, b));
  CHECK(f.set_a.empty() == a.empty());
  CHECK(count(f.set_a) == std::to_string(a.size()));
  CHECK(count_if_small(f.set_a) == a.size());
  for (const Tuple& tuple : f.all) CHECK(contains(f.set_a, tuple) == a.contains(tuple));

  const std::optional<std::vector<Value>> smallest = least(f.set_a);
  CHECK(smallest.has_value() == !a.empty());
  if (smallest) {
    const auto sum = [](const Tuple& t) { return std::accumulate(t.begin(), t.end(), 0U); };
    CHECK(*smallest == *std::ranges::min_element(a, {}, sum));
  }

  Explicit in_boxes;
  for (Boxes at{f.set_a}; at.valid(); at.next()) {
    for (const Tuple& tuple : f.all) {
      bool inside = true;
      for (std::size_t i = 0; i < f.k; ++i) {
        inside = inside && at.box()[i].low <= tuple[i] && tuple[i] <= at.box()[i].high;
      }
      if (inside) CHECK(in_boxes.insert(tuple).second);  // disjoint
    }
  }
  CHECK(in_boxes == a);

  // Into a forest with one more component, somewhere between the others.
  const auto added = static_cast<std::size_t>(f.random.below(f.k + 1));
  std::vector<Spread> components(f.k + 1);
  for (std::size_t i = 0; i <= f.k; ++i) {
    if (i == added) {
      components[i].all = {1, 2};
      continue;
    }
    std::vector<Value>& row = components[i].starts;
    row.push_back(static_cast<Value>(f.random.below(2)));
    for (Value v = 0; v <= f.bound; ++v) {
      row.push_back(row.back() + 1 + static_cast<Value>(f.random.below(2)));
    }
  }
  Explicit wide;
  for (Tuple tuple : a) {
    tuple.insert(tuple.begin() + static_cast<std::ptrdiff_t>(added), 0);
    Explicit images{Tuple{}};
    for (std::size_t i = 0; i <= f.k; ++i) {
      const bool is_new = i == added;
      const Value low = is_new ? 1 : components[i].starts[tuple[i]];
      const Value behind = is_new ? 3 : components[i].starts[tuple[i] + 1];
      Explicit longer;
      for (const Tuple& image : images) {
        for (Value v = low; v < behind; ++v) {
          Tuple next = image;
          next.push_back(v);
          longer.insert(next);
        }
      }
      images = longer;
    }
    wide.insert(images.begin(), images.end());
  }
  Forest wider{f.k + 1};
  CHECK(spread(f.set_a, wider, components) == set_of(wider, wide));
}

TEST_CASE("the laws of sets and closures hold", "[ist][random]") {
  const auto seed = GENERATE(range(1001U, 1201U));
  CAPTURE(seed);
  Fixture f{seed};
  const Set& a = f.set_a;
  const Set& b = f.set_b;
  const Set c = set_of(*f.forest, random_tuples(f.random, f.k, f.bound));
  const auto negate = [&](const Set& set) { return complement(set, f.bounds); };

  CHECK(unite(a, b) == unite(b, a));
  CHECK(intersect(a, b) == intersect(b, a));
  CHECK(unite(a, unite(b, c)) == unite(unite(a, b), c));
  CHECK(intersect(a, intersect(b, c)) == intersect(intersect(a, b), c));
  CHECK(intersect(a, unite(b, c)) == unite(intersect(a, b), intersect(a, c)));
  CHECK(unite(a, intersect(b, c)) == intersect(unite(a, b), unite(a, c)));
  CHECK(unite(a, intersect(a, b)) == a);
  CHECK(negate(negate(a)) == a);
  CHECK(negate(unite(a, b)) == intersect(negate(a), negate(b)));
  CHECK(negate(intersect(a, b)) == unite(negate(a), negate(b)));
  CHECK(subtract(a, b) == intersect(a, negate(b)));
  CHECK(includes(unite(a, b), a));
  CHECK(includes(a, intersect(a, b)));
  CHECK((includes(a, b) && includes(b, a)) == (a == b));

  CHECK(close_down(close_down(a)) == close_down(a));
  CHECK(close_down(unite(a, b)) == unite(close_down(a), close_down(b)));
  CHECK(includes(close_down(a), a));
  CHECK(includes(intersect(close_down(a), close_down(b)), close_down(intersect(a, b))));
  const auto up = [&](const Set& set) { return close_up(set, f.bounds); };
  CHECK(up(up(a)) == up(a));
  CHECK(up(unite(a, b)) == unite(up(a), up(b)));
  CHECK(includes(up(a), a));
  // What is outside a downward closed set is upward closed.
  CHECK(up(negate(close_down(a))) == negate(close_down(a)));

  for (std::size_t i = 0; i < f.k; ++i) {
    CHECK(shift(shift(a, i, 3), i, -3) == a);
    CHECK(includes(a, shift(shift(a, i, -3), i, 3)));
    CHECK(includes(step_back(a), shift(a, i, -1)));
  }
  // The fixpoint equation of until, and two known cases of it.
  CHECK(until(a, b) == unite(b, intersect(a, step_back(until(a, b)))));
  CHECK(until(negate(f.forest->empty()), b) == close_down(b));
  CHECK(until(f.forest->empty(), b) == b);
}

TEST_CASE("a ranking numbers the tuples in lexicographic order", "[ist][random]") {
  const auto seed = GENERATE(range(1U, 41U));
  CAPTURE(seed);
  base::Random random{seed};
  const std::size_t k = 1 + random.below(4);
  const Explicit tuples = random_tuples(random, k, 6);
  Forest forest{k};
  const Set set = set_of(forest, tuples);
  const Ranking ranking{set};
  CHECK(ranking.size() == tuples.size());
  CHECK(ranking.num_nodes() == num_nodes(set));
  std::uint32_t number = 0;
  for (const Tuple& tuple : tuples) {
    CHECK(ranking.rank(tuple) == number);
    Tuple back(k);
    ranking.tuple(number++, back);
    CHECK(back == tuple);
  }
  for (const Tuple& tuple : universe(k, 6)) {
    CHECK(ranking.rank(tuple).has_value() == (tuples.count(tuple) > 0));
  }
}

TEST_CASE("a ranking counts intervals without listing them", "[ist]") {
  Forest forest{2};
  const Set set = unite(forest.box({{0, 49'999}, {0, 49'999}}), forest.singleton({60'000, 7}));
  const Ranking ranking{set};
  CHECK(ranking.size() == 2'500'000'001U);
  CHECK(ranking.rank(Tuple{60'000, 7}) == 2'500'000'000U);
  CHECK(ranking.rank(Tuple{1, 2}) == 50'002U);
  Tuple back(2);
  ranking.tuple(2'499'999'999U, back);
  CHECK(back == Tuple{49'999, 49'999});
  CHECK_THROWS_AS(Ranking(forest.box({{0, 99'999}, {0, 49'999}})), std::bad_alloc);
}

TEST_CASE("overlapping intervals give one tree", "[ist]") {
  Forest forest{1};
  CHECK(unite(forest.box({{0, 2}}), forest.box({{1, 3}})) == forest.box({{0, 3}}));
  CHECK(unite(forest.box({{0, 1}}), forest.box({{2, 3}})) == forest.box({{0, 3}}));
}

TEST_CASE("a box with an interval that ends before it starts is empty", "[ist]") {
  Forest forest{2};
  CHECK(forest.box({{0, 2}, {3, 1}}).empty());
}

TEST_CASE("the empty tuple is a tuple", "[ist]") {
  Forest forest{0};
  const Set unit = forest.box(std::span<const Interval>{});
  CHECK_FALSE(unit.empty());
  CHECK(count(unit) == "1");
  CHECK(contains(unit, {}));
  CHECK(subtract(unit, unit).empty());
  CHECK(until(unit, forest.empty()).empty());
  CHECK(close_down(unit) == unit);
  CHECK(step_back(unit).empty());
  CHECK(least(unit) == std::vector<Value>{});
}

TEST_CASE("the largest value is a value like others", "[ist]") {
  constexpr Value top = UINT32_MAX;
  Forest forest{2};
  const Set all = forest.box({{0, top}, {0, top}});
  const Set corner = forest.singleton({top, top});
  CHECK(count(all) == "18446744073709551616");  // 2^64
  CHECK_FALSE(count_if_small(all).has_value());
  CHECK(close_down(corner) == all);
  CHECK(until(all, corner) == all);
  const std::vector<Value> bounds{top, top};
  CHECK(complement(complement(corner, bounds), bounds) == corner);
  CHECK(close_up(forest.singleton({0, 0}), bounds) == all);
  CHECK(shift(corner, 0, 1).empty());
  CHECK(shift(shift(all, 1, 1), 1, -1) == forest.box({{0, top}, {0, top - 1}}));
  CHECK(subtract(all, corner) ==
        unite(forest.box({{0, top - 1}, {0, top}}), forest.box({{top, top}, {0, top - 1}})));
}

}  // namespace
}  // namespace cohort::ist
