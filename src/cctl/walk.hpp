// A path that is being walked for evidence, whatever graph it is on: in the graph's terms and, step
// by step, in real ones.
//
//   const NodeId node = walk.enter(id, frame);       // the path now is among the nodes of a
//   formula const NodeId next = walk.step(id, node, edge);   // the path now ends in the edge's
//   target walk.evidence().steps …
#pragma once

#include <cstddef>
#include <vector>

#include "cctl/evaluator.hpp"
#include "cctl/evidence.hpp"

namespace cohort::cctl {

/// Loops are repeated until the real state comes again; beyond this the verdict stands alone.
constexpr std::size_t longest_evidence = 2'000'000;
struct TooLong {};

class Walk {
 public:
  Walk() = default;
  virtual ~Walk() = default;
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  [[nodiscard]] virtual Evidence& evidence() = 0;

  /// The node of a temporal formula at which the path ends; `frame` is that place.
  [[nodiscard]] virtual NodeId enter(FormulaId id, const Frame& frame) = 0;
  /// Takes an edge of a node at which the path ends; returns the target.
  virtual NodeId step(FormulaId id, NodeId node, std::size_t edge) = 0;
  /// The real process that a quantifier's variable stands for from here on: it was just bound to
  /// the candidate in `frame`, where the path ends.
  [[nodiscard]] virtual Value choose(FormulaId quantifier, const Evaluator::Candidate& candidate,
                                     const Frame& frame) = 0;

  /// Walks a cycle, edges that lead from `start` back to it, again and again until the real state
  /// is the same again.  Throws TooLong.
  virtual void close_loop(FormulaId id, NodeId start, const std::vector<std::size_t>& cycle) = 0;
  /// As close_loop, through a fair component, and so that the loop is fair.
  virtual void close_fair_loop(FormulaId id, NodeId start,
                               const std::vector<NodeId>& component) = 0;
};

}  // namespace cohort::cctl
