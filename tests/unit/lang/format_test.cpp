// The formatter keeps what it is given, and formatting twice is formatting once.
//
// COHORT_RANDOM_CASES=50 multiplies the number of random cases.
#include "lang/format.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/lexer.hpp"
#include "base/random.hpp"
#include "base/source.hpp"
#include "base/utf8.hpp"
#include "grammar/ebnf.hpp"
#include "grammar/generator.hpp"
#include "grammar/lexer.hpp"
#include "grammar/productions.hpp"
#include "grammar/utf8.hpp"
#include "lang/parse.hpp"
#include "lang/token.hpp"
#include "unit/lang/syntax_text.hpp"

namespace cohort::lang {
namespace {

using base::Source;

// ---------------------------------------------------------------------------------------------------
// What must stay as it is

/// The canonical text, or the errors.
std::string formatted(FileKind kind, const std::string& text) {
  const Source source = Source::from_text("text", text);
  base::Diagnostics diagnostics;
  const std::optional<std::string> result = format(source, kind, diagnostics);
  return result ? *result : "errors:\n" + base::render(source, diagnostics);
}

std::string tree(FileKind kind, const Source& source) {
  base::Diagnostics diagnostics;
  const std::string text = kind == FileKind::Model ? syntax_text(parse_model(source, diagnostics))
                                                   : syntax_text(parse_spec(source, diagnostics));
  return diagnostics.has_errors() ? base::render(source, diagnostics) : text;
}

/// A comment without the blanks at the ends of its lines.
std::string trimmed(std::string_view comment) {
  std::string text;
  for (const char c : comment) {
    if (c == '\n') text.erase(text.find_last_not_of(" \t\r") + 1);
    text += c;
  }
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

/// Tokens and comments in the order of the text: kinds, and texts where a kind has many.
std::vector<std::string> words(const Source& source) {
  base::Diagnostics diagnostics;
  const base::Lexed lexed = base::lex(source, lexicon(), diagnostics);
  std::vector<std::string> result;
  auto comment = lexed.comments.begin();
  for (const base::Token& token : lexed.tokens) {
    for (; comment != lexed.comments.end() && comment->begin < token.where.begin; ++comment) {
      result.push_back(trimmed(source.text(*comment)));
    }
    result.push_back(std::to_string(token.kind));
    const Kind kind = kind_of(token);
    if (kind == Kind::Name || kind == Kind::Integer) result.back() += source.text(token.where);
  }
  return result;
}

/// What stands between tokens and comments, with a `#` for each of those.
std::string white_space(const Source& source) {
  base::Diagnostics diagnostics;
  const base::Lexed lexed = base::lex(source, lexicon(), diagnostics);
  std::vector<base::Span> spans = lexed.comments;
  for (const base::Token& token : lexed.tokens) spans.push_back(token.where);
  std::ranges::sort(spans);
  std::string result;
  std::uint32_t end = 0;
  for (const base::Span span : spans) {
    result += source.text({end, span.begin});
    result += '#';
    end = span.end;
  }
  return result;
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    result.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end == std::string_view::npos ? end : end + 1));
  }
  return result;
}

/// What is wrong with the layout of a formatted text; empty if nothing is.
std::string flaws(const Source& source) {
  std::string found;
  const std::string_view text = source.text();
  if (!text.ends_with('\n') || text.ends_with("\n\n")) found += "not one line break at the end\n";
  if (text.starts_with('\n')) found += "a blank line at the start\n";
  for (const std::string_view line : lines(text)) {
    if (line.ends_with(' ') || line.ends_with('\t') || line.ends_with('\r')) {
      found += "blanks at the end of '" + std::string(line) + "'\n";
    }
  }
  const std::string space = white_space(source);
  if (space.find_first_not_of(" \n#") != std::string::npos) found += "tabs or carriage returns\n";
  if (space.find("\n\n\n") != std::string::npos) found += "two blank lines\n";
  return found;
}

/// Everything that holds for any text that is formatted.
void check_format(FileKind kind, const std::string& text) {
  const Source source = Source::from_text("before", text);
  base::Diagnostics diagnostics;
  const std::optional<std::string> result = format(source, kind, diagnostics);
  INFO(base::render(source, diagnostics));
  REQUIRE(result);
  CAPTURE(*result);
  const Source after = Source::from_text("after", *result);
  CHECK(words(after) == words(source));
  CHECK(tree(kind, after) == tree(kind, source));
  CHECK(flaws(after) == "");
  CHECK(formatted(kind, *result) == *result);
}

