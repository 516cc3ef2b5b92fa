// Smaller automata by direct simulation.
//
// Idea.  State t simulates s if it can answer every edge of s with one that has the same letter, at
// least the marks, and leads to a state that simulates the other's target.  Then t accepts what s
// accepts; states that simulate each other are merged, and an edge goes if another for the same
// letter leads to a state that simulates its target strictly.  Reversed, the same looks at how a
// state is reached.
//
// Edges that leave a component are taken once only: a *generous* game gives them no marks as a
// challenge and all marks as an answer.  The same holds for accepting states that lie on no cycle.
//
// Trap.  Generous simulation tells how languages compare, but it is not transitive: what answers
// an edge with all marks may itself be answered by one without.  So its states are not merged into
// classes; one is replaced by another, and only where that closes no new cycle: a run then takes
// the redirected edges finitely often, and goes on in a state with the same language.
#include <algorithm>
#include <optional>
#include <utility>

#include "ltl/generalized.hpp"

namespace cohort::ltl {
namespace {

struct GameEdge {
  StateIndex from;
  StateIndex to;
  Decision letter;
  Marks challenge;
  Marks answer;
};

/// Which way the game goes, and whether edges that are taken once answer everything.
struct Rules {
  bool reverse;
  bool generous;
};

struct Game {
  Rules rules;
  std::size_t num_states;
  std::vector<GameEdge> edges;
  std::vector<bool> initial;    // reversed only: an initial state is answered by an initial one
  std::vector<bool> preferred;  // to stand for its class
};

/// [s][t]: t simulates s.
using Relation = std::vector<std::vector<bool>>;

class Simulation {
 public:
  Simulation(const Game& game, Decisions& letters, Effort& effort)
      : game_(game), letters_(letters), effort_(effort) {
    const std::size_t n = game.num_states;
    out_.resize(n);
    for (const GameEdge& edge : game.edges) out_[edge.from].push_back(&edge);
    simulated_.assign(n, std::vector<bool>(n, true));
    if (!game.initial.empty()) {
      for (StateIndex s = 0; s < n; ++s) {
        for (StateIndex t = 0; t < n; ++t) simulated_[s][t] = !game.initial[s] || game.initial[t];
      }
    }
  }

  /// Nothing if the effort is used up: half a relation is none.
  [[nodiscard]] std::optional<Relation> run() {
    const std::size_t n = game_.num_states;
    for (bool changed = true; changed;) {
      changed = false;
      for (StateIndex s = 0; s < n; ++s) {
        for (StateIndex t = 0; t < n; ++t) {
          if (s == t || !simulated_[s][t] || answers(s, t)) continue;
          if (effort_.steps == 0) return std::nullopt;
          simulated_[s][t] = false;
          changed = true;
        }
      }
    }
    return std::move(simulated_);
  }

 private:
  [[nodiscard]] bool answers(StateIndex s, StateIndex t) {
    for (const GameEdge* edge : out_[s]) {
      Decision left = edge->letter;
      for (const GameEdge* other : out_[t]) {
        if (!effort_.spend()) return false;
        if (!simulated_[edge->to][other->to]) continue;
        if ((edge->challenge & ~other->answer).any()) continue;
        left = letters_.difference(left, other->letter);
        if (left == Decision::False) break;
      }
      if (left != Decision::False) return false;
    }
    return true;
  }

