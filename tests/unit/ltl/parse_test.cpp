#include "ltl/parse.hpp"

#include <catch2/catch.hpp>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "ltl/lower.hpp"
#include "unit/ltl/random_formula.hpp"
#include "unit/ltl/read_formula.hpp"

namespace cohort::ltl_test {
namespace {

using ltl::Formula;
using ltl::Formulas;

/// The formula as it is understood, with its brackets where they are needed.
[[nodiscard]] std::string understood(const std::string& text) {
  const NamedFormula read = read_formula(text);
  return read.formulas.to_string(
      read.formula, [&](ltl::Atom atom) { return read.atoms[static_cast<std::size_t>(atom)]; });
}

[[nodiscard]] std::string errors(const std::string& text) {
  const base::Source source = base::Source::from_text("formula", text);
  base::Diagnostics diagnostics;
  const ltl::syntax::Expr tree = ltl::parse_formula(source, diagnostics);
  Formulas formulas;
  ltl::NamedAtoms atoms;
  if (!diagnostics.has_errors()) (void)lower(tree, formulas, atoms, diagnostics);
  return base::render(source, diagnostics);
}

}  // namespace

TEST_CASE("operators bind as traces.md says", "[ltl]") {
  CHECK(understood("a U b & c") == understood("(a U b) & c"));
  CHECK(understood("a & b | c & d") == understood("(a & b) | (c & d)"));
  CHECK(understood("a -> b -> c") == understood("a -> (b -> c)"));
  CHECK(understood("a U b W c R d") == understood("a U (b W (c R d))"));
  CHECK(understood("!a U b") == understood("(!a) U b"));
  CHECK(understood("G a U b") == understood("(G a) U b"));
  CHECK(understood("G a & b") == understood("(G a) & b"));
  CHECK(understood("a <-> b -> c") == understood("a <-> (b -> c)"));
  CHECK(understood("!x = 3") == understood("!(x = 3)"));
  CHECK(understood("F x + 1 < 2 * y - 3") == "F x + 1 < 2 * y - 3");
  CHECK(understood("[]<>a") == understood("G F a"));
  CHECK(understood("a & {b} |-> c | d") == understood("a & ({b} |-> (c | d))"));
  CHECK(understood("{a; b | c && d & e}") == understood("{a; (b | (c && (d & e)))}"));
  CHECK(understood("{b | c && d[*2]}") == understood("{b | (c && (d[*2]))}"));
  CHECK(understood("{a : b; !c[*]}") == understood("{(a : b); ((!c)[*])}"));
  CHECK(understood("{!(a && b) ; a && b -> c}") == understood("{!(a & b) ; a & b -> c}"));
}

TEST_CASE("regular expressions are grouped with braces, and a repetition needs no operand",
          "[ltl]") {
  CHECK(understood("{ {a ; b}[*] ; c }") == understood("{(a ; b)[*] ; c}"));
  CHECK(understood("{{a;b}|{c}}") == understood("{(a;b)|c}"));
  CHECK(understood("{a ; [*] ; b}") == understood("{a ; true[*] ; b}"));
  CHECK(understood("{[*2..3][+] && a}") == understood("{(true[*2..3])[+] && a}"));
  CHECK(understood("{[+]} |-> a") == understood("{true[+]} |-> a"));
  CHECK_THAT(errors("{![*]}"), Catch::Contains("formula:1:3: error: expected"));
  CHECK_THAT(errors("{{x} + 1 = 3}"), Catch::Contains("'+' cannot follow a formula"));
}

TEST_CASE("a history suffix asks for a value, a time or a number", "[ltl]") {
  const base::Source source = base::Source::from_text("f", "x?3?C > y[1, 2]?T");
  base::Diagnostics diagnostics;
  const ltl::syntax::Expr tree = ltl::parse_formula(source, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  REQUIRE(tree.kind == ltl::syntax::ExprKind::Compare);
  CHECK(tree.args[0].history == ltl::syntax::History{ltl::syntax::History::Asked::Count, 3});
  CHECK(tree.args[1].history == ltl::syntax::History{ltl::syntax::History::Asked::Time, 0});
  CHECK(tree.args[1].args.size() == 2);
  CHECK(canonical_text(tree) == "x?3?C > y[1, 2]?T");
}

TEST_CASE("equal atoms are one atom, however they are written", "[ltl]") {
  CHECK(read_formula("x=1 & (x) == (1) | X x  =  1").atoms == std::vector<std::string>{"x = 1"});
  CHECK(read_formula("x = 1 & x != 1").atoms.size() == 2);
}

TEST_CASE("a printed formula is read back as the same formula", "[ltl][random]") {
  for (std::uint64_t seed = 1; seed <= scaled(500); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    const Formula f = random_formula(
        formulas, random, {.num_operators = random.below(12), .num_atoms = 3, .regexes = true});
    const std::string text = to_string(formulas, f);
    CAPTURE(seed, text);
    const NamedFormula read = read_formula(text, atom_names(3));
    // Not the same number: operands of & are sorted by number, and `|` in an expression may be a
    // union.  The same words are what counts.
    for (int i = 0; i < 30; ++i) {
      const oracle::LassoWord lasso = random_lasso(random, 3);
      const oracle::FiniteWord word{lasso.stem};
      REQUIRE(oracle::holds(formulas, f, word) == oracle::holds(read.formulas, read.formula, word));
    }
  }
}

TEST_CASE("a formula and its negation normal form have the same words", "[ltl][random]") {
  const std::vector<oracle::FiniteWord> words = all_words(2, 3);
  for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    const Formula f = random_formula(
        formulas, random, {.num_operators = random.below(9), .num_atoms = 2, .regexes = true});
    CAPTURE(seed, to_string(formulas, f));
    const Formula same = formulas.negation_normal_form(f);
    const Formula other = formulas.negated(f);
    for (const oracle::FiniteWord& word : words) {
      const bool expected = oracle::holds(formulas, f, word);
      REQUIRE(oracle::holds(formulas, same, word) == expected);
      REQUIRE(oracle::holds(formulas, other, word) != expected);
    }
  }
}

TEST_CASE("of conditions in a regular expression && and | make a condition", "[ltl]") {
  for (const char* const text :
       {"{!(a && b)}", "{a & (b && c)}", "{a && b -> c}", "{(a && b) <-> c}"}) {
    CAPTURE(text);
    CHECK(errors(text).empty());
  }
  CHECK_THAT(errors("{a & (b && c[*2])}"),
             Catch::Contains("a regular expression stands where a condition is needed"));
}

TEST_CASE("errors have their place and a hint", "[ltl]") {
  CHECK(errors("G(a -> X b") ==
        "formula:1:11: error: expected an operator or ')' before the end of the input\n"
        "    1 | G(a -> X b\n"
        "      |           ^\n"
        "  hint: the '(' at line 1, column 2 is not closed\n");
  CHECK_THAT(errors("0 < x < 5"), Catch::Contains("1:7: error: comparisons cannot be chained"));
  CHECK_THAT(errors("(a | b) + 1 = 2"), Catch::Contains("1:9: error: '+' cannot follow a formula"));
  CHECK_THAT(errors("1 + (a | b) = 2"),
             Catch::Contains("1:5: error: a formula stands where a number is needed"));
  CHECK_THAT(errors("mode = \"off"), Catch::Contains("1:8: error: the string is not closed"));
  CHECK_THAT(errors("F 3"),
             Catch::Contains("1:3: error: a value stands where a formula is needed"));
  CHECK_THAT(errors("{a[*3..2]}"), Catch::Contains("a repetition at least 3 and at most 2 times"));
  CHECK_THAT(errors("{a[*3000000]}"), Catch::Contains("more than 10000 times"));
  CHECK_THAT(
      errors("{!(a; b)}"),
      Catch::Contains("1:4: error: a regular expression stands where a condition is needed"));
  CHECK_THAT(errors("{!(a && b[*])}"),
             Catch::Contains("a regular expression stands where a condition is needed"));
  CHECK_THAT(errors("forall i in c . G a[i] = 1"),
             Catch::Contains("1:1: error: a quantifier over processes needs a model"));
  CHECK_THAT(errors("G exists i in c . F a[i] = 1"),
             Catch::Contains("put the quantifier in front of all temporal operators"));
  CHECK_THAT(errors("COUNT(i in c : F a) = 1"),
             Catch::Contains("the body of COUNT has a temporal operator"));
  CHECK_THAT(errors(std::string(100'000, '(')), Catch::Contains("nested too deeply"));
  CHECK_THAT(errors(std::string(100'000, '!') + "a"), Catch::Contains("nested too deeply"));
  std::string until = "a";
  for (int i = 0; i < 20'000; ++i) until += " U a";
  CHECK_THAT(errors(until), Catch::Contains("nested too deeply"));
  CHECK(errors("G F a").empty());
}

TEST_CASE("a long flat formula is no deep one", "[ltl]") {
  std::string text = "a0";
  for (int i = 1; i < 20'000; ++i) text += " | a" + std::to_string(i % 7);
  CHECK(read_formula(text).atoms.size() == 7);
}

}  // namespace cohort::ltl_test
