// The sentences of the language's definition, one small text for each: what it allows is accepted,
// what it forbids is refused, with the message that the user needs.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "lang/load.hpp"
#include "lang/warning_codes.hpp"

namespace cohort::lang {
namespace {

constexpr std::string_view declarations = R"(Program
  Module client = 6; Module server = 2; Const N = 3; Enum Phase = { idle, busy, done };
  x = 0; b : bool; r : 0..5 = 1; ph : Phase; ow : client?; me : client = client(2);
  lk[client] = 0; sv[server] : Phase; q[0..N] = 0; q2[0..3, client] : client?;
  pr[client, client] : bool; own[server] : client?;
  PriorityClass vip : client = (0, 3-5);
  i, j of client; t of server;
)";

[[nodiscard]] std::string with_declaration(std::string_view text) {
  return std::string(declarations).append(text).append("\n");
}
[[nodiscard]] std::string with_schema(std::string_view schema) {
  return with_declaration(std::string("k of client : { ").append(schema).append(" }"));
}
[[nodiscard]] std::string with_condition(std::string_view condition) {
  return with_schema(std::string(condition).append(" -> lk[k] = 1;"));
}
[[nodiscard]] std::string with_action(std::string_view action) {
  return with_schema(std::string("x == 0 -> ").append(action).append(";"));
}
[[nodiscard]] std::string with_formula(std::string_view formula, std::string_view evaluation = {}) {
  return with_schema("lk[k] == 0 -> lk[k] = 1;")
      .append("Formula p : ")
      .append(formula)
      .append(";\nEvaluation ")
      .append(evaluation);
}

/// The messages of a severity, one on each line.
[[nodiscard]] std::string messages(const Loaded& loaded, base::Severity severity) {
  std::string text;
  for (const Problem& problem : loaded.problems) text += problem.message + "\n";
  for (const auto& input : loaded.inputs) {
    for (const base::Diagnostic& found : input->diagnostics.sorted()) {
      if (found.severity == severity) text += found.message + "\n";
    }
  }
  return text;
}

[[nodiscard]] std::string errors(const std::string& text, const LoadRequest& request = {}) {
  return messages(load_text("m.coh", text, request), base::Severity::Error);
}
[[nodiscard]] std::string warnings(const std::string& text, const LoadRequest& request = {}) {
  return messages(load_text("m.coh", text, request), base::Severity::Warning);
}

/// A text that is refused, and a part of the one message about it.
struct Refused {
  std::string_view text;
  std::string_view message;
};

void check_accepted(std::string (*wrap)(std::string_view),
                    const std::vector<std::string_view>& texts) {
  for (const std::string_view text : texts) {
    CAPTURE(text);
    CHECK(errors(wrap(text)) == "");
  }
}

void check_refused(std::string (*wrap)(std::string_view), const std::vector<Refused>& texts) {
  for (const auto& [text, message] : texts) {
    CAPTURE(text);
    CHECK_THAT(errors(wrap(text)), Catch::Contains(std::string(message)));
    CHECK(errors(wrap(text)).find('\n') == errors(wrap(text)).size() - 1);  // one message
  }
}

[[nodiscard]] std::string bare_formula(std::string_view formula) { return with_formula(formula); }
[[nodiscard]] std::string alone(std::string_view text) { return std::string(text); }

}  // namespace

TEST_CASE("a file is a program, then formulas, then an evaluation", "[lang][language]") {
  check_accepted(
      alone,
      {"Module c = 2; x = 0; k of c : { x == 0 -> x = 1; }",
       "Program Module c = 2; x = 0; k of c : { x == 0 -> x = 1; } Evaluation",
       "Program Module c = 2; x = 0; k of c : { x == 0 -> x = 1; } Formula Evaluation",
       "Program Module c = 2; x = 0; k of c : { x == 0 -> x = 1; } Formula AG x = 0",
       "Program Module c = 2; x = 0; k of c : { x == 0 -> x = 1; } Formula AG x = 0; Evaluation",
       "Program Module c = 2; x = 0; k of c : { x == 0 -> x = 1; } Formula a : AG x = 0; b : x = "
       "1;",
       "Program Module c = 2 * N; Const N = M + 1; Const M = 3; x[c]; k of c : { x[k] == 0 -> x[k] "
       "= N; }"});
  check_refused(alone, {{"Module c = 2; Formula AG true", "in a file without 'Program'"},
                        {"Module c = 2; Evaluation", "in a file without 'Program'"}});
}

