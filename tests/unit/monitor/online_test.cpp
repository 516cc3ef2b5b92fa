#include "monitor/online.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "base/random.hpp"
#include "ltl/buchi.hpp"
#include "ltl/finite_word.hpp"
#include "monitor/online_components.hpp"
#include "monitor/product.hpp"
#include "unit/ltl/random_formula.hpp"

namespace cohort::monitor {
namespace {

using ltl_test::scaled;

/// A graph that lies in memory; a step is the number of the edge among its source's.
struct SmallGraph {
  using State = std::uint32_t;
  using Step = std::uint32_t;

  std::vector<std::vector<State>> edges;
  std::vector<State> starts;
  std::vector<bool> marked;
  std::vector<std::uint64_t> letters;                    // of states
  std::vector<std::vector<std::uint64_t>> edge_letters;  // of steps

  void initial(std::vector<State>& out) { out = starts; }
  void successors(const State& state, std::vector<Move<SmallGraph>>& out) {
    for (Step i = 0; i < edges[state].size(); ++i) out.push_back({i, edges[state][i]});
  }
  [[nodiscard]] bool accepting(const State& state) const { return marked[state]; }
  void letter(const State& state, std::uint64_t* bits) const { bits[0] = letters[state]; }
  void letter(const State& state, const Step& step, std::uint64_t* bits) const {
    bits[0] = edge_letters[state][step];
  }
};

[[nodiscard]] SmallGraph random_graph(base::Random& random, std::size_t n, std::size_t degree) {
  SmallGraph graph;
  graph.edges.resize(n);
  graph.edge_letters.resize(n);
  for (std::size_t s = 0; s < n; ++s) {
    graph.marked.push_back(random.chance(25));
    graph.letters.push_back(random.below(4));
    const std::size_t num_edges = random.below(degree + 1);
    for (std::size_t i = 0; i < num_edges; ++i) {
      graph.edges[s].push_back(static_cast<std::uint32_t>(random.below(n)));
      graph.edge_letters[s].push_back(random.below(4));
    }
  }
  graph.starts = {0};
  if (n > 1 && random.chance(30)) graph.starts.push_back(1);
  return graph;
}

[[nodiscard]] std::set<std::uint32_t> reach(const SmallGraph& graph,
                                            const std::vector<std::uint32_t>& from) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> open = from;
  while (!open.empty()) {
    const std::uint32_t s = open.back();
    open.pop_back();
    for (const std::uint32_t t : graph.edges[s]) {
      if (seen.insert(t).second) open.push_back(t);
    }
  }
  return seen;
}

[[nodiscard]] std::set<std::uint32_t> reachable(const SmallGraph& graph) {
  std::set<std::uint32_t> seen = reach(graph, graph.starts);
  seen.insert(graph.starts.begin(), graph.starts.end());
  return seen;
}

/// Whether a path is one of the graph, and ends as it says.
template <typename Graph>
void check_path(Graph& graph, const OnlinePath<Graph>& path) {
  REQUIRE(path.states.size() == path.steps.size() + 1);
  std::vector<typename Graph::State> starts;
  graph.initial(starts);
  REQUIRE(std::ranges::find(starts, path.states.front()) != starts.end());
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    std::vector<Move<Graph>> moves;
    graph.successors(path.states[i], moves);
    REQUIRE(std::ranges::any_of(moves, [&](const Move<Graph>& move) {
      return move.step == path.steps[i] && move.state == path.states[i + 1];
    }));
  }
  if (!path.loop) {
    REQUIRE(graph.accepting(path.states.back()));
    return;
  }
  REQUIRE(*path.loop + 1 < path.states.size());
  REQUIRE(path.states[*path.loop] == path.states.back());
  REQUIRE(std::any_of(path.states.begin() + static_cast<std::ptrdiff_t>(*path.loop),
                      path.states.end(),
                      [&](const auto& state) { return graph.accepting(state); }));
}

}  // namespace

