#include "ltl/buchi.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <set>

#include "ltl/finite_word.hpp"
#include "ltl/simplify.hpp"
#include "unit/ltl/lasso.hpp"
#include "unit/ltl/random_formula.hpp"
#include "unit/ltl/read_formula.hpp"

namespace cohort::ltl_test {
namespace {

using ltl::Automaton;
using ltl::Formula;
using ltl::Formulas;

[[nodiscard]] std::string show(const oracle::LassoWord& word) {
  std::string text = "stem";
  for (const oracle::Letter letter : word.stem) text += " " + std::to_string(letter);
  text += " loop";
  for (const oracle::Letter letter : word.loop) text += " " + std::to_string(letter);
  return text;
}

/// Compares an automaton with the formula on many words.
void check_words(const Formulas& formulas, Formula f, const Automaton& automaton,
                 const std::vector<oracle::LassoWord>& words) {
  for (const oracle::LassoWord& word : words) {
    const bool expected = oracle::holds(formulas, f, word);
    if (accepts(automaton, word) != expected) {
      INFO(show(word) << " expected " << expected);
      REQUIRE(false);
    }
  }
}

/// The formula that an infinite word satisfies if its positions before the first without `alive`,
/// as a finite word, satisfy f; for words that never come back to life.
[[nodiscard]] Formula until_end(Formulas& formulas, Formula f, Formula alive) {
  const auto part = [&](std::size_t i) {
    return until_end(formulas, formulas.operands(f)[i], alive);
  };
  const auto here = [&](Formula g) { return formulas.conjunction(alive, g); };
  const auto unless_over = [&](Formula g) { return formulas.implication(alive, g); };
  std::vector<Formula> parts;
  switch (formulas.op(f)) {
    case ltl::Operator::Atom:
      return here(f);
    case ltl::Operator::Not:
      return formulas.negation(part(0));
    case ltl::Operator::And:
    case ltl::Operator::Or:
      for (std::size_t i = 0; i < formulas.operands(f).size(); ++i) parts.push_back(part(i));
      return formulas.op(f) == ltl::Operator::And ? formulas.conjunction(parts)
                                                  : formulas.disjunction(parts);
    case ltl::Operator::X:
      return unless_over(formulas.next(unless_over(part(0))));
    case ltl::Operator::StrongX:
      return here(formulas.next(here(part(0))));
    case ltl::Operator::F:
      return formulas.eventually(here(part(0)));
    case ltl::Operator::G:
      return formulas.always(unless_over(part(0)));
    case ltl::Operator::U:
      return formulas.until(part(0), here(part(1)));
    case ltl::Operator::W:
      return formulas.weak_until(unless_over(part(0)), here(part(1)));
    case ltl::Operator::R:
      return formulas.release(here(part(0)), unless_over(part(1)));
    case ltl::Operator::M:
      return formulas.strong_release(here(part(0)), unless_over(part(1)));
    default:
      return f;
  }
}

[[nodiscard]] bool ends_accepting(const Automaton& automaton, const oracle::FiniteWord& word) {
  ltl::StateIndex state = automaton.initial.front();
  for (const oracle::Letter letter : word.letters) {
    for (const ltl::Edge& edge : automaton.states[state].edges) {
      const auto is_true = [&](ltl::Variable v) { return ((letter >> v) & 1U) != 0; };
      if (!automaton.letters.evaluate(edge.letter, is_true)) continue;
      state = edge.target;
      break;
    }
  }
  return automaton.states[state].accepting;
}

}  // namespace

TEST_CASE("a Büchi automaton accepts the words that satisfy its formula", "[ltl][random]") {
  const std::vector<oracle::LassoWord> small = all_lassos(2, 1, 2);
  for (std::uint64_t seed = 1; seed <= scaled(300); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    const Formula f = random_formula(formulas, random, {.num_operators = 1 + random.below(9)});
    CAPTURE(seed, to_string(formulas, f));
    const std::optional<Automaton> automaton = ltl::buchi_automaton(formulas, f, atom_names(2));
    REQUIRE(automaton);
    check_words(formulas, f, *automaton, small);
    std::vector<oracle::LassoWord> larger;
    for (int i = 0; i < 100; ++i) larger.push_back(random_lasso(random, 2));
    check_words(formulas, f, *automaton, larger);
  }
}

TEST_CASE("states are not merged through a simulation that is not transitive", "[ltl]") {
  // Both the formula and its negation were accepted: the promise of !c got lost in a merger.
  NamedFormula read =
      read_formula(GENERATE(as<std::string>{}, "(X F (G c & ({a[*1..2]} |=> a))) <-> G (c & b)",
                            "(X F (G c & !{a[*1..2] ; !a})) <-> G (c & b)",
                            "!((X F (G c & ({a[*1..2]} |=> a))) <-> G (c & b))"),
                   {"a", "b", "c"});
  const std::optional<Automaton> automaton =
      ltl::buchi_automaton(read.formulas, read.formula, read.atoms);
  REQUIRE(automaton);
  check_words(read.formulas, read.formula, *automaton, {{{4}, {5, 6}}});
  check_words(read.formulas, read.formula, *automaton, all_lassos(3, 1, 2));
}

TEST_CASE("a Büchi automaton with regular expressions accepts the right words", "[ltl][random]") {
  for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    const Formula f =
        random_formula(formulas, random, {.num_operators = 1 + random.below(6), .regexes = true});
    CAPTURE(seed, to_string(formulas, f));
    const std::optional<Automaton> automaton = ltl::buchi_automaton(formulas, f, atom_names(2));
    REQUIRE(automaton);
    std::vector<oracle::LassoWord> words;
    for (int i = 0; i < 30; ++i) words.push_back(random_lasso(random, 2));
    check_words(formulas, f, *automaton, words);
  }
}