TEST_CASE("each keyword is refused as a name, wherever a name is declared", "[lang][language]") {
  for (const char* const keyword : {"Program",  "Module",  "Const",   "Enum",       "PriorityClass",
                                    "Priority", "Init",    "Formula", "Evaluation", "property",
                                    "with",     "expect",  "of",      "in",         "where",
                                    "ALL",      "EXISTS",  "COUNT",   "forall",     "exists",
                                    "true",     "True",    "TRUE",    "false",      "False",
                                    "FALSE",    "none",    "enabled", "deadlock",   "bool",
                                    "E",        "A",       "X",       "G",          "F",
                                    "U",        "W",       "R",       "EX",         "AX",
                                    "EF",       "AF",      "EG",      "AG",         "Efair",
                                    "Afair",    "E_fair",  "A_fair",  "EfairX",     "EfairF",
                                    "EfairG",   "AfairX",  "AfairF",  "AfairG",     "E_fairX",
                                    "E_fairF",  "E_fairG", "A_fairX", "A_fairF",    "A_fairG"}) {
    const std::string word = keyword;
    const std::string expected = "'" + word + "' is a keyword and cannot be used as a name\n";
    CAPTURE(word);
    CHECK(errors(with_declaration("Const " + word + " = 3;")) == expected);
    CHECK(errors(with_declaration("Module " + word + " = 3;")) == expected);
    CHECK(errors(with_declaration("Enum " + word + " = { aa };")) == expected);
    CHECK(errors(with_declaration("Enum Z = { aa, " + word + " };")) == expected);
    CHECK(errors(with_declaration("PriorityClass " + word + " : client = (0);")) == expected);
    CHECK(errors(with_declaration(word + " of client;")) == expected);
    CHECK(errors(with_declaration("a, " + word + " of client;")) == expected);
    CHECK(errors(with_declaration(word + "[client] = 0;")) == expected);
    CHECK(errors(with_schema("[" + word + "] x == 0 -> x = 1;")) == expected);
    CHECK(errors(with_condition("ALL(" + word + ": x == 0)")) == expected);
    CHECK(errors(with_formula("forall " + word + " in client . x = 0")) == expected);
    CHECK(errors(with_formula("COUNT(" + word + ", client, x = 0) = 1")) == expected);
    CHECK(errors(with_formula("COUNT(" + word + " in client : x = 0) = 1")) == expected);
  }
}

TEST_CASE("types and initial values", "[lang][language]") {
  check_accepted(with_declaration, {"z : 0..3 = 0;",
                                    "z : 0..N = N;",
                                    "z : 0..3 = 1 + 2;",
                                    "z : bool = true;",
                                    "z : bool = 0;",
                                    "z : Phase = done;",
                                    "z : Phase = 2;",
                                    "z : client = client(5);",
                                    "z : client? = none;",
                                    "z : client? = client(0);",
                                    "z : client?;",
                                    "z : client in client;",
                                    "z[server] : client? in client;",
                                    "z : client in { client(0), client(2) };",
                                    "z : -3..-1 in -3..-2;",
                                    "z in 3..5;",
                                    "z in { 1, N, 7 };",
                                    "z;",
                                    "z = -2147483648;",
                                    "z = 2147483647;",
                                    "z[1..3];",
                                    "z[0..1] : client; Init z[0] = client(1); Init z[1] in client;",
                                    "z : 1..3; Init z = 2;",
                                    "z[-1..N*2, client, server, 0..1] : Phase in { idle, done };"});
  check_refused(
      with_declaration,
      {{"z : 0..3 = 4;", "4 is outside the type of 'z', 0..3"},
       {"z : 0..3 = -1;", "-1 is outside the type of 'z', 0..3"},
       {"z : 0..3 = none;", "'z' holds numbers, not processes"},
       {"z : bool = 2;", "2 is outside the type of 'z', bool"},
       {"z : Phase = 3;", "3 is outside the type of 'z', Phase"},
       {"z : client = client(6);", "process 6 is beyond module 'client', whose ids are 0 to 5"},
       {"z : client = none;", "'z' cannot be none"},
       {"z : client = server(0);", "not a process of module 'server'"},
       {"z : client in server;", "'z' holds no process of module 'server'"},
       {"z : client in { client(0), client(6) };", "process 6 is beyond module 'client'"},
       {"z : client;", "'z' holds a process and needs an initial value"},
       {"z : 1..3;", "'z' needs an initial value: 0 is not in 1..3"},
       {"z[0..1] : client; Init z[1] = client(1);",
        "'z' holds a process and needs an initial value"},
       {"z : -3..-1 in -3..0;", "0 is outside the type of 'z', -3..-1"},
       {"z = 2147483648;", "2147483648 is outside the type of 'z', a 32-bit integer"},
       {"z = -2147483649;", "-2147483649 is outside the type of 'z', a 32-bit integer"},
       {"z = 99999999999999999999;", "the number does not fit in 64 bits"},
       {"z = x;", "a constant is needed here"},
       {"z = i;", "index variable 'i' where a constant is needed"},
       {"z = client;", "'client' is a module and has no value"},
       {"z = ALL(i: true);", "ALL, EXISTS and COUNT have no constant value"},
       {"z = 1 / 0;", "division by zero"},
       {"z : lk;", "'lk' is a variable, not a type"},
       {"z : Phase?;", "'Phase' is an enum, not a module"},
       {"z : nothing;", "unknown type 'nothing'"},
       {"z[Phase];", "'Phase' is an enum, not a module"},
       {"z[3..1];", "the range 3..1 is empty"},
       {"z in 5..3;", "the range 5..3 is empty"},
       {"z[0..99999, 0..99999];", "'z' has more than 10000000 instances"},
       {"x = 1;", "'x' is declared twice"},
       {"Const x = 1;", "'x' is declared twice"},
       {"x of client;", "'x' is declared twice"},
       {"Enum Z = { aa, aa };", "'aa' is declared twice"},
       {"i of server;", "index variable 'i' of two modules: 'client' and 'server'"},
       {"i of server : { }", "index variable 'i' of two modules: 'client' and 'server'"},
       {"g of nobody;", "unknown module 'nobody'"},
       {"Module z = 0;", "module 'z' has size 0"},
       {"Module z = 1 - 2;", "module 'z' has size -1"},
       {"Module z = x;", "a constant is needed here"},
       {"Const z = z + 1;", "constant 'z' is defined by itself"}});
}

