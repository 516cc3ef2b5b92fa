#include "model/plain.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "lang/load.hpp"

namespace cohort::model::plain {
namespace {

/// A program of one module with three processes, from its variables and schemas.
class Example {
 public:
  explicit Example(const std::string& text)
      : loaded_(lang::load_text("test.coh",
                                "Program Module client = 3; Module server = 2; i, j of client; s "
                                "of server;" +
                                    text,
                                {})),
        semantics_(loaded_.program) {
    REQUIRE(loaded_.ok());
    states_ = *semantics_.initial_states(1000);
  }

  [[nodiscard]] const Semantics& semantics() const { return semantics_; }
  [[nodiscard]] const std::vector<State>& initial() const { return states_; }
  [[nodiscard]] View look() const { return semantics_.look(states_.at(0)); }
  /// The state after the edge, as text.
  [[nodiscard]] std::string text(const State& state) const {
    std::string result;
    for (std::size_t i = 0; i < state.size(); ++i) {
      result += (i == 0 ? "" : " ") + semantics_.variables().value_text(i, state[i]);
    }
    return result;
  }
  /// "0 0,2" for the fireable instances (0) and (0, 2).
  [[nodiscard]] std::string fireable() const {
    std::string result;
    for (const Instance& instance : look().fireable) {
      if (!result.empty()) result += ' ';
      for (std::size_t i = 0; i < instance.processes.size(); ++i) {
        result += (i == 0 ? "" : ",") + std::to_string(instance.processes[i]);
      }
    }
    return result;
  }
  [[nodiscard]] std::vector<FaultKind> faults() const {
    std::vector<FaultKind> kinds;
    for (const InstanceFault& fault : look().faults) kinds.push_back(fault.fault.kind);
    std::ranges::sort(kinds);
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    return kinds;
  }

