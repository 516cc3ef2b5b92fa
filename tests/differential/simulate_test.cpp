// Simulated runs as partial-order traces: what is written is read back, its order is the one that
// is defined, and every order of it is a run of the model.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "lang/load.hpp"
#include "model/simulate.hpp"
#include "report/run_trace.hpp"
#include "support/random_program.hpp"
#include "trace/format/read.hpp"

namespace cohort {
namespace {

using model::Run;
using model::plain::Footprint;
using model::plain::Semantics;
using model::plain::State;

[[nodiscard]] lang::Loaded load_model(const std::string& name) {
  lang::LoadRequest request;
  request.model = COHORT_SOURCE_DIR "/models/" + name + ".coh";
  return lang::load(request);
}

/// A run, its trace, and which step each event is.
struct Simulated {
  const lang::Program& program;
  Semantics semantics{program};
  Run run;
  std::string text;
  trace::Reading reading;
  std::vector<std::vector<std::size_t>> steps_of;  // by process of the trace

  Simulated(const lang::Program& of, std::size_t steps, std::uint64_t seed) : program(of) {
    run = model::simulate(semantics, {.steps = steps, .seed = seed, .stop = {}});
    std::ostringstream out;
    report::write_trace(out, program, run);
    text = out.str();
    reading = trace::read_trace_text(text, {});
  }

  [[nodiscard]] const trace::Order& order() const { return reading.trace.executions.front(); }

  [[nodiscard]] std::string process_of(const Run::Step& step) const {
    const lang::Schema& schema = program[step.instance.schema];
    return program[schema.module].name + "(" + std::to_string(step.instance.processes[0]) + ")";
  }

  void find_steps() {
    std::map<std::string, std::size_t> numbers;
    for (std::size_t p = 0; p < order().num_processes(); ++p) {
      numbers[order().name(base::ProcessId{static_cast<std::uint32_t>(p)})] = p;
    }
    steps_of.resize(numbers.size());
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
      steps_of.at(numbers.at(process_of(run.steps[i]))).push_back(i);
    }
  }
};

[[nodiscard]] bool reads(const Footprint& footprint, std::size_t instance) {
  return std::ranges::binary_search(footprint.reads, instance);
}
[[nodiscard]] bool writes(const Footprint& footprint, std::size_t instance) {
  return std::ranges::any_of(footprint.writes, [&](const auto& w) { return w.first == instance; });
}

/// The definition, word by word.
[[nodiscard]] bool must_follow(const Footprint& earlier, const Footprint& later) {
  return std::ranges::any_of(earlier.writes,
                             [&](const auto& write) {
                               return reads(later, write.first) || writes(later, write.first);
                             }) ||
         std::ranges::any_of(later.writes,
                             [&](const auto& write) { return reads(earlier, write.first); });
}

void check_order(const Simulated& simulated) {
  const std::vector<Run::Step>& steps = simulated.run.steps;
  std::vector<std::vector<bool>> before(steps.size(), std::vector<bool>(steps.size(), false));
  for (std::size_t j = 0; j < steps.size(); ++j) {
    for (std::size_t i = j; i-- > 0;) {
      const bool direct = simulated.process_of(steps[i]) == simulated.process_of(steps[j]) ||
                          must_follow(steps[i].footprint, steps[j].footprint);
      if (!direct) continue;
      before[i][j] = true;
      for (std::size_t k = 0; k < i; ++k) {
        if (before[k][i]) before[k][j] = true;
      }
    }
  }
  std::vector<trace::Event> events(steps.size());
  for (std::size_t p = 0; p < simulated.steps_of.size(); ++p) {
    for (std::size_t i = 0; i < simulated.steps_of[p].size(); ++i) {
      events[simulated.steps_of[p][i]] = {base::ProcessId{static_cast<std::uint32_t>(p)},
                                          static_cast<std::uint32_t>(i + 1)};
    }
  }
  bool same = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t j = 0; j < steps.size(); ++j) {
      if (i == j) continue;
      same = same && simulated.order().clocks().precedes(events[i], events[j]) == before[i][j];
    }
  }
  CHECK(same);
  // Only covering edges: as many names behind `after` as the reduction has.
  std::size_t named = 0;
  std::istringstream lines{simulated.text};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t from = line.find("  after ");
    if (from == std::string::npos) continue;
    const std::string after = line.substr(from, line.find("  # ") - from);
    named += static_cast<std::size_t>(std::ranges::count(after, '#'));
  }
  CHECK(named == simulated.order().num_predecessors());
}

