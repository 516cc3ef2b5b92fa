// The search for cycles that a judge calls fair, component by component, while states are
// enumerated.
//
//   const auto found = find_accepting_component(graph, [&](const OnlineComponent<Graph>& component)
//   {
//     return edges_that_make_it_fair(component);     // or nothing
//   });
//
// A component is judged as soon as it is complete, so the search ends with the first one that is
// accepting and fair.  All states are remembered: whether a cycle is fair cannot be told from a
// path.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "monitor/online.hpp"

namespace cohort::monitor {

/// A strongly connected component with a cycle and an accepting state.
template <typename Graph>
struct OnlineComponent {
  struct Edge {
    std::uint32_t from;  ///< in `states`
    std::uint32_t to;
    typename Graph::Step step;
  };
  std::vector<typename Graph::State> states;
  std::vector<Edge> edges;  ///< those that stay inside
};

/// The edges, by number, that a fair cycle has to take; any cycle through all of them is fair.
/// Nothing: no cycle of the component is.  A part of a component is never fairer than the whole.
using FairEdges = std::optional<std::vector<std::uint32_t>>;

namespace online_detail {

/// Tarjan's algorithm with its own stack.
template <OnlineGraph Graph, typename Judge>
class ComponentSearch {
 public:
  using State = typename Graph::State;
  using Component = OnlineComponent<Graph>;

  ComponentSearch(Graph& graph, Judge& judge, const OnlineOptions& options)
      : graph_(graph), judge_(judge), options_(options) {}

  [[nodiscard]] OnlineResult<Graph> run() {
    std::vector<State> starts;
    graph_.initial(starts);
    for (const State& start : starts) {
      if (numbers_.contains(start)) continue;
      result_.verdict = search_from(start);
      if (result_.verdict != Search::None) break;
    }
    result_.statistics.most_remembered = vertices_.size();
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t finished = ~std::uint32_t{0};

  struct Vertex {
    State state;
    std::uint32_t low;  // or finished
    bool accepting;
  };
  struct Frame {
    std::uint32_t vertex;
    std::size_t first_move;
    std::size_t next_move;
  };

  void enter(const State& state) {
    const auto number = static_cast<std::uint32_t>(vertices_.size());
    numbers_.emplace(state, number);
    vertices_.push_back({state, number, graph_.accepting(state)});
    open_.push_back(number);
    const std::size_t first = moves_.size();
    path_.push_back({number, first, first});
    graph_.successors(state, moves_);
    ++result_.statistics.generated;
    result_.statistics.edges += moves_.size() - first;
    result_.statistics.longest_path = std::max(result_.statistics.longest_path, path_.size());
  }

  [[nodiscard]] Search search_from(const State& start) {
    enter(start);
    while (!path_.empty()) {
      Frame& top = path_.back();
      if (top.next_move < moves_.size()) {
        const State next = moves_[top.next_move++].state;
        const auto known = numbers_.find(next);
        if (known == numbers_.end()) {
          constexpr std::uint64_t every = 1024;
          if (options_.interrupted && result_.statistics.generated % every == 0 &&
              options_.interrupted()) {
            return Search::Interrupted;
          }
          enter(next);
        } else if (vertices_[known->second].low != finished) {
          std::uint32_t& low = vertices_[top.vertex].low;
          low = std::min(low, vertices_[known->second].low);
        }
        continue;
      }
      const std::uint32_t vertex = top.vertex;
      moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(top.first_move), moves_.end());
      if (vertices_[vertex].low == vertex && complete(vertex)) return Search::Found;
      path_.pop_back();
      if (!path_.empty() && vertices_[vertex].low != finished) {
        std::uint32_t& low = vertices_[path_.back().vertex].low;
        low = std::min(low, vertices_[vertex].low);
      }
    }
    return Search::None;
  }

  /// All that was opened since `root` is its component.  True if it holds what is sought.
  [[nodiscard]] bool complete(std::uint32_t root) {
    const auto first = std::ranges::find(open_.rbegin(), open_.rend(), root).base() - 1;
    const std::vector<std::uint32_t> members(first, open_.end());
    open_.erase(first, open_.end());
    for (const std::uint32_t v : members) vertices_[v].low = finished;
    const bool accepting =
        std::ranges::any_of(members, [&](std::uint32_t v) { return vertices_[v].accepting; });
    if (!accepting) return false;
    const Component component = component_of(members);
    if (component.edges.empty()) return false;
    const FairEdges wanted = judge_(component);
    if (!wanted) return false;
    build_path(members, component, *wanted);
    return true;
  }

