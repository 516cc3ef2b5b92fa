// Walking for evidence on the full graph and on the quotient, where nodes are positions.
#pragma once

#include "cctl/fair_loop.hpp"
#include "cctl/trail.hpp"
#include "cctl/walk.hpp"

namespace cohort::cctl {

class PositionWalk final : public Walk {
 public:
  /// Keeps a reference to `evaluator`.
  PositionWalk(PositionEvaluator& evaluator, const quotient::InitialState& initial)
      : evaluator_(evaluator), trail_(evaluator.graph(), initial) {}

  [[nodiscard]] Evidence& evidence() override { return trail_.evidence(); }
  [[nodiscard]] NodeId enter(FormulaId id, const Frame& frame) override;
  NodeId step(FormulaId id, NodeId node, std::size_t edge) override {
    return trail_.step(evaluator_.space(id), node, edge);
  }
  [[nodiscard]] Value choose(FormulaId quantifier, const Evaluator::Candidate& candidate,
                             const Frame& frame) override;
  void close_loop(FormulaId id, NodeId start, const std::vector<std::size_t>& cycle) override;
  void close_fair_loop(FormulaId id, NodeId start, const std::vector<NodeId>& component) override;

 private:
  void repeat(FormulaId id, NodeId start, const std::vector<Move>& round);

  PositionEvaluator& evaluator_;
  Trail trail_;
};

}  // namespace cohort::cctl