/// Lines that are too long although an operator or a comma would have let them be broken.
std::string long_lines(const std::string& text) {
  std::string found;
  for (const std::string_view line : lines(text)) {
    if (base::count_code_points(line) <= 100) continue;
    const std::string_view inside = line.substr(line.find_first_not_of(' ') + 1);
    for (const std::string_view sign :
         {", ", " & ", " | ", " => ", " -> ", " <-> ", " + ", " * "}) {
      const std::size_t at = inside.find(sign);
      if (at == std::string_view::npos || at == 0) continue;  // the operator that starts the line
      found += std::string(line) + "\n";
      break;
    }
  }
  return found;
}

// ---------------------------------------------------------------------------------------------------
// Random texts

namespace gt = grammar_test;

std::string read_grammar_file(std::string_view name) {
  std::ifstream file{std::string{COHORT_SOURCE_DIR "/grammar/"} + std::string{name},
                     std::ios::binary};
  REQUIRE(file);
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// A grammar from which sentences can be derived.
struct Language {
  explicit Language(gt::Grammar grammar) : lexer(std::move(grammar)) {}
  Language(const Language&) = delete;
  Language& operator=(const Language&) = delete;

  const gt::Lexer lexer;
  const gt::Productions productions{lexer};
};

std::unique_ptr<Language> make_language(FileKind kind) {
  const std::string properties = read_grammar_file("property.ebnf");
  gt::Reading reading =
      kind == FileKind::Spec
          ? gt::read_grammar({.text = properties, .starts = {"spec_file", "formula"}})
          : gt::read_grammar({.text = read_grammar_file("model.ebnf"),
                              .starts = {"model_file"},
                              .imported = properties});
  REQUIRE(reading.problems.empty());
  return std::make_unique<Language>(std::move(reading.grammar));
}

std::size_t scaled(std::size_t cases) {
  const char* const factor = std::getenv("COHORT_RANDOM_CASES");  // NOLINT(concurrency-mt-unsafe)
  const unsigned long times = factor == nullptr ? 1 : std::strtoul(factor, nullptr, 10);
  return cases * (times == 0 ? 1 : times);
}

template <std::size_t Size>
std::string_view one_of(const std::array<std::string_view, Size>& texts, base::Random& random) {
  return texts[random.below(Size)];
}

std::string random_comment(base::Random& random) {
  static constexpr std::array<std::string_view, 14> comments = {
      "// c\n",
      "//\n",
      "// trailing \t \r\n",
      "// /* x\n",
      "// ∀ é 𝔸\n",
      "/* c */",
      "/**/",
      "/*/ */",
      "/* // */",
      "/* a\n b */",
      "/* a  \r\n\t b \t\n*/",
      "/* ∀ é */",
      "/* \n\n\n */",
      "/* this one is long enough to move the end of its line a good deal */"};
  return std::string{one_of(comments, random)};
}

/// Blanks, line breaks and comments; never nothing.
std::string random_gap(base::Random& random, unsigned percent_comments) {
  static constexpr std::array<std::string_view, 8> blanks = {" ",  " ",  " ",    "  ",
                                                             "\n", "\t", "\r\n", "\n\n\n  "};
  std::string gap{one_of(blanks, random)};
  while (random.chance(percent_comments)) {
    gap += random_comment(random);
    if (random.chance(60)) gap += one_of(blanks, random);
  }
  return gap;
}

/// A sentence of a language as text.  Some have longer names, so that lines must be broken.
std::string random_text(const Language& language, std::string_view start, base::Random& random,
                        unsigned percent_comments) {
  gt::Generator generator{language.lexer, language.productions, random};
  const gt::Sentence sentence = generator.derive(start, 5 + random.below(150));
  const std::size_t longest = random.chance(50) ? 1 + random.below(40) : 1;
  std::string text = random.chance(10) ? "\xEF\xBB\xBF" : "";
  if (random.chance(30)) text += random_gap(random, percent_comments);
  for (const std::u32string& word : sentence) {
    text += gt::encode(word);
    const bool is_name = (word[0] < 128 && lexicon().longest_sign(gt::encode(word)).text.empty()) &&
                         (word[0] < U'0' || word[0] > U'9') &&
                         lexicon().word(gt::encode(word)) == base::name_token;
    if (is_name) text += std::string(random.below(longest), 'z');
    text += random_gap(random, percent_comments);
  }
  return text;
}

void check_random_texts(FileKind kind, std::string_view start, std::size_t cases) {
  const auto language = make_language(kind);
  for (std::uint64_t seed = 1; seed <= scaled(cases); ++seed) {
    base::Random random{seed};
    static constexpr std::array<unsigned, 4> densities = {0, 2, 10, 40};
    const unsigned percent_comments = densities[random.below(densities.size())];
    const std::string text = random_text(*language, start, random, percent_comments);
    CAPTURE(seed, text);
    check_format(kind, text);
    if (percent_comments == 0) CHECK(long_lines(formatted(kind, text)) == "");
  }
}

}  // namespace

