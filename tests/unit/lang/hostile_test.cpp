// Input that nobody writes by hand: deep, long, or wrong in a million places.  Each must end in a
// few seconds with a result or a clear error, and without a stack overflow.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "lang/parse.hpp"

namespace cohort::lang {
namespace {

using base::Diagnostics;
using base::Source;

constexpr std::size_t very_deep = 100'000;

[[nodiscard]] std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// What a run of a parser gave; the tree is gone by then.
struct Outcome {
  std::size_t num_errors = 0;
  std::string first_message;
  std::string rendered;
  double seconds = 0;
};

template <typename Parse>
[[nodiscard]] Outcome run(const std::string& text, const Parse& parse) {
  const auto start = std::chrono::steady_clock::now();
  const Source source = Source::from_text("hostile", text);
  Diagnostics diagnostics;
  { const auto tree = parse(source, diagnostics); }
  Outcome outcome;
  outcome.num_errors = diagnostics.num_errors();
  if (diagnostics.has_errors()) outcome.first_message = diagnostics.sorted().front().message;
  outcome.rendered = render(source, diagnostics);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  outcome.seconds = passed.count();
  return outcome;
}

[[nodiscard]] Outcome model(const std::string& text) { return run(text, parse_model); }
[[nodiscard]] Outcome formula(const std::string& text) { return run(text, parse_formula); }

constexpr std::string_view too_deep = "nested too deeply: more than 200 levels";

/// Sanitizers and a busy machine are slow; quadratic time would be hours.
constexpr double few_seconds = 60;

}  // namespace

TEST_CASE("an expression that is nested too deeply is refused", "[lang][hostile]") {
  struct Case {
    std::string_view before;
    std::string_view inside;
    std::string_view after;
  };
  const auto [before, inside, after] = GENERATE(values<Case>({{"(", "x", ")"},
                                                              {"!", "x", ""},
                                                              {"-", "x", ""},
                                                              {"- (", "x", ")"},
                                                              {"! (", "x", ")"},
                                                              {"x[", "x", "]"},
                                                              {"f(", "x", ")"},
                                                              {"ALL(i: ", "x", ")"},
                                                              {"COUNT(i where ", "x", ": y)"},
                                                              {"a ? b : ", "c", ""},
                                                              {"a ? ", "b", " : c"},
                                                              {"a => (", "b", ")"},
                                                              {"(", "", ""}}));
  CAPTURE(before, after);
  const std::string expression =
      repeated(before, very_deep) + std::string(inside) + repeated(after, very_deep);
  const Outcome outcome = model("Const c = " + expression + ";\nConst d = ;\n");
  CHECK(outcome.first_message == too_deep);
  CHECK(outcome.rendered.find("expected an expression but found ';'") != std::string::npos);
  CHECK(outcome.num_errors == 2);
  CHECK(outcome.seconds < few_seconds);
}

TEST_CASE("a formula that is nested too deeply is refused", "[lang][hostile]") {
  struct Case {
    std::string_view before;
    std::string_view inside;
    std::string_view after;
  };
  const auto [before, inside, after] = GENERATE(values<Case>({{"(", "x", ")"},
                                                              {"!", "x", ""},
                                                              {"AG ", "x", ""},
                                                              {"Efair G ", "x", ""},
                                                              {"x = -", "-x", ""},
                                                              {"E[a U ", "x", "]"},
                                                              {"A(", "x", " R b)"},
                                                              {"forall i in m . ", "x", ""},
                                                              {"exists i in m ", "(x)", ""},
                                                              {"COUNT(i, m, ", "x", ") > 0"},
                                                              {"enabled(x[", "i", "])"},
                                                              {"a & (", "x", ")"},
                                                              {"AG (", "", ""}}));
  CAPTURE(before, after);
  const bool is_chain = before == "x = -";
  const Outcome outcome =
      formula(repeated(before, very_deep) + std::string(inside) + repeated(after, very_deep));
  CHECK(outcome.first_message == (is_chain ? "comparisons cannot be chained" : too_deep));
  CHECK(outcome.num_errors == 1);
  CHECK(outcome.seconds < few_seconds);
}

TEST_CASE("actions that are nested too deeply are refused", "[lang][hostile]") {
  const std::string actions =
      repeated("ALL(i: ", very_deep) + "x[i] = 1" + repeated(")", very_deep);
  const Outcome outcome = model("k of c : { x -> " + actions + "; y -> ; }");
  CHECK(outcome.first_message == too_deep);
  CHECK(outcome.num_errors == 2);
  CHECK(outcome.seconds < few_seconds);
}

TEST_CASE("what nests less deeply than the limit is read", "[lang][hostile]") {
  const std::size_t levels = 190;
  const auto nested = [&](std::string_view before, std::string_view after) {
    return repeated(before, levels) + "x" + repeated(after, levels);
  };
  CHECK(model("Const c = " + nested("(", ")") + ";").rendered == "");
  CHECK(model("Const c = " + nested("!(1 + x[", "] * 2)") + ";").num_errors == 1);
  CHECK(model("Const c = " + repeated("!", 900) + "x;").rendered == "");
  CHECK(model("Const c = " + nested("ALL(i: ", ")") + ";").rendered == "");
  CHECK(model("Const c = " + nested("a ? b : ", "") + ";").rendered == "");
  CHECK(formula(nested("E[a U ", "]")).rendered == "");
  CHECK(formula(nested("forall i in m . ", "")).rendered.find("nested too deeply") !=
        std::string::npos);  // a quantifier and its scope are two levels
  CHECK(formula(repeated("forall i in m . ", 90) + "x").rendered == "");
  CHECK(formula(repeated("AG ", 900) + "x").rendered == "");
}

TEST_CASE("chains of any length are read", "[lang][hostile]") {
  const auto sign = GENERATE(as<std::string>{}, "+", "-", "*", "&", "|", "=>", "+ -", "& !");
  CAPTURE(sign);
  const Outcome outcome = model("Const c = x" + repeated(" " + sign + " x", 300'000) + ";");
  CHECK(outcome.rendered == "");
  CHECK(outcome.seconds < few_seconds);
}

TEST_CASE("chains of formulas of any length are read", "[lang][hostile]") {
  const auto sign = GENERATE(as<std::string>{}, "->", "<->", "=>", "& AG", "| ¬");
  CAPTURE(sign);
  const Outcome outcome = formula("x" + repeated(" " + sign + " x", 300'000));
  CHECK(outcome.rendered == "");
  CHECK(outcome.seconds < few_seconds);
}

TEST_CASE("a line of ten megabytes is read, and an error in it shown", "[lang][hostile]") {
  const std::string line = repeated("Const c = 1 + x[i] * 2; /* ∀ */ ", 300'000);
  CHECK(model(line).rendered == "");
  const Outcome outcome = model(line + "Const d = ; " + line);
  CHECK(outcome.num_errors == 1);
  CHECK(outcome.rendered.size() < 1000);
  CHECK(outcome.seconds < few_seconds);
}

TEST_CASE("a word, a number, a comment of ten megabytes is read or refused", "[lang][hostile]") {
  const std::string long_word(10'000'000, 'x');
  CHECK(model("Const " + long_word + " = 1;").rendered == "");
  const Outcome word = model("Const c = a " + long_word + ";");
  CHECK(word.num_errors == 1);
  CHECK(word.rendered.size() < 1000);
  CHECK(model("Const c = " + std::string(10'000'000, '9') + ";").first_message ==
        "the number does not fit in 64 bits");
  CHECK(model("/*" + std::string(10'000'000, '*') + "/ Const c = 1;").rendered == "");
  CHECK(model("Const c = 1; /*" + std::string(10'000'000, ' ')).first_message ==
        "the comment is not closed");
  CHECK(model(std::string(10'000'000, '\xFF')).num_errors == 1);
}

TEST_CASE("a file of fifty megabytes is read", "[lang][hostile]") {
  const std::string_view schema =
      "  [label] lk[k] == waiting & reply[cl, k] == 1 -> lk[k] = holding; // take it\n";
  const Outcome outcome =
      model("k of client : {\n" + repeated(schema, 50'000'000 / schema.size()) + "}\n");
  CHECK(outcome.rendered == "");
  CHECK(outcome.seconds < few_seconds);
}

TEST_CASE("a million declarations are read", "[lang][hostile]") {
  const Outcome outcome = model(repeated("x[client] = 0;\n", 1'000'000));
  CHECK(outcome.rendered == "");
  CHECK(outcome.seconds < few_seconds);
}

TEST_CASE("a million errors are counted and a thousand shown", "[lang][hostile]") {
  const auto line =
      GENERATE(as<std::string>{}, "x[client = 0;\n", "x = {\n", "}\n", "$\n", "x = 0\n",
               "Module = ;\n", "k of c : {\n", "x ( ( (\n", "\xFF \n", "Enum P = {a\n",
               "k of c : { x -> ( }\n", "Formula\n", "(;\n", "x = (\n;\n");
  CAPTURE(line);
  const Outcome outcome = model("Program\n" + repeated(line, 1'000'000));
  CHECK(outcome.num_errors >= 1);
  CHECK(outcome.num_errors <= Diagnostics::most_errors + 1);
  CHECK(outcome.rendered.size() < 1'000'000);
  CHECK(outcome.seconds < few_seconds);
}

TEST_CASE("a million errors in a spec are no problem", "[lang][hostile]") {
  const auto line = GENERATE(as<std::string>{}, "property\n", "property a : (\n", "x;\n",
                             "property a : E[x U ;\n", "property a : x\n");
  CAPTURE(line);
  const Outcome outcome = run(repeated(line, 1'000'000), parse_spec);
  CHECK(outcome.num_errors >= 1);
  CHECK(outcome.rendered.size() < 1'000'000);
  CHECK(outcome.seconds < few_seconds);
}

}  // namespace cohort::lang
