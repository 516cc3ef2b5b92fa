// Formulas at counted states: processes of one kind are asked once.
//
// A frame holds a crowd.  A quantifier's variable goes through its places; the process that it
// stands for leaves its place, so that the body can tell it from the others.  Entering a node gives
// the processes that the sub-formula is about their names.
#pragma once

#include <vector>

#include "cctl/evaluator.hpp"
#include "quotient/counted_graph.hpp"
#include "quotient/counted_initial.hpp"

namespace cohort::cctl {

class CountedEvaluator final : public Evaluator {
 public:
  /// As PositionEvaluator::Setting; `formula` is compiled for the placed program.
  struct Setting {
    const Formula& formula;
    quotient::CountedGraph& graph;
    const quotient::Colouring& colouring;
    std::vector<quotient::CountedSpace*> spaces;
    base::Limits& limits;
    bool eliminate = true;
  };
  explicit CountedEvaluator(Setting setting);

  void read(FormulaId id, NodeId node, Frame& frame) override;
  [[nodiscard]] NodeId enter(FormulaId id, const Frame& frame) override;
  [[nodiscard]] std::vector<Candidate> candidates(FormulaId quantifier,
                                                  const Frame& frame) override;
  void bind(FormulaId quantifier, const Candidate& candidate, Frame& frame) override;
  void release(FormulaId quantifier, const Candidate& candidate, Frame& frame) override;
  [[nodiscard]] bool is_fair(FormulaId id, const std::vector<NodeId>& component) override;
  [[nodiscard]] std::size_t num_states() const override { return setting_.graph.num_states(); }

  /// The processes that the formula's free variables stand for.
  [[nodiscard]] std::vector<quotient::NamedProcess> named() const;
  /// Where the formula is asked in an initial state, in which these processes are named.
  [[nodiscard]] Frame root_frame(quotient::CountedInitial& initial) const;
  /// As the other `read`, for a space that need not be a temporal formula's; `slots` are its
  /// variables.
  void read(const quotient::CountedSpace& space, const std::vector<std::uint32_t>& slots,
            NodeId node, Frame& frame);

  [[nodiscard]] quotient::CountedSpace& space(FormulaId id) { return *setting_.spaces[id]; }
  [[nodiscard]] quotient::CountedGraph& graph() { return setting_.graph; }
  [[nodiscard]] const quotient::Colouring& colouring() const { return setting_.colouring; }

 private:
  /// Gives the only process of a module its colour: nodes do not remember it, for it never changes,
  /// but sets of the formula may hold it.
  void paint_singles(model::Crowd& crowd) const;
  [[nodiscard]] Value evaluate(FormulaId id, bool coloured, Frame& frame) override;
  [[nodiscard]] bool is_enabled(FormulaId id, Frame& frame) override;
  [[nodiscard]] bool is_deadlocked(FormulaId id, Frame& frame) override;
  /// By module and place of the frame: who has a fireable instance.
  [[nodiscard]] const std::vector<std::vector<bool>>& enabled(Frame& frame);

  Setting setting_;
  std::vector<Value> places_;
  model::Environment environment_;
};

}  // namespace cohort::cctl