TEST_CASE("the searches agree with reachability, for every heap size", "[monitor][random]") {
  for (std::uint64_t seed = 1; seed <= scaled(400); ++seed) {
    base::Random random{seed};
    SmallGraph graph = random_graph(random, 1 + random.below(9), 3);
    const std::set<std::uint32_t> states = reachable(graph);
    const bool reached =
        std::ranges::any_of(states, [&](std::uint32_t s) { return graph.marked[s]; });
    const bool cycle = std::ranges::any_of(
        states, [&](std::uint32_t s) { return graph.marked[s] && reach(graph, {s}).contains(s); });
    for (const std::size_t heap : {0U, 1U, 2U, 4U, 100U}) {
      CAPTURE(seed, heap);
      const OnlineOptions options{.heap = heap, .seed = seed, .interrupted = {}};
      const auto path = find_accepting(graph, options);
      REQUIRE((path.verdict == Search::Found) == reached);
      if (reached) check_path(graph, path.path);
      const auto lasso = find_accepting_cycle(graph, options);
      REQUIRE((lasso.verdict == Search::Found) == cycle);
      if (cycle) check_path(graph, lasso.path);
      if (!reached && heap != 0) {
        const auto all = find_accepting(graph, {});
        CHECK(all.statistics.generated == states.size());
        CHECK(path.statistics.generated >= all.statistics.generated);
        CHECK(path.statistics.most_remembered <= path.statistics.longest_path + heap + 1);
      }
    }
    const auto component = find_accepting_component(
        graph, [](const OnlineComponent<SmallGraph>&) { return FairEdges{std::in_place}; });
    REQUIRE((component.verdict == Search::Found) == cycle);
    if (cycle) check_path(graph, component.path);
  }
}

TEST_CASE("a fair cycle takes the edges that the judge wants", "[monitor][random]") {
  // Fair: state 0 is left infinitely often.  Then an accepting state and 0 lie in one component.
  for (std::uint64_t seed = 1; seed <= scaled(300); ++seed) {
    CAPTURE(seed);
    base::Random random{seed};
    SmallGraph graph = random_graph(random, 2 + random.below(8), 3);
    const std::set<std::uint32_t> states = reachable(graph);
    const bool expected =
        states.contains(0) && reach(graph, {0}).contains(0) &&
        std::ranges::any_of(states, [&](std::uint32_t s) {
          return graph.marked[s] && reach(graph, {0}).contains(s) && reach(graph, {s}).contains(0);
        });
    const auto judge = [](const OnlineComponent<SmallGraph>& component) -> FairEdges {
      for (std::uint32_t e = 0; e < component.edges.size(); ++e) {
        if (component.states[component.edges[e].from] == 0) return std::vector<std::uint32_t>{e};
      }
      return std::nullopt;
    };
    const auto found = find_accepting_component(graph, judge);
    REQUIRE((found.verdict == Search::Found) == expected);
    if (!expected) continue;
    check_path(graph, found.path);
    const auto loop = found.path.states.begin() + static_cast<std::ptrdiff_t>(*found.path.loop);
    CHECK(std::find(loop, found.path.states.end(), 0U) != found.path.states.end());
  }
}

TEST_CASE("a long path is searched without recursion", "[monitor]") {
  SmallGraph line;
  constexpr std::uint32_t length = 300'000;
  line.edges.resize(length);
  line.marked.assign(length, false);
  for (std::uint32_t s = 0; s + 1 < length; ++s) line.edges[s] = {s + 1};
  line.edges[length - 1] = {length / 2};
  line.marked[length - 1] = true;
  line.starts = {0};
  const auto found = find_accepting_cycle(line, {.heap = 10, .seed = 1, .interrupted = {}});
  REQUIRE(found.verdict == Search::Found);
  CHECK(found.path.loop == std::size_t{length / 2});
  const auto fair = find_accepting_component(
      line, [](const OnlineComponent<SmallGraph>&) { return FairEdges{std::in_place}; });
  CHECK(fair.verdict == Search::Found);
}

TEST_CASE("an interrupted search has no answer", "[monitor]") {
  SmallGraph loop;
  loop.edges = {{0}};
  loop.marked = {true};
  loop.starts = {0};
  SmallGraph large;
  large.edges.resize(5000);
  large.marked.assign(5000, false);
  for (std::uint32_t s = 0; s + 1 < 5000; ++s) large.edges[s] = {s + 1};
  large.starts = {0};
  const OnlineOptions options{.heap = 0, .seed = 1, .interrupted = [] { return true; }};
  CHECK(find_accepting(large, options).verdict == Search::Interrupted);
}

TEST_CASE("the cycle that paper 003 would miss is found", "[monitor]") {
  // x -> a -> y -> x and x -> y: the cycle x y without a is not on the stack when it closes, if a's
  // branch comes first.  Here the marked states are all but a.
  SmallGraph graph;
  graph.edges = {{1, 2}, {2}, {0}};  // x = 0, a = 1, y = 2
  graph.marked = {false, false, true};
  graph.starts = {0};
  CHECK(find_accepting_cycle(graph, {}).verdict == Search::Found);
}

