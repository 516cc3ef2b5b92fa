// Counted states against closed forms and against the general quotient.
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lang/load.hpp"
#include "quotient/colouring.hpp"
#include "quotient/counted_graph.hpp"
#include "quotient/counted_initial.hpp"
#include "support/random_program.hpp"

namespace cohort::quotient {
namespace {

/// How many nodes can be reached, or 5,000 if there are more; nothing if the program has a fault.
template <typename Start, typename Expand>
std::optional<std::size_t> num_reached(const Start& start, const Expand& expand) {
  std::vector<NodeId> queue;
  std::vector<bool> seen;
  const auto meet = [&](NodeId node) {
    const auto at = static_cast<std::size_t>(node);
    if (seen.size() <= at) seen.resize(2 * at + 1);
    if (!seen[at]) queue.push_back(node);
    seen[at] = true;
  };
  start(meet);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Fan& fan = expand(queue[i]);
    if (fan.fault) return std::nullopt;
    if (queue.size() > 5000) return 5000;
    const std::vector<NodeId> targets = fan.targets;
    for (const NodeId target : targets) meet(target);
  }
  return queue.size();
}

std::optional<std::size_t> num_counted(const model::Program& program) {
  CountedGraph graph{program};
  const Colouring colouring = make_colouring(program, nullptr);
  const std::unique_ptr<CountedSpace> space =
      graph.space({{}, program.has_priorities()}, colouring);
  const auto start = [&](const auto& meet) {
    const Colouring* const colours = program.has_priorities() ? &colouring : nullptr;
    model::Crowd crowd;
    std::vector<Value> places;
    for (CountedInitial initial{graph, colours, {}}; !initial.done(); initial.next()) {
      initial.fill(crowd, places);
      meet(space->enter(crowd, {}));
    }
  };
  return num_reached(start,
                     [&](NodeId node) -> const Fan& { return space->fan(node, Detail::Targets); });
}

std::optional<std::size_t> num_general(const model::Program& program) {
  const std::unique_ptr<Graph> graph = make_quotient(program);
  const Colouring colouring = make_colouring(program, nullptr);
  const std::unique_ptr<Space> space = graph->space({{}, program.has_priorities()}, colouring);
  const auto start = [&](const auto& meet) {
    for (model::InitialStates initial{program}; !initial.done(); initial.next()) {
      const InitialState at = graph->add(initial.words());
      Position position{at.state, {}, {}};
      if (program.has_priorities()) {
        position.colours = colouring.initial;
        for (std::size_t p = 0; p < at.to_real.size(); ++p) {
          position.colours[p] = colouring.initial[at.to_real[p]];
        }
      }
      meet(space->enter(position));
    }
  };
  return num_reached(start,
                     [&](NodeId node) -> const Fan& { return space->fan(node, Detail::Targets); });
}

}  // namespace

TEST_CASE("a lock has two states for each number of waiting clients, and the one where all wait",
          "[quotient][counting]") {
  const int n = GENERATE(1, 2, 7, 100, 2000);
  CAPTURE(n);
  const lang::Loaded lock = lang::load_text("lock.coh",
                                            "Program Module client = " + std::to_string(n) +
                                                "; at[client] : 0..2 = 0; i of client;\n"
                                                "k of client : { [ask] at[k] == 0 -> at[k] = 1;\n"
                                                "[enter] at[k] == 1 & ALL(i: at[i] != 2) -> at[k] "
                                                "= 2; [leave] at[k] == 2 -> at[k] = 0; }",
                                            {});
  REQUIRE(lock.ok());
  const model::Program program{lock.program};
  REQUIRE(CountedGraph::fits(lock.program));
  CHECK(num_counted(program) == static_cast<std::size_t>(2 * n + 1));
}

TEST_CASE("free initial choices are multisets", "[quotient][counting]") {
  const int n = GENERATE(1, 5, 2000);
  const lang::Loaded loaded = lang::load_text(
      "choice.coh", "Program Module m = " + std::to_string(n) + "; x[m] : 0..2 in {0, 2};", {});
  REQUIRE(loaded.ok());
  CHECK(num_counted(model::Program{loaded.program}) == static_cast<std::size_t>(n + 1));
}

TEST_CASE("there are as many counted nodes as nodes of the general quotient",
          "[quotient][counting][random]") {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    base::Random random{seed};
    const std::string text = support::random_program(random, {.most_processes = 6}).text;
    const lang::Loaded loaded = lang::load_text("random.coh", text, {});
    if (!loaded.ok() || !CountedGraph::fits(loaded.program)) continue;
    const model::Program program{loaded.program};
    if (model::InitialStates(program).count() > 50) continue;
    CAPTURE(seed, text);
    CHECK(num_counted(program) == num_general(program));
    ++compared;
  }
  CHECK(compared >= 20);
}

}  // namespace cohort::quotient