TEST_CASE("Init gives single instances other initial values", "[lang][language]") {
  check_accepted(with_declaration,
                 {"Init lk[0] = 1; Init pr[1, 2] = true; Init q[3] = 4; Init x in { 1, 2 };",
                  "Init own[0] = client(3); Init own[1] = none; Init ow in client;",
                  "Init q2[0, 1] = 3; Init q2[0, client(2)] = none; Init r in 2..3;"});
  check_refused(with_declaration,
                {{"Init lk[6] = 1;", "process 6 is beyond module 'client'"},
                 {"Init q[4] = 1;", "subscript 4 of 'q' is outside 0..3"},
                 {"Init lk = 1;", "'lk' takes 1 subscript, not 0"},
                 {"Init lk[i] = 1;", "index variable 'i' where a constant is needed"},
                 {"Init lk[0] = 1; Init lk[0] = 2;", "'lk' has two Inits for the same instance"},
                 {"Init zz[0] = 1;", "unknown variable 'zz'"},
                 {"Init me = none;", "'me' cannot be none"},
                 {"Init r = 6;", "6 is outside the type of 'r', 0..5"},
                 {"Init N = 6;", "'N' is a constant, not a variable"},
                 {"Init lk[server(0)] = 1;", "a process of module 'server'"},
                 {"Init lk[0];", "expected"}});
}

TEST_CASE("priorities", "[lang][language]") {
  check_accepted(with_declaration,
                 {"PriorityClass o : client = (1, 2-2); k of server : { lk[i] == 0 -> lk[i] = 1 "
                  "Priority (vip; "
                  "o); }",
                  "PriorityClass o : client = (1-2); k of server : { lk[i] == 0 -> lk[i] = 1 "
                  "(Priority vip:o); }",
                  "k of server : { lk[i] == 0 -> lk[i] = 1 (Priority 0, 3-5:1-2); }",
                  "k of server : { lk[i] == 0 -> lk[i] = 1 Priority (0, 3-; 1-2); }",
                  "k of server : { lk[i] == 0 -> lk[i] = 1 Priority (vip; 1-2); }",
                  "k of server : { lk[i] == lk[j] -> lk[i] = 1 Priority j (0; 1-); }",
                  "k of client : { lk[i] == lk[k] -> lk[i] = 1 Priority (0; 1-); }",
                  "k of client : { sv[t] == lk[i] -> lk[i] = 1 Priority t (0; 1); }",
                  "k of client : { sv[t] == lk[i] -> lk[i] = 1 Priority (vip; 1-2); }"});
  check_refused(
      with_declaration,
      {{"k of server : { lk[i] == lk[j] -> x = 1 Priority (0; 1-); }", "which one is ranked?"},
       {"k of client : { sv[t] == lk[i] -> x = 1 Priority (0; 1-); }", "which one is ranked?"},
       {"k of client : { lk[i] == 0 -> x = 1 Priority k (0); }", "'k' is no secondary index"},
       {"k of client : { lk[i] == 0 -> x = 1 Priority j (0); }", "'j' is no secondary index"},
       {"k of client : { lk[i] == 0 -> x = 1 Priority (0) Priority (1); }", "expected"},
       {"k of client : { lk[i] == 0 -> x = 1 Priority (0; 1-6); }", "process 6 is beyond module"},
       {"k of client : { lk[i] == 0 -> x = 1 Priority (0; 1-; 3); }", "process 3 is in two sets"},
       {"k of client : { lk[k] == 0 -> x = 1 Priority (0); }",
        "without a secondary index variable"},
       {"k of client : { sv[t] == 0 -> x = 1 Priority t (vip); }", "not of 'server'"},
       {"k of client : { lk[i] == 0 -> x = 1 Priority (vipp); }", "unknown priority class 'vipp'"},
       {"k of client : { lk[i] == 0 -> x = 1 Priority (lk); }",
        "'lk' is a variable, not a priority"},
       {"PriorityClass v : client = (0, 6-);", "process 6 is beyond module 'client'"},
       {"PriorityClass v : client = (3-1);", "the range 3-1 is empty"}});
  CHECK(warnings(with_declaration("k of server : { lk[i] == 0 -> lk[i] = 1 Priority (0; 1-2); }"))
            .find("3 processes of module 'client' are in no set of the priority, the first is 3") !=
        std::string::npos);
}