  [[nodiscard]] Component component_of(const std::vector<std::uint32_t>& members) {
    Component component;
    std::unordered_map<std::uint32_t, std::uint32_t> places;
    for (const std::uint32_t v : members) {
      places.emplace(v, static_cast<std::uint32_t>(component.states.size()));
      component.states.push_back(vertices_[v].state);
    }
    std::vector<Move<Graph>> moves;
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      moves.clear();
      graph_.successors(component.states[i], moves);
      for (Move<Graph>& move : moves) {
        const auto place = places.find(numbers_.at(move.state));
        if (place == places.end()) continue;
        component.edges.push_back({i, place->second, std::move(move.step)});
      }
    }
    return component;
  }

  /// To the component's root, and from there round through an accepting state and all wanted edges.
  void build_path(const std::vector<std::uint32_t>& members, const Component& component,
                  const std::vector<std::uint32_t>& wanted) {
    for (std::size_t i = 0; i < path_.size(); ++i) {
      result_.path.states.push_back(vertices_[path_[i].vertex].state);
      if (i + 1 < path_.size()) result_.path.steps.push_back(steps_to(i));
    }
    result_.path.loop = path_.size() - 1;
    std::uint32_t at = 0;  // the root came first
    const auto accepting =
        std::ranges::find_if(members, [&](std::uint32_t v) { return vertices_[v].accepting; });
    at = walk(component, at, static_cast<std::uint32_t>(accepting - members.begin()));
    for (const std::uint32_t edge : wanted) {
      at = walk(component, at, component.edges[edge].from);
      take(component, edge);
      at = component.edges[edge].to;
    }
    if (at == 0 && result_.path.steps.size() + 1 == path_.size()) {
      const auto leaving =
          std::ranges::find(component.edges, std::uint32_t{0}, &Component::Edge::from);
      take(component, static_cast<std::uint32_t>(leaving - component.edges.begin()));
      at = leaving->to;
    }
    (void)walk(component, at, 0);
  }

  [[nodiscard]] typename Graph::Step steps_to(std::size_t i) const {
    return moves_[path_[i].next_move - 1].step;
  }

  void take(const Component& component, std::uint32_t edge) {
    result_.path.steps.push_back(component.edges[edge].step);
    result_.path.states.push_back(component.states[component.edges[edge].to]);
  }

  /// Takes a shortest way inside the component.
  [[nodiscard]] std::uint32_t walk(const Component& component, std::uint32_t from,
                                   std::uint32_t to) {
    if (from == to) return to;
    if (out_.empty()) {
      out_.resize(component.states.size());
      for (std::uint32_t e = 0; e < component.edges.size(); ++e) {
        out_[component.edges[e].from].push_back(e);
      }
    }
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<std::uint32_t> by(component.states.size(), none);
    std::vector<std::uint32_t> open{from};
    for (std::size_t i = 0; i < open.size() && by[to] == none; ++i) {
      for (const std::uint32_t e : out_[open[i]]) {
        const std::uint32_t next = component.edges[e].to;
        if (next == from || by[next] != none) continue;
        by[next] = e;
        open.push_back(next);
      }
    }
    std::vector<std::uint32_t> way;
    for (std::uint32_t v = to; v != from; v = component.edges[by[v]].from) way.push_back(by[v]);
    for (auto edge = way.rbegin(); edge != way.rend(); ++edge) take(component, *edge);
    return to;
  }

  Graph& graph_;
  Judge& judge_;
  const OnlineOptions& options_;
  std::unordered_map<State, std::uint32_t> numbers_;
  std::vector<Vertex> vertices_;
  std::vector<std::uint32_t> open_;
  std::vector<Frame> path_;
  std::vector<Move<Graph>> moves_;
  std::vector<std::vector<std::uint32_t>> out_;  // edges of the component that was found
  OnlineResult<Graph> result_;
};

}  // namespace online_detail

/// A path from an initial state into a cycle through an accepting state that `judge` calls fair.
/// `options.heap` is not looked at.
template <OnlineGraph Graph, typename Judge>
[[nodiscard]] OnlineResult<Graph> find_accepting_component(Graph& graph, Judge judge,
                                                           const OnlineOptions& options = {}) {
  return online_detail::ComponentSearch<Graph, Judge>(graph, judge, options).run();
}

}  // namespace cohort::monitor
