#include "ltl/finite_word.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "unit/ltl/random_formula.hpp"
#include "unit/ltl/read_formula.hpp"

namespace cohort::ltl_test {
namespace {

using ltl::Automaton;
using ltl::Formula;
using ltl::Formulas;
using ltl::Regex;

[[nodiscard]] bool accepts(const Automaton& automaton, const oracle::FiniteWord& word) {
  ltl::StateIndex at = automaton.initial.front();
  for (const oracle::Letter letter : word.letters) {
    ltl::StateIndex next = ~ltl::StateIndex{0};
    for (const ltl::Edge& edge : automaton.states[at].edges) {
      const bool taken = automaton.letters.evaluate(
          edge.letter, [&](ltl::Variable v) { return ((letter >> v) & 1U) != 0; });
      if (taken) next = edge.target;
    }
    REQUIRE(next < automaton.num_states());
    at = next;
  }
  return automaton.states[at].accepting;
}

[[nodiscard]] std::string show(const oracle::FiniteWord& word) {
  std::string text = "word";
  for (const oracle::Letter letter : word.letters) text += " " + std::to_string(letter);
  return text;
}

/// The words of one letter a position, as in paper 003: a, b, or t for neither.
[[nodiscard]] oracle::FiniteWord action_word(const std::string& text) {
  oracle::FiniteWord word;
  for (const char c : text) word.letters.push_back(c == 'a' ? 1 : c == 'b' ? 2 : 0);
  return word;
}

/// All texts over a, b, t up to a length.
[[nodiscard]] std::vector<std::string> action_texts(std::size_t longest) {
  std::vector<std::string> texts{""};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() == longest) continue;
    for (const char c : {'a', 'b', 't'}) texts.push_back(texts[i] + c);
  }
  return texts;
}

/// The language that an expression over actions describes, by the brute-force matcher.
[[nodiscard]] bool in_language(NamedFormula& read, const std::string& text) {
  const Regex r = read.formulas.regex_of(read.formula);
  return oracle::matches(read.formulas, r, action_word(text).letters);
}

}  // namespace

TEST_CASE("a finite automaton accepts the words that satisfy its formula", "[ltl][random]") {
  const std::vector<oracle::FiniteWord> words = all_words(2, 4);
  for (std::uint64_t seed = 1; seed <= scaled(400); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    FormulaShape shape;
    shape.num_operators = 1 + random.below(9);
    shape.regexes = random.chance(50);
    const Formula f = random_formula(formulas, random, shape);
    CAPTURE(seed, to_string(formulas, f));
    std::optional<Automaton> automaton = ltl::finite_automaton(formulas, f, atom_names(2));
    REQUIRE(automaton);
    REQUIRE(automaton->is_deterministic());
    REQUIRE(automaton->is_complete());
    for (const oracle::FiniteWord& word : words) {
      const bool expected = oracle::holds(formulas, f, word);
      if (accepts(*automaton, word) != expected) {
        INFO(show(word) << " expected " << expected);
        REQUIRE(false);
      }
    }
  }
}

TEST_CASE("a finite automaton is the smallest one", "[ltl][random]") {
  // Two states of a minimal automaton are told apart by a word shorter than their number.
  for (std::uint64_t seed = 1; seed <= scaled(100); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    const Formula f = random_formula(formulas, random, {.num_operators = 1 + random.below(7)});
    CAPTURE(seed, to_string(formulas, f));
    std::optional<Automaton> automaton = ltl::finite_automaton(formulas, f, atom_names(2));
    REQUIRE(automaton);
    if (automaton->num_states() > 7) continue;
    const std::vector<oracle::FiniteWord> words =
        all_words(2, std::min<std::size_t>(automaton->num_states() - 1, 5));
    std::set<std::vector<bool>> answers;
    for (ltl::StateIndex s = 0; s < automaton->num_states(); ++s) {
      Automaton from = *automaton;
      from.initial = {s};
      std::vector<bool> accepted;
      for (const oracle::FiniteWord& word : words) accepted.push_back(accepts(from, word));
      answers.insert(accepted);
    }
    CHECK(answers.size() == automaton->num_states());
  }
}

TEST_CASE("a formula and its negation have complementary automata", "[ltl][random]") {
  for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    const Formula f = random_formula(
        formulas, random, {.num_operators = 1 + random.below(8), .regexes = random.chance(50)});
    CAPTURE(seed, to_string(formulas, f));
    std::optional<Automaton> automaton = ltl::finite_automaton(formulas, f, atom_names(2));
    std::optional<Automaton> negated =
        ltl::finite_automaton(formulas, formulas.negated(f), atom_names(2));
    REQUIRE((automaton && negated));
    REQUIRE(automaton->num_states() == negated->num_states());
    const Automaton complement = ltl::complement(*automaton);
    for (const oracle::FiniteWord& word : all_words(2, 3)) {
      REQUIRE(accepts(complement, word) == accepts(*negated, word));
    }
  }
}

