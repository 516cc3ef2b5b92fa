// Automata over words whose positions say which atoms are true.
//
//   for (const Edge& edge : automaton.states[state].edges) {
//     if (automaton.letters.evaluate(edge.letter, truth)) …
//   }
//
// One type for everything: finite words and infinite ones, deterministic and not, made from
// formulas, written by hand as monitors or read from HOA files.  For running one over long words
// see monitor/automaton.hpp, which compiles it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ltl/decision.hpp"

namespace cohort::ltl {

using StateIndex = std::uint32_t;

enum class Acceptance : std::uint8_t {
  Finite,  ///< accepts the finite words, also empty ones, that can end in an accepting state
  Buchi,   ///< accepts the infinite words that can visit accepting states infinitely often
};

/// Taken at positions whose atoms satisfy `letter`: variable v of the letter is atom v.
struct Edge {
  Decision letter = Decision::False;
  StateIndex target = 0;

  friend bool operator==(const Edge&, const Edge&) = default;
};

struct AutomatonState {
  std::vector<Edge> edges;  ///< at most one to each state, by ascending target, never False
  bool accepting = false;
  std::string name;  ///< for people; may be empty
};

/// A value.  A word on which every run gets stuck is rejected: automata need not be complete.
struct Automaton {
  Decisions letters;  ///< holds the letters of all edges
  std::vector<std::string> atoms;
  std::vector<AutomatonState> states;
  std::vector<StateIndex> initial;  ///< ascending, none twice; may be empty: nothing is accepted
  Acceptance acceptance = Acceptance::Finite;
  std::string name;  ///< for people; may be empty

  [[nodiscard]] std::size_t num_states() const { return states.size(); }
  [[nodiscard]] std::size_t num_edges() const;
  /// At most one initial state, and in no state two edges for one letter.
  [[nodiscard]] bool is_deterministic();
  /// In every state an edge for every letter.
  [[nodiscard]] bool is_complete();

  /// Adds an edge, or widens the one that leads there.
  void add_edge(StateIndex from, Decision letter, StateIndex to);
};

/// The state itself, with a letter for every edge that it lacks leading to a rejecting sink, which
/// is added if it is needed.
void complete(Automaton& automaton);

/// Drops the states that no initial state reaches, and those from which nothing is accepted.
void trim(Automaton& automaton);

/// The automaton for the complement; `automaton` is over finite words and deterministic.
[[nodiscard]] Automaton complement(Automaton automaton);

}  // namespace cohort::ltl
