#include "monitor/automaton.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "base/random.hpp"
#include "ltl/finite_word.hpp"
#include "unit/ltl/random_formula.hpp"
#include "unit/ltl/read_formula.hpp"

namespace cohort::monitor {
namespace {

using ltl_test::read_formula;
using ltl_test::scaled;

/// Any automaton over `num_atoms` atoms.
[[nodiscard]] Automaton random_automaton(base::Random& random, std::size_t num_atoms,
                                         bool deterministic) {
  Automaton automaton;
  automaton.atoms = ltl_test::atom_names(num_atoms);
  const std::size_t n = 1 + random.below(6);
  automaton.states.resize(n);
  const auto letter = [&] {
    ltl::Decision made = ltl::Decision::False;
    for (std::size_t i = 0; i < 3; ++i) {
      ltl::Decision cube = ltl::Decision::True;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto atom = static_cast<ltl::Variable>(random.below(num_atoms));
        ltl::Decision literal = automaton.letters.variable(atom);
        if (random.chance(50)) literal = automaton.letters.negation(literal);
        cube = automaton.letters.conjunction(cube, literal);
      }
      made = automaton.letters.disjunction(made, cube);
    }
    return made;
  };
  for (StateIndex s = 0; s < n; ++s) {
    automaton.states[s].accepting = random.chance(40);
    ltl::Decision left = ltl::Decision::True;
    for (std::size_t i = 0; i < 3; ++i) {
      ltl::Decision chosen = letter();
      if (deterministic) chosen = automaton.letters.conjunction(chosen, left);
      left = automaton.letters.difference(left, chosen);
      automaton.add_edge(s, chosen, static_cast<StateIndex>(random.below(n)));
    }
  }
  automaton.initial = {static_cast<StateIndex>(random.below(n))};
  if (!deterministic && n > 1) automaton.initial = {0, 1};
  return automaton;
}

}  // namespace

TEST_CASE("a compiled automaton takes the steps of the automaton", "[monitor][random]") {
  for (std::uint64_t seed = 1; seed <= scaled(100); ++seed) {
    CAPTURE(seed);
    base::Random random{seed};
    const std::size_t num_atoms = seed % 3 == 0 ? 130 : 1 + random.below(9);
    const bool deterministic = random.chance(50);
    const Automaton automaton = random_automaton(random, num_atoms, deterministic);
    const Compiled compiled{automaton};
    CHECK((!deterministic || compiled.deterministic()));
    std::vector<std::uint64_t> bits(num_words(num_atoms));
    for (int i = 0; i < 200; ++i) {
      for (std::uint64_t& word : bits) word = random.next();
      const auto s = static_cast<StateIndex>(random.below(automaton.num_states()));
      std::vector<StateIndex> expected;
      for (const ltl::Edge& edge : automaton.states[s].edges) {
        const bool taken = automaton.letters.evaluate(
            edge.letter, [&](ltl::Variable v) { return ((bits[v / 64] >> (v % 64)) & 1U) != 0; });
        if (taken) expected.push_back(edge.target);
      }
      const auto next = compiled.next(s, bits.data());
      REQUIRE(std::vector<StateIndex>(next.begin(), next.end()) == expected);
      if (!compiled.deterministic()) continue;
      REQUIRE(compiled.step(s, bits.data()) ==
              (expected.empty() ? compiled.dead() : expected.front()));
    }
  }
}

TEST_CASE("a settled state is one whose answer cannot change", "[monitor]") {
  auto read = read_formula("a U b");
  const Compiled compiled{*ltl::finite_automaton(read.formulas, read.formula, read.atoms)};
  const auto after = [&](const std::vector<std::uint64_t>& word) {
    StateIndex at = compiled.start();
    for (const std::uint64_t& bits : word) at = compiled.step(at, &bits);
    return at;
  };
  CHECK_FALSE(compiled.settled(after({})));
  CHECK_FALSE(compiled.settled(after({1})));
  CHECK(compiled.settled(after({1, 2})));
  CHECK(compiled.accepting(after({1, 2, 0})));
  CHECK(compiled.settled(after({0})));
  CHECK_FALSE(compiled.accepting(after({0, 2})));
}

}  // namespace cohort::monitor