TEST_CASE("formatting a random model keeps its tokens, tree and comments", "[lang][random]") {
  check_random_texts(FileKind::Model, "model_file", 3000);
}

TEST_CASE("formatting a random spec keeps its tokens, tree and comments", "[lang][random]") {
  check_random_texts(FileKind::Spec, "spec_file", 3000);
}

TEST_CASE("a random formula on one line is the same formula", "[lang][random]") {
  const auto language = make_language(FileKind::Spec);
  for (std::uint64_t seed = 1; seed <= scaled(3000); ++seed) {
    base::Random random{seed};
    const std::string text = random_text(*language, "formula", random, 5);
    const std::string line = format_formula(text);
    CAPTURE(seed, text, line);
    CHECK(line.find('\n') == std::string::npos);
    CHECK(format_formula(line) == line);
    base::Diagnostics diagnostics;
    const Source before = Source::from_text("before", text);
    const Source after = Source::from_text("after", line);
    const std::string tree_before = syntax_text(parse_formula(before, diagnostics));
    CHECK(syntax_text(parse_formula(after, diagnostics)) == tree_before);
    CHECK_FALSE(diagnostics.has_errors());
  }
}

TEST_CASE("the example of the language page is laid out as people like it", "[lang]") {
  const std::string text = R"(Program
  Module controller = 1;
  Module client     = 13;

  Enum Phase = { idle, waiting, holding };

  lc[controller] = 0;
  lk[client] : Phase = idle;
  request[controller, client] = 0;
  reply[controller, client]   = 0;
  buzy[controller] = 0;

  i of controller;
  PriorityClass vip    : client = (0);
  PriorityClass others : client = (1-12);

  cl of controller : {
    [grant]   lc[cl] == 0 & request[cl, k] == 1 & ALL(i: reply[i, k] == 0) ->
                reply[cl, k] = 1, buzy[cl] = 1, lc[cl] = 1   (Priority vip:others);
    [reclaim] lc[cl] == 1 & buzy[cl] == 0 -> lc[cl] = 0;
  }
  k of client : {
    [ask]     lk[k] == idle -> ALL(cl: request[cl, k] = 1), lk[k] = waiting;
    [take]    lk[k] == waiting & reply[cl, k] == 1 -> lk[k] = holding;
    [release] lk[k] == holding & reply[cl, k] == 1 ->
                reply[cl, k] = 0, ALL(i: request[i, k] = 0), buzy[cl] = 0, lk[k] = idle;
  }
Formula
  ∀ i ∈ client ∀ j ∈ client (i ≠ j → AG(lk[i] ≠ 2 ∨ lk[j] ≠ 2))
Evaluation
)";
  CHECK(formatted(FileKind::Model, text) == R"(Program
  Module controller = 1;
  Module client = 13;

  Enum Phase = { idle, waiting, holding };

  lc[controller] = 0;
  lk[client] : Phase = idle;
  request[controller, client] = 0;
  reply[controller, client] = 0;
  buzy[controller] = 0;

  i of controller;
  PriorityClass vip : client = (0);
  PriorityClass others : client = (1-12);

  cl of controller : {
    [grant] lc[cl] == 0 & request[cl, k] == 1 & ALL(i: reply[i, k] == 0) ->
        reply[cl, k] = 1, buzy[cl] = 1, lc[cl] = 1 (Priority vip:others);
    [reclaim] lc[cl] == 1 & buzy[cl] == 0 -> lc[cl] = 0;
  }
  k of client : {
    [ask] lk[k] == idle -> ALL(cl: request[cl, k] = 1), lk[k] = waiting;
    [take] lk[k] == waiting & reply[cl, k] == 1 -> lk[k] = holding;
    [release] lk[k] == holding & reply[cl, k] == 1 ->
        reply[cl, k] = 0, ALL(i: request[i, k] = 0), buzy[cl] = 0, lk[k] = idle;
  }
Formula
  forall i in client forall j in client (i != j -> AG(lk[i] != 2 | lk[j] != 2))
Evaluation
)");
  check_format(FileKind::Model, text);
}

