// Checking while states are enumerated: searches on any graph that gives its successors on demand.
//
//   const auto found = find_accepting(graph);              // a path to an accepting state
//   const auto found = find_accepting_cycle(graph);        // … and round through one, for ever
//   if (found.verdict == Search::Found) show(found.path);
//
// A graph is anything like this (see OnlineGraph); mostly it is the product of a system and an
// automaton for what must not happen (see Product):
//
//   struct Graph {
//     using State = …;  using Step = …;                    // a step is the label of an edge
//     void initial(std::vector<State>& out);
//     void successors(const State& state, std::vector<Move<Graph>>& out);
//     bool accepting(const State& state);
//   };
//
// With fairness, which is about whole components, see online_components.hpp.
//
// Both searches can run in bounded memory, as in paper 003: `heap` limits the number of
// finished states that are remembered; those of the current path always are.  A state that was
// forgotten is generated again when it is met again, so the answer does not depend on the limit,
// only the number of generated states does.  The path itself is not bounded by the graph's diameter
// but by its longest path without repetition.
//
// Nothing here recurses; a path may have as many states as there is memory for.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "monitor/search_memory.hpp"

namespace cohort::monitor {

template <typename Graph>
struct Move {
  typename Graph::Step step;
  typename Graph::State state;
};

template <typename Graph>
concept OnlineGraph = requires(Graph& graph, const typename Graph::State& state,
                               std::vector<typename Graph::State>& states,
                               std::vector<Move<Graph>>& moves) {
  graph.initial(states);
  graph.successors(state, moves);  // appends
  { graph.accepting(state) } -> std::convertible_to<bool>;
  { state == state } -> std::convertible_to<bool>;
  { std::hash<typename Graph::State>{}(state) } -> std::convertible_to<std::size_t>;
};

struct OnlineOptions {
  std::size_t heap = 0;  ///< finished states that are remembered; 0: all
  std::uint64_t seed = 1;
  /// Asked now and then; `true` ends the search without an answer.
  std::function<bool()> interrupted;
};

enum class Search : std::uint8_t {
  Found,
  None,
  Interrupted,
};

struct OnlineStatistics {
  std::uint64_t generated = 0;  ///< states entered, by all searches; those met again not counted
  std::uint64_t edges = 0;
  std::uint64_t forgotten = 0;
  std::size_t most_remembered = 0;  ///< states in memory at once, the path included
  std::size_t longest_path = 0;
};

/// states[0] is initial; steps[i] leads from states[i] to states[i + 1].
template <typename Graph>
struct OnlinePath {
  std::vector<typename Graph::State> states;
  std::vector<typename Graph::Step> steps;
  /// For a cycle: the last state is states[*loop], and the steps from there on repeat for ever.
  std::optional<std::size_t> loop;
};

template <typename Graph>
struct OnlineResult {
  Search verdict = Search::None;
  OnlinePath<Graph> path;  ///< if found
  OnlineStatistics statistics;
};

namespace online_detail {

/// Depth-first search with a nested one: from each accepting state, when the outer search leaves
/// it, the inner one looks for a way back to the outer path.
///
/// Why the nested search may remember what it finished, for all seeds together, although states are
/// forgotten: an inner search that fails has reached no state of the outer path, so all that its
/// seed reaches has been left by the outer search before.  What is remembered is a part of that.
template <OnlineGraph Graph>
class NestedSearch {
 public:
  using State = typename Graph::State;
  using Step = typename Graph::Step;

  NestedSearch(Graph& graph, const OnlineOptions& options, bool cycles)
      : graph_(graph), options_(options), cycles_(cycles), memory_(options.heap, options.seed) {}

  [[nodiscard]] OnlineResult<Graph> run() {
    std::vector<State> starts;
    graph_.initial(starts);
    for (const State& start : starts) {
      const auto [entry, is_new] = memory_.find_or_add(start);
      if (!is_new && memory_.facts(entry).finished) continue;
      result_.verdict = search_from(entry);
      if (result_.verdict != Search::None) break;
    }
    result_.statistics.forgotten = memory_.num_forgotten();
    result_.statistics.most_remembered = memory_.largest_size();
    return std::move(result_);
  }

 private:
  using Memory = SearchMemory<State, std::hash<State>>;
  using Entry = typename Memory::Entry;

  /// A state on a path, and what is left of its successors: moves_[next] to before the next
  /// frame's.
  struct Frame {
    Entry entry;
    std::size_t first_move;
    std::size_t next_move;
  };

  [[nodiscard]] bool interrupted() {
    constexpr std::uint64_t every = 1024;
    return options_.interrupted && result_.statistics.generated % every == 0 &&
           options_.interrupted();
  }

