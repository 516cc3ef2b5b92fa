// A deterministic and complete automaton whose states have one decision each instead of edges.
//
// Idea.  What a state does is one decision over atoms whose leaves are the next states.  States
// share nodes, so an automaton with a thousand states and a thousand edges from each is a matter of
// some thousand nodes.  Derivation and minimisation work on this form; edges are made at the very
// end.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "ltl/automaton.hpp"
#include "ltl/decision.hpp"

namespace cohort::ltl {

struct TransitionTable {
  Decisions nodes;
  std::size_t num_atoms = 0;
  std::vector<Decision> roots;  ///< by state: a decision over atoms that ends in leaves
  std::vector<bool> accepting;
  StateIndex initial = 0;

  /// State s as a leaf: a variable below all atoms.
  [[nodiscard]] Decision leaf(StateIndex s) {
    return nodes.variable(static_cast<Variable>(num_atoms + s));
  }
  [[nodiscard]] bool is_leaf(Decision node) const { return nodes.top(node) >= num_atoms; }
  [[nodiscard]] StateIndex state_of(Decision leaf) const {
    return static_cast<StateIndex>(nodes.top(leaf) - num_atoms);
  }
};

/// Of an automaton that is deterministic and complete.
[[nodiscard]] TransitionTable table_of(Automaton& automaton);

/// The smallest one that accepts the same words; unreachable states are dropped, the others
/// numbered in breadth-first order.
[[nodiscard]] TransitionTable minimal(TransitionTable table);

/// Fills in states, edges, letters and the initial state.  False, and nothing useful, if there are
/// more than `most_edges`.
[[nodiscard]] bool make_edges(TransitionTable table, std::size_t most_edges, Automaton& automaton);

}  // namespace cohort::ltl
