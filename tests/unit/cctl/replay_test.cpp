#include "cctl/replay.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "lang/load.hpp"
#include "model/plain.hpp"

namespace cohort::cctl {
namespace {

using base::Verdict;
using Support = Judgement::Support;

struct Fired {
  std::string label;
  std::vector<Value> processes;
};

/// A program with one formula, and evidence about it that is right unless it is spoilt.
class Case {
 public:
  Case(const std::string& program, const std::string& formula)
      : loaded_(lang::load_text("test.coh", "Program " + program + "\nFormula f : " + formula + ";",
                                {})) {
    CAPTURE(program, formula);
    REQUIRE(loaded_.ok());
  }

  [[nodiscard]] const lang::Program& program() const { return loaded_.program; }
  [[nodiscard]] const lang::Formula& formula() const { return loaded_.formulas.at(0); }

  [[nodiscard]] base::SchemaId schema(const std::string& label) const {
    const auto found = std::ranges::find(program().schemas, label, &lang::Schema::name);
    REQUIRE(found != program().schemas.end());
    return base::SchemaId{static_cast<std::uint32_t>(found - program().schemas.begin())};
  }

  [[nodiscard]] Evidence evidence(const std::vector<Fired>& steps,
                                  std::optional<std::size_t> loop = std::nullopt) const {
    const model::plain::Semantics semantics{program()};
    Evidence made;
    made.initial = semantics.initial_states(100)->front();
    model::plain::State state = made.initial;
    for (const Fired& fired : steps) {
      Step step{schema(fired.label), fired.processes, {}};
      const auto outcome = semantics.apply({step.schema, step.processes}, state);
      REQUIRE(outcome.after.has_value());
      for (std::uint32_t i = 0; i < state.size(); ++i) {
        if (state[i] != (*outcome.after)[i]) step.changes.push_back({i, (*outcome.after)[i]});
      }
      state = *outcome.after;
      made.steps.push_back(std::move(step));
    }
    made.loop = loop;
    return made;
  }

  [[nodiscard]] Judgement judge(Evidence evidence, Verdict verdict) const {
    evidence.kind =
        verdict == Verdict::Holds ? Evidence::Kind::Witness : Evidence::Kind::Counterexample;
    return replay(program(), formula(), evidence, verdict);
  }
  [[nodiscard]] Support support(const std::vector<Fired>& steps, std::optional<std::size_t> loop,
                                Verdict verdict) const {
    const Judgement judgement = judge(evidence(steps, loop), verdict);
    CHECK(judgement.objections.empty());
    return judgement.support;
  }

