// The specification patterns of Dwyer, Avrunin and Corbett 1999: absence, existence, bounded
// existence, universality, precedence, response, precedence and response chains, constrained
// chains; each globally, before R, after Q, between Q and R, after Q until R.
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <iostream>

#include "ltl/buchi.hpp"
#include "unit/ltl/lasso.hpp"
#include "unit/ltl/random_formula.hpp"
#include "unit/ltl/read_formula.hpp"

namespace cohort::ltl_test {
namespace {

constexpr std::array<const char*, 55> patterns{
    "G !p",
    "F r -> (!p U r)",
    "G(q -> G !p)",
    "G((q & !r & F r) -> (!p U r))",
    "G(q & !r -> (!p W r))",

    "F p",
    "!r W (p & !r)",
    "G !q | F(q & F p)",
    "G(q & !r -> (!r W (p & !r)))",
    "G(q & !r -> (!r U (p & !r)))",

    "!p W (p W (!p W (p W G !p)))",
    "F r -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r)))))))))",
    "F q -> (!q U (q & (!p W (p W (!p W (p W G !p))))))",
    "G((q & F r) -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U "
    "r))))))))))",
    "G(q -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p W r) | G "
    "p)))))))))",

    "G p",
    "F r -> (p U r)",
    "G(q -> G p)",
    "G((q & !r & F r) -> (p U r))",
    "G(q & !r -> (p W r))",

    "!p W s",
    "F r -> (!p U (s | r))",
    "G !q | F(q & (!p W s))",
    "G((q & !r & F r) -> (!p U (s | r)))",
    "G(q & !r -> (!p W (s | r)))",

    "G(p -> F s)",
    "F r -> (p -> (!r U (s & !r))) U r",
    "G(q -> G(p -> F s))",
    "G((q & !r & F r) -> ((p -> (!r U (s & !r))) U r))",
    "G(q & !r -> ((p -> (!r U (s & !r))) W r))",

    "F p -> (!p U (s & !p & X(!p U t)))",
    "F r -> (!p U (r | (s & !p & X(!p U t))))",
    "G !q | (!q U (q & F p -> (!p U (s & !p & X(!p U t)))))",
    "G((q & F r) -> (!p U (r | (s & !p & X(!p U t)))))",
    "G(q -> (F p -> (!p U (r | (s & !p & X(!p U t))))))",

    "F(s & X F t) -> (!s U p)",
    "F r -> (!(s & !r & X(!r U (t & !r))) U (r | p))",
    "G !q | (!q U (q & (F(s & X F t) -> (!s U p))))",
    "G((q & F r) -> (!(s & !r & X(!r U (t & !r))) U (r | p)))",
    "G(q -> (!(s & !r & X(!r U (t & !r))) U (r | p) | G !(s & X F t)))",

    "G(s & X F t -> X F(t & F p))",
    "F r -> (s & X(!r U t) -> X(!r U (t & F p))) U r",
    "G(q -> G(s & X F t -> X(!t U (t & F p))))",
    "G((q & F r) -> (s & X(!r U t) -> X(!r U (t & F p))) U r)",
    "G(q -> (s & X(!r U t) -> X(!r U (t & F p))) U (r | G(s & X(!r U t) -> X(!r U (t & F p)))))",

    "G(p -> F(s & X F t))",
    "F r -> (p -> (!r U (s & !r & X(!r U t)))) U r",
    "G(q -> G(p -> (s & X F t)))",
    "G((q & F r) -> (p -> (!r U (s & !r & X(!r U t)))) U r)",
    "G(q -> (p -> (!r U (s & !r & X(!r U t)))) U (r | G(p -> (s & X F t))))",

    "G(p -> F(s & !z & X(!z U t)))",
    "F r -> (p -> (!r U (s & !r & !z & X((!r & !z) U t)))) U r",
    "G(q -> G(p -> (s & !z & X(!z U t))))",
    "G((q & F r) -> (p -> (!r U (s & !r & !z & X((!r & !z) U t)))) U r)",
    "G(q -> (p -> (!r U (s & !r & !z & X((!r & !z) U t)))) U (r | G(p -> (s & !z & X(!z U t)))))",
};

}  // namespace

TEST_CASE("the automata of the specification patterns are small", "[ltl]") {
  std::size_t total = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    CAPTURE(i + 1, patterns[i]);
    NamedFormula read = read_formula(patterns[i]);
    const auto automaton = ltl::buchi_automaton(read.formulas, read.formula, read.atoms);
    REQUIRE(automaton);
    total += automaton->num_states();
    base::Random random{i + 1};
    for (int k = 0; k < 40; ++k) {
      const oracle::LassoWord word = random_lasso(random, read.atoms.size());
      REQUIRE(accepts(*automaton, word) == oracle::holds(read.formulas, read.formula, word));
    }
  }
  CAPTURE(total);
  CHECK(total <= 329);  // ltl3ba's; Spot's is 214
}

TEST_CASE("states and time of each specification pattern", "[.report]") {
  std::size_t total = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    NamedFormula read = read_formula(patterns[i]);
    const auto start = std::chrono::steady_clock::now();
    auto automaton = ltl::buchi_automaton(read.formulas, read.formula, read.atoms);
    REQUIRE(automaton);
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    total += automaton->num_states();
    std::cout << i + 1 << "\t" << automaton->num_states() << "\t"
              << (automaton->is_deterministic() ? "det" : "") << "\t" << spent.count() << " ms\t"
              << patterns[i] << "\n";
  }
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
  std::cout << "total " << total << " states, " << all.count() << " s\n";
}

}  // namespace cohort::ltl_test