TEST_CASE("both translations say the same of words that end", "[ltl][random]") {
  for (std::uint64_t seed = 1; seed <= scaled(150); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    const Formula f = random_formula(formulas, random, {.num_operators = 1 + random.below(7)});
    const Formula alive = formulas.atom(ltl::Atom{2});
    CAPTURE(seed, to_string(formulas, f));
    const std::optional<Automaton> finite = ltl::finite_automaton(formulas, f, atom_names(2));
    const std::optional<Automaton> infinite =
        ltl::buchi_automaton(formulas, until_end(formulas, f, alive), atom_names(3));
    REQUIRE((finite && infinite));
    for (const oracle::FiniteWord& word : all_words(2, 3)) {
      oracle::LassoWord endless{{}, {0}};
      for (const oracle::Letter letter : word.letters) endless.stem.push_back(letter | 4U);
      REQUIRE(accepts(*infinite, endless) == ends_accepting(*finite, word));
    }
  }
}

TEST_CASE("a simplified formula has the same infinite words", "[ltl][random]") {
  for (std::uint64_t seed = 1; seed <= scaled(500); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    const Formula f = random_formula(formulas, random, {.num_operators = 1 + random.below(9)});
    const Formula g = ltl::Simplifier(formulas)(f);
    CAPTURE(seed, to_string(formulas, f), to_string(formulas, g));
    for (int i = 0; i < 50; ++i) {
      const oracle::LassoWord word = random_lasso(random, 2);
      REQUIRE(oracle::holds(formulas, f, word) == oracle::holds(formulas, g, word));
    }
  }
}

TEST_CASE("what is put off for ever is not accepted", "[ltl]") {
  // Each once was, or would have been, wrong: see tableau.cpp.
  for (const char* text : {"G X F a", "G({a; b[*]; a})", "G F {a; b}", "G(a -> {true[*]; b; a})"}) {
    CAPTURE(text);
    NamedFormula read = read_formula(text, {"a", "b"});
    const std::optional<Automaton> automaton =
        ltl::buchi_automaton(read.formulas, read.formula, read.atoms);
    REQUIRE(automaton);
    check_words(read.formulas, read.formula, *automaton, all_lassos(2, 1, 2));
  }
}

TEST_CASE("the paper's second formula needs a nondeterministic automaton", "[ltl]") {
  NamedFormula read = read_formula("F a U G b", {"a", "b"});
  std::optional<Automaton> automaton =
      ltl::buchi_automaton(read.formulas, read.formula, read.atoms);
  REQUIRE(automaton);
  CHECK_FALSE(automaton->is_deterministic());
  check_words(read.formulas, read.formula, *automaton, all_lassos(2, 2, 2));
}

}  // namespace cohort::ltl_test
