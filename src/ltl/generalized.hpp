// Büchi automata with several marks on edges: what formulas are translated to, and simplified as,
// before the marks become accepting states.
//
// A run is accepting if it takes edges with mark m infinitely often, for every mark m.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ltl/automaton.hpp"
#include "ltl/components.hpp"
#include "ltl/decision.hpp"
#include "ltl/finite_word.hpp"
#include "ltl/formula.hpp"

namespace cohort::ltl {

constexpr std::size_t most_marks = 128;
using Marks = std::bitset<most_marks>;

struct MarkedEdge {
  Decision letter = Decision::False;
  Marks marks;
  StateIndex target = 0;
};

struct Generalized {
  Decisions letters;
  std::vector<std::vector<MarkedEdge>> states;
  std::vector<StateIndex> initial;
  std::size_t num_marks = 0;

  [[nodiscard]] std::size_t num_states() const { return states.size(); }
  [[nodiscard]] Marks all_marks() const;
  [[nodiscard]] Graph graph() const;
};

/// How a tableau turns the choices of a state into edges; one or the other gives the smaller
/// automaton.
enum class Split {
  Fewest,     ///< few edges, whose letters may overlap
  ByLetters,  ///< first by letters, then by choices: closer to deterministic
};

/// The automaton of a formula in negation normal form, by a tableau; nothing if a limit is hit.
[[nodiscard]] std::optional<Generalized> tableau(Formulas& formulas, Formula f,
                                                 std::size_t num_atoms, Split split,
                                                 const TranslationLimits& limits);

/// Drops states and edges on no accepting run, marks that say nothing, and edges that others
/// contain; marks everything in components all of whose cycles are accepting, and nothing on edges
/// that no run takes infinitely often.
void tidy(Generalized& automaton);

/// How much work may go into making an automaton smaller; what is left goes to the next step.
struct Effort {
  std::uint64_t steps;

  /// False when it is used up.
  [[nodiscard]] bool spend() { return steps != 0 && --steps != 0; }
};

/// Merges states and drops edges by direct simulation and by its reverse, until nothing changes.
void reduce_by_simulation(Generalized& automaton, Effort& effort);

/// The same for an automaton whose marks are accepting states.
void reduce_by_simulation(Automaton& automaton, Effort& effort);

/// Marks become accepting states: copies of the states count the marks seen, component by
/// component, in the order of the marks from `first_mark` on, and round.
[[nodiscard]] Automaton with_accepting_states(const Generalized& automaton, std::size_t first_mark,
                                              std::vector<std::string> atoms);

/// The smallest weak deterministic automaton with the same words, if there is one and it is found
/// within bounds.  `negated` is an automaton for the other words.
[[nodiscard]] std::optional<Automaton> weak_deterministic(Generalized& automaton,
                                                          Generalized& negated,
                                                          std::vector<std::string> atoms,
                                                          Effort& effort);

}  // namespace cohort::ltl
