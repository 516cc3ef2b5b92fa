// Smaller automata by direct simulation.
//
// Idea.  State t simulates s if it can answer every edge of s with one that has the same letter, at
// least the marks, and leads to a state that simulates the other's target.  Then t accepts what s
// accepts; states that simulate each other are merged, and an edge goes if another for the same
// letter leads to a state that simulates its target strictly.  Reversed, the same looks at how a
// state is reached.
//
// Edges that leave a component are taken once only: as a challenge they have no marks, as an answer
// they have all.  The same holds for accepting states that lie on no cycle.
//
// Trap.  The edges of one state of a class are not enough for the class.  If s, on no cycle, leads
// to t, which has a loop with all marks, each simulates the other; the edges of s alone would make
// a loop without marks.
#include <algorithm>
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
  Simulation(const Game& game, Decisions& letters) : game_(game), letters_(letters) {
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

  [[nodiscard]] Relation run() {
    const std::size_t n = game_.num_states;
    for (bool changed = true; changed;) {
      changed = false;
      for (StateIndex s = 0; s < n; ++s) {
        for (StateIndex t = 0; t < n; ++t) {
          if (s == t || !simulated_[s][t] || answers(s, t)) continue;
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

[[nodiscard]] Reduced reduce(const Game& game, const Relation& simulated, Decisions& letters) {
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
        if (game.rules.generous) break;
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
  const auto rest = std::ranges::unique(states);
  states.erase(rest.begin(), rest.end());
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

[[nodiscard]] bool reduce_once(Generalized& automaton, Rules rules) {
  const Game game = game_of(automaton, rules);
  const Relation simulated = Simulation(game, automaton.letters).run();
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

[[nodiscard]] bool reduce_once(Automaton& automaton, Rules rules) {
  const Game game = game_of(automaton, rules);
  const Relation simulated = Simulation(game, automaton.letters).run();
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
void reduce_both_ways(Any& automaton) {
  for (int round = 0; round < most_rounds && automaton.num_states() <= most_states; ++round) {
    bool changed = false;
    for (const bool reverse : {false, true}) {
      for (const bool generous : {true, false}) {
        changed = reduce_once(automaton, {.reverse = reverse, .generous = generous}) || changed;
      }
    }
    if (!changed) return;
  }
}

}  // namespace

void reduce_by_simulation(Generalized& automaton) { reduce_both_ways(automaton); }

void reduce_by_simulation(Automaton& automaton) { reduce_both_ways(automaton); }

}  // namespace cohort::ltl
