// Counted states against closed forms and against the general quotient.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "lang/load.hpp"
#include "quotient/colouring.hpp"
#include "quotient/counted_graph.hpp"
#include "quotient/counted_initial.hpp"
#include "quotient/counted_layout.hpp"
#include "support/random_program.hpp"
#include "symmetry/apply.hpp"

namespace cohort::quotient {
namespace {

constexpr std::size_t most_reached = 5000;

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
    if (queue.size() > most_reached) return most_reached;
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

/// Every permutation of the processes of a program that keeps them in their modules and does not
/// change `colours`, if there are any.
std::vector<symmetry::Permutation> permutations(const model::Program& program,
                                                const std::vector<Colour>& colours) {
  std::vector<symmetry::Permutation> made{symmetry::identity(program.num_processes())};
  for (std::uint32_t m = 0; m < program.source().modules.size(); ++m) {
    const std::size_t first = program.process_number(lang::ModuleId{m}, 0);
    std::vector<std::uint32_t> order(static_cast<std::size_t>(program.source().modules[m].size));
    std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(first));
    std::vector<symmetry::Permutation> longer;
    do {
      const auto keeps = [&](std::uint32_t p) {
        return colours.empty() || colours[p] == colours[order[p - first]];
      };
      std::vector<std::uint32_t> processes = order;
      std::ranges::sort(processes);
      if (!std::ranges::all_of(processes, keeps)) continue;
      for (symmetry::Permutation known : made) {
        std::ranges::copy(order, known.begin() + static_cast<std::ptrdiff_t>(first));
        longer.push_back(std::move(known));
      }
    } while (std::ranges::next_permutation(order).found);
    made = std::move(longer);
  }
  return made;
}

/// How many reachable states there are when those that a permutation maps to each other are one,
/// which changes no rank: the full graph, and every permutation tried.  Nothing if the program has
/// a fault, or too many states.
std::optional<std::size_t> num_orbits(const model::Program& program) {
  const std::unique_ptr<Graph> graph = make_full_graph(program);
  const Colouring colouring = make_colouring(program, nullptr);
  const std::unique_ptr<Space> space = graph->space({}, colouring);
  std::size_t num_states = 0;
  const auto start = [&](const auto& meet) {
    for (model::InitialStates initial{program}; !initial.done(); initial.next()) {
      meet(space->enter({graph->add(initial.words()).state, {}, {}}));
    }
  };
  const auto reached = num_reached(
      start, [&](NodeId node) -> const Fan& { return space->fan(node, Detail::Targets); });
  if (!reached || *reached >= most_reached) return std::nullopt;
  num_states = *reached;
  const std::vector<symmetry::Permutation> group =
      permutations(program, program.has_priorities() ? colouring.initial : std::vector<Colour>{});
  std::set<std::vector<Value>> orbits;
  for (std::uint32_t s = 0; s < num_states; ++s) {
    std::vector<Value> values(program.instances().size());
    std::copy_n(graph->values(model::StateId{s}), values.size(), values.begin());
    std::vector<Value> least = values;
    for (const symmetry::Permutation& permutation : group) {
      least = std::min(least, symmetry::apply(program, permutation, values));
    }
    orbits.insert(std::move(least));
  }
  return orbits.size();
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

TEST_CASE("who holds the lock stands apart from a million others", "[quotient][counting]") {
  const int n = GENERATE(2, 7, 1'000'000);
  CAPTURE(n);
  const lang::Loaded lock = lang::load_text(
      "lock.coh",
      "Program Module client = " + std::to_string(n) +
          "; owner : client?; k of client : { [lock] owner == none -> owner = k;\n"
          "[hand_over] owner == k & i != k -> owner = i; [unlock] owner == k -> owner = none; }\n"
          "i of client;",
      {});
  REQUIRE(lock.ok());
  CHECK(CountedLayout(lock.program).pointers().size() == 1);
  CHECK(num_counted(model::Program{lock.program}) == std::size_t{2});
}

TEST_CASE("where a free choice points, one process of each kind is enough",
          "[quotient][counting]") {
  // One of those in the class, or one of the others, or nobody.
  const lang::Loaded loaded = lang::load_text(
      "choice.coh",
      "Program Module m = 1000; PriorityClass few : m = (3, 7); a : m? in { none, m(0), m(3), m(7) "
      "}; b : m in m; i, j of m; i of m : { [go] false -> b = j Priority (few); }",
      {});
  REQUIRE(loaded.ok());
  // a: none, 0, or a member.  b: where a is, where another one of a's sort is, where one of the
  // other sort is; 0 is not told from the others of its sort afterwards.
  CHECK(num_counted(model::Program{loaded.program}) == std::size_t{2 + 3 + 3});
}

TEST_CASE("an assignment to a variable that points is a conflict if several would be assigned",
          "[quotient][counting]") {
  const auto fault = [](const std::string& filter) {
    const lang::Loaded loaded = lang::load_text(
        "conflict.coh",
        "Program Module m = 3; a : m?; b : m = m(1); c : m = m(1); x[m] : bool; Init x[0] = true;"
        "i, j, k of m; k of m : { [go] true -> ALL(i where " +
            filter + ": a = i); }",
        {});
    REQUIRE(loaded.ok());
    const model::Program program{loaded.program};
    CHECK(CountedLayout(loaded.program).pointers().size() == 3);
    CHECK(num_counted(program).has_value() == num_general(program).has_value());
    return !num_counted(program).has_value();
  };
  CHECK(fault("true"));
  CHECK(fault("i != k"));
  CHECK(fault("!x[i]"));
  CHECK_FALSE(fault("x[i]"));
  CHECK_FALSE(fault("i == k"));
  CHECK_FALSE(fault("i == b & i == c"));
  CHECK(fault("i == k | x[i]"));
}

TEST_CASE("a module is counted beside another whose processes are related",
          "[quotient][counting]") {
  const auto roles = [](const std::string& variables) {
    const lang::Loaded loaded = lang::load_text(
        "roles.coh", "Program Module a = 5; Module b = 3; Module c = 1; " + variables, {});
    REQUIRE(loaded.ok());
    const CountedLayout layout{loaded.program};
    std::string text;
    for (const std::size_t module : {0U, 1U, 2U}) {
      text += layout.is_counted(module) ? 'n' : layout.is_individual(module) ? 'i' : '-';
    }
    return text + (layout.is_worth_counting() ? "" : " not worth it");
  };
  CHECK(roles("x[a]; y[b]; z[c]; w[a, c];") == "nn-");
  CHECK(roles("x[a]; y : a?;") == "nn- not worth it");  // eight are sorted more quickly
  CHECK(roles("x[a, b];") == "ni-");                    // the larger one is counted
  CHECK(roles("x[b] : a?;") == "ni-");
  CHECK(roles("x[a] : b?;") == "ni-");
  CHECK(roles("x[b, b];") == "ni-");
  CHECK(roles("x[b] : b?;") == "ni-");
  CHECK(roles("x[a] : a?;") == "in- not worth it");  // the smaller one
  CHECK(roles("x[a, a]; y[b, b];") == "ii- not worth it");
  CHECK(roles("x[b, b, a, 0..3]; y : a?;") == "ni-");
}

TEST_CASE("individuals have canonical numbers: there are as many nodes as orbits",
          "[quotient][counting][random]") {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    base::Random random{seed};
    const std::string text = support::random_program(random, {.most_bits = 15, .mixed = true}).text;
    const lang::Loaded loaded = lang::load_text("random.coh", text, {});
    if (!loaded.ok() || !CountedGraph::fits(loaded.program)) continue;
    const model::Program program{loaded.program};
    if (model::InitialStates(program).count() > 50) continue;
    const std::optional<std::size_t> expected = num_orbits(program);
    if (!expected) continue;
    CAPTURE(seed, text);
    CHECK(num_counted(program) == expected);
    ++compared;
  }
  CHECK(compared >= 100);
}

TEST_CASE("individuals in a ring are told apart by where they are, up to rotation",
          "[quotient][counting]") {
  // Necklaces with one of five beads taken, or none, beside clients that ask.
  const lang::Loaded loaded = lang::load_text(
      "ring.coh",
      "Program Module node = 5; Module client = 20; next[node] : node = node(0); Init next[0] = "
      "node(1); Init next[1] = node(2); Init next[2] = node(3); Init next[3] = node(4);\n"
      "taken[node] : bool; asks[client] : bool; i, j of node; k of client;\n"
      "k of client : { [ask] !asks[k] -> asks[k] = true; }\n"
      "i of node : { [take] asks[k] & !taken[i] & !taken[next[i]] & ALL(j where next[j] == i: "
      "!taken[j]) -> taken[i] = true, asks[k] = false; [free] taken[i] -> taken[i] = false; }",
      {});
  REQUIRE(loaded.ok());
  const model::Program program{loaded.program};
  REQUIRE(CountedLayout(loaded.program).num_individuals() == 5);
  // No node taken, one, or two that are no neighbours; 0 to 20 clients ask.
  CHECK(num_counted(program) == std::size_t{3 * 21});
}

TEST_CASE("states that are announced get the numbers that they would get one by one",
          "[quotient][counting]") {
  std::mt19937 random{1};
  CountedStore together;
  CountedStore alone;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::vector<std::uint8_t>> states(random() % 6);
    for (std::vector<std::uint8_t>& state : states) {
      state.resize(random() % 20);
      for (std::uint8_t& byte : state) byte = static_cast<std::uint8_t>(random() % 2);
      together.announce(state);
    }
    if (round % 7 == 0) {
      together.forget_announced();
      continue;
    }
    const std::vector<CountedStore::Inserted>& made = together.insert_announced();
    REQUIRE(made.size() == states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const CountedStore::Inserted expected = alone.insert(states[i]);
      REQUIRE(made[i].id == expected.id);
      REQUIRE(made[i].is_new == expected.is_new);
      const std::span<const std::uint8_t> kept = together[made[i].id];
      REQUIRE(std::ranges::equal(kept, states[i]));
    }
  }
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
    const std::optional<std::size_t> counted = num_counted(program);
    if (program.has_priorities() && CountedLayout(loaded.program).num_individuals() > 0) {
      // Positions of the general quotient are not always canonical.
      CHECK(counted <= num_general(program));
    } else {
      CHECK(counted == num_general(program));
    }
    ++compared;
  }
  CHECK(compared >= 20);
}

}  // namespace cohort::quotient