TEST_CASE("a product finds the runs that violate a formula", "[monitor][random]") {
  for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
    base::Random random{seed};
    SmallGraph graph = random_graph(random, 1 + random.below(5), 2);
    for (auto& edges : graph.edges) {
      if (edges.empty()) edges.push_back(0);
    }
    for (std::size_t s = 0; s < graph.edges.size(); ++s) {
      graph.edge_letters[s].resize(graph.edges[s].size(), 0);
    }
    ltl::Formulas formulas;
    const ltl::Formula f =
        ltl_test::random_formula(formulas, random, {.num_operators = 1 + random.below(6)});
    CAPTURE(seed, ltl_test::to_string(formulas, f));
    const auto names = ltl_test::atom_names(2);
    const Compiled negated{*ltl::buchi_automaton(formulas, formulas.negated(f), names)};
    const Compiled positive{*ltl::buchi_automaton(formulas, f, names)};
    Product<SmallGraph> against{graph, negated};
    Product<SmallGraph> in_favour{graph, positive};
    const auto bad = find_accepting_cycle(against, {.heap = 3, .seed = seed, .interrupted = {}});
    const auto good = find_accepting_cycle(in_favour, {});
    // Every infinite run satisfies f or its negation, and there is one.
    REQUIRE((bad.verdict == Search::Found || good.verdict == Search::Found));
    const auto word_of = [&](const auto& path) {
      oracle::LassoWord word;
      for (std::size_t i = 0; i + 1 < path.states.size(); ++i) {
        (i < *path.loop ? word.stem : word.loop).push_back(graph.letters[path.states[i].system]);
      }
      return word;
    };
    if (bad.verdict == Search::Found) {
      check_path(against, bad.path);
      CHECK_FALSE(oracle::holds(formulas, f, word_of(bad.path)));
    }
    if (good.verdict == Search::Found) CHECK(oracle::holds(formulas, f, word_of(good.path)));
    // If all runs are good there is no random walk that is bad.
    if (bad.verdict == Search::Found) continue;
    for (int walk = 0; walk < 20; ++walk) {
      std::vector<std::uint32_t> states{graph.starts[random.below(graph.starts.size())]};
      std::size_t loop = 0;
      for (;;) {
        const auto& edges = graph.edges[states.back()];
        const std::uint32_t next = edges[random.below(edges.size())];
        const auto seen = std::ranges::find(states, next);
        if (seen != states.end()) {
          loop = static_cast<std::size_t>(seen - states.begin());
          break;
        }
        states.push_back(next);
      }
      oracle::LassoWord word;
      for (std::size_t i = 0; i < states.size(); ++i) {
        (i < loop ? word.stem : word.loop).push_back(graph.letters[states[i]]);
      }
      CHECK(oracle::holds(formulas, f, word));
    }
  }
}

TEST_CASE("in finite mode every non-empty prefix counts, the first action included",
          "[monitor][random]") {
  for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
    base::Random random{seed};
    SmallGraph graph = random_graph(random, 1 + random.below(4), 2);
    ltl::Formulas formulas;
    const ltl::Formula f =
        ltl_test::random_formula(formulas, random, {.num_operators = 1 + random.below(5)});
    CAPTURE(seed, ltl_test::to_string(formulas, f));
    const Compiled negated{
        *ltl::finite_automaton(formulas, formulas.negated(f), ltl_test::atom_names(2))};
    Product<SmallGraph, View::Actions> product{graph, negated};
    const auto found = find_accepting(product, {.heap = 2, .seed = seed, .interrupted = {}});
    const auto actions_of = [&](const auto& path) {
      oracle::FiniteWord word;
      for (std::size_t i = 0; i < path.steps.size(); ++i) {
        word.letters.push_back(graph.edge_letters[path.states[i].system][path.steps[i]]);
      }
      return word;
    };
    if (found.verdict == Search::Found) {
      const oracle::FiniteWord word = actions_of(found.path);
      CHECK_FALSE(word.letters.empty());
      CHECK_FALSE(oracle::holds(formulas, f, word));
      continue;
    }
    // All computations of up to five steps.
    std::vector<std::pair<std::uint32_t, oracle::FiniteWord>> open;
    for (const std::uint32_t s : graph.starts) open.push_back({s, {}});
    for (std::size_t i = 0; i < open.size() && open.size() < 2000; ++i) {
      const auto [s, word] = open[i];
      if (!word.letters.empty()) REQUIRE(oracle::holds(formulas, f, word));
      if (word.letters.size() == 5) continue;
      for (std::size_t e = 0; e < graph.edges[s].size(); ++e) {
        oracle::FiniteWord longer = word;
        longer.letters.push_back(graph.edge_letters[s][e]);
        open.push_back({graph.edges[s][e], longer});
      }
    }
  }
}

}  // namespace cohort::monitor
