#include "cctl/position_walk.hpp"

namespace cohort::cctl {

NodeId PositionWalk::enter(FormulaId id, const Frame& frame) {
  quotient::Permutation change;
  const NodeId node = evaluator_.space(id).enter(evaluator_.position(id, frame), change);
  trail_.reframe(change);
  return node;
}

Value PositionWalk::choose(FormulaId quantifier, const Evaluator::Candidate& candidate,
                           const Frame& /*frame*/) {
  return trail_.real_process(evaluator_.formula()[quantifier].module, candidate.process);
}

void PositionWalk::repeat(FormulaId id, NodeId start, const std::vector<Move>& round) {
  trail_.evidence().loop = trail_.length();
  const std::vector<Value> begin = trail_.real_values();
  do {
    NodeId at = start;
    for (const Move& move : round) {
      if (move.renaming.empty()) {
        at = step(id, at, move.edge);
      } else {
        trail_.reframe(move.renaming);
      }
    }
    if (trail_.length() > longest_evidence) throw TooLong{};
    evaluator_.tick();
  } while (trail_.real_values() != begin);
}

void PositionWalk::close_loop(FormulaId id, NodeId start, const std::vector<std::size_t>& cycle) {
  std::vector<Move> round;
  for (const std::size_t edge : cycle) round.push_back({edge, {}});
  repeat(id, start, round);
}

void PositionWalk::close_fair_loop(FormulaId id, NodeId start,
                                   const std::vector<NodeId>& component) {
  repeat(id, start,
         fair_round(evaluator_.space(id), component, start, evaluator_.graph().program()));
}

}  // namespace cohort::cctl