TEST_CASE("a regular expression matches what the brute-force matcher says", "[ltl][random]") {
  const std::vector<oracle::FiniteWord> words = all_words(2, 4);
  for (std::uint64_t seed = 1; seed <= scaled(300); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    const Regex r = random_regex(formulas, random, {.num_operators = 1 + random.below(6)});
    CAPTURE(seed, to_string(formulas, r));
    // Matched to the end: the match is followed by nothing.
    const Formula at_end = formulas.next(formulas.constant(false));
    std::optional<Automaton> automaton =
        ltl::finite_automaton(formulas, formulas.some(r, at_end), atom_names(2));
    REQUIRE(automaton);
    for (const oracle::FiniteWord& word : words) {
      if (word.letters.empty()) continue;
      INFO(show(word));
      REQUIRE(accepts(*automaton, word) == oracle::matches(formulas, r, word.letters));
    }
  }
}

TEST_CASE("the first example of paper 003 has its corrected language", "[ltl]") {
  NamedFormula strong = read_formula("G(a -> X[!](!a U b))");
  NamedFormula weak = read_formula("G(a -> X(!a U b))");
  const Automaton with_strong =
      *ltl::finite_automaton(strong.formulas, strong.formula, strong.atoms);
  const Automaton with_weak = *ltl::finite_automaton(weak.formulas, weak.formula, weak.atoms);
  NamedFormula language =
      read_formula("{(b | !a & !b)[*]; (a; (!a & !b)[*]; b; (b | !a & !b)[*])[*]}", {"a", "b"});
  for (const std::string& text : action_texts(7)) {
    CAPTURE(text);
    const bool printed = in_language(language, text);
    CHECK(accepts(with_strong, action_word(text)) == printed);
    const bool ends_in_a = !text.empty() && text.back() == 'a' &&
                           in_language(language, text.substr(0, text.size() - 1));
    CHECK(accepts(with_weak, action_word(text)) == (printed || ends_in_a));
  }
  CHECK(accepts(with_strong, action_word("bab")));
}

TEST_CASE("the second example of paper 003 has the language that it prints", "[ltl]") {
  NamedFormula read = read_formula("F a U G b");
  const Automaton automaton = *ltl::finite_automaton(read.formulas, read.formula, read.atoms);
  NamedFormula language = read_formula("{b[+] | (true[*]; a; b[+])}", {"a", "b"});
  for (const std::string& text : action_texts(7)) {
    if (text.empty()) continue;  // the paper's words are not empty
    CAPTURE(text);
    // One action a position: a and b exclude each other.
    CHECK(accepts(automaton, action_word(text)) == in_language(language, text));
  }
}

TEST_CASE("an automaton for a last letter that repeats accepts what holds then", "[ltl][random]") {
  const std::vector<oracle::FiniteWord> words = all_words(2, 3);
  for (std::uint64_t seed = 1; seed <= scaled(400); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    FormulaShape shape;
    shape.num_operators = 1 + random.below(9);
    shape.regexes = random.chance(50);
    const Formula f = random_formula(formulas, random, shape);
    CAPTURE(seed, to_string(formulas, f));
    const std::optional<Automaton> automaton = ltl::repeating_automaton(formulas, f, atom_names(2));
    REQUIRE(automaton);
    for (const oracle::FiniteWord& word : words) {
      if (word.letters.empty()) continue;
      CAPTURE(show(word));
      REQUIRE(accepts(*automaton, word) ==
              oracle::holds(formulas, f, oracle::LassoWord{word.letters, {word.letters.back()}}));
    }
  }
}

TEST_CASE("where the last letter repeats a match may end in its copies", "[ltl]") {
  NamedFormula read = read_formula("{a; b[*3]; c} | !X a");
  const Automaton automaton = *ltl::repeating_automaton(read.formulas, read.formula, read.atoms);
  CHECK_FALSE(accepts(automaton, {{0b001}}));         // a a a …
  CHECK(accepts(automaton, {{0b110}}));               // then there is no a
  CHECK(accepts(automaton, {{0b001, 0b111}}));        // a, then b & c for ever
  CHECK_FALSE(accepts(automaton, {{0b001, 0b011}}));  // c never comes
}