TEST_CASE("conditions", "[lang][language]") {
  check_accepted(with_condition, {"x + 1 - 2 * 3 / 4 % 5 == 1",
                                  "!x == 1",
                                  "!!x",
                                  "-x == --x",
                                  "x => b => r",
                                  "x ? b : r",
                                  "x ? b : r ? 1 : 0",
                                  "(x ? 1 : 2) == 1",
                                  "ALL(i: lk[i] == 0)",
                                  "EXISTS(i: lk[i] == 0)",
                                  "COUNT(i: lk[i] == 0) > 2",
                                  "COUNT(i: lk[i] == 0)",
                                  "ALL(i where i != k: lk[i] == 0)",
                                  "ALL(i, j: pr[i,j])",
                                  "COUNT(i, j where i != j: pr[i, j]) * 2 < 5",
                                  "x",
                                  "b",
                                  "lk[k]",
                                  "(x == 1) + (b == 1) == 2",
                                  "x == (b & r)",
                                  "(x == 1) == b",
                                  "ow == none",
                                  "none != ow",
                                  "ow != k",
                                  "lk[ow] == 0",
                                  "lk[me] == lk[own[t]]",
                                  "q[x + 1 * 2] > 0",
                                  "q[lk[k]] == 0",
                                  "k != i",
                                  "own[t] == ow",
                                  "pr[me, ow]",
                                  "lk[x == 1 ? me : k] == 0",
                                  "ph == idle",
                                  "ph == 1",
                                  "ph + 1 == done",
                                  "x < 3 & x > 1 | !b & r == 1",
                                  "ALL(i: EXISTS(j: pr[i, j]))",
                                  "ALL(t: own[t] == k)",
                                  "(x ? ow : me) == k",
                                  "(x ? none : me) == k",
                                  "true",
                                  "1",
                                  "9223372036854775807 > x",
                                  "x ≠ 1 ∧ ¬b ∨ x ≤ 2 && x ≥ 0 || b"});
  check_refused(
      with_condition,
      {{"x < 1 < 2", "comparisons cannot be chained"},
       {"x == 1 == 1", "comparisons cannot be chained"},
       {"!x + 1 == 2 < 3", "comparisons cannot be chained"},
       {"lk[0] == 0", "process id 0 as a subscript of 'lk' in a body of module 'client'"},
       {"lk[N] == 0", "process id 3 as a subscript of 'lk' in a body of module 'client'"},
       {"k == client(0)", "process 0 of module 'client' in a body of module 'client'"},
       {"ow == 2", "process id 2 in a comparison in a body of module 'client'"},
       {"lk[x] == 0", "a number as a subscript of 'lk', which takes a process of module 'client'"},
       {"q[k] == 0", "a process as a subscript of 'q', which takes a number from 0 to 3"},
       {"q[ow] == 0", "a process as a subscript of 'q', which takes a number from 0 to 3"},
       {"ow < k", "'<' on processes"},
       {"ow + 1 == 2", "'+' on a process"},
       {"-ow == 1", "'-' on a process"},
       {"k", "a process is used as a condition"},
       {"!ow", "a process is used as a condition"},
       {"none", "a process is used as a condition"},
       {"x == none", "a process is compared with a number"},
       {"k == t", "a process of module 'client' is compared with a process of module 'server'"},
       {"lk[t] == 0", "a process of module 'server' as a subscript of 'lk'"},
       {"lk[k, k] == 0", "'lk' takes 1 subscript, not 2"},
       {"lk == 0", "'lk' takes 1 subscript, not 0"},
       {"x[k] == 0", "'x' takes no subscripts"},
       {"lk(0) == 0", "'lk' is a variable, not a module"},
       {"zz == 0", "unknown name 'zz'"},
       {"zz(k) == 0", "unknown module 'zz'"},
       {"ALL(zz: x == 0)", "unknown index variable 'zz'"},
       {"ALL(x: x == 0)", "'x' is a variable, not an index variable"},
       {"ALL(i, i: x == 0)", "'i' is bound twice"},
       {"x ? k : 1", "the two values of '? :' are of different kinds"},
       {"x + !b == 1", "binds looser"},
       {"x = 1", "a condition compares with '=='"},
       {"x <-> b", "'<->' is for formulas"},
       {"AG x == 1", "found the keyword 'AG'"},
       {"enabled(k)", "found the keyword 'enabled'"},
       {"lk[none] == 0", "none as a subscript"},
       {"client == 1", "'client' is a module and has no value"},
       {"99999999999999999999 == x", "the number does not fit in 64 bits"},
       {"x == 1 & (b", "expected an operator or ')'"}});
  CHECK(warnings(with_condition("q[N + 1] == 0")).find("subscript 4 of 'q' is outside 0..3") !=
        std::string::npos);
}

