#include <catch2/catch.hpp>
#include <sstream>

#include "report/path_text.hpp"
#include "report/text.hpp"
#include "unit/report/example.hpp"

namespace cohort::report {
namespace {

[[nodiscard]] Result result_of(const lang::Loaded& loaded, base::Verdict verdict) {
  Result result{&loaded.formulas.front(), {}};
  result.answer.verdict = verdict;
  return result;
}

[[nodiscard]] std::string text_of(const lang::Loaded& loaded, const Result& result) {
  std::ostringstream out;
  TextReport(out, loaded, {}).write(result);
  return out.str();
}

[[nodiscard]] std::string initial_text(const lang::Loaded& loaded,
                                       const std::vector<cctl::Value>& values) {
  cctl::Evidence evidence;
  evidence.initial = values;
  std::ostringstream out;
  write_path(out, Names{loaded.program}, evidence, nullptr);
  return out.str();
}

}  // namespace

TEST_CASE("evidence shows choices, steps, changes, the loop and sub-formulas", "[report]") {
  const lang::Loaded loaded = load_example();
  Result result = result_of(loaded, base::Verdict::Fails);
  result.answer.evidence = example_evidence(loaded);
  CHECK(text_of(loaded, result) ==
        "p: fails\n"
        "  counterexample for i = client(1):\n"
        "   0  lk[*] = idle, owner = none, n = 0, flag[*] = false, q[*,*] = 0\n"
        "   1  ask(1, 0)    lk[1] = waiting, q[0,1] = 1\n"
        "      fails: (lk[0] = idle | lk[1] = idle)\n"
        "   2  client#2(1)  owner = 1, n = 1\n"
        "      -- step 3 repeats for ever --\n"
        "   3  client#2(1)  (nothing changes)\n"
        "      holds: lk[0] = idle\n"
        "      -- back to the state before step 3 --\n");
}

TEST_CASE("verdicts say whether they were expected", "[report]") {
  lang::Loaded loaded = load_example();
  Result result = result_of(loaded, base::Verdict::Holds);
  CHECK(text_of(loaded, result) == "p: holds\n");
  result.answer.verdict = base::Verdict::Fails;
  CHECK(text_of(loaded, result) == "p: fails\n");
  result.answer.verdict = base::Verdict::Error;
  CHECK(text_of(loaded, result) == "p: error\n");
  result.answer.verdict = base::Verdict::Unknown;
  result.answer.reason = "interrupted";
  CHECK(text_of(loaded, result) == "p: unknown (interrupted)\n");
  loaded.formulas.front().expected = false;
  result.answer.verdict = base::Verdict::Holds;
  CHECK(text_of(loaded, result) == "p: holds (expected to fail)\n");
  CHECK_FALSE(result.as_expected());
  result.answer.verdict = base::Verdict::Fails;
  CHECK(text_of(loaded, result) == "p: fails (as expected)\n");
  CHECK(result.as_expected());
}

TEST_CASE("an initial state is shown by its rule and its exceptions", "[report]") {
  const lang::Loaded loaded = load_example();
  std::vector<cctl::Value> values(num_instances, 0);
  values[3] = 1;       // one of five
  values[5] = 4;       // owner
  values[8] = 1;       // one of two: each is shown
  values[9 + 7] = -3;  // two of ten
  values[9 + 8] = -4;
  CHECK(initial_text(loaded, values) ==
        "   0  lk[*] = idle (but lk[3] = waiting), owner = 4, n = 0, flag[0] = false, flag[1] = "
        "true,\n"
        "      q[*,*] = 0 (but q[1,2] = -3, q[1,3] = -4)\n");
}

TEST_CASE("a model error shows its place, its instance and its path", "[report]") {
  const lang::Loaded loaded = load_example();
  const lang::Action& action = loaded.program.schemas[1].actions[1];
  cctl::ModelError error;
  error.fault = {model::FaultKind::OutsideType, action.value.where, 10, 2};
  error.schema = base::SchemaId{1};
  error.processes = {1};
  error.path = example_evidence(loaded);
  error.path.loop.reset();
  error.path.steps.resize(1);
  std::ostringstream out;
  TextReport(out, loaded, {}).write(error, &loaded.formulas.front());
  CHECK(out.str() ==
        "example.coh:7:38: error: 10 is outside the type of 'n', 0..9\n"
        "    7 |   lk[k] == waiting -> owner = k, n = n + 1; }\n"
        "      |                                      ^\n"
        "  in client#2(1), after 1 step:\n"
        "   0  lk[*] = idle, owner = none, n = 0, flag[*] = false, q[*,*] = 0\n"
        "   1  ask(1, 0)  lk[1] = waiting, q[0,1] = 1\n");
}

TEST_CASE("the summary tells a part of the graph from the whole", "[report]") {
  const lang::Loaded loaded = load_example();
  Totals totals;
  totals.graph.states = 4;
  totals.graph.edges = 9;
  totals.graph.depth = 3;
  totals.graph.complete = true;
  totals.graph.deadlocks = 2;
  totals.graph.unfired = {base::SchemaId{0}, base::SchemaId{1}};
  totals.graph.state_bytes = 50;
  totals.seconds = 1.25;
  totals.memory_bytes = 3 << 20;
  const auto text = [&] {
    std::ostringstream out;
    TextReport(out, loaded, {}).write(totals);
    return out.str();
  };
  CHECK(text() ==
        "states       4\n"
        "edges        9\n"
        "depth        3\n"
        "deadlocks    2\n"
        "never fired  ask, client#2\n"
        "time         1.25 s\n"
        "memory       3.0 MiB; 12.5 bytes for each state\n");
  totals.graph.complete = false;
  CHECK(text().starts_with("states       4, as many as were needed; there may be more\n"));
  CHECK(text().find("deadlocks    2 so far\nnot fired    ask, client#2 so far\n") !=
        std::string::npos);
}

TEST_CASE("colour marks what is as expected and what is not", "[report]") {
  const lang::Loaded loaded = load_example();
  std::ostringstream out;
  TextReport report{out, loaded, {.colour = true}};
  report.write(result_of(loaded, base::Verdict::Holds));
  report.write(result_of(loaded, base::Verdict::Fails));
  CHECK(out.str() == "p: \x1b[32mholds\x1b[0m\np: \x1b[31mfails\x1b[0m\n");
}

TEST_CASE("sizes are read by people", "[report]") {
  CHECK(text_of_bytes(0) == "0 bytes");
  CHECK(text_of_bytes(1023) == "1023 bytes");
  CHECK(text_of_bytes(1536) == "1.5 KiB");
  CHECK(text_of_bytes(std::uint64_t{5} << 30U) == "5.00 GiB");
}

}  // namespace cohort::report