TEST_CASE("declarations have their canonical form", "[lang]") {
  const auto declaration = [](const std::string& text) {
    std::string result = formatted(FileKind::Model, "Program " + text);
    check_format(FileKind::Model, "Program " + text);
    result.erase(0, std::string_view{"Program\n  "}.size());
    result.pop_back();
    return result;
  };
  CHECK(declaration("Module   client=3 ;") == "Module client = 3;");
  CHECK(declaration("Const N=- - 3+-(2)*4%5;") == "Const N = --3 + -(2) * 4 % 5;");
  CHECK(declaration("Const N = a - -b-3;") == "Const N = a - -b - 3;");
  CHECK(declaration("Const T = TRUE && ! False;") == "Const T = true & !false;");
  CHECK(declaration("Enum P={idle,waiting};") == "Enum P = { idle, waiting };");
  CHECK(declaration("x[client,0 .. N-1]:0 .. 3=0;") == "x[client, 0..N - 1] : 0..3 = 0;");
  CHECK(declaration("x:bool;") == "x : bool;");
  CHECK(declaration("o : client ? =none;") == "o : client? = none;");
  CHECK(declaration("o : client ?;") == "o : client?;");
  CHECK(declaration("o : client ∈ client;") == "o : client in client;");
  CHECK(declaration("y in {1,2 , - 3};") == "y in { 1, 2, -3 };");
  CHECK(declaration("y in N (2) .. 3;") == "y in N(2)..3;");
  CHECK(declaration("i,j of client;") == "i, j of client;");
  CHECK(declaration("Init tok [ 0 ]=a?b:c;") == "Init tok[0] = a ? b : c;");
  CHECK(declaration("PriorityClass vip:client=(0,3 - 5,9 -);") ==
        "PriorityClass vip : client = (0, 3-5, 9-);");
  CHECK(declaration("k of client:{}") == "k of client : {\n  }");
}

TEST_CASE("schemas have their canonical form", "[lang]") {
  const auto schema = [](const std::string& text) {
    const std::string whole = "Program k of client : {" + text + "}";
    check_format(FileKind::Model, whole);
    std::string result = formatted(FileKind::Model, whole);
    result.erase(0, std::string_view{"Program\n  k of client : {\n    "}.size());
    result.erase(result.size() - std::string_view{"\n  }\n"}.size());
    return result;
  };
  CHECK(schema("[l]-x==1→x=1;") == "[l] -x == 1 -> x = 1;");
  CHECK(schema("[l](a)->x[k]=1;") == "[l] (a) -> x[k] = 1;");
  CHECK(schema("a=>b||c∧d ->x=client(2);") == "a => b | c & d -> x = client(2);");
  CHECK(schema("!a!=1->ALL(i,j where i!=k:x[i]=1,y=2);") ==
        "!a != 1 -> ALL(i, j where i != k: x[i] = 1, y = 2);");
  CHECK(schema("EXISTS(i:a?b:c)->x=1 Priority(vip;0,3 -5;9-);") ==
        "EXISTS(i: a ? b : c) -> x = 1 Priority (vip; 0, 3-5; 9-);");
  CHECK(schema("a->x=y(Priority a : 1,2 - 3 : b);") == "a -> x = y (Priority a:1, 2-3:b);");
  CHECK(schema("a->x=y Priority j(a;b);") == "a -> x = y Priority j (a; b);");
  CHECK(schema("a->x=1;b->x=2;") == "a -> x = 1;\n    b -> x = 2;");
}