TEST_CASE("an automaton that knows the letters is right about words of them", "[ltl][random]") {
  const std::vector<oracle::FiniteWord> words = all_words(2, 4);
  for (std::uint64_t seed = 1; seed <= scaled(100); ++seed) {
    base::Random random{seed};
    Formulas formulas;
    FormulaShape shape;
    shape.num_operators = 1 + random.below(9);
    shape.regexes = random.chance(50);
    const Formula f = random_formula(formulas, random, shape);
    CAPTURE(seed, to_string(formulas, f));
    const std::set<std::vector<bool>> letters{{true, false}, {false, random.chance(50)}};
    ltl::TranslationLimits limits;
    limits.letters = &letters;
    const std::optional<Automaton> automaton =
        ltl::finite_automaton(formulas, f, atom_names(2), limits);
    REQUIRE(automaton);
    for (const oracle::FiniteWord& word : words) {
      const bool expected_letters = std::ranges::all_of(word.letters, [&](oracle::Letter letter) {
        return letters.contains({(letter & 1U) != 0, (letter & 2U) != 0});
      });
      if (!expected_letters) continue;
      CAPTURE(show(word));
      REQUIRE(accepts(*automaton, word) == oracle::holds(formulas, f, word));
    }
  }
}

TEST_CASE("on the empty word G, W, R and the weak X hold", "[ltl]") {
  const auto on_empty_word = [](const std::string& text) {
    NamedFormula read = read_formula(text);
    const Automaton automaton = *ltl::finite_automaton(read.formulas, read.formula, read.atoms);
    return automaton.states[automaton.initial.front()].accepting;
  };
  for (const char* text : {"G a", "a W b", "a R b", "X a", "!a", "{a} |-> b", "{a[*]} |=> b"}) {
    CAPTURE(text);
    CHECK(on_empty_word(text));
  }
  for (const char* text : {"a", "F a", "a U b", "X[!] a", "F true", "{a}", "{a[*]}"}) {
    CAPTURE(text);
    CHECK_FALSE(on_empty_word(text));
  }
}

TEST_CASE("a long chain of repetitions is translated", "[ltl]") {
  NamedFormula read = read_formula("{a[*2000]; b}");
  const std::optional<Automaton> automaton =
      ltl::finite_automaton(read.formulas, read.formula, read.atoms);
  REQUIRE(automaton);
  // One state for each number of a, one for success, one for failure.
  CHECK(automaton->num_states() == 2003);
}

TEST_CASE("assumptions of fairness are about the last position of a word", "[ltl]") {
  std::string fairness;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    fairness += (i == 0 ? "" : " & ") + ("(G F e" + n + " -> F G x" + n + ")");
  }
  NamedFormula read = read_formula("(" + fairness + ") -> G(r -> F g)");
  const std::optional<Automaton> automaton =
      ltl::finite_automaton(read.formulas, read.formula, read.atoms);
  REQUIRE(automaton);
  // The empty word; whether a request is open; and whether fair at the last position.
  CHECK(automaton->num_states() <= 4);
}

TEST_CASE("a run's limits end a translation", "[ltl]") {
  std::string text = "a0";
  for (int i = 1; i < 30; ++i) text = "(" + text + " U a" + std::to_string(i) + ")";
  NamedFormula read = read_formula(text);
  base::Limits limits;
  limits.set_timeout(1e-9);
  ltl::TranslationLimits bounds;
  bounds.limits = &limits;
  CHECK_FALSE(ltl::finite_automaton(read.formulas, read.formula, read.atoms, bounds));
  CHECK(limits.reason() == base::Limits::Reason::Time);
}

TEST_CASE("a limit on states gives no automaton", "[ltl]") {
  NamedFormula read = read_formula("F(a & {true[*20]; b})");
  CHECK_FALSE(ltl::finite_automaton(read.formulas, read.formula, read.atoms,
                                    {.most_states = 1000, .most_nodes = 1'000'000}));
}

TEST_CASE("formulas of fifty operators of usual kinds are translated", "[ltl]") {
  // Ten conjuncts of response, precedence and absence kind over six atoms.
  std::string text;
  for (int i = 0; i < 10; ++i) {
    const std::string p(1, static_cast<char>('a' + i % 6));
    const std::string q(1, static_cast<char>('a' + (i + 1 + i / 6) % 6));
    if (i > 0) text += " & ";
    if (i % 3 == 0) text += "G(" + p + " -> X(!" + p + " U " + q + "))";
    if (i % 3 == 1)
      text += "(!" + p + " W (" + q + " & !" + p + ")) & G(" + q + " -> G !" + p + ")";
    if (i % 3 == 2) text += "G(" + p + " & !" + q + " -> !" + q + " W (" + p + " & " + q + "))";
  }
  NamedFormula read = read_formula(text);
  CHECK(ltl::finite_automaton(read.formulas, read.formula, read.atoms));
}

}  // namespace cohort::ltl_test