 private:
  lang::Loaded loaded_;
  Semantics semantics_;
  std::vector<State> states_;
};

using Kinds = std::vector<FaultKind>;

/// Whether the condition holds in the only initial state of a program with these variables.
[[nodiscard]] bool is_true(const std::string& variables, const std::string& condition) {
  const Example example(variables + "done; k of client : { " + condition +
                        " & (k == k | done == 0) -> done = 1; }");
  REQUIRE(example.faults().empty());
  return !example.look().fireable.empty();
}

TEST_CASE("arithmetic is exact and follows C", "[model]") {
  const std::string variables = "big = 2147483647; small = -2147483648; seven = 7; minus = -7;";
  CHECK(is_true(variables, "big * big * big * big * big > big * big * big * big"));
  CHECK(is_true(variables, "small * small * small < 0"));
  CHECK(is_true(variables, "big * big * big * big * big / big / big / big / big == big"));
  CHECK(is_true(variables, "seven / 2 == 3 & minus / 2 == -3 & seven / -2 == -3"));
  CHECK(is_true(variables, "seven % 3 == 1 & minus % 3 == -1 & seven % -3 == 1"));
  CHECK(is_true(variables, "10 - seven - 2 == 1 & 2 + seven * 2 == 16 & -seven + 1 == -6"));
  CHECK(is_true(variables, "(seven == 7) + (seven > 3) == 2"));
  CHECK(is_true(variables, "seven"));
  CHECK_FALSE(is_true(variables, "!seven == 7"));
  CHECK(is_true(variables, "(seven > 8 ? 1 / 0 : 3) == 3"));
}

TEST_CASE("connectives stop early and quantifiers do not", "[model]") {
  const auto faults = [&](const std::string& condition) {
    return Example("zero; x[client] = 1; Init x[1] = 0; k of client : { " + condition +
                   " -> zero = 0; }")
        .faults();
  };
  CHECK(faults("zero != 0 & 1 / zero == 1").empty());
  CHECK(faults("zero == 0 | 1 / zero == 1").empty());
  CHECK(faults("zero != 0 => 1 / zero == 1").empty());
  CHECK(faults("1 / zero == 1 & zero != 0") == Kinds{FaultKind::DivisionByZero});
  CHECK(faults("zero == 0 => 1 / zero == 1 => zero == 0") == Kinds{FaultKind::DivisionByZero});
  CHECK(faults("EXISTS(i: 1 / x[i] == 1)") == Kinds{FaultKind::DivisionByZero});
  CHECK(faults("ALL(i: 1 / x[i] == 2)") == Kinds{FaultKind::DivisionByZero});
  CHECK(faults("COUNT(i: 1 / x[i] == 2) > 0") == Kinds{FaultKind::DivisionByZero});
  CHECK(faults("ALL(i where x[i] != 0: 1 / x[i] == 1)").empty());
  CHECK(faults("ALL(i where 1 / x[i] == 1: true)") == Kinds{FaultKind::DivisionByZero});
}

TEST_CASE("quantifiers range over all values of all their variables", "[model]") {
  const std::string variables =
      "x[client] = 1; Init x[1] = 0; p[client, client]; Init p[0, 2] = 1;";
  CHECK(is_true(variables, "COUNT(i: x[i] == 1) == 2"));
  CHECK(is_true(variables, "COUNT(i, j: x[i] == 1) == 6"));
  CHECK(is_true(variables, "COUNT(i, j where i != j: x[i] == 1 & x[j] == 1) == 2"));
  CHECK(is_true(variables, "COUNT(i: EXISTS(j: p[i, j] == 1)) == 1"));
  CHECK(is_true(variables, "COUNT(i: COUNT(i: x[i] == 1) == 2) == 3"));
  CHECK(is_true(variables, "ALL(i where x[i] == 5: false)"));
  CHECK_FALSE(is_true(variables, "EXISTS(i where x[i] == 5: true)"));
  CHECK(is_true(variables, "ALL(s: COUNT(i: x[i] == 0) == 1)"));
}

TEST_CASE("every index variable that is free in a schema has every process", "[model]") {
  CHECK(Example("x; k of client : { x == 0 & i == j -> x = 1; }").look().fireable.size() == 9);
  CHECK(Example("x; k of client : { x == 0 & s == s -> x = 1; }").fireable() ==
        "0,0 0,1 1,0 1,1 2,0 2,1");
  CHECK(Example("x; k of client : { ALL(i: i == i) -> x = 1; }").fireable() == "0 1 2");
}

TEST_CASE("assignments are simultaneous", "[model]") {
  const Example swap(
      "a = 1; b = 2; x[client] : client in { client(1) }; h : client = client(2);"
      "k of client : { a == 1 & i != i | a == 1 -> a = b, b = a, x[h] = k, h = x[h]; }");
  CHECK(swap.text(swap.look().edges.at(0).after) == "2 1 1 1 0 1");
}

TEST_CASE("ALL assigns for every value that passes its filter", "[model]") {
  const Example all(
      "x[client] in 0..0; p[client, client];"
      "k of client : { x[k] == 0 -> ALL(i where i != k: x[i] = 5, "
      "ALL(j where j == i: p[i, j] = 7)); }");
  CHECK(all.text(all.look().edges.at(1).after) == "5 0 5 7 0 0 0 0 0 0 0 7");
}

TEST_CASE("each kind of fault is found where it is", "[model]") {
  const auto faults = [](const std::string& text) { return Example(text).faults(); };
  CHECK(faults("x : 0..2 = 2; k of client : { x == 2 -> x = x + 1; }") ==
        Kinds{FaultKind::OutsideType});
  CHECK(faults("x = 2147483647; k of client : { x > 2 -> x = x + 1; }") ==
        Kinds{FaultKind::OutsideType});
  CHECK(faults("b : bool; y = 2; k of client : { y == 2 -> b = y; }") ==
        Kinds{FaultKind::OutsideType});
  CHECK(faults("p : client = client(0); o : client?; k of client : { p == k -> p = o; }") ==
        Kinds{FaultKind::OutsideType});
  CHECK(faults("x; k of client : { x == 0 -> x = 1, x = 2; }") == Kinds{FaultKind::Conflict});
  CHECK(faults("x; k of client : { x == 0 -> x = 1, x = 1; }").empty());
  CHECK(faults("x : 0..9; k of client : { x == 0 -> ALL(i: x = i == k ? 1 : 2); }") ==
        Kinds{FaultKind::Conflict});
  CHECK(faults("q[1..3]; n; k of client : { q[n] == 0 -> n = 1; }") ==
        Kinds{FaultKind::SubscriptOutside});
  CHECK(faults("q[1..3]; n; k of client : { n == 0 -> q[n] = 1; }") ==
        Kinds{FaultKind::SubscriptOutside});
  CHECK(faults("x[client]; o : client?; k of client : { x[o] == 0 -> x[k] = 1; }") ==
        Kinds{FaultKind::NoneAsSubscript});
  CHECK(faults("x; k of client : { x == 0 -> x = 1 % x; }") == Kinds{FaultKind::DivisionByZero});
}

TEST_CASE("a priority keeps back instances of lower rank with the same primary process",
          "[model]") {
  const std::string classes =
      "x[client] = 1; y; PriorityClass one : client = (1);"
      "PriorityClass two : client = (2);";
  CHECK(Example(classes + "k of client : { x[i] == 1 -> y = 1 Priority (one; two); }").fireable() ==
        "0,1 1,1 2,1");
  // 0 is in no set and ranks last.
  CHECK(Example(classes +
                "Init x[1] = 0; k of client : { x[i] == 1 & i != k -> y = 1 Priority (two; one); }")
            .fireable() == "0,2 1,2 2,0");
  // The other secondary variables of a rival do not matter.
  CHECK(Example(classes + "Init x[2] = 0; k of client : { k == j & x[i] == 1 & x[j] == 1 -> y = 1 "
                          "Priority i (0; 1-2); }")
            .fireable() == "0,0,0 1,1,0");
  CHECK(Example(classes + "k of client : { i == k | i == j -> y = 1 Priority j (1; 0); }")
            .fireable() == "0,0,1 0,1,1 1,1,1 2,1,1 2,2,1");
}

TEST_CASE("a fault in a condition counts behind a priority, one in an action does not", "[model]") {
  CHECK(Example("x[client] = 1; Init x[2] = 0; y;"
                "k of client : { 1 / x[i] == 1 -> y = 1 Priority (0; 1-2); }")
            .faults() == Kinds{FaultKind::DivisionByZero});
  CHECK(Example("x[client] = 1; Init x[2] = 0; y;"
                "k of client : { y == 0 & i == i -> y = 1 / x[i] Priority (0; 1-2); }")
            .faults()
            .empty());
}

TEST_CASE("initial states are all choices of all instances", "[model]") {
  const Example choices("x[client] in { 0, 2 }; Init x[1] in 5..7; p : client in client;");
  CHECK(choices.initial().size() == 2 * 3 * 2 * 3);
  CHECK(std::ranges::is_sorted(choices.initial()));
  for (const State& state : choices.initial()) CHECK(choices.semantics().is_initial(state));
  CHECK_FALSE(choices.semantics().is_initial({0, 0, 0, 0}));
  CHECK_FALSE(choices.semantics().is_initial({1, 5, 0, 0}));
  CHECK_FALSE(choices.semantics().is_initial({0, 5, 0}));
  CHECK(choices.semantics().is_initial({0, 5, 2, 1}));
  CHECK_FALSE(choices.semantics().initial_states(35).has_value());
  CHECK(choices.semantics().initial_states(36).has_value());
}

TEST_CASE("a process is enabled while it has a fireable instance", "[model]") {
  const Example blocked(
      "x[client]; y; s of server : { x[i] == 0 & y == 0 -> y = 1; } k of client : { "
      "x[k] == 1 -> y = 1; }");
  const State& initial = blocked.initial().at(0);
  CHECK(blocked.semantics().is_enabled(lang::ModuleId{1}, 0, initial));
  CHECK_FALSE(blocked.semantics().is_enabled(lang::ModuleId{0}, 0, initial));
  CHECK_FALSE(blocked.semantics().is_deadlock(initial));
  CHECK(blocked.semantics().is_deadlock({0, 0, 0, 1}));
  CHECK_FALSE(blocked.semantics().is_deadlock({0, 1, 0, 1}));
}

}  // namespace
}  // namespace cohort::model::plain
