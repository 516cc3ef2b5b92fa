// The set of numbers against a map of the C++ library.
#include "base/id_set.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace cohort::base {
namespace {

/// Keys with numbers, found by hashes of `hash_bits` bits only: the fewer, the more of them
/// collide.
void compare_with_map(unsigned hash_bits, std::size_t num_inserts, std::uint64_t num_keys) {
  std::mt19937_64 random{hash_bits};
  IdSet set;
  std::vector<std::uint64_t> keys;
  std::map<std::uint64_t, std::uint32_t> numbers;
  const auto hash = [&](std::uint64_t key) {
    return mixed(key, 1) >> (64U - hash_bits) << (64U - hash_bits);
  };
  for (std::size_t i = 0; i < num_inserts; ++i) {
    const std::uint64_t key = random() % num_keys;
    const auto same = [&](std::uint32_t id) { return keys[id] == key; };
    const auto known = numbers.find(key);
    const std::uint32_t expected = known == numbers.end() ? IdSet::none : known->second;
    REQUIRE(set.find(hash(key), same) == expected);
    // Nothing else can be the first with this hash.
    const std::uint32_t candidate = set.candidate(hash(key));
    if (expected != IdSet::none) REQUIRE(candidate != IdSet::none);
    if (candidate != IdSet::none) REQUIRE(hash(keys[candidate]) >> 32U == hash(key) >> 32U);
    const auto fresh = static_cast<std::uint32_t>(keys.size());
    const std::uint32_t found = set.insert(hash(key), fresh, same);
    REQUIRE(found == (known == numbers.end() ? fresh : expected));
    if (found == fresh) {
      keys.push_back(key);
      numbers.emplace(key, fresh);
    }
  }
  constexpr std::size_t few = 1000;
  if (keys.size() > few) REQUIRE(set.bytes() <= keys.size() * 14);
}

TEST_CASE("a set of numbers finds what a map finds") {
  compare_with_map(64, 200'000, 100'000);
  compare_with_map(64, 20'000, 1'000'000'000);
}

TEST_CASE("a set of numbers finds what a map finds where hashes collide") {
  compare_with_map(40, 20'000, 5'000);
  compare_with_map(8, 5'000, 2'000);
  compare_with_map(1, 1'000, 300);
}

TEST_CASE("an empty set of numbers has nothing") {
  const IdSet set;
  set.prefetch(1);
  CHECK(set.candidate(1) == IdSet::none);
  CHECK(set.find(1, [](std::uint32_t /*id*/) { return true; }) == IdSet::none);
}

}  // namespace
}  // namespace cohort::base