TEST_CASE("actions", "[lang][language]") {
  check_accepted(with_action, {"x = 1",
                               "lk[k] = x + 1",
                               "ow = k",
                               "ow = none",
                               "me = k",
                               "me = ow",
                               "ALL(i: lk[i] = 1)",
                               "ALL(i where i != k: lk[i] = 1, pr[i, k] = 0)",
                               "ALL(i, j: pr[i, j] = 0)",
                               "ALL(i: ALL(j where j != i: pr[i, j] = 1))",
                               "q[x] = 2",
                               "b = x > 1 & b",
                               "x = -1",
                               "sv[t] = done",
                               "lk[ow] = 1",
                               "x = ALL(i: lk[i] == 0)",
                               "x = COUNT(i: lk[i] == 0)",
                               "x = b ? 1 : 2",
                               "ow = b ? k : none",
                               "q2[1, k] = i"});
  check_refused(with_action,
                {{"x = k", "'x' holds numbers, not processes"},
                 {"ow = 1", "process id 1 as a value of 'ow' in a body of module 'client'"},
                 {"ow = client(1)", "process 1 of module 'client' in a body of module 'client'"},
                 {"ow = x", "'ow' holds a process of module 'client', not a number"},
                 {"me = none", "'me' cannot be none"},
                 {"ow = t", "'ow' holds a process of module 'client', not a process of module"},
                 {"N = 1", "'N' is a constant and cannot be assigned to"},
                 {"idle = 1", "'idle' is an enum constant and cannot be assigned to"},
                 {"k = i", "'k' is an index variable and cannot be assigned to"},
                 {"lk = 1", "'lk' takes 1 subscript, not 0"},
                 {"lk[0] = 1", "process id 0 as a subscript of 'lk'"},
                 {"zz = 1", "unknown variable 'zz'"},
                 {"EXISTS(i: lk[i] = 1)", "expected an assignment"},
                 {"r = lk[k] = 1", "'=' assigns"},
                 {"x == 1", "expected"},
                 {"", "expected an assignment"}});
  check_refused(with_schema,
                {{"[a] b -> b = 0; [a] !b -> b = 1;", "two schemas have the label 'a'"},
                 {"[x] b -> b = 0;", "the label 'x' is the name of a variable, too"}});
}