/// What the trace says that an event assigns.
void assign(const Simulated& simulated, trace::Event event, State& state) {
  const trace::Vocabulary& words = simulated.reading.trace.words;
  for (const trace::Assignment& a : words.assignments(simulated.order().effect(event))) {
    const auto instance = simulated.semantics.variables().find(std::string(words.name(a.variable)));
    REQUIRE(instance);
    const std::string text = to_string(words.value(a.value));
    if (!text.starts_with('"')) {
      state[*instance] = std::stoll(text);
      continue;
    }
    const lang::Type& type =
        simulated.program[simulated.semantics.variables().variable_of(*instance)].type;
    REQUIRE(type.kind == lang::Type::Kind::Enum);
    const auto& constants = simulated.program.enums[base::index_of(type.enumeration)].constants;
    const auto found = std::ranges::find(constants, text.substr(1, text.size() - 2));
    REQUIRE(found != constants.end());
    state[*instance] = found - constants.begin();
  }
}

void replay_in_some_order(const Simulated& simulated, base::Random& random) {
  trace::Cut cut(simulated.order().num_processes(), 0);
  State state = simulated.run.initial;
  State by_trace = state;
  for (std::size_t done = 0; done < simulated.run.steps.size(); ++done) {
    std::vector<base::ProcessId> enabled;
    for (std::uint32_t p = 0; p < cut.size(); ++p) {
      const base::ProcessId id{p};
      if (simulated.order().clocks().enabled(cut, id)) enabled.push_back(id);
    }
    REQUIRE(!enabled.empty());
    const base::ProcessId p = enabled[random.below(enabled.size())];
    const Run::Step& step =
        simulated.run.steps[simulated.steps_of[base::index_of(p)][cut[base::index_of(p)]]];
    ++cut[base::index_of(p)];
    REQUIRE(simulated.semantics.is_fireable(step.instance, state));
    const model::plain::Outcome outcome = simulated.semantics.apply(step.instance, state);
    REQUIRE(outcome.after);
    state = *outcome.after;
    assign(simulated, {p, cut[base::index_of(p)]}, by_trace);
    REQUIRE(by_trace == state);
  }
  CHECK(state == simulated.run.last);
}

/// A firing does not depend on what it has not read.
void change_what_is_not_read(const Simulated& simulated, base::Random& random) {
  State state = simulated.run.initial;
  for (const Run::Step& step : simulated.run.steps) {
    State other = state;
    for (std::size_t i = 0; i < other.size(); ++i) {
      const lang::Interval& values =
          simulated.program[simulated.semantics.variables().variable_of(i)].type.values;
      if (!reads(step.footprint, i) && random.chance(50)) {
        other[i] = random.between(values.first, values.last);
      }
    }
    REQUIRE(simulated.semantics.is_fireable(step.instance, other));
    const Footprint footprint = simulated.semantics.footprint(step.instance, other);
    REQUIRE(footprint.reads == step.footprint.reads);
    REQUIRE(footprint.writes == step.footprint.writes);
    const model::plain::Outcome outcome = simulated.semantics.apply(step.instance, state);
    REQUIRE(outcome.after);
    for (const auto& [instance, value] : step.footprint.writes) state[instance] = value;
    REQUIRE(*outcome.after == state);
  }
}

