// Walking for evidence through counted nodes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cctl/counted_evaluator.hpp"
#include "cctl/counted_trail.hpp"
#include "cctl/walk.hpp"
#include "quotient/counted_initial.hpp"

namespace cohort::cctl {

class CountedWalk final : public Walk {
 public:
  /// Keeps a reference to `evaluator`.  The path begins in a state that `initial` stands for, whose
  /// colours are those of `colours`, or not looked at if that is null.
  CountedWalk(CountedEvaluator& evaluator, const quotient::CountedInitial& initial,
              const quotient::Colouring* colours);

  [[nodiscard]] Evidence& evidence() override { return trail_.evidence(); }
  [[nodiscard]] NodeId enter(FormulaId id, const Frame& frame) override;
  NodeId step(FormulaId id, NodeId node, std::size_t edge) override {
    return trail_.step(evaluator_.space(id), node, edge, {});
  }
  [[nodiscard]] Value choose(FormulaId quantifier, const Evaluator::Candidate& candidate,
                             const Frame& frame) override;
  void close_loop(FormulaId id, NodeId start, const std::vector<std::size_t>& cycle) override;
  void close_fair_loop(FormulaId id, NodeId start, const std::vector<NodeId>& component) override;

  /// As enter, for a space that need not be a temporal formula's; `slots` are its variables.
  NodeId enter(quotient::CountedSpace& space, const std::vector<std::uint32_t>& slots,
               const Frame& frame);
  [[nodiscard]] CountedTrail& trail() { return trail_; }

 private:
  CountedEvaluator& evaluator_;
  CountedTrail trail_;
  std::vector<std::optional<Value>> real_;  // by slot that has a process: which
};

}  // namespace cohort::cctl