TEST_CASE("formulas", "[lang][language]") {
  check_accepted(bare_formula, {"forall h in client . AG lk[h] = 0",
                                "forall h in client : AG lk[h] = 0",
                                "forall h in client (AG lk[h] = 0)",
                                "forall h in client forall g in client (h != g)",
                                "forall h in client exists g in server . x = 0",
                                "forall h, g in client . h = g",
                                "forall h in client, g in server . lk[h] = sv[g]",
                                "forall h, f in client, g in server : own[g] = h | own[g] = f",
                                "exists h in vip . lk[h] = 0",
                                "forall h in client{0, 2-5} . lk[h] = 0",
                                "∀ h ∈ client{2-} . lk[h] ≠ 0",
                                "∃ h ∈ client{3} : lk[h] = 0",
                                "x = 1 -> forall h in client . lk[h] = 0 <-> x = 2",
                                "!forall h in client . lk[h] = 0",
                                "AG exists h in client . EX lk[h] = 1",
                                "forall i in server . sv[i] = 0",
                                "forall h in client . forall h in server . sv[h] = 0",
                                "COUNT(h, client, lk[h] = 0) = 3",
                                "COUNT(h in client : lk[h] = 0) == 3",
                                "COUNT(h, vip, lk[h] = 0) != 3",
                                "COUNT(h in client{0-2} : EF lk[h] = 0) < N",
                                "3 > COUNT(h, client, x = 0)",
                                "COUNT(h, client, x = 0) <= COUNT(g, server, sv[g] = 1)",
                                "2 * COUNT(h, client, x = 0) - COUNT(g, server, x = 0) * 3 = N + 1",
                                "-COUNT(h, client, x = 0) < 0",
                                "N * (COUNT(h, client, x = 0) - 1) = 3",
                                "COUNT(h, client, COUNT(g, client, pr[h, g]) = 1) = 2",
                                "AG COUNT(h, client, AG lk[h] = 1) = 1 & x = 0",
                                "EX x = 1",
                                "AX x = 1",
                                "EF x = 1",
                                "AF x = 1",
                                "EG x = 1",
                                "AG x = 1",
                                "E X x = 1",
                                "E F A G x = 1",
                                "E[x = 1 U x = 2]",
                                "A(x = 1 U x = 2)",
                                "A(x = 1 W x = 2)",
                                "E[x = 1 W x = 2]",
                                "A[x = 1 R x = 2]",
                                "E(x = 1 R x = 2)",
                                "Efair X x = 1",
                                "Efair F x = 1",
                                "Efair G x = 1",
                                "Efair[x = 1 U x = 2]",
                                "Afair[x = 1 W x = 2]",
                                "Afair(x = 1 R x = 2)",
                                "E_fair G x = 1",
                                "A_fair F x = 1",
                                "E_fair[x = 1 U x = 2]",
                                "A_fair(x = 1 W x = 2)",
                                "EfairG x = 1",
                                "EfairF x = 1",
                                "EfairX x = 1",
                                "AfairG x = 1",
                                "AfairF x = 1",
                                "AfairX x = 1",
                                "E_fairG x = 1",
                                "A_fairX x = 1",
                                "A[x = 1 U E[x = 2 U x = 3]]",
                                "E[forall h in client . lk[h] = 0 U x = 2]",
                                "AG x",
                                "AG !b",
                                "AG lk[0]",
                                "AG lk[N] = x",
                                "x < q[1] + 1",
                                "q[x + 1] = 2",
                                "-x * 2 + r % 3 = 4",
                                "ph = idle",
                                "ow = none",
                                "ow = client(3)",
                                "ow = 3",
                                "own[1] = ow",
                                "own[server(0)] = none",
                                "lk[ow] = 1",
                                "forall h in client . h != client(3) -> lk[h] = 1",
                                "enabled(client(0))",
                                "forall h in client . enabled(h)",
                                "enabled(me)",
                                "AG !deadlock",
                                "true",
                                "False",
                                "x = 1 <-> x = 2 -> x = 3 => x = 4",
                                "x = 1 | x = 2 & x = 3",
                                "(x = 1) + (b = 1) = 2"});
  check_refused(
      bare_formula,
      {{"forall h in client AG lk[h] = 0", "expected"},
       {"forall h in nobody . x = 0", "unknown module 'nobody'"},
       {"forall h in x . x = 0", "'x' is a variable, not a module"},
       {"forall h, h in client . lk[h] = 0", "'h' is bound twice"},
       {"forall h in client, h in server . true", "'h' is bound twice"},
       {"forall x in client . true", "'x' is a variable of the program"},
       {"forall h in client . lk[h, h] = 0", "'lk' takes 1 subscript, not 2"},
       {"forall h in server . lk[h] = 0", "a process of module 'server' as a subscript of 'lk'"},
       {"forall h in client{6} . x = 0", "process 6 is beyond module 'client'"},
       {"forall h in client . h < 3", "'<' on processes"},
       {"forall h in client . h + 1 = 3", "'+' on a process"},
       {"forall h in client . h", "a process is used as a condition"},
       {"lk[z] = 0", "free process variable 'z' has no value"},
       {"lk[i] = 0", "free process variable 'i' has no value"},
       {"x = z", "unknown name 'z'"},
       {"zz[0] = 1", "unknown name 'zz'"},
       {"lk[6] = 0", "process 6 is beyond module 'client'"},
       {"lk[0 - 1] = 0", "process -1 is beyond module 'client'"},
       {"COUNT(h, client, x = 0)", "COUNT is a number, not a condition"},
       {"AG COUNT(h, client, x = 0) + 1", "COUNT is a number, not a condition"},
       {"COUNT(h, client, x = 0) = x", "COUNT goes with constants and other COUNT terms only"},
       {"COUNT(h, client, x = 0) + x = 1", "COUNT goes with constants"},
       {"COUNT(h, client, x = 0) * COUNT(h, client, x = 0) = 1", "COUNT goes with constants"},
       {"COUNT(h, client, x = 0) / 2 = 1", "COUNT goes with constants"},
       {"q[COUNT(h, client, x = 0)] = 1", "COUNT goes with constants"},
       {"(COUNT(h, client, x = 0) = 1) + 1 = 2", "'+' on a formula"},
       {"x = 1 < 2", "comparisons cannot be chained"},
       {"E[x = 1]", "expected"},
       {"E[x = 1 U x = 2)", "expected"},
       {"E x = 1", "expected 'X', 'F', 'G', '[' or '('"},
       {"x = 1 U x = 2", "expected"},
       {"G x = 1", "expected a formula but found the keyword 'G'"},
       {"ALL(i: lk[i] = 0)", "expected a formula but found the keyword 'ALL'"},
       {"forall h in client{} . x = 0", "expected"},
       {"enabled(3)", "enabled() takes a process"},
       {"sv[0] = ow", "a process is compared with a number"},
       {"own[0] = server(0)", "is compared with"}});
}