TEST_CASE("formulas have their canonical form", "[lang]") {
  CHECK(format_formula("AG(x[i]≠2)") == "AG(x[i] != 2)");
  CHECK(format_formula("AG x=1&&EF y==2") == "AG x = 1 & EF y == 2");
  CHECK(format_formula("! AG ! ( x )") == "!AG !(x)");
  CHECK(format_formula("E [p U q]|A ( p R q )") == "E[p U q] | A(p R q)");
  CHECK(format_formula("E_fair G x & A_fairX (y)&E_fair[p W q]") ==
        "Efair G x & AfairX(y) & Efair[p W q]");
  CHECK(format_formula("∀i,j∈client{0,2 - 5 , 7 -}.∃k∈N:x<- 1") ==
        "forall i, j in client{0, 2-5, 7-} . exists k in N : x < -1");
  CHECK(format_formula("forall i in M(x)") == "forall i in M (x)");
  CHECK(format_formula("forall i in M{0}(x)") == "forall i in M{0} (x)");
  CHECK(format_formula("forall i in M forall j in M(x)") == "forall i in M forall j in M (x)");
  CHECK(format_formula("COUNT(i,M,x)+1-COUNT( i in M:x )>=- 2") ==
        "COUNT(i, M, x) + 1 - COUNT(i in M : x) >= -2");
  CHECK(format_formula("i!=client (3)->enabled (i)<->deadlock=>none=o") ==
        "i != client(3) -> enabled(i) <-> deadlock => none = o");
  CHECK(format_formula("x < - 1 // no comment\n & /* here */ y") == "x < -1 & y");
  CHECK(format_formula("ALL(i where i!=k:x[i]==0)=>COUNT(i:x)>1?a:b") ==
        "ALL(i where i != k: x[i] == 0) => COUNT(i: x) > 1 ? a : b");
  CHECK(format_formula("") == "");
}

TEST_CASE("comments stay where they are", "[lang]") {
  const std::string text =
      "\xEF\xBB\xBF// head \t\r\n\r\n\r\nProgram // p\r\n\tModule client=3;Const N = 2;\r\n\r\n\r\n"
      "// about Phase\r\nEnum Phase = { idle, // nothing\r\n waiting, /* w */\r\n // last\r\n"
      " holding // has\r\n } /* z */ ; // end\r\n"
      " /* lead */ b : bool; /* t1 */ /* t2 */ c : bool; /* two\n  lines\t*/\n\n\n"
      "k of client:{ // open\n\n  // first\n [a] b → b=1 // why\n ; \n\n /*c*/ b -> c = 1;\n"
      "y == 1 & // comment\n b -> c = f(/* arg */ 1 /* one */) /* t */\n;\n"
      "b // one\n & c // two\n & y == 2 ->  // three\n // own\n b = 0, // four\n"
      "c = /* v */ 1;\n\n // last in body\n\n}  // close\n"
      "  // in the program\n// before the formulas\nFormula // f\n/* x */ AG /* y */ (x // z\n)\n"
      "Evaluation i=0;j = client(3) // last\n\n // end\n\n";
  CHECK(formatted(FileKind::Model, text) == R"(// head

Program  // p
  Module client = 3;
  Const N = 2;

  // about Phase
  Enum Phase = {
      idle,  // nothing
      waiting,  /* w */
      // last
      holding  // has
  } /* z */;  // end
  /* lead */ b : bool;  /* t1 */ /* t2 */
  c : bool;  /* two
  lines	*/

  k of client : {  // open
    // first
    [a] b ->
        b = 1  // why
            ;

    /*c*/ b -> c = 1;
    y == 1 &  // comment
            b ->
        c = f(/* arg */ 1 /* one */)  /* t */
            ;
    b  // one
            & c  // two
            & y == 2 ->  // three
        // own
        b = 0,  // four
        c = /* v */ 1;

    // last in body
  }  // close
  // in the program
// before the formulas
Formula  // f
  /* x */ AG /* y */ (x  // z
      )
Evaluation
  i = 0;
  j = client(3)  // last

  // end
)");
  check_format(FileKind::Model, text);
}

