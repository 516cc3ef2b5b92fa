// Grammar files and parsers cannot drift apart: random sentences of each grammar file, and
// mutations of them, go to a recognizer that knows nothing but the file and to Cohort's parser, and
// both must agree.
//
// COHORT_RANDOM_CASES=50 multiplies the number of cases.
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/random.hpp"
#include "base/source.hpp"
#include "grammar/ebnf.hpp"
#include "grammar/generator.hpp"
#include "grammar/lexer.hpp"
#include "grammar/mutate.hpp"
#include "grammar/productions.hpp"
#include "grammar/recognizer.hpp"
#include "grammar/utf8.hpp"
#include "lang/parse.hpp"
#include "ltl/parse.hpp"
#include "monitor/monitor_file.hpp"
#include "trace/format/read.hpp"

namespace cohort::grammar_test {
namespace {

using Accepts = bool (*)(const std::string& text);

/// A language of Cohort: where its grammar is, and who parses it (nobody yet: nullptr).
struct Language {
  std::string_view file;
  std::string_view imported;
  std::string_view start;
  Accepts parser;
  std::size_t most_choices;  ///< the size of its random sentences
};

std::ostream& operator<<(std::ostream& out, const Language& language) {
  return out << language.file << " from " << language.start;
}

bool model_parses(const std::string& text) {
  const base::Source source = base::Source::from_text("random.coh", text);
  base::Diagnostics diagnostics;
  (void)lang::parse_model(source, diagnostics);
  return !diagnostics.has_errors();
}

bool spec_parses(const std::string& text) {
  const base::Source source = base::Source::from_text("random.cctl", text);
  base::Diagnostics diagnostics;
  (void)lang::parse_spec(source, diagnostics);
  return !diagnostics.has_errors();
}

bool formula_parses(const std::string& text) {
  const base::Source source = base::Source::from_text("random formula", text);
  base::Diagnostics diagnostics;
  (void)lang::parse_formula(source, diagnostics);
  return !diagnostics.has_errors();
}

bool ltl_parses(const std::string& text) {
  const base::Source source = base::Source::from_text("random formula", text);
  base::Diagnostics diagnostics;
  (void)ltl::parse_formula(source, diagnostics);
  return !diagnostics.has_errors();
}

bool monitor_parses(const std::string& text) {
  const base::Source source = base::Source::from_text("random.mon", text);
  base::Diagnostics diagnostics;
  (void)monitor::parse_monitor_syntax(source, diagnostics);
  return !diagnostics.has_errors();
}

bool trace_parses(const std::string& text) {
  return !trace::check_native_syntax(text).has_errors();
}

const std::vector<Language>& languages() {
  static const std::vector<Language> all = {
      {"model.ebnf", "property.ebnf", "model_file", model_parses, 100},
      {"property.ebnf", "", "spec_file", spec_parses, 80},
      {"property.ebnf", "", "formula", formula_parses, 60},
      {"ltl.ebnf", "", "formula", ltl_parses, 60},
      {"monitor.ebnf", "", "monitor_file", monitor_parses, 80},
      {"trace.ebnf", "", "trace_file", trace_parses, 80},
  };
  return all;
}

std::string read_file(std::string_view name) {
  if (name.empty()) return "";
  const std::string path = std::string{COHORT_SOURCE_DIR "/grammar/"} + std::string{name};
  std::ifstream file{path, std::ios::binary};
  INFO(path);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string listed(const std::vector<Problem>& problems) {
  std::ostringstream text;
  for (const Problem& problem : problems) text << problem.line << ": " << problem.message << "\n";
  return text.str();
}

/// A grammar, ready for use.
struct Engine {
  explicit Engine(Grammar grammar) : lexer(std::move(grammar)) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const Lexer lexer;
  const Productions productions{lexer};
  const Recognizer recognizer{lexer, productions};
};

std::unique_ptr<Engine> make_engine(const GrammarText& source) {
  Reading reading = read_grammar(source);
  REQUIRE(listed(reading.problems) == "");
  return std::make_unique<Engine>(std::move(reading.grammar));
}

std::unique_ptr<Engine> make_engine(const Language& language) {
  return make_engine(
      GrammarText{.text = read_file(language.file), .imported = read_file(language.imported)});
}

std::unique_ptr<Engine> make_engine(const std::string& text) {
  return make_engine(GrammarText{.text = text});
}

/// `cases` times the factor of the environment.
std::size_t scaled(std::size_t cases) {
  const char* const factor = std::getenv("COHORT_RANDOM_CASES");  // NOLINT(concurrency-mt-unsafe)
  const unsigned long times = factor == nullptr ? 1 : std::strtoul(factor, nullptr, 10);
  return cases * (times == 0 ? 1 : times);
}

/// The texts on which recognizer and parser are at odds, each with what is needed to see it again.
class Disagreements {
 public:
  Disagreements(const Language& language, const Engine& engine)
      : language_(language), engine_(engine) {}

  void compare(std::uint64_t seed, const std::u32string& text) {
    if (!differ(text)) return;
    const std::u32string smallest =
        shrink(text, [&](std::u32string_view shorter) { return differ(shorter); });
    if (!seen_.insert(smallest).second) return;
    const bool accepted = language_.parser(encode(smallest));
    report_ << "seed " << seed << ": the parser " << (accepted ? "accepts" : "rejects")
            << " what the grammar " << (accepted ? "rejects" : "accepts") << "\n--- smallest\n"
            << encode(smallest) << "\n--- text\n"
            << encode(text) << "\n---\n";
  }

  [[nodiscard]] bool enough() const { return seen_.size() >= 20; }
  [[nodiscard]] std::string report() const { return report_.str(); }

 private:
  bool differ(std::u32string_view text) const {
    return engine_.recognizer.accepts(language_.start, text) != language_.parser(encode(text));
  }

  const Language& language_;
  const Engine& engine_;
  std::set<std::u32string> seen_;
  std::ostringstream report_;
};

struct Example {
  std::string_view text;
  bool in_language;
};

void check_examples(const Engine& engine, std::string_view start,
                    const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    CAPTURE(example.text);
    CHECK(engine.recognizer.accepts(start, example.text) == example.in_language);
  }
}

/// The terminals in the rules that `start` reaches.
std::set<std::u32string> terminals_from(const Engine& engine, std::string_view start) {
  std::set<std::u32string> terminals;
  std::set<std::size_t> reached{engine.productions.nonterminal(start)};
  std::vector<std::size_t> open{reached.begin(), reached.end()};
  while (!open.empty()) {
    const std::size_t nonterminal = open.back();
    open.pop_back();
    for (const Body& body : engine.productions.bodies(nonterminal)) {
      for (const Symbol& symbol : body) {
        if (symbol.kind == Symbol::Kind::Token) {
          terminals.insert(engine.lexer.terminal(symbol.token()));
        } else if (symbol.kind == Symbol::Kind::Nonterminal &&
                   reached.insert(symbol.index).second) {
          open.push_back(symbol.index);
        }
      }
    }
  }
  terminals.erase(U"");  // that is a token rule
  return terminals;
}

}  // namespace

TEST_CASE("the grammar files are well formed", "[grammar]") {
  struct File {
    std::string_view name;
    std::string_view imported;
    std::vector<std::string> starts;
  };
  const std::vector<File> files = {{"model.ebnf", "property.ebnf", {"model_file"}},
                                   {"property.ebnf", "", {"spec_file", "formula"}},
                                   {"ltl.ebnf", "", {"formula"}},
                                   {"monitor.ebnf", "", {"monitor_file"}},
                                   {"trace.ebnf", "", {"trace_file"}}};
  for (const File& file : files) {
    CAPTURE(file.name);
    const Reading reading = read_grammar({.text = read_file(file.name),
                                          .starts = file.starts,
                                          .imported = read_file(file.imported)});
    CHECK(listed(reading.problems) == "");
    CHECK(reading.grammar.rules.size() > 20);
  }
}

TEST_CASE("what is wrong with a grammar is said, with its line", "[grammar]") {
  const auto problems = [](const std::string& text) {
    return listed(read_grammar({.text = text, .starts = {"s"}}).problems);
  };
  CHECK(problems("s = \"a\" ;") == "");
  CHECK(problems("s = \"a\" , t ;") == "1: rule 's' uses 't', which is not defined\n");
  CHECK(problems("s = \"a\" ;\ns = \"b\" ;") == "2: rule 's' is defined twice\n");
  CHECK(problems("s = \"a\" | t ;\nt = \"b\" , t ;") == "2: rule 't' derives no finite text\n");
  CHECK(problems("s = \"a\" ;\nt = \"b\" ;") == "2: rule 't' is used nowhere\n");
  CHECK(problems("t = \"b\" ;") == "1: no rule 's' to start with\n");
  CHECK(problems("s = \"a\" , ;") == "1: expected a name, a terminal or a bracket\n");
  CHECK(problems("s = ( \"a\" ;") == "1: expected ')'\n");
  CHECK(problems("s = ? some letter ? ;") == "1: unknown special sequence 'some letter'\n");
  CHECK(problems("s = \"a\" - \"b\" ;") == "1: rule 's' is about characters, not tokens\n");
  CHECK(problems("s = t ;\n(* Tokens *)\nt = [ \"a\" , t ] ;") ==
        "3: rule 't' is a recursive token rule\n");
  CHECK(problems("s = " + std::string(1000, '(') + "\"a\"") ==
        "1: brackets are nested too deeply\n");
  CHECK(problems("s = \"a\" ; (* comments (* nest *) \" *)\n(* Tokens *) comment = \"#\" ;") == "");
}

TEST_CASE("a name that a file does not define comes from the imported one", "[grammar]") {
  const auto engine = make_engine(GrammarText{.text = "s = item , \",\" , pair ; item = \"x\" ;",
                                              .imported = "pair = item , item ; item = \"y\" ;"});
  check_examples(*engine, "s", {{"x, yy", true}, {"x, xx", false}, {"y, yy", false}});
}

TEST_CASE("the recognizer knows small languages", "[grammar]") {
  SECTION("nested brackets") {
    const auto engine = make_engine("s = { \"(\" , s , \")\" } ;");
    check_examples(*engine, "s",
                   {{"", true}, {"()", true}, {"(()())()", true}, {")(", false}, {"(()", false}});
    CHECK(engine->recognizer.accepts("s", std::string(3000, '(') + std::string(3000, ')')));
    CHECK_FALSE(engine->recognizer.accepts("s", std::string(3000, '(') + std::string(2999, ')')));
  }
  SECTION("as many a as b") {
    const auto engine = make_engine("s = [ \"a\" , s , \"b\" ] ;");
    check_examples(*engine, "s", {{"", true}, {"aabb", true}, {"aab", false}, {"abab", false}});
  }
  SECTION("left and right recursion") {
    const auto engine = make_engine("s = s , \"+\" , t | t ; t = \"x\" , \"^\" , t | \"x\" ;");
    check_examples(*engine, "s", {{"x", true}, {"x+x^x^x+x", true}, {"x+", false}, {"xx", false}});
  }
  SECTION("rules that may be empty, in all places") {
    const auto engine =
        make_engine("s = t , t , u | { t } , \"c\" ; t = [ \"a\" ] ; u = t , { [ \"b\" ] } ;");
    check_examples(*engine, "s",
                   {{"", true},
                    {"aaa", true},
                    {"aaab", true},
                    {"aaaa", false},
                    {"aaaaac", true},
                    {"ba", false},
                    {"bbb", true},
                    {"cc", false}});
  }
  SECTION("recursion hidden behind an empty rule") {
    const auto engine = make_engine("s = [ \"x\" ] , s , \"y\" | \"z\" ;");
    check_examples(*engine, "s", {{"z", true}, {"xzyy", true}, {"xxzy", false}, {"zyyy", true}});
  }
  SECTION("a look at the next token") {
    const auto engine = make_engine(
        "s = \"q\" , ( \".\" , t | ? before \"(\" ? , t ) ; t = \"x\" | \"(\" , t , \")\" ;");
    check_examples(*engine, "s",
                   {{"q.x", true}, {"q(x)", true}, {"q.(x)", true}, {"qx", false}, {"q", false}});
  }
  SECTION("a look that makes a rule empty here and not there") {
    const auto engine = make_engine(
        "s = e , \"a\" , e , \"b\" | e , e , \"c\" ; e = ? before \"a\" ? , [ \"x\" ] | \"y\" ;");
    check_examples(*engine, "s", {{"ayb", true}, {"ab", false}, {"yyc", true}, {"c", false}});
  }
}

TEST_CASE("a text is split by the token rules of its grammar", "[grammar]") {
  const std::string common =
      "(* Tokens *) name = letter , { letter | digit } ; number = digit , { digit } ;"
      "letter = ? a to z ? ; digit = ? 0 to 9 ? ; any = ? any character ? ; nl = ? U+000A to "
      "U+000A ? ;";
  SECTION("the longest token counts, and a keyword is no name") {
    const auto engine = make_engine("s = { name | number | \"<\" | \"<-\" | \"if\" , number } ;" +
                                    common + "comment = \"#\" , { any - nl } ; keyword = \"no\" ;");
    check_examples(*engine, "s",
                   {{"if 3", true},
                    {"if3", true},  // a name
                    {"if x", false},
                    {"iff x", true},
                    {"no", false},
                    {"not no", false},
                    {"x<-3", true},
                    {"x-3", false},
                    {"x # - \n y", true},
                    {"x # -", true},
                    {"X", false}});
    CHECK(engine->lexer.split(U"a<-<b 12c")->size() == 6);
  }
  SECTION("a block comment ends with its first end") {
    const auto engine = make_engine(
        "s = { name } ;" + common +
        "comment = \"/*\" , { any } - ( { any } , \"*/\" , { any } ) , \"*/\" | nl , \"%\" ;");
    check_examples(*engine, "s",
                   {{"a /* b */ c", true},
                    {"a/***/c", true},
                    {"a/*/c", false},
                    {"a /* b */ */ c", false},
                    {"a /* b */ c /* d", false},
                    {"/* ∀ \n * / **/", true}});
  }
  SECTION("line breaks count where a rule uses them") {
    const auto engine = make_engine("s = { number | digits | nl , \".\" } ;" + common +
                                    "digits = digit ; comment = \"#\" , { any - nl } ;");
    check_examples(*engine, "s",
                   {{"12 3", true},
                    {"12\n.", true},
                    {"12.", false},
                    {"1\n2", false},
                    {"1 # 2 \n.", true},
                    {"1 # 2 .", true},
                    {"\r\n\t .", true}});
    CHECK(engine->lexer.split(U"1")->at(0).kinds.size() == 2);
    CHECK(engine->lexer.split(U"12")->at(0).kinds.size() == 1);
  }
}

TEST_CASE("a text shrinks to what matters", "[grammar]") {
  const auto has_both = [](std::u32string_view text) {
    return text.find(U'x') < text.find(U'y') && text.find(U'y') != std::u32string_view::npos;
  };
  CHECK(shrink(U"a long text with x and then y", has_both) == U"xy");
}

TEST_CASE("every spelling of every terminal occurs in random sentences", "[grammar][random]") {
  for (const Language& language : languages()) {
    CAPTURE(language);
    const auto engine = make_engine(language);
    std::set<std::u32string> missing = terminals_from(*engine, language.start);
    for (std::uint64_t seed = 1; seed <= 3000 && !missing.empty(); ++seed) {
      base::Random random{seed};
      Generator generator{engine->lexer, engine->productions, random};
      for (const std::u32string& token : generator.derive(language.start, language.most_choices)) {
        missing.erase(token);
      }
    }
    std::string still_missing;
    for (const std::u32string& terminal : missing) still_missing += encode(terminal) + " ";
    CHECK(still_missing == "");
  }
}

TEST_CASE("random sentences are accepted", "[grammar][random]") {
  for (const Language& language : languages()) {
    const auto engine = make_engine(language);
    Disagreements disagreements{language, *engine};
    for (std::uint64_t seed = 1; seed <= scaled(600) && !disagreements.enough(); ++seed) {
      base::Random random{seed};
      Generator generator{engine->lexer, engine->productions, random};
      const std::size_t budget = random.below(language.most_choices);
      const std::u32string text = generator.write(generator.derive(language.start, budget));
      CAPTURE(language, seed, encode(text));
      REQUIRE(engine->recognizer.accepts(language.start, text));
      if (language.parser != nullptr) disagreements.compare(seed, text);
    }
    CAPTURE(language);
    CHECK(disagreements.report() == "");
  }
}

TEST_CASE("a mutated sentence is accepted if and only if the grammar derives it",
          "[grammar][random]") {
  for (const Language& language : languages()) {
    const auto engine = make_engine(language);
    if (language.parser == nullptr) continue;
    Disagreements disagreements{language, *engine};
    for (std::uint64_t seed = 1; seed <= scaled(2000) && !disagreements.enough(); ++seed) {
      base::Random random{seed};
      Generator generator{engine->lexer, engine->productions, random};
      const std::size_t budget = random.below(language.most_choices / 2);
      const Sentence sentence = generator.derive(language.start, budget);
      disagreements.compare(seed, mutate(sentence, generator, random));
    }
    CAPTURE(language);
    CHECK(disagreements.report() == "");
  }
}

TEST_CASE("the LTL grammar reads what traces.md shows", "[grammar]") {
  const auto engine = make_engine(languages()[3]);
  check_examples(*engine, "formula",
                 {{"G(req = 1 -> F ack = 1)", true},
                  {"[](a -> X(!a U b)) <-> <> c", true},
                  {"X[!] a & X b", true},
                  {"0 < 2*x & 2*x < 5", true},
                  {"0 < x < 5", false},
                  {"a U b W c R d", true},
                  {"x?T - x?C > x?2 + x?2?T * x?2?C", true},
                  {"x?2?3", false},
                  {"G(mode = \"off \\\"1\\\"\" -> z = -2.5)", true},
                  {"mode = \"off\\x\"", false},
                  {"z = 2.", false},
                  {"forall i in client . G(grant(c, i) -> F lk[i] = 2)", true},
                  {"∀ i ∈ client ∀ j ∈ client{0, 2-} (i ≠ j → G ¬(lk[i] = 2 ∧ lk[j] = 2))", true},
                  {"forall i in client G a", false},
                  {"G COUNT(i in client : lk[i] = 2) <= 1", true},
                  {"client#2 U client#2(k)", true},
                  {"{a; b[*2..3]; (c | d)[+] : !e[*]} |-> F g", true},
                  {"{a && b[*]; (a -> b)[*2..]; c[*0]} |=> {d}", true},
                  {"{x[1] = 1[*3]; (x + 1) * 2 = 4}", true},
                  {"{}", false},
                  {"{a; F b}", false},
                  {"{a} -> {b}", true},
                  {"{a}[*]", false},
                  {"a[*]", false},
                  {"a;b", false},
                  {"(a | b) + 1 = 2", false},
                  {"((a) + 1) = 2", true},
                  {"G", false},
                  {"", false}});
}

TEST_CASE("the monitor grammar reads what traces.md shows", "[grammar]") {
  const auto engine = make_engine(languages()[4]);
  check_examples(*engine, "monitor_file",
                 {{"monitor fork\ninitial idle\nbad grabbed\nidle    -> holding  when left = 1\n"
                   "holding -> grabbed  when right = 1\n",
                   true},
                  {"# a comment\n\nmonitor m # here too\n\ninitial a\nbad a, b", true},
                  {"monitor m initial a", false},
                  {"monitor m\ncounter n = 0, m = -2.5\n"
                   "a -> a when !(x = 3) | x > 2 & x?T != 4 do n = n + 1, m = max(m, n / 2)",
                   true},
                  {"monitor m\na → b when true", true},
                  {"monitor m\na -> b", false},
                  {"monitor m\na -> b when x", false},
                  {"monitor m\na -> b when x = 1\n  do n = 1", false},
                  {"monitor m\na -> b when (x) = 1 do n = (1)", true},
                  {"initial a", false},
                  {"", false}});
}

TEST_CASE("the trace grammar reads what traces.md shows", "[grammar]") {
  const auto engine = make_engine(languages()[5]);
  check_examples(
      *engine, "trace_file",
      {{"process P1 P2 P3                  # optional; fixes order\n"
        "init x = 1, mode = \"off\"          # optional\n"
        "P1  x := 3\n"
        "P2  w := 4            after P1#1              # event 1 of P1 comes first\n"
        "P1  y := 1, z := 2.5\n"
        "P3  skip              after P2#1, P1#2        # no assignment\n"
        "P2  {P1:2, P2:2} v := 1                       # or: a vector clock instead of after\n",
        true},
       {"\r\n# nothing\r\n\r\nprocess P1", true},
       {"init x = -1\n\ninit y = -2.5", true},
       {"P1 x := 3", true},
       {"P1 x := 3 P2 y := 4", false},
       {"P1 x :=\n3", false},
       {"P1 skip\nprocess P1", false},
       {"P1 x := 3\ninit x = 1", false},
       {"P1 {P1:1} x := 1 after P2#1", false},
       {"P1 skip after P2 #1", false},
       {"P1 skip after P2#1#2", true},
       {"P1 x := y", false},
       {"P1", false},
       {"client(3) lk[3] := 1, request[0,3] := -1 after controller(0)#4, \"a b\"#1", true},
       {"\"node 1\" s := \"a\\\\ \\\" \\n\\t # é\"", true},
       {"P1 s := \"a\nb\"", false},
       {"P1 s := \"a", false},
       {"P1 {P1:-1} skip", false},
       {"P1 x := 1e5", false},
       {"", true},  // a trace without events
       {"\n# only a comment\n", true}});
}

}  // namespace cohort::grammar_test