void check_simulation(const lang::Program& program, std::size_t steps, std::uint64_t seed) {
  Simulated simulated{program, steps, seed};
  CAPTURE(simulated.text);
  CHECK(simulated.semantics.is_initial(simulated.run.initial));
  REQUIRE(simulated.reading.ok());
  REQUIRE(simulated.reading.trace.executions.size() == 1);
  REQUIRE(simulated.order().num_events() == simulated.run.steps.size());
  simulated.find_steps();
  check_order(simulated);
  base::Random random{seed};
  for (int i = 0; i < 5; ++i) replay_in_some_order(simulated, random);
  change_what_is_not_read(simulated, random);
  CHECK(simulated.semantics.is_deadlock(simulated.run.last) ==
        (simulated.run.end == Run::End::Deadlock));
}

TEST_CASE("every order of a simulated trace is a run of the model", "[simulate][random]") {
  // COHORT_SIMULATE_SEEDS=5000 looks at more.
  const char* const more = std::getenv("COHORT_SIMULATE_SEEDS");
  const std::uint64_t seeds = more == nullptr ? 150 : std::stoull(more);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    base::Random random{seed};
    const support::RandomProgram program = support::random_program(random, {});
    CAPTURE(seed, program.text);
    const lang::Loaded loaded = lang::load_text("random.coh", program.text, {});
    REQUIRE(loaded.ok());
    check_simulation(loaded.program, 30, seed);
  }
}

TEST_CASE("simulated traces of the models of the library can be reordered", "[simulate]") {
  for (const char* const name :
       {"peterson", "alternating_bit", "dining_philosophers", "resource_controller", "german"}) {
    CAPTURE(name);
    const lang::Loaded loaded = load_model(name);
    REQUIRE(loaded.ok());
    check_simulation(loaded.program, 60, 1);
  }
}

TEST_CASE("a shorter run is the beginning of a longer one", "[simulate]") {
  const lang::Loaded loaded = load_model("german");
  REQUIRE(loaded.ok());
  const Semantics semantics{loaded.program};
  const Run shorter = model::simulate(semantics, {.steps = 10, .seed = 3, .stop = {}});
  const Run longer = model::simulate(semantics, {.steps = 20, .seed = 3, .stop = {}});
  REQUIRE(shorter.steps.size() == 10);
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(shorter.steps[i].instance == longer.steps[i].instance);
  }
  CHECK(shorter.initial == longer.initial);
}

TEST_CASE("names that traces reserve are changed in the trace", "[simulate]") {
  const lang::Loaded loaded = lang::load_text("words.coh",
                                              "Module process = 2; Const init_ = 0;\n"
                                              "init[process] = 0; after : bool = 0;\n"
                                              "p of process : { after == 0 & init[p] == init_ -> "
                                              "init[p] = 1; }\n",
                                              {});
  REQUIRE(loaded.ok());
  const Semantics semantics{loaded.program};
  const Run run = model::simulate(semantics, {.steps = 5, .seed = 1, .stop = {}});
  CHECK(run.end == Run::End::Deadlock);
  std::ostringstream out;
  report::write_trace(out, loaded.program, run);
  CAPTURE(out.str());
  const trace::Reading reading = trace::read_trace_text(out.str(), {});
  REQUIRE(reading.ok());
  CHECK(reading.trace.words.find_variable("init__[1]"));
  CHECK(reading.trace.words.find_variable("after_"));
  CHECK(reading.trace.executions.front().num_events() == 2);
  CHECK(reading.trace.executions.front().num_predecessors() == 0);
}

TEST_CASE("a run ends at a model error and says where", "[simulate]") {
  const lang::Loaded loaded = lang::load_text(
      "fault.coh", "Module m = 1; x : 0..2 = 0; k of m : { [up] true -> x = x + 1; }\n", {});
  REQUIRE(loaded.ok());
  const Semantics semantics{loaded.program};
  const Run run = model::simulate(semantics, {.steps = 5, .seed = 1, .stop = {}});
  CHECK(run.end == Run::End::Fault);
  CHECK(run.steps.size() == 2);
  REQUIRE(run.fault);
  CHECK(run.fault->fault.kind == model::FaultKind::OutsideType);
}

}  // namespace
}  // namespace cohort