TEST_CASE("long lines are broken at the loosest place", "[lang]") {
  const std::string model = R"(Program
  Enum Colour = { red, orange, yellow, green, blue, indigo, violet, black, white, brown, pink, cyan };
  Const Sum = aaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbbbb + ccccccccccccccccccccccccc + ddddddddddddddd * eeeeeeeeee;
  PriorityClass many : client = (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34-40);
  k of client : {
    [fits_after_arrow] state[k] == waiting & token[k] == 1 & other[k] == 0 -> state[k] = holding, token[k] = 0;
    [many_actions] go -> first[k] = 1, second[k] = 2, third[k] = 3, fourth[k] = 4, fifth[k] = 5, sixth[k] = 6, seventh[k] = 7 Priority (vip; others);
    [long_condition] state[k] == waiting & token[k] == 1 & other[k] == 0 & ALL(i where i != k: state[i] == idle | state[i] == waiting) -> state[k] = holding;
    first_long_name[k] == 1 & second_long_name[k] == 2 | third_long_name[k] == 3 & fourth_long_name[k] == 4 & fifth_long_name[k] == 5 & sixth_long_name[k] == 6 -> go = 0;
  }
)";
  CHECK(formatted(FileKind::Model, model) == R"(Program
  Enum Colour = {
      red, orange, yellow, green, blue, indigo, violet, black, white, brown, pink, cyan
  };
  Const Sum = aaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbbbb + ccccccccccccccccccccccccc
      + ddddddddddddddd * eeeeeeeeee;
  PriorityClass many : client = (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32,
      34-40);
  k of client : {
    [fits_after_arrow] state[k] == waiting & token[k] == 1 & other[k] == 0 ->
        state[k] = holding, token[k] = 0;
    [many_actions] go ->
        first[k] = 1, second[k] = 2, third[k] = 3, fourth[k] = 4, fifth[k] = 5, sixth[k] = 6,
        seventh[k] = 7 Priority (vip; others);
    [long_condition] state[k] == waiting & token[k] == 1 & other[k] == 0
            & ALL(i where i != k: state[i] == idle | state[i] == waiting) ->
        state[k] = holding;
    first_long_name[k] == 1 & second_long_name[k] == 2
            | third_long_name[k] == 3 & fourth_long_name[k] == 4 & fifth_long_name[k] == 5
                & sixth_long_name[k] == 6 ->
        go = 0;
  }
)");
  check_format(FileKind::Model, model);

  const std::string spec =
      "property short : AG x = 0;\n"
      "property mutex with i = 0, j = 3 expect false : forall i in client . forall j in client . "
      "i != j -> AG(state[i] != holding | state[j] != holding);\n\n\n"
      "property longer : forall i in client . AG(state[i] = waiting & token[i] = 1 -> "
      "A[state[i] = waiting U state[i] = holding | COUNT(j in client : state[j] = holding) >= 3]) "
      "& AG EF deadlock;";
  CHECK(formatted(FileKind::Spec, spec) == R"(property short : AG x = 0;
property mutex with i = 0, j = 3 expect false :
  forall i in client . forall j in client . i != j -> AG(state[i] != holding | state[j] != holding);

property longer :
  forall i in client . AG(state[i] = waiting & token[i] = 1
          -> A[state[i] = waiting
              U state[i] = holding | COUNT(j in client : state[j] = holding) >= 3])
      & AG EF deadlock;
)");
  check_format(FileKind::Spec, spec);
}

TEST_CASE("a program without its keyword starts at the margin", "[lang]") {
  CHECK(formatted(FileKind::Model, "Module c=1; k of c:{ a->b=1; }\n// end") ==
        "Module c = 1;\nk of c : {\n  a -> b = 1;\n}\n// end\n");
}

TEST_CASE("a text with syntax errors is not formatted", "[lang]") {
  base::Diagnostics diagnostics;
  CHECK_FALSE(
      format(Source::from_text("bad.coh", "Program Module = 3;"), FileKind::Model, diagnostics));
  CHECK(diagnostics.num_errors() == 1);
  // Errors of others in the same diagnostics do not count.
  CHECK(format(Source::from_text("good.coh", "Program"), FileKind::Model, diagnostics) ==
        "Program\n");
}

TEST_CASE("names in what is nested too deep for its indentation still have room", "[lang]") {
  std::string text = "property p : ";
  for (int i = 0; i < 150; ++i) text += "(some_long_name_of_a_variable & ";
  text += "x";
  for (int i = 0; i < 150; ++i) text += " | some_other_long_name)";
  check_format(FileKind::Spec, text + ";");
  CHECK(long_lines(formatted(FileKind::Spec, text + ";")) == "");
}

TEST_CASE("a sum of a hundred thousand terms is formatted in no time", "[lang]") {
  std::string text = "Const N = 1";
  for (int i = 0; i < 100'000; ++i) text += "+1";
  const std::string once = formatted(FileKind::Model, text + ";");
  CHECK(lines(once).size() > 4000);
  CHECK(long_lines(once) == "");
  CHECK(formatted(FileKind::Model, once) == once);
}

}  // namespace cohort::lang