  const Game& game_;
  Decisions& letters_;
  Effort& effort_;
  std::vector<std::vector<const GameEdge*>> out_;
  Relation simulated_;
};

/// What is left of a game: who stands for whom, and the edges that are kept, between
/// representatives.
struct Reduced {
  std::vector<StateIndex> representative;
  std::vector<GameEdge> edges;
  bool changed = false;
};

/// Whether the edges lead from one state to another.
[[nodiscard]] bool reaches(const std::vector<GameEdge>& edges, std::size_t num_states,
                           StateIndex from, StateIndex to) {
  std::vector<bool> seen(num_states, false);
  seen[from] = true;
  for (bool changed = true; changed && !seen[to];) {
    changed = false;
    for (const GameEdge& edge : edges) {
      if (!seen[edge.from] || seen[edge.to]) continue;
      seen[edge.to] = true;
      changed = true;
    }
  }
  return seen[to];
}

/// Replaces states by others that simulate them and are simulated by them, in a generous game.
[[nodiscard]] Reduced redirect(const Game& game, const Relation& simulated) {
  const std::size_t n = game.num_states;
  Reduced made;
  made.edges = game.edges;
  made.representative.resize(n);
  for (StateIndex s = 0; s < n; ++s) made.representative[s] = s;
  const auto replace = [&](StateIndex s, StateIndex t) {
    std::erase_if(made.edges, [&](const GameEdge& edge) { return edge.from == s; });
    for (GameEdge& edge : made.edges) {
      if (edge.to == s) edge.to = t;
    }
    for (StateIndex& r : made.representative) {
      if (r == s) r = t;
    }
    made.changed = true;
  };
  for (StateIndex s = 0; s < n; ++s) {
    for (StateIndex t = 0; t < n; ++t) {
      const bool alike = s != t && simulated[s][t] && simulated[t][s];
      if (!alike || made.representative[t] != t || reaches(made.edges, n, t, s)) continue;
      replace(s, t);
      break;
    }
  }
  return made;
}

/// Merges the classes of a game that is not generous, and drops edges.
[[nodiscard]] Reduced merge(const Game& game, const Relation& simulated, Decisions& letters) {
  const std::size_t n = game.num_states;
  Reduced made;
  made.representative.resize(n);
  for (StateIndex s = 0; s < n; ++s) {
    StateIndex best = s;
    for (StateIndex t = 0; t < n; ++t) {
      if (!simulated[s][t] || !simulated[t][s]) continue;
      const auto rank = [&](StateIndex x) { return std::pair(!game.preferred[x], x); };
      if (rank(t) < rank(best)) best = t;
    }
    made.representative[s] = best;
    made.changed = made.changed || best != s;
  }
  std::vector<std::vector<GameEdge>> out(n);
  for (GameEdge edge : game.edges) {
    edge.from = made.representative[edge.from];
    edge.to = made.representative[edge.to];
    out[edge.from].push_back(edge);
  }
  for (StateIndex s = 0; s < n; ++s) {
    for (GameEdge edge : out[s]) {
      const Decision before = edge.letter;
      for (const GameEdge& other : out[s]) {
        const bool better = simulated[edge.to][other.to] && !simulated[other.to][edge.to] &&
                            (edge.challenge & ~other.answer).none();
        if (better) edge.letter = letters.difference(edge.letter, other.letter);
      }
      made.changed = made.changed || edge.letter != before;
      if (edge.letter != Decision::False) made.edges.push_back(edge);
    }
  }
  return made;
}

[[nodiscard]] Reduced reduce(const Game& game, const Relation& simulated, Decisions& letters) {
  return game.rules.generous ? redirect(game, simulated) : merge(game, simulated, letters);
}

/// Larger automata are left as they are: the relation is quadratic.
constexpr std::size_t most_states = 250;
constexpr int most_rounds = 10;

// ---------------------------------------------------------------------------------------------------
// Marks on edges

[[nodiscard]] Game game_of(const Generalized& automaton, Rules rules) {
  const Components found = components(automaton.graph());
  Game game;
  game.rules = rules;
  game.num_states = automaton.num_states();
  game.preferred.assign(game.num_states, false);
  for (StateIndex s = 0; s < automaton.num_states(); ++s) {
    for (const MarkedEdge& edge : automaton.states[s]) {
      const bool once = found.of[s] != found.of[edge.target];
      GameEdge move{s, edge.target, edge.letter, edge.marks, edge.marks};
      if (once) move.challenge.reset();
      if (once) move.answer = rules.generous ? automaton.all_marks() : Marks{};
      if (rules.reverse) std::swap(move.from, move.to);
      game.edges.push_back(move);
    }
  }
  if (rules.reverse) {
    game.initial.assign(game.num_states, false);
    for (const StateIndex s : automaton.initial) game.initial[s] = true;
  }
  return game;
}

void sort_and_unite(std::vector<StateIndex>& states) {
  std::ranges::sort(states);
  states.erase(std::unique(states.begin(), states.end()), states.end());
}

/// Initial states that another one simulates can go.
void drop_initial(std::vector<StateIndex>& initial, const Relation& simulated) {
  for (std::size_t i = 0; i < initial.size();) {
    const bool superfluous = std::ranges::any_of(
        initial, [&](StateIndex t) { return t != initial[i] && simulated[initial[i]][t]; });
    if (superfluous) {
      initial.erase(initial.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

[[nodiscard]] bool reduce_once(Generalized& automaton, Rules rules, Effort& effort) {
  const Game game = game_of(automaton, rules);
  const std::optional<Relation> found = Simulation(game, automaton.letters, effort).run();
  if (!found) return false;
  const Relation& simulated = *found;
  const Reduced reduced = reduce(game, simulated, automaton.letters);
  const std::size_t num_initial = automaton.initial.size();
  for (StateIndex& s : automaton.initial) s = reduced.representative[s];
  sort_and_unite(automaton.initial);
  if (!rules.reverse) drop_initial(automaton.initial, simulated);
  for (std::vector<MarkedEdge>& edges : automaton.states) edges.clear();
  for (const GameEdge& edge : reduced.edges) {
    const auto [from, to] =
        rules.reverse ? std::pair(edge.to, edge.from) : std::pair(edge.from, edge.to);
    automaton.states[from].push_back({edge.letter, edge.challenge, to});
  }
  tidy(automaton);
  return reduced.changed || automaton.initial.size() != num_initial;
}

// ---------------------------------------------------------------------------------------------------
// Accepting states

[[nodiscard]] Game game_of(const Automaton& automaton, Rules rules) {
  Graph graph(automaton.num_states());
  for (StateIndex s = 0; s < graph.size(); ++s) {
    for (const Edge& edge : automaton.states[s].edges) graph[s].push_back(edge.target);
  }
  const Components found = components(graph);
  const auto on_cycle = [&](StateIndex s) { return bool{found.has_cycle[found.of[s]]}; };
  Game game;
  game.rules = rules;
  game.num_states = automaton.num_states();
  for (StateIndex s = 0; s < game.num_states; ++s) game.preferred.push_back(on_cycle(s));
  for (StateIndex s = 0; s < game.num_states; ++s) {
    for (const Edge& edge : automaton.states[s].edges) {
      GameEdge move{s, edge.target, edge.letter, {}, {}};
      if (rules.reverse) std::swap(move.from, move.to);
      // The mark is that of the state which the simulation is about.
      const bool accepting = automaton.states[move.from].accepting && on_cycle(move.from);
      move.challenge.set(0, accepting);
      move.answer.set(0, accepting || (rules.generous && !on_cycle(move.from)));
      game.edges.push_back(move);
    }
  }
  if (rules.reverse) {
    game.initial.assign(game.num_states, false);
    for (const StateIndex s : automaton.initial) game.initial[s] = true;
  }
  return game;
}

[[nodiscard]] bool reduce_once(Automaton& automaton, Rules rules, Effort& effort) {
  const Game game = game_of(automaton, rules);
  const std::optional<Relation> found = Simulation(game, automaton.letters, effort).run();
  if (!found) return false;
  const Relation& simulated = *found;
  const Reduced reduced = reduce(game, simulated, automaton.letters);
  const std::size_t num_initial = automaton.initial.size();
  for (StateIndex& s : automaton.initial) s = reduced.representative[s];
  sort_and_unite(automaton.initial);
  if (!rules.reverse) drop_initial(automaton.initial, simulated);
  for (AutomatonState& state : automaton.states) state.edges.clear();
  for (const GameEdge& edge : reduced.edges) {
    const auto [from, to] =
        rules.reverse ? std::pair(edge.to, edge.from) : std::pair(edge.from, edge.to);
    automaton.add_edge(from, edge.letter, to);
  }
  trim(automaton);
  return reduced.changed || automaton.initial.size() != num_initial;
}

template <typename Any>
void reduce_both_ways(Any& automaton, Effort& effort) {
  for (int round = 0; round < most_rounds && automaton.num_states() <= most_states; ++round) {
    bool changed = false;
    for (const bool reverse : {false, true}) {
      for (const bool generous : {true, false}) {
        if (effort.steps == 0) return;
        changed =
            reduce_once(automaton, {.reverse = reverse, .generous = generous}, effort) || changed;
      }
    }
    if (!changed) return;
  }
}

}  // namespace

void reduce_by_simulation(Generalized& automaton, Effort& effort) {
  reduce_both_ways(automaton, effort);
}

void reduce_by_simulation(Automaton& automaton, Effort& effort) {
  reduce_both_ways(automaton, effort);
}

}  // namespace cohort::ltl
