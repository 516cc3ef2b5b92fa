#include "monitor/hoa.hpp"

#include <catch2/catch.hpp>

#include "ltl/buchi.hpp"
#include "ltl/finite_word.hpp"
#include "unit/ltl/lasso.hpp"
#include "unit/ltl/random_formula.hpp"
#include "unit/ltl/read_formula.hpp"

namespace cohort::monitor {
namespace {

using ltl::Automaton;
using ltl_test::all_lassos;
using ltl_test::read_formula;
using ltl_test::scaled;

[[nodiscard]] Automaton read(const std::string& text) {
  const base::Source source = base::Source::from_text("automaton.hoa", text);
  base::Diagnostics diagnostics;
  std::optional<Automaton> automaton = read_hoa(source, diagnostics);
  INFO(base::render(source, diagnostics));
  REQUIRE(automaton);
  return std::move(*automaton);
}

[[nodiscard]] std::string error(const std::string& text) {
  const base::Source source = base::Source::from_text("automaton.hoa", text);
  base::Diagnostics diagnostics;
  CHECK_FALSE(read_hoa(source, diagnostics));
  REQUIRE(diagnostics.has_errors());
  return base::render(source, diagnostics);
}

/// Whether an automaton has the infinite words of a formula, on all small lassos.
void check_language(const Automaton& automaton, const std::string& formula) {
  auto wanted = read_formula(formula, automaton.atoms);
  for (const oracle::LassoWord& word : all_lassos(automaton.atoms.size(), 2, 2)) {
    REQUIRE(ltl_test::accepts(automaton, word) ==
            oracle::holds(wanted.formulas, wanted.formula, word));
  }
}

}  // namespace

TEST_CASE("an automaton comes back from HOA as it was written", "[monitor][random]") {
  for (std::uint64_t seed = 1; seed <= scaled(150); ++seed) {
    base::Random random{seed};
    ltl::Formulas formulas;
    const ltl::Formula f = ltl_test::random_formula(
        formulas, random, {.num_operators = 1 + random.below(8), .num_atoms = 3});
    CAPTURE(seed, ltl_test::to_string(formulas, f));
    std::optional<Automaton> made =
        seed % 2 == 0 ? ltl::buchi_automaton(formulas, f, ltl_test::atom_names(3))
                      : ltl::finite_automaton(formulas, f, ltl_test::atom_names(3));
    REQUIRE(made);
    made->name = "a \"quoted\" \\ name";
    const std::string text = to_hoa(*made);
    const Automaton back = read(text);
    CHECK(back.acceptance == made->acceptance);
    CHECK(to_hoa(back) == text);
  }
}

TEST_CASE("HOA as Spot writes it is read", "[monitor]") {
  // GFa, transition-based.
  const Automaton response = read(
      "HOA: v1\nname: \"GFa\"\nStates: 1\nStart: 0\nAP: 1 \"a\"\nacc-name: Buchi\n"
      "Acceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels trans-acc complete\n"
      "properties: deterministic stutter-invariant\n--BODY--\nState: 0\n[0] 0 {0}\n[!0] "
      "0\n--END--\n");
  check_language(response, "G F a");
  // GFa & GFb, generalized, with aliases and a comment.
  const Automaton both = read(
      "HOA: v1 /* made /* by */ hand */ States: 1 Start: 0 AP: 2 \"a\" \"b\"\n"
      "acc-name: generalized-Buchi 2\nAcceptance: 2 Inf(0)&Inf(1)\nAlias: @x 0 & 1\n"
      "Alias: @y !@x & (0 | 1)\n--BODY--\nState: 0\n[@x] 0 {0 1}\n[@y & 0] 0 {0}\n[@y&!0] 0 {1}\n"
      "[!0&!1] 0\n--END--\n");
  check_language(both, "G F a & G F b");
  // a U b with labels on states, state-based.
  const Automaton until = read(
      "HOA: v1\nStates: 3\nStart: 0\nStart: 1\nAP: 2 \"a\" \"b\"\nAcceptance: 1 Inf(0)\n--BODY--\n"
      "State: [0] 0\n0 1\nState: [1] 1\n2\nState: [t] 2 {0}\n2\n--END--\n");
  check_language(until, "a U b");
  // Implicit labels; acceptance t.
  const Automaton always = read(
      "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nacc-name: all\nAcceptance: 0 t\n--BODY--\n"
      "State: 0\n1 0\nState: 1 \"no way out\"\n--END--\n");
  check_language(always, "G a");
  // Nothing.
  const Automaton none = read(
      "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nacc-name: none\nAcceptance: 0 f\n--BODY--\n"
      "State: 0\n[t] 0\n--END--\n");
  check_language(none, "false");
}

TEST_CASE("what is wrong with a HOA file is said, with its place", "[monitor]") {
  const std::string start = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\n";
  CHECK_THAT(error(""), Catch::Contains("expected 'HOA: v1'"));
  CHECK_THAT(error("HOA: v2\n"), Catch::Contains("only version v1"));
  CHECK_THAT(error(start + "--BODY--\n--END--\n"), Catch::Contains("'Acceptance:' is missing"));
  CHECK_THAT(error(start + "Acceptance: 1 Fin(0)\n--BODY--\n--END--\n"),
             Catch::Contains("5:15: error: acceptance with Fin is not supported"));
  CHECK_THAT(error(start + "Acceptance: 2 Inf(0)|Inf(1)\n--BODY--\n--END--\n"),
             Catch::Contains("a disjunction of acceptance sets is not supported"));
  CHECK_THAT(error(start + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0&0\n--END--\n"),
             Catch::Contains("8:6: error: alternating automata are not supported"));
  CHECK_THAT(error(start + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[1] 0\n--END--\n"),
             Catch::Contains("8:2: error: there is no atom 1"));
  CHECK_THAT(error(start + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 1\n--END--\n"),
             Catch::Contains("8:5: error: there is no state 1"));
  CHECK_THAT(error(start + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0 0\n--END--\n"),
             Catch::Contains("8:4: error: expected ']' but found '0'"));
  CHECK_THAT(error(start + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {0}\n"),
             Catch::Contains("expected 'State:' or '--END--' but found the end"));
  CHECK_THAT(error(start + "Acceptance: 1 Inf(1)\n--BODY--\n--END--\n"),
             Catch::Contains("there is no acceptance set 1"));
  CHECK_THAT(error(start + "Acceptance: 1 Inf(0)\nGain: 3\n--BODY--\n--END--\n"),
             Catch::Contains("the header 'Gain:' is not supported"));
  CHECK_THAT(error(start + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n0\n--END--\n"),
             Catch::Contains("1 edges without labels"));
  CHECK_THAT(error(start + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[" + std::string(5000, '(') +
                   "0\n--END--\n"),
             Catch::Contains("nested too deeply"));
}

TEST_CASE("DOT shows states, letters and what accepts", "[monitor]") {
  auto formula = read_formula("F x = 1");
  const Automaton automaton =
      *ltl::buchi_automaton(formula.formulas, formula.formula, formula.atoms);
  const std::string text = to_dot(automaton);
  CHECK_THAT(text, Catch::Contains("doublecircle"));
  CHECK_THAT(text, Catch::Contains("label=\"!(x = 1)\""));
  CHECK_THAT(text, Catch::Contains("label=\"true\""));
}

}  // namespace cohort::monitor