 private:
  lang::Loaded loaded_;
};

const std::string lock =
    "Module client = 3; busy : bool; lk[client] : 0..2; i of client;"
    "PriorityClass first : client = (0);"
    "k of client : { [ask] lk[k] == 0 -> lk[k] = 1;"
    "                [take] lk[k] == 1 & !busy -> lk[k] = 2, busy = true;"
    "                [free] lk[k] == 2 -> lk[k] = 0, busy = false;"
    "                [push] lk[k] == 0 & lk[i] == 1 -> lk[i] = 0 Priority (first); }";

/// The only objection to evidence against `AG lk[1] != 2` after it was spoilt.
[[nodiscard]] std::string objection(const std::function<void(Evidence&)>& spoil) {
  const Case example(lock, "AG lk[1] != 2");
  Evidence evidence = example.evidence({{"ask", {1}}, {"take", {1}}});
  REQUIRE(example.judge(evidence, Verdict::Fails).support == Support::Shown);
  spoil(evidence);
  const Judgement judgement = example.judge(evidence, Verdict::Fails);
  CHECK_FALSE(judgement.ok());
  REQUIRE(judgement.objections.size() == 1);
  return judgement.objections.front();
}

TEST_CASE("what is no path of the program is objected to", "[cctl]") {
  const auto change = [](std::uint32_t instance, Value value) { return Change{instance, value}; };
  CHECK(objection([](Evidence& e) { e.initial.pop_back(); }) ==
        "the initial state has 3 values, the program has 4");
  CHECK(objection([](Evidence& e) { e.initial[2] = 1; }) == "'lk[1]' does not start with 1");
  CHECK(objection([](Evidence& e) { e.initial[0] = 1; }) == "'busy' does not start with true");
  CHECK(objection([](Evidence& e) { e.steps.erase(e.steps.begin()); }) ==
        "step 0: the condition of 'take(1)' does not hold");
  CHECK(objection([](Evidence& e) { e.steps[1].processes = {0}; }) ==
        "step 1: the condition of 'take(0)' does not hold");
  CHECK(objection([](Evidence& e) { e.steps[1].processes = {3}; }) ==
        "step 1: process 3 is beyond module 'client', whose ids are 0 to 2");
  CHECK(objection([](Evidence& e) { e.steps[1].processes = {-1}; }) ==
        "step 1: process -1 is beyond module 'client', whose ids are 0 to 2");
  CHECK(objection([](Evidence& e) {
          e.steps[1].processes = {1, 1};
        }) == "step 1: 'take' has 1 index variables, not 2");
  CHECK(objection([](Evidence& e) { e.steps[1].schema = base::SchemaId{9}; }) ==
        "step 1: the program has no such schema");
  CHECK(objection([](Evidence& e) { e.steps[1].changes.pop_back(); }) ==
        "step 1: 'lk[1]' becomes 2, which is not said");
  CHECK(objection([](Evidence& e) { e.steps[1].changes[1].value = 0; }) ==
        "step 1: 'lk[1]' becomes 2, and does not become 0");
  CHECK(objection([&](Evidence& e) { e.steps[0].changes.push_back(change(3, 1)); }) ==
        "step 0: 'lk[2]' stays 0, and does not become 1");
  CHECK(objection([](Evidence& e) { std::ranges::reverse(e.steps[1].changes); }) ==
        "step 1: the changes are not in the order of the variables");
  CHECK(objection([&](Evidence& e) { e.steps[1].changes.push_back(change(4, 1)); }) ==
        "step 1: a variable changes that the program does not have");
  CHECK(objection([](Evidence& e) { e.loop = 2; }) ==
        "the loop starts with step 2, but the path has 2 steps");
  CHECK(objection([](Evidence& e) { e.loop = 1; }) ==
        "the path does not end in the state in which step 1 starts");
  CHECK(objection([](Evidence& e) {
          e.notes.push_back({3, {}, true});
        }) == "a note is about state 3, which the path does not have");
  CHECK(objection([](Evidence& e) {
          e.notes.push_back({0, {1, 2}, true});
        }) == "a note is about something that is no part of the formula");
  CHECK(objection([](Evidence& e) {
          e.choices.push_back({"i", lang::ModuleId{0}, 3});
        }) == "'i' is chosen to be process 3, which does not exist");
}

TEST_CASE("an instance that a priority keeps back cannot fire", "[cctl]") {
  const Case example(lock, "AG lk[1] != 2");
  Evidence evidence = example.evidence({{"ask", {0}}, {"ask", {1}}, {"push", {2, 0}}});
  CHECK(replay_path(example.program(), evidence).ok());
  evidence = example.evidence({{"ask", {0}}, {"ask", {1}}, {"push", {2, 1}}});
  CHECK(replay_path(example.program(), evidence).objections ==
        std::vector<std::string>{"step 2: 'push(2, 1)' is kept back by its priority"});
}

TEST_CASE("a path that shows nothing, or the contrary, is told from one that shows it", "[cctl]") {
  const Case safe(lock, "AG lk[1] != 2");
  CHECK(safe.support({{"ask", {1}}, {"take", {1}}}, {}, Verdict::Fails) == Support::Shown);
  CHECK(safe.support({{"ask", {1}}}, {}, Verdict::Fails) == Support::Refuted);
  CHECK(safe.support({{"ask", {1}}, {"take", {1}}}, {}, Verdict::Holds) == Support::Refuted);
  const Case reach(lock, "EF lk[1] = 2");
  CHECK(reach.support({{"ask", {1}}, {"take", {1}}}, {}, Verdict::Holds) == Support::Shown);
  CHECK(reach.support({{"ask", {1}}, {"take", {1}}}, {}, Verdict::Fails) == Support::Refuted);
  CHECK(reach.support({}, {}, Verdict::Holds) == Support::Refuted);
}

TEST_CASE("a witness is no counterexample", "[cctl]") {
  const Case safe(lock, "AG lk[1] != 2");
  Evidence evidence = safe.evidence({{"ask", {1}}, {"take", {1}}});
  evidence.kind = Evidence::Kind::Witness;
  CHECK(replay(safe.program(), safe.formula(), evidence, Verdict::Fails).objections ==
        std::vector<std::string>{"a witness for a property that fails"});
}

TEST_CASE("only a loop or a deadlock makes a path infinite or complete", "[cctl]") {
  const std::string up =
      "Module p = 1; x : 0..2; k of p : { [up] x < 2 -> x = x + 1; [stay] x == "
      "1 -> x = 1; }";
  const Case always(up, "EG x < 2");
  CHECK(always.support({{"up", {0}}, {"stay", {0}}}, 1, Verdict::Holds) == Support::Shown);
  CHECK(always.support({{"up", {0}}, {"stay", {0}}}, {}, Verdict::Holds) == Support::Refuted);
  CHECK(always.support({{"up", {0}}, {"up", {0}}}, {}, Verdict::Holds) == Support::Refuted);
  const Case finally(up, "AF x = 2");
  CHECK(finally.support({{"up", {0}}, {"stay", {0}}}, 1, Verdict::Fails) == Support::Shown);
  CHECK(finally.support({{"up", {0}}, {"up", {0}}}, {}, Verdict::Fails) == Support::Refuted);
  const Case stops(up, "E[x < 3 U deadlock] & EF EG x = 2 & EF AX false & EF AG x = 2");
  CHECK(stops.support({{"up", {0}}, {"up", {0}}}, {}, Verdict::Holds) == Support::Shown);
  CHECK(stops.support({{"up", {0}}}, {}, Verdict::Holds) == Support::Undecided);
}

TEST_CASE("every operator is judged along the path", "[cctl]") {
  const std::string up =
      "Module p = 1; x : 0..3; k of p : { [up] x < 3 -> x = x + 1; [back] x == "
      "3 -> x = 1; }";
  const std::vector<Fired> lasso = {{"up", {0}}, {"up", {0}}, {"up", {0}}, {"back", {0}}};
  const auto judged = [&](const std::string& formula, Verdict verdict) {
    CAPTURE(formula);
    return Case(up, formula).support(lasso, 1, verdict);
  };
  for (const std::string formula : {"EX x = 1",
                                    "EF x = 3",
                                    "EG x < 4",
                                    "EF EG x > 0",
                                    "E[x < 3 U x = 3]",
                                    "E[x < 4 W false]",
                                    "E[x = 3 R x < 4]",
                                    "E[false R x < 4]",
                                    "EF(x = 3 & EX x = 1)",
                                    "EF(x = 2 & EF x = 1)",
                                    "Efair G x < 4",
                                    "Efair X x = 1",
                                    "Efair F x = 2",
                                    "Efair[x < 2 U x = 2]",
                                    "EG EF x = 2",
                                    "EX EX EX EX EX x = 2",
                                    "EF(x = 3 & E[x != 2 U x = 1])",
                                    "COUNT(i in p : EF x = 3) = 1",
                                    "2 * COUNT(i in p : EF x = 3) - 1 > 0",
                                    "exists i in p . EF(x = 3 & enabled(i))"}) {
    CHECK(judged(formula, Verdict::Holds) == Support::Shown);
    CHECK(judged(formula, Verdict::Fails) == Support::Refuted);
    CHECK(judged("!(" + formula + ")", Verdict::Fails) == Support::Shown);
  }
  for (const std::string formula :
       {"AX x = 2", "AF x = 4", "AG x < 3", "A[x < 2 U x = 3]", "A[x < 2 W x = 3]",
        "A[x = 1 R x = 0]", "AG(x = 3 -> AX x = 2)", "Afair F x > 3", "Afair X x = 0",
        "Afair[x < 2 U x = 3]", "AG AX x < 3", "forall i in p . AG !enabled(i) | AF x > 3",
        "COUNT(i in p : AG x < 3) > 0"}) {
    CHECK(judged(formula, Verdict::Fails) == Support::Shown);
    CHECK(judged(formula, Verdict::Holds) == Support::Refuted);
  }
  // True, but not for what one path says.
  for (const std::string formula : {"AG x < 4", "AF x = 3", "AX x = 1", "A[x < 3 U x = 3]"}) {
    CHECK(judged(formula, Verdict::Holds) == Support::Undecided);
  }
  // One path could show these, and this one does not.
  for (const std::string formula : {"E[x < 2 U x = 3]", "EX x = 2"}) {
    CHECK(judged(formula, Verdict::Holds) == Support::Refuted);
  }
}

TEST_CASE("a fair operator wants a fair loop", "[cctl]") {
  const std::string two =
      "Module p = 2; x[p] : 0..1;"
      "k of p : { [up] x[k] == 0 -> x[k] = 1; [down] x[k] == 1 -> x[k] = 0; }";
  const Case never(two, "Afair F x[1] = 1");
  CHECK(never.support({{"up", {0}}, {"down", {0}}}, 0, Verdict::Fails) == Support::Refuted);
  const Case unfair(two, "AF x[1] = 1");
  CHECK(unfair.support({{"up", {0}}, {"down", {0}}}, 0, Verdict::Fails) == Support::Shown);
  const Case served(two, "Afair F x[1] + x[0] = 2");
  CHECK(served.support({{"up", {0}}, {"down", {0}}, {"up", {1}}, {"down", {1}}}, 0,
                       Verdict::Fails) == Support::Shown);
  // Disabled in one state of the loop is enough.
  const std::string turns =
      "Module p = 2; turn : bool; k of p : { [flip] turn == 0 -> turn = "
      "true; } Module q = 1; m of q : { [flop] turn -> turn = false; }";
  const Case other(turns, "Efair G true");
  CHECK(other.support({{"flip", {0}}, {"flop", {0}}}, 0, Verdict::Holds) == Support::Shown);
}

TEST_CASE("a witness from one of several initial states proves nothing about the others",
          "[cctl]") {
  const std::string choice =
      "Module p = 1; x : 0..2 in 0..1; k of p : { [up] x < 2 -> x = x + 1; }";
  const Case reach(choice, "EF x = 2");
  CHECK(reach.support({{"up", {0}}, {"up", {0}}}, {}, Verdict::Holds) == Support::Undecided);
  CHECK(Case(choice, "x = 1").support({}, {}, Verdict::Fails) == Support::Shown);
}

TEST_CASE("the chosen processes have to fit", "[cctl]") {
  const Case mutex(lock, "forall i, j in client . i = j | AG(lk[i] = 0 | lk[j] = 0)");
  Evidence evidence = mutex.evidence({{"ask", {0}}, {"ask", {2}}});
  const auto objections = [&](Value i, Value j, const std::string& second = "j") {
    evidence.choices = {{"i", lang::ModuleId{0}, i}, {second, lang::ModuleId{0}, j}};
    return mutex.judge(evidence, Verdict::Fails).objections;
  };
  CHECK(objections(0, 2).empty());
  CHECK(objections(2, 0).empty());
  CHECK(objections(1, 1) ==
        std::vector<std::string>{"with the chosen processes the path shows the contrary"});
  // This pair is not refuted by the path, it is only not shown.
  CHECK(objections(0, 1).empty());
  const Case some(lock, "forall i in client{1-2} . AG lk[i] = 0");
  evidence = some.evidence({{"ask", {2}}});
  evidence.choices = {{"i", lang::ModuleId{0}, 0}};
  CHECK(some.judge(evidence, Verdict::Fails).objections ==
        std::vector<std::string>{"'i' is chosen to be process 0, which it does not range over"});
}

TEST_CASE("a note must be true", "[cctl]") {
  const Case safe(lock, "AG lk[1] != 2");
  Evidence evidence = safe.evidence({{"ask", {1}}, {"take", {1}}});
  const lang::Span body = safe.formula().root.args.at(0).where;
  evidence.notes = {{0, body, true}, {2, body, false}};
  CHECK(safe.judge(evidence, Verdict::Fails).ok());
  evidence.notes[1].position = 1;
  CHECK(safe.judge(evidence, Verdict::Fails).objections ==
        std::vector<std::string>{"'lk[1] != 2' is said to be false in state 1, but it is not"});
}

TEST_CASE("a model error has to happen where it is said to", "[cctl]") {
  const Case example(
      "Module p = 2; x : 0..2; q[0..1]; k of p : { [up] x < 3 -> x = x + 1; "
      "[low] q[0] != 0 & 1 / x == 1 -> q[0] = 1; }",
      "AG 2 / (2 - x) < 3");
  const lang::Schema& up = example.program().schemas.at(0);
  ModelError error;
  error.fault = {model::FaultKind::OutsideType, up.actions.at(0).value.where, 3, 0};
  error.schema = example.schema("up");
  error.processes = {1};
  error.path = example.evidence({{"up", {0}}, {"up", {1}}});
  const auto judged = [&](const ModelError& changed) {
    return replay_error(example.program(), example.formula(), changed);
  };
  CHECK(judged(error).support == Support::Shown);
  CHECK(judged(error).ok());
  ModelError early = error;
  early.path = example.evidence({{"up", {0}}});
  CHECK_FALSE(judged(early).ok());
  ModelError other_kind = error;
  other_kind.fault.kind = model::FaultKind::DivisionByZero;
  CHECK_FALSE(judged(other_kind).ok());
  ModelError other_schema = error;
  other_schema.schema = example.schema("low");
  CHECK_FALSE(judged(other_schema).ok());
  ModelError elsewhere = error;
  elsewhere.fault.where = example.program().schemas.at(1).condition.where;
  CHECK_FALSE(judged(elsewhere).ok());
  ModelError no_process = error;
  no_process.processes = {2};
  CHECK_FALSE(judged(no_process).ok());
  ModelError broken_path = error;
  broken_path.path.steps[0].changes.clear();
  CHECK_FALSE(judged(broken_path).ok());
  ModelError loop = error;
  loop.path.loop = 0;
  CHECK_FALSE(judged(loop).ok());

  ModelError in_formula;
  in_formula.in_formula = true;
  in_formula.fault = {model::FaultKind::DivisionByZero, example.formula().root.args.at(0).where, 0,
                      0};
  in_formula.path = error.path;
  CHECK(judged(in_formula).ok());
  in_formula.path = early.path;
  CHECK_FALSE(judged(in_formula).ok());
}

}  // namespace
}  // namespace cohort::cctl
