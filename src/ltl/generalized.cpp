#include "ltl/generalized.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace cohort::ltl {

Marks Generalized::all_marks() const {
  Marks all;
  for (std::size_t m = 0; m < num_marks; ++m) all.set(m);
  return all;
}

Graph Generalized::graph() const {
  Graph edges(states.size());
  for (StateIndex s = 0; s < states.size(); ++s) {
    for (const MarkedEdge& edge : states[s]) edges[s].push_back(edge.target);
  }
  return edges;
}

namespace {

[[nodiscard]] std::vector<bool> reached(const Graph& graph, std::vector<StateIndex> open) {
  std::vector<bool> seen(graph.size(), false);
  for (const StateIndex s : open) seen[s] = true;
  while (!open.empty()) {
    const StateIndex s = open.back();
    open.pop_back();
    for (const StateIndex t : graph[s]) {
      if (seen[t]) continue;
      seen[t] = true;
      open.push_back(t);
    }
  }
  return seen;
}

[[nodiscard]] Graph reversed(const Graph& graph) {
  Graph back(graph.size());
  for (StateIndex s = 0; s < graph.size(); ++s) {
    for (const StateIndex t : graph[s]) back[t].push_back(s);
  }
  return back;
}

/// By component: whether some run that stays there is accepting.
[[nodiscard]] std::vector<bool> accepting_components(const Generalized& automaton,
                                                     const Components& found) {
  std::vector<Marks> seen(found.count());
  for (StateIndex s = 0; s < automaton.num_states(); ++s) {
    for (const MarkedEdge& edge : automaton.states[s]) {
      if (found.of[s] == found.of[edge.target]) seen[found.of[s]] |= edge.marks;
    }
  }
  std::vector<bool> accepting(found.count());
  for (std::size_t c = 0; c < found.count(); ++c) {
    accepting[c] = found.has_cycle[c] && seen[c] == automaton.all_marks();
  }
  return accepting;
}

void drop_useless_states(Generalized& automaton) {
  const Graph graph = automaton.graph();
  const Components found = components(graph);
  const std::vector<bool> accepting = accepting_components(automaton, found);
  std::vector<StateIndex> goals;
  for (StateIndex s = 0; s < automaton.num_states(); ++s) {
    if (accepting[found.of[s]]) goals.push_back(s);
  }
  const std::vector<bool> from_start = reached(graph, automaton.initial);
  const std::vector<bool> to_goal = reached(reversed(graph), goals);
  std::vector<StateIndex> renamed(graph.size(), 0);
  std::vector<std::vector<MarkedEdge>> kept;
  const auto keep = [&](StateIndex s) { return from_start[s] && to_goal[s]; };
  for (StateIndex s = 0; s < graph.size(); ++s) {
    if (!keep(s)) continue;
    renamed[s] = static_cast<StateIndex>(kept.size());
    kept.push_back(std::move(automaton.states[s]));
  }
  for (std::vector<MarkedEdge>& edges : kept) {
    std::erase_if(edges, [&](const MarkedEdge& edge) { return !keep(edge.target); });
    for (MarkedEdge& edge : edges) edge.target = renamed[edge.target];
  }
  std::erase_if(automaton.initial, [&](StateIndex s) { return !keep(s); });
  for (StateIndex& s : automaton.initial) s = renamed[s];
  automaton.states = std::move(kept);
}

/// Whether a cycle of the component has no edge with some mark.
[[nodiscard]] bool has_rejecting_cycle(const Generalized& automaton, const Components& found,
                                       const std::vector<StateIndex>& members) {
  std::vector<StateIndex> place(automaton.num_states(), 0);
  for (StateIndex i = 0; i < members.size(); ++i) place[members[i]] = i;
  for (std::size_t m = 0; m < automaton.num_marks; ++m) {
    Graph without(members.size());
    for (const StateIndex s : members) {
      for (const MarkedEdge& edge : automaton.states[s]) {
        const bool inside = found.of[s] == found.of[edge.target];
        if (inside && !edge.marks.test(m)) without[place[s]].push_back(place[edge.target]);
      }
    }
    const Components parts = components(without);
    if (std::ranges::find(parts.has_cycle, true) != parts.has_cycle.end()) return true;
  }
  return false;
}

void normalize_marks(Generalized& automaton) {
  const Components found = components(automaton.graph());
  const std::vector<bool> accepting = accepting_components(automaton, found);
  std::vector<std::vector<StateIndex>> members(found.count());
  for (StateIndex s = 0; s < automaton.num_states(); ++s) members[found.of[s]].push_back(s);
  for (std::size_t c = 0; c < found.count(); ++c) {
    const bool full = accepting[c] && !has_rejecting_cycle(automaton, found, members[c]);
    for (const StateIndex s : members[c]) {
      for (MarkedEdge& edge : automaton.states[s]) {
        const bool inside = found.of[edge.target] == c;
        if (!inside || !accepting[c]) {
          edge.marks.reset();
        } else if (full) {
          edge.marks = automaton.all_marks();
        }
      }
    }
  }
}

/// A mark that comes with another one, always, can go.
void drop_implied_marks(Generalized& automaton) {
  const auto comes_with = [&](std::size_t mark, std::size_t other) {
    for (const std::vector<MarkedEdge>& edges : automaton.states) {
      for (const MarkedEdge& edge : edges) {
        if (edge.marks.test(other) && !edge.marks.test(mark)) return false;
      }
    }
    return true;
  };
  for (std::size_t mark = 0; mark < automaton.num_marks;) {
    bool superfluous = false;
    for (std::size_t other = 0; other < automaton.num_marks && !superfluous; ++other) {
      superfluous = other != mark && comes_with(mark, other);
    }
    if (!superfluous) {
      ++mark;
      continue;
    }
    const std::size_t last = --automaton.num_marks;
    for (std::vector<MarkedEdge>& edges : automaton.states) {
      for (MarkedEdge& edge : edges) {
        edge.marks.set(mark, edge.marks.test(last));
        edge.marks.reset(last);
      }
    }
  }
}

void merge_edges(Generalized& automaton) {
  Decisions& letters = automaton.letters;
  for (std::vector<MarkedEdge>& edges : automaton.states) {
    std::vector<MarkedEdge> kept;
    std::unordered_map<StateIndex, std::vector<std::size_t>> by_target;  // places in `kept`
    for (const MarkedEdge& edge : edges) {
      std::vector<std::size_t>& places = by_target[edge.target];
      const auto same = std::ranges::find_if(
          places, [&](std::size_t place) { return kept[place].marks == edge.marks; });
      if (same == places.end()) {
        places.push_back(kept.size());
        kept.push_back(edge);
      } else {
        kept[*same].letter = letters.disjunction(kept[*same].letter, edge.letter);
      }
    }
    for (MarkedEdge& edge : kept) {
      for (const std::size_t place : by_target[edge.target]) {
        const MarkedEdge& other = kept[place];
        const bool contains = other.marks != edge.marks && (edge.marks & ~other.marks).none();
        if (contains) edge.letter = letters.difference(edge.letter, other.letter);
      }
    }
    std::erase_if(kept, [](const MarkedEdge& edge) { return edge.letter == Decision::False; });
    edges = std::move(kept);
  }
}

}  // namespace

void tidy(Generalized& automaton) {
  drop_useless_states(automaton);
  normalize_marks(automaton);
  merge_edges(automaton);
  drop_implied_marks(automaton);
}

}  // namespace cohort::ltl
