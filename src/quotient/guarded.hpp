// The guarded quotient structure itself: GQS(H), as the thesis defines it.
//
//   GuardedQuotient structure{program};
//   const InitialState initial = structure.add(words);
//   for (const GuardedEdge& edge : structure.edges(initial.state).edges) …
//
// Its states are representatives, its edges those of H, the program without priorities: each has
// the instance that is fired, the permutation that leads back from the target's representative, and
// the guard that priorities put on it.  Without priorities nothing has a guard, and this is the
// annotated quotient.  Built on demand: the edges of a state are found when they are asked for.
//
// The program G comes back by walking: at π(s) an edge may be taken when its guard holds for the
// ranks as s sees them, that is for rank ∘ π, and leads on with π ∘ from_target.  The searches walk
// the same edges with colours in place of π (quotient.cpp); tests/unit/quotient compares all three.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/successors.hpp"
#include "quotient/graph.hpp"
#include "quotient/guard.hpp"
#include "quotient/thinning.hpp"

namespace cohort::quotient {

struct GuardedEdge {
  StateId target{};
  model::Program::Instance instance;  ///< in terms of the state
  Permutation from_target;  ///< maps processes as the target sees them to those of the state
  std::optional<Guard> guard;
};

struct GuardedFan {
  std::optional<model::InstanceFault> fault;  ///< then there are no edges
  std::vector<GuardedEdge> edges;
};

class GuardedQuotient {
 public:
  /// Whether every instance is an edge, or one of those that a symmetry of the state maps to each
  /// other.  Thinned by the state alone the structure shows which edges there are; who walks it
  /// with ranks or processes in mind needs all of them.
  enum class Edges : std::uint8_t { All, Thinned };

  /// Keeps a reference to `program`.
  explicit GuardedQuotient(const model::Program& program, Edges which = Edges::All);

  /// The program's initial states, at least one of each orbit.
  [[nodiscard]] std::unique_ptr<InitialSource> initial_states() {
    return graph_->initial_states(std::vector<std::uint32_t>(program_.num_processes(), 0));
  }
  [[nodiscard]] InitialState add(const model::Word* words) { return graph_->add(words); }
  [[nodiscard]] const model::Word* words(StateId state) const { return graph_->store()[state]; }
  [[nodiscard]] GuardedFan edges(StateId state);

 private:
  const model::Program& program_;
  Edges which_;
  std::unique_ptr<Graph> graph_;
  model::Generator generator_;
  ThinningMaker thinning_;
  // All processes have one rank, so that nobody is blocked.
  std::vector<std::uint16_t> colours_;
  std::vector<std::vector<std::uint32_t>> ranks_;
};

}  // namespace cohort::quotient
