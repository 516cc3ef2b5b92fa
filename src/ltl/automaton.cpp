#include "ltl/automaton.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "ltl/components.hpp"

namespace cohort::ltl {

std::size_t Automaton::num_edges() const {
  std::size_t count = 0;
  for (const AutomatonState& state : states) count += state.edges.size();
  return count;
}

bool Automaton::is_deterministic() {
  if (initial.size() > 1) return false;
  for (const AutomatonState& state : states) {
    Decision seen = Decision::False;
    for (const Edge& edge : state.edges) {
      if (letters.overlap(seen, edge.letter)) return false;
      seen = letters.disjunction(seen, edge.letter);
    }
  }
  return true;
}

namespace {

/// The letters for which a state has no edge.
[[nodiscard]] Decision missing(Automaton& automaton, const AutomatonState& state) {
  Decision seen = Decision::False;
  for (const Edge& edge : state.edges) seen = automaton.letters.disjunction(seen, edge.letter);
  return automaton.letters.negation(seen);
}

}  // namespace

bool Automaton::is_complete() {
  return std::ranges::all_of(states, [&](const AutomatonState& state) {
    return missing(*this, state) == Decision::False;
  });
}

void Automaton::add_edge(StateIndex from, Decision letter, StateIndex to) {
  if (letter == Decision::False) return;
  std::vector<Edge>& edges = states[from].edges;
  const auto place = std::ranges::lower_bound(edges, to, {}, &Edge::target);
  if (place != edges.end() && place->target == to) {
    place->letter = letters.disjunction(place->letter, letter);
  } else {
    edges.insert(place, {letter, to});
  }
}

void complete(Automaton& automaton) {
  const auto sink = static_cast<StateIndex>(automaton.states.size());
  bool needed = automaton.initial.empty();
  if (needed) automaton.initial.push_back(sink);
  for (StateIndex s = 0; s < sink; ++s) {
    const Decision letter = missing(automaton, automaton.states[s]);
    if (letter == Decision::False) continue;
    needed = true;
    automaton.add_edge(s, letter, sink);
  }
  if (!needed) return;
  automaton.states.emplace_back();
  automaton.add_edge(sink, Decision::True, sink);
}

namespace {

/// Marks what is reached from `seeds` along `edges`.
[[nodiscard]] std::vector<bool> reach(const Graph& edges, std::vector<StateIndex> open) {
  std::vector<bool> seen(edges.size(), false);
  for (const StateIndex s : open) seen[s] = true;
  while (!open.empty()) {
    const StateIndex s = open.back();
    open.pop_back();
    for (const StateIndex t : edges[s]) {
      if (seen[t]) continue;
      seen[t] = true;
      open.push_back(t);
    }
  }
  return seen;
}

/// Accepting states, for Büchi only those that lie on a cycle.
[[nodiscard]] std::vector<StateIndex> useful_goals(const Automaton& automaton,
                                                   const Graph& forward) {
  const Components found = components(forward);
  std::vector<StateIndex> goals;
  for (StateIndex s = 0; s < automaton.states.size(); ++s) {
    if (!automaton.states[s].accepting) continue;
    if (automaton.acceptance == Acceptance::Buchi && !found.has_cycle[found.of[s]]) continue;
    goals.push_back(s);
  }
  return goals;
}

}  // namespace

void trim(Automaton& automaton) {
  const std::size_t n = automaton.states.size();
  Graph forward(n);
  Graph backward(n);
  for (StateIndex s = 0; s < n; ++s) {
    for (const Edge& edge : automaton.states[s].edges) {
      forward[s].push_back(edge.target);
      backward[edge.target].push_back(s);
    }
  }
  const std::vector<bool> reached = reach(forward, automaton.initial);
  const std::vector<bool> useful = reach(backward, useful_goals(automaton, forward));
  std::vector<StateIndex> renamed(n, 0);
  std::vector<AutomatonState> kept;
  const auto keep = [&](StateIndex s) { return reached[s] && useful[s]; };
  for (StateIndex s = 0; s < n; ++s) {
    if (!keep(s)) continue;
    renamed[s] = static_cast<StateIndex>(kept.size());
    kept.push_back(std::move(automaton.states[s]));
  }
  for (AutomatonState& state : kept) {
    std::erase_if(state.edges, [&](const Edge& edge) { return !keep(edge.target); });
    for (Edge& edge : state.edges) edge.target = renamed[edge.target];
  }
  std::erase_if(automaton.initial, [&](StateIndex s) { return !keep(s); });
  for (StateIndex& s : automaton.initial) s = renamed[s];
  automaton.states = std::move(kept);
}

Automaton complement(Automaton automaton) {
  assert(automaton.acceptance == Acceptance::Finite && automaton.is_deterministic());
  complete(automaton);
  for (AutomatonState& state : automaton.states) state.accepting = !state.accepting;
  return automaton;
}

}  // namespace cohort::ltl