TEST_CASE("free variables take their module from their use", "[lang][language]") {
  CHECK(errors(with_formula("lk[z] = 0", "z = 3")) == "");
  CHECK(errors(with_formula("lk[z] = 0 & sv[y] = 0", "z = 3; y = 1;")) == "");
  CHECK(errors(with_formula("lk[z] = 0", "z = client(3);")) == "");
  CHECK(errors(with_formula("lk[i] = 0", "i = 3;")) == "");
  CHECK(errors(with_formula("z = i -> lk[z] = 0", "i = 3; z = 2;")) == "");
  CHECK(errors(with_formula("forall h in client . h != z", "z = 2;")) == "");
  CHECK(errors(with_formula("own[z] = y", "z = 1; y = 5;")) == "");
  CHECK(errors(with_formula("own[z] = y", "z = 2; y = 6;")) ==
        "process 2 is beyond module 'server', whose ids are 0 to 1\n"
        "process 6 is beyond module 'client', whose ids are 0 to 5\n");
  CHECK(errors(with_formula("enabled(z)", "z = 1;")) ==
        "the module of 'z' cannot be told from its use\n");
  CHECK(errors(with_formula("enabled(z)", "z = server(1);")) == "");
  // The program's index variables of that name come last.
  CHECK(errors(with_formula("enabled(i)", "i = 5;")) == "");
  CHECK(errors(with_formula("EF z = i", "i = 5; z = 4;")) == "");
  CHECK(errors(with_formula("enabled(i)", "i = 6;")) ==
        "process 6 is beyond module 'client', whose ids are 0 to 5\n");
  CHECK(errors(with_formula("enabled(i) & sv[i] = 0", "i = 1;")) == "");
  CHECK(errors(with_formula("enabled(i)", "i = server(1);")) == "");
  CHECK(errors(with_formula("lk[z] = 0", "z = server(0);")) ==
        "'z' is a process of module 'client', not of 'server'\n");
  CHECK(errors(with_formula("lk[z] = 0", "z = 1; z = 2;")) == "'z' is given two values\n");
  // One wrong value is one error, however many formulas need it.
  CHECK(errors(with_formula("lk[z] = 0; p2 : AG lk[z] = 1", "z = 9;")) ==
        "process 9 is beyond module 'client', whose ids are 0 to 5\n");
}

TEST_CASE("warnings", "[lang][language]") {
  const std::string program = "Program Module c = 2; x[c] = 0;\n";
  CHECK(warnings(program + "k of c : { x[k] == 0 -> x[k] = 1; }") == "");
  CHECK(warnings(program + "k of c : { x[k] == 0 -> x[k] = 0; }") ==
        "schema 'c#1' changes nothing\n");
  CHECK(warnings(program + "k of c : { [a] 1 == 2 -> x[k] = 0; }") ==
        "schema 'a' never fires: its condition is false\n");
  CHECK(warnings(program + "y = 0; j of c; PriorityClass p : c = (0); k of c : { x[k] == 0 -> x[k] "
                           "= 1; }") ==
        "variable 'y' is never used\n"
        "index variable 'j' is never used\n"
        "priority class 'p' is never used\n");
  CHECK(warnings("Program") == "the program has no module, so nothing ever happens in it\n");
}

