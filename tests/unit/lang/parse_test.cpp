// Facts about the trees that the parser builds, about places, and about its messages.
#include "lang/parse.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "lang/syntax.hpp"

namespace cohort::lang {
namespace {

using base::Diagnostics;
using base::Source;
using syntax::Expr;
using syntax::ExprKind;

[[nodiscard]] std::string_view sign_of(const Expr& chain, const Expr& operand) {
  static constexpr std::array<std::string_view, 12> joins = {"",   "+",  "-", "*",  "/", "%",
                                                             "==", "!=", "<", "<=", ">", ">="};
  switch (chain.kind) {
    case ExprKind::And:
      return "&";
    case ExprKind::Or:
      return "|";
    case ExprKind::Implies:
      return "=>";
    case ExprKind::Iff:
      return "<->";
    default:
      return joins[static_cast<std::size_t>(operand.join)];
  }
}

[[nodiscard]] std::string_view word_of(const Expr& expr) {
  static constexpr std::array<std::string_view, 4> paths = {"E", "A", "Efair", "Afair"};
  switch (expr.kind) {
    case ExprKind::All:
      return "ALL";
    case ExprKind::Exists:
      return "EXISTS";
    case ExprKind::CountIndex:
    case ExprKind::CountProcess:
      return "COUNT";
    case ExprKind::ForallProcess:
      return "forall";
    case ExprKind::ExistsProcess:
      return "exists";
    case ExprKind::Temporal:
      return paths[static_cast<std::size_t>(expr.path)];
    case ExprKind::True:
      return "true";
    case ExprKind::False:
      return "false";
    case ExprKind::None:
      return "none";
    case ExprKind::Deadlock:
      return "deadlock";
    case ExprKind::Enabled:
      return "enabled";
    default:
      return expr.name;
  }
}

/// An expression with angle brackets around every operator and its operands; the brackets of the
/// text stay round.
[[nodiscard]] std::string grouped(const Expr& expr) {
  const auto list = [&] {
    std::string text;
    for (const Expr& arg : expr.args) text += (text.empty() ? "" : ", ") + grouped(arg);
    return text;
  };
  switch (expr.kind) {
    case ExprKind::Number:
      return std::to_string(expr.number);
    case ExprKind::Paren:
      return "(" + list() + ")";
    case ExprKind::Minus:
      return "<-" + list() + ">";
    case ExprKind::Not:
      return "<!" + list() + ">";
    case ExprKind::Conditional:
      return "<" + grouped(expr.args[0]) + " ? " + grouped(expr.args[1]) + " : " +
             grouped(expr.args[2]) + ">";
    case ExprKind::Reference:
      return std::string(expr.name) + (expr.args.empty() ? "" : "[" + list() + "]");
    case ExprKind::Product:
    case ExprKind::Sum:
    case ExprKind::Compare:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Implies:
    case ExprKind::Iff: {
      std::string text = "<" + grouped(expr.args.front());
      for (std::size_t i = 1; i < expr.args.size(); ++i) {
        text += " " + std::string(sign_of(expr, expr.args[i])) + " " + grouped(expr.args[i]);
      }
      return text + ">";
    }
    default:
      break;
  }
  std::string text{word_of(expr)};
  if (expr.kind == ExprKind::Temporal) text += "XFGUWR"[static_cast<std::size_t>(expr.temporal)];
  for (const syntax::Binding& binding : expr.bindings) {
    text += text.back() == '}' ? ", " : " ";
    for (const syntax::Name& name : binding.names) text += std::string(name.text) + " ";
    text += "{" + std::string(binding.set.name.text) + "}";
  }
  return expr.args.empty() ? text : text + "(" + list() + ")";
}

/// The tree of an expression of a model.
[[nodiscard]] std::string expression(const std::string& text) {
  const Source source = Source::from_text("test", "Const c = " + text + ";");
  Diagnostics diagnostics;
  const syntax::ModelFile model = parse_model(source, diagnostics);
  if (diagnostics.has_errors()) return diagnostics.sorted().front().message;
  return grouped(model.constants.at(0).value);
}

[[nodiscard]] std::string formula(const std::string& text) {
  const Source source = Source::from_text("test", text);
  Diagnostics diagnostics;
  const Expr tree = parse_formula(source, diagnostics);
  if (diagnostics.has_errors()) return diagnostics.sorted().front().message;
  return grouped(tree);
}

/// A model that must have no errors, with its text.
struct Parsed {
  explicit Parsed(const std::string& text) : source(Source::from_text("test", text)) {
    Diagnostics diagnostics;
    model = parse_model(source, diagnostics);
    CAPTURE(render(source, diagnostics));
    REQUIRE_FALSE(diagnostics.has_errors());
  }
  Source source;
  syntax::ModelFile model;
};

[[nodiscard]] std::string listed(const Source& source, const Diagnostics& diagnostics) {
  std::string text;
  for (const base::Diagnostic& found : diagnostics.sorted()) {
    const base::Position at = source.position(found.where.begin);
    text += std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + found.message;
    if (!found.hint.empty()) text += " [" + found.hint + "]";
    text += "\n";
  }
  return text;
}

[[nodiscard]] std::string model_errors(const std::string& text) {
  const Source source = Source::from_text("test", text);
  Diagnostics diagnostics;
  (void)parse_model(source, diagnostics);
  return listed(source, diagnostics);
}

[[nodiscard]] std::string spec_errors(const std::string& text) {
  const Source source = Source::from_text("test", text);
  Diagnostics diagnostics;
  (void)parse_spec(source, diagnostics);
  return listed(source, diagnostics);
}

[[nodiscard]] std::string formula_errors(const std::string& text) {
  const Source source = Source::from_text("test", text);
  Diagnostics diagnostics;
  (void)parse_formula(source, diagnostics);
  return listed(source, diagnostics);
}

}  // namespace

TEST_CASE("operators of a model bind as language.md says", "[lang][parse]") {
  CHECK(expression("!x == 1") == "<!<x == 1>>");
  CHECK(expression("!x == 1 & y") == "<<!<x == 1>> & y>");
  CHECK(expression("-x * y + 1 < z") == "<<<<-x> * y> + 1> < z>");
  CHECK(expression("a - b + c - d") == "<a - b + c - d>");
  CHECK(expression("a * b / c % d") == "<a * b / c % d>");
  CHECK(expression("a - (b - c)") == "<a - (<b - c>)>");
  CHECK(expression("a | b & c | d") == "<a | <b & c> | d>");
  CHECK(expression("a || b && c") == "<a | <b & c>>");
  CHECK(expression("a => b => c") == "<a => b => c>");
  CHECK(expression("(a => b) => c") == "<(<a => b>) => c>");
  CHECK(expression("a | b => c & d") == "<<a | b> => <c & d>>");
  CHECK(expression("a => b ? c : d => e") == "<<a => b> ? c : <d => e>>");
  CHECK(expression("a ? b : c ? d : e") == "<a ? b : <c ? d : e>>");
  CHECK(expression("a ? b ? c : d : e") == "<a ? <b ? c : d> : e>");
  CHECK(expression("- - 3") == "<-<-3>>");
  CHECK(expression("!!x") == "<!<!x>>");
  CHECK(expression("!-x <= -1") == "<!<<-x> <= <-1>>>");
  CHECK(expression("¬ a ∧ b ∨ c ≠ d") == "<<<!a> & b> | <c != d>>");
}

TEST_CASE("an operand may have subscripts, a process or a quantifier", "[lang][parse]") {
  CHECK(expression("x[i, j + 1] == client(2)") == "<x[i, <j + 1>] == client(2)>");
  CHECK(expression("ALL(i: x[i]) & y") == "<ALL i {}(x[i]) & y>");
  CHECK(expression("COUNT(i, j where i != j: x[i]) + 1 > 2") ==
        "<<COUNT i j {}(<i != j>, x[i]) + 1> > 2>");
  CHECK(expression("EXISTS(i: x[i] => y) | TRUE | False | none") ==
        "<EXISTS i {}(<x[i] => y>) | true | false | none>");
}

TEST_CASE("chains and looser prefixes are refused", "[lang][parse]") {
  CHECK(expression("a < b < c") == "comparisons cannot be chained");
  CHECK(expression("a == b != c") == "comparisons cannot be chained");
  CHECK(expression("a < b + c <= d") == "comparisons cannot be chained");
  CHECK(expression("a < b & b < c") == "<<a < b> & <b < c>>");
  CHECK(expression("a < (b < c)") == "<a < (<b < c>)>");
  CHECK(expression("1 + !a") == "'!' binds looser than the operator before it");
  CHECK(expression("a == !b") == "'!' binds looser than the operator before it");
  CHECK(expression("a & !b") == "<a & <!b>>");
  CHECK(formula("a = b = c") == "comparisons cannot be chained");
  CHECK(formula("1 + AG x") == "'AG' binds looser than the operator before it");
  CHECK(formula("E[a U b] = 1") == "'=' cannot follow a formula");
}

TEST_CASE("operators of a formula bind as language.md says", "[lang][parse]") {
  CHECK(formula("!x = 1") == "<!<x == 1>>");
  CHECK(formula("AG x = 1 & y") == "<AG(<x == 1>) & y>");
  CHECK(formula("AG !EF x") == "AG(<!EF(x)>)");
  CHECK(formula("a -> b => c → d") == "<a => b => c => d>");
  CHECK(formula("a <-> b <-> c -> d") == "<a <-> b <-> <c => d>>");
  CHECK(formula("a | b & c -> d") == "<<a | <b & c>> => d>");
  CHECK(formula("E[a U b -> c] | A(d R e)") == "<EU(a, <b => c>) | AR(d, e)>");
  CHECK(formula("Efair G x & A_fairF y") == "<EfairG(x) & AfairF(y)>");
  CHECK(formula("E_fair[a W b]") == "EfairW(a, b)");
  CHECK(formula("E X a") == "EX(a)");
  CHECK(formula("COUNT(i, client, x[i]) + 2 * COUNT(j in vip : deadlock) <= 3") ==
        "<<COUNT i {client}(x[i]) + <2 * COUNT j {vip}(deadlock)>> <= 3>");
  CHECK(formula("enabled(i) & i != client(3)") == "<enabled(i) & <i != client(3)>>");
}

TEST_CASE("the scope of a quantifier reaches as far right as it can", "[lang][parse]") {
  CHECK(formula("forall i in m . a -> b <-> c") == "forall i {m}(<<a => b> <-> c>)");
  CHECK(formula("a & forall i in m . b | c") == "<a & forall i {m}(<b | c>)>");
  CHECK(formula("forall i in m (a) -> b") == "forall i {m}(<(a) => b>)");
  CHECK(formula("(forall i in m : a) -> b") == "<(forall i {m}(a)) => b>");
  CHECK(formula("forall i, j in m, k in n . a") == "forall i j {m}, k {n}(a)");
  CHECK(formula("∀ i ∈ m ∃ j ∈ n (a) ∧ b") == "forall i {m}(exists j {n}(<(a) & b>))");
  CHECK(formula("AG forall i in m . a & b") == "AG(forall i {m}(<a & b>))");
  CHECK(formula("!exists i in m : a | b") == "<!exists i {m}(<a | b>)>");
}

TEST_CASE("a set may list its ids", "[lang][parse]") {
  const Source source = Source::from_text("test", "exists i in client{0, 2-5, 9-} . x[i]");
  Diagnostics diagnostics;
  const Expr tree = parse_formula(source, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  const syntax::ProcessSet& set = tree.bindings.at(0).set;
  REQUIRE(set.listed);
  REQUIRE(set.ids.size() == 3);
  CHECK((set.ids[0].first == 0 && set.ids[0].last == 0));
  CHECK((set.ids[1].first == 2 && set.ids[1].last == 5));
  CHECK((set.ids[2].first == 9 && !set.ids[2].last));
}

TEST_CASE("every declaration becomes a node of its kind", "[lang][parse]") {
  const Parsed parsed{
      "Module client = 2 * N;\nConst N = 3;\nEnum Phase = { idle, busy };\n"
      "PriorityClass vip : client = (0, 3-5);\nInit x[0] = 1;\nx[client, 0..3] : bool = true;\n"
      "i, j of client;\nk of client : { x[k, 0] -> x[k, 0] = 0; [l] true -> x[k, 1] = 1; }\n"};
  const syntax::ModelFile& model = parsed.model;
  CHECK((model.modules.size() == 1 && model.constants.size() == 1 && model.inits.size() == 1));
  CHECK(model.enums.at(0).constants.at(1).text == "busy");
  CHECK(model.classes.at(0).ids.size() == 2);
  CHECK(model.variables.at(0).dimensions.at(0).name.text == "client");
  CHECK(grouped(model.variables.at(0).dimensions.at(1).range.at(0).last) == "3");
  CHECK(model.indices.at(0).names.size() == 2);
  REQUIRE(model.bodies.at(0).schemas.size() == 2);
  CHECK_FALSE(model.bodies[0].schemas[0].label);
  CHECK(model.bodies[0].schemas[1].label->text == "l");
}

TEST_CASE("types and initial values have several forms", "[lang][parse]") {
  using TypeKind = syntax::Type::Kind;
  using InitialKind = syntax::Initial::Kind;
  const Parsed parsed{
      "a; b : bool; c : -1..N - 1 in 0..2; d : Phase = idle; e : client? = none; f : client in "
      "client; g in { 1, 2 + 3 }; h ∈ N..M; l = c == 1;"};
  const std::vector<syntax::Variable>& v = parsed.model.variables;
  REQUIRE(v.size() == 9);
  CHECK((!v[0].type && !v[0].initial));
  CHECK(v[1].type->kind == TypeKind::Bool);
  CHECK(v[2].type->kind == TypeKind::Range);
  CHECK(grouped(v[2].type->range.at(0).first) == "<-1>");
  CHECK(grouped(v[2].type->range.at(0).last) == "<N - 1>");
  CHECK(v[2].initial->kind == InitialKind::Range);
  CHECK(v[3].type->kind == TypeKind::Named);
  CHECK(v[4].type->kind == TypeKind::Optional);
  CHECK(v[4].initial->kind == InitialKind::Value);
  CHECK(v[5].initial->kind == InitialKind::Module);
  CHECK(v[5].initial->module.text == "client");
  CHECK(v[6].initial->kind == InitialKind::List);
  CHECK(v[6].initial->values.size() == 2);
  CHECK(v[7].initial->kind == InitialKind::Range);
  CHECK(grouped(v[8].initial->values.at(0)) == "<c == 1>");
}

TEST_CASE("both forms of a priority are read", "[lang][parse]") {
  const Parsed parsed{
      "k of c : {\n"
      "  x -> x = y Priority (vip; 0, 3-5; rest);\n"
      "  x -> x = y Priority j (vip);\n"
      "  x -> x = y (Priority vip:0, 3-5:9-);\n"
      "  x -> ALL(i where i != k: x[i] = 1, ALL(j: y[j] = 2)), z = (1) (Priority vip);\n}"};
  const std::vector<syntax::Schema>& s = parsed.model.bodies.at(0).schemas;
  REQUIRE(s.size() == 4);
  REQUIRE(s[0].priority->ranks.size() == 3);
  CHECK(s[0].priority->ranks[0].name.text == "vip");
  CHECK(s[0].priority->ranks[1].ids.size() == 2);
  CHECK(s[1].priority->variable->text == "j");
  REQUIRE(s[2].priority->ranks.size() == 3);
  CHECK_FALSE(s[2].priority->ranks[2].ids.at(0).last);
  CHECK(grouped(s[2].actions.at(0).value) == "y");
  REQUIRE(s[3].actions.size() == 2);
  CHECK(s[3].actions[0].filter.size() == 1);
  CHECK(s[3].actions[0].actions.at(1).binders.at(0).text == "j");
  CHECK(s[3].priority);
}

TEST_CASE("a model may carry formulas and an evaluation", "[lang][parse]") {
  const Parsed bare{"Program x; Formula AG x Evaluation i = 0; j = client(3)"};
  REQUIRE(bare.model.properties.size() == 1);
  CHECK(bare.model.properties[0].name.text == "formula");
  REQUIRE(bare.model.evaluation.size() == 2);
  CHECK(bare.model.evaluation[1].module->text == "client");
  CHECK(bare.model.evaluation[1].id == 3);
  const Parsed named{"Program Formula a : x; b : y; Evaluation"};
  CHECK(named.model.properties.size() == 2);
  const Parsed none{"Program Formula Evaluation"};
  CHECK(none.model.properties.empty());
}

TEST_CASE("a spec's property has values and an expectation", "[lang][parse]") {
  const Source source = Source::from_text(
      "test", "property a : x;\nproperty b with i = 0, j = client(3) expect false : y;");
  Diagnostics diagnostics;
  const syntax::SpecFile spec = parse_spec(source, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  REQUIRE(spec.properties.size() == 2);
  CHECK(spec.properties[0].expected);
  CHECK_FALSE(spec.properties[1].expected);
  CHECK(spec.properties[1].values.at(1).id == 3);
}

TEST_CASE("a node's place is its text", "[lang][parse]") {
  const Source source = Source::from_text("test", "∀ i ∈ m (x[i] ≠ -2 → AG (y)) ");
  Diagnostics diagnostics;
  const Expr tree = parse_formula(source, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  CHECK(source.text(tree.where) == "∀ i ∈ m (x[i] ≠ -2 → AG (y))");
  const Expr& implies = tree.args.at(0).args.at(0);
  CHECK(source.text(implies.where) == "x[i] ≠ -2 → AG (y)");
  CHECK(source.text(implies.args.at(0).where) == "x[i] ≠ -2");
  CHECK(source.text(implies.args.at(0).args.at(1).where) == "-2");
  CHECK(source.text(implies.args.at(1).where) == "AG (y)");
  CHECK(source.position(implies.where.begin) == base::Position{1, 10});
  CHECK(source.text(tree.bindings.at(0).set.name.where) == "m");
}

TEST_CASE("a schema's place reaches to its semicolon", "[lang][parse]") {
  const Parsed parsed{"k of c : { [l] x -> y[1] = ALL(i: z), w = 1 (Priority a:b); }"};
  const syntax::Schema& schema = parsed.model.bodies.at(0).schemas.at(0);
  CHECK(parsed.source.text(schema.where) == "[l] x -> y[1] = ALL(i: z), w = 1 (Priority a:b);");
  CHECK(parsed.source.text(schema.actions.at(0).where) == "y[1] = ALL(i: z)");
  CHECK(parsed.source.text(schema.priority->where) == "(Priority a:b)");
}

TEST_CASE("columns of errors count code points", "[lang][parse]") {
  CHECK(formula_errors("∀ i ∈ m (x ≠ )") == "1:14: expected a formula but found ')'\n");
}

TEST_CASE("independent errors are all reported, each once", "[lang][parse]") {
  CHECK(model_errors("Program\nModule = 3;\nConst a = ;\nEnum P = { idle busy };\nx = 1 +;\n"
                     "Enum Q = { a, };\ny in {};\nk of client : {\n  [a] x -> ;\n"
                     "  [b] x = 1 -> y = 2 (Priority a;b);\n  u < 1 < 2 -> y = 1;\n  ok -> y = 1;\n"
                     "}\nz = 1 2;\n") ==
        "2:8: expected a name but found '='\n"
        "3:11: expected an expression but found ';'\n"
        "4:17: expected ',' or '}' but found 'busy'\n"
        "5:8: expected an expression but found ';'\n"
        "6:15: expected a name but found '}'\n"
        "7:7: expected an expression but found '}'\n"
        "9:12: expected an assignment but found ';'\n"
        "10:9: '=' assigns; a condition compares with '==' "
        "[write '=='; assignments stand behind '->', with ',' between them]\n"
        "11:9: comparisons cannot be chained [write 'a < b & b < c']\n"
        "14:7: expected an operator or ';' but found '2'\n");
  CHECK(spec_errors("property a AG x;\nproperty b : E[x U y);\nproperty c : E x;\nAG x;\n") ==
        "1:12: expected 'with', 'expect' or ':' but found the keyword 'AG'\n"
        "2:21: expected an operator or ']' but found ')' "
        "[the '[' at line 2, column 15 is not closed]\n"
        "3:16: expected 'X', 'F', 'G', '[' or '(' but found 'x'\n"
        "4:1: expected 'property' but found the keyword 'AG' "
        "[a property is written 'property name : formula;']\n");
}

TEST_CASE("a forgotten semicolon is reported where it belongs", "[lang][parse]") {
  CHECK(model_errors("Module a = 3\nModule b = 2;\nx = 0") ==
        "1:13: expected ';' before 'Module'\n3:6: expected ';' before the end of the input\n");
  CHECK(model_errors("k of c : {\n x -> x = 1\n y -> y = 1\n}\nz = 0;") ==
        "2:12: expected ';' before 'y'\n3:12: expected ';' before '}'\n");
  CHECK(model_errors("Const a = b\n ? c\n;\nConst d = 1;") ==
        "2:5: expected an operator or ':' before ';'\n");
  CHECK(spec_errors("property a : x\nproperty b : y") ==
        "1:15: expected ';' before 'property'\n"
        "2:15: expected ';' before the end of the input\n");
}

TEST_CASE("an unclosed bracket is shown", "[lang][parse]") {
  CHECK(model_errors("x = (3 + 2;\ny[client = 0;\nz = 1;") ==
        "1:11: expected an operator or ')' but found ';' "
        "[the '(' at line 1, column 5 is not closed]\n"
        "2:10: expected ',' or ']' but found '=' [the '[' at line 2, column 2 is not closed]\n");
  CHECK(model_errors("k of client : {\n x -> x = 1;\nModule a = 3;") ==
        "1:1: the body of module 'client' is not closed [a body ends with '}']\n");
  CHECK(model_errors("x = 1;\n}\n") ==
        "2:1: '}' closes nothing [remove it, or look for a missing '{' before]\n");
}

TEST_CASE("what the lexer cannot read is reported once", "[lang][parse]") {
  CHECK(model_errors("x = 1;\n/* y = 2;") ==
        "2:1: the comment is not closed [a comment that starts with '/*' ends with '*/']\n");
  CHECK(model_errors("Module \xFF"
                     "a = 1;\nx = $;\n") ==
        "1:8: byte 0xFF is not UTF-8 [save the file as UTF-8]\n2:5: unexpected character '$'\n");
  CHECK(model_errors(std::string("x = 1;") + '\0') == "1:7: unexpected control character U+0000\n");
}

TEST_CASE("a keyword is no name, and the message says so", "[lang][parse]") {
  CHECK(model_errors("Module Init = 3;") ==
        "1:8: 'Init' is a keyword and cannot be used as a name\n");
  CHECK(model_errors("bool = 0;\nx = 1 +;") ==
        "1:1: 'bool' is a keyword and cannot be used as a name\n"
        "2:8: expected an expression but found ';'\n");
  CHECK(model_errors("G of client : { x -> y = 1; }\nx = 1 +;") ==
        "1:1: 'G' is a keyword and cannot be used as a name\n"
        "2:8: expected an expression but found ';'\n");
  CHECK(model_errors("x = of;") == "1:5: expected an expression but found the keyword 'of'\n");
  CHECK(spec_errors("property with : x;") ==
        "1:10: 'with' is a keyword and cannot be used as a name\n");
}

TEST_CASE("an integer that does not fit is refused", "[lang][parse]") {
  CHECK(model_errors("x = 9223372036854775807;") == "");
  CHECK(model_errors("x = 9223372036854775808;") == "1:5: the number does not fit in 64 bits\n");
  CHECK(model_errors("PriorityClass a : b = (0-99999999999999999999);") ==
        "1:26: the number does not fit in 64 bits\n");
}

TEST_CASE("an empty text is refused", "[lang][parse]") {
  CHECK(model_errors("") ==
        "1:1: the file is empty [a model starts with 'Program' and a declaration such as 'Module "
        "client = 3;']\n");
  CHECK(model_errors("Program") == "");
  CHECK(spec_errors("// nothing\n") ==
        "1:1: the file has no property [write a property, for instance 'property safe : AG x = "
        "0;']\n");
  CHECK(formula_errors(" ") == "1:2: the formula is empty\n");
}

TEST_CASE("sections need their keyword and their place", "[lang][parse]") {
  CHECK(model_errors("x; Formula AG x") ==
        "1:4: 'Formula' in a file without 'Program' [write 'Program' at the start of the file]\n");
  CHECK(model_errors("Module a = 3; property x : AG y; z = ;") ==
        "1:15: 'property' starts a property of a spec file [in a model write 'Formula' and then "
        "'name : formula;', or use a .cctl file]\n"
        "1:38: expected an expression but found ';'\n");
  CHECK(model_errors("x = 1;;") == "1:7: ';' without a declaration before it [remove it]\n");
  CHECK(formula_errors("AG x)") ==
        "1:5: expected an operator or the end of the input but found ')'\n");
  CHECK(formula_errors("AG") == "1:3: expected a formula before the end of the input\n");
}

TEST_CASE("names in what could not be read are remembered", "[lang][parse]") {
  const Source source = Source::from_text("test", "Const a = b +;\nConst c = 1;");
  Diagnostics diagnostics;
  const syntax::ModelFile model = parse_model(source, diagnostics);
  CHECK(model.names_in_errors == std::vector<std::string_view>{"a", "b"});
  CHECK(model.constants.size() == 1);
}

}  // namespace cohort::lang
