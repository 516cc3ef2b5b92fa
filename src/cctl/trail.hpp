// A path that is being walked for evidence: in the graph's terms and, step by step, in real ones.
//
//   Trail trail{graph, initial};
//   trail.step(space, node, edge);        // the path now ends in the edge's target
//   Evidence evidence = trail.take();
#pragma once

#include <cstddef>
#include <vector>

#include "cctl/evidence.hpp"
#include "quotient/graph.hpp"

namespace cohort::cctl {

class Trail {
 public:
  /// Keeps a reference to `graph`.
  Trail(quotient::Graph& graph, const quotient::InitialState& initial);

  /// Takes an edge of a node at which the path ends; returns the target.
  quotient::NodeId step(quotient::Space& space, quotient::NodeId node, std::size_t edge);
  /// From here on processes are seen through another frame: `change` maps that frame's processes
  /// to the current one's, and fixes the state.
  void reframe(const quotient::Permutation& change);

  [[nodiscard]] quotient::StateId state() const { return state_; }
  [[nodiscard]] std::size_t length() const { return evidence_.steps.size(); }
  [[nodiscard]] const std::vector<Value>& real_values() const { return real_; }
  /// A process of the current frame, by its number among all, as a real one within its module.
  [[nodiscard]] Value real_process(lang::ModuleId module, Value process) const;
  /// Maps the current frame's processes to real ones; empty for the identity.
  [[nodiscard]] const quotient::Permutation& to_real() const { return to_real_; }

  [[nodiscard]] Evidence& evidence() { return evidence_; }

 private:
  [[nodiscard]] std::vector<Value> values_of(quotient::StateId state) const;

  quotient::Graph& graph_;
  quotient::StateId state_;
  quotient::Permutation to_real_;
  std::vector<Value> real_;
  Evidence evidence_;
};

}  // namespace cohort::cctl