TEST_CASE("every warning of the language has a code that is listed", "[lang][language]") {
  const auto codes = [](const std::string& text, const LoadRequest& request = {}) {
    std::string found;
    for (const auto& input : load_text("m.coh", text, request).inputs) {
      for (const base::Diagnostic& one : input->diagnostics.sorted()) found += one.code + " ";
    }
    return found;
  };
  LoadRequest smaller;
  smaller.overrides = {{"c", 1}};
  const std::string program = "Program Module c = 2; x[c] = 0; h[2..4] = 0;\n";
  CHECK(codes(program + "k of c : { x[k] == 0 -> x[k] = 0; }") ==
        "unused-variable schema-changes-nothing ");
  CHECK(codes(program + "k of c : { 1 == 2 -> h[9] = 0; }") ==
        "unused-variable schema-never-fires subscript-out-of-range ");
  CHECK(codes("Module c = 2; r : 0..5; k of c : { r == 5 -> r = 6; }") == "value-out-of-type ");
  CHECK(codes("Module c = 2; x[c] = 0; Init x[1] = 2; j of c; PriorityClass p : c = (0);\n"
              "k of c : { x[k] == 0 -> x[k] = 1; }",
              smaller) == "id-left-out unused-index unused-class ");
  CHECK(codes("Module c = 2; x[c] = 0; i of c;\n"
              "k of c : { x[i] == 0 & x[k] == 0 -> x[k] = 1 Priority i (0); }") ==
        "unranked-process ");
  CHECK(codes("Program") == "no-module ");
  std::string listed;
  for (const base::FindingCode& code : warning_codes()) listed += std::string(code.code) + " ";
  CHECK(listed ==
        "id-left-out no-module schema-changes-nothing schema-never-fires subscript-out-of-range "
        "unranked-process unused-class unused-index unused-value unused-variable "
        "value-out-of-type ");
}

TEST_CASE("ids beyond a size that comes from outside are left out", "[lang][language]") {
  const std::string program = R"(Program
    Module client = 4; Const M = 2 * N; Const N = 2; Module m = M; lk[client]; y[m];
    w : client in { client(0), client(3) };
    PriorityClass v : client = (0, 2-3); PriorityClass u : client = (1);
    Init lk[3] = 1; Init y[3] = 1;
    g of m; j of client;
    k of client : { lk[k] == lk[j] -> lk[j] = 1, w = j Priority (v; u);
                    y[g] == 0 -> y[g] = 1 Priority (0, 3; 1-2); }
  Formula forall h in client{0, 2-3} . AG lk[h] = 0)";
  const auto with = [](std::string name, std::int64_t value) {
    LoadRequest request;
    request.overrides = {{std::move(name), value}};
    return request;
  };
  CHECK(errors(program) == "");
  CHECK(warnings(program) == "");
  CHECK(errors(program, with("client", 2)) == "");
  CHECK(warnings(program, with("client", 2)) ==
        "process 3 is beyond module 'client', whose ids are 0 to 1\n"
        "process 2 is beyond module 'client', whose ids are 0 to 1\n"
        "process 3 is beyond module 'client', whose ids are 0 to 1\n"
        "process 2 is beyond module 'client', whose ids are 0 to 1\n");
  const Loaded smaller = load_text("m.coh", program, with("client", 2));
  CHECK(smaller.program.variables[2].initial == std::vector<Interval>{{0, 0}});
  CHECK(smaller.program.classes[0].set.ids == std::vector<std::int64_t>{0});
  CHECK(smaller.program.inits.size() == 1);
  CHECK(smaller.formulas[0].root.binders[0].set.ids == std::vector<std::int64_t>{0});
  SECTION("also if the size changes through a constant") {
    CHECK(errors(program, with("N", 1)) == "");
    CHECK(warnings(program, with("N", 1)) ==
          "process 3 is beyond module 'm', whose ids are 0 to 1\n"
          "process 3 is beyond module 'm', whose ids are 0 to 1\n"
          "process 2 is beyond module 'm', whose ids are 0 to 1\n");
  }
  SECTION("but a choice needs a value that is left") {
    const std::string lost = "Module c = 4; w : c in { c(2), c(3) }; k of c : { w == k -> w = k; }";
    CHECK(errors(lost, with("c", 2)) == "no initial value of 'w' is left\n");
  }
}

}  // namespace cohort::lang