  void enter(std::vector<Frame>& path, Entry entry) {
    memory_.pin(entry);
    ++result_.statistics.generated;
    const std::size_t first = moves_.size();
    path.push_back({entry, first, first});
    graph_.successors(memory_.state(entry), moves_);
    result_.statistics.edges += moves_.size() - first;
    result_.statistics.longest_path =
        std::max(result_.statistics.longest_path, outer_.size() + inner_.size());
  }

  void leave(std::vector<Frame>& path) {
    moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(path.back().first_move),
                 moves_.end());
    path.pop_back();
  }

  [[nodiscard]] Search search_from(Entry start) {
    enter_outer(start);
    if (is_goal(start)) return found_path();
    while (!outer_.empty()) {
      Frame& top = outer_.back();
      if (top.next_move < moves_.size()) {
        const State next = moves_[top.next_move++].state;
        const auto [entry, is_new] = memory_.find_or_add(next);
        const typename Memory::Facts& facts = memory_.facts(entry);
        if (facts.place != Memory::not_on_path || facts.finished) continue;
        if (interrupted()) return Search::Interrupted;
        enter_outer(entry);
        if (is_goal(entry)) return found_path();
        continue;
      }
      const Entry entry = top.entry;
      if (cycles_ && graph_.accepting(memory_.state(entry))) {
        const Search answer = search_inner(entry);
        if (answer != Search::None) return answer;
      }
      typename Memory::Facts& facts = memory_.facts(entry);
      facts.place = Memory::not_on_path;
      facts.finished = true;
      leave(outer_);
      memory_.release(entry);
    }
    return Search::None;
  }

  void enter_outer(Entry entry) {
    memory_.facts(entry).place = static_cast<std::uint32_t>(outer_.size());
    enter(outer_, entry);
  }

  [[nodiscard]] bool is_goal(Entry entry) {
    return !cycles_ && graph_.accepting(memory_.state(entry));
  }

  /// Looks for a way from `seed`, the end of the outer path, to any state of that path.
  [[nodiscard]] Search search_inner(Entry seed) {
    enter(inner_, seed);
    while (!inner_.empty()) {
      Frame& top = inner_.back();
      if (top.next_move < moves_.size()) {
        const State next = moves_[top.next_move++].state;
        const auto [entry, is_new] = memory_.find_or_add(next);
        typename Memory::Facts& facts = memory_.facts(entry);
        if (facts.place != Memory::not_on_path) return found_cycle(facts.place);
        if (facts.on_inner_path || facts.inner_finished) continue;
        if (interrupted()) return Search::Interrupted;
        facts.on_inner_path = true;
        enter(inner_, entry);
        continue;
      }
      const Entry entry = top.entry;
      leave(inner_);
      if (entry == seed) break;
      typename Memory::Facts& facts = memory_.facts(entry);
      facts.on_inner_path = false;
      facts.inner_finished = true;
      memory_.release(entry);
    }
    memory_.facts(seed).inner_finished = true;
    return Search::None;
  }

  void append(const std::vector<Frame>& path) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      result_.path.states.push_back(memory_.state(path[i].entry));
      if (i + 1 < path.size()) result_.path.steps.push_back(moves_[path[i].next_move - 1].step);
    }
  }

  [[nodiscard]] Search found_path() {
    append(outer_);
    return Search::Found;
  }

  /// The inner path's last move leads to the outer path's state at `place`.
  [[nodiscard]] Search found_cycle(std::uint32_t place) {
    append(outer_);
    result_.path.states.pop_back();  // the seed begins the inner path
    append(inner_);
    result_.path.steps.push_back(moves_[inner_.back().next_move - 1].step);
    result_.path.states.push_back(result_.path.states[place]);
    result_.path.loop = place;
    return Search::Found;
  }

  Graph& graph_;
  const OnlineOptions& options_;
  bool cycles_;
  Memory memory_;
  std::vector<Frame> outer_;
  std::vector<Frame> inner_;
  std::vector<Move<Graph>> moves_;
  OnlineResult<Graph> result_;
};

}  // namespace online_detail

/// A path from an initial state to an accepting one.
template <OnlineGraph Graph>
[[nodiscard]] OnlineResult<Graph> find_accepting(Graph& graph, const OnlineOptions& options = {}) {
  return online_detail::NestedSearch<Graph>(graph, options, false).run();
}

/// A path from an initial state into a cycle through an accepting one.
template <OnlineGraph Graph>
[[nodiscard]] OnlineResult<Graph> find_accepting_cycle(Graph& graph,
                                                       const OnlineOptions& options = {}) {
  return online_detail::NestedSearch<Graph>(graph, options, true).run();
}

}  // namespace cohort::monitor
