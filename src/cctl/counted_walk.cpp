#include "cctl/counted_walk.hpp"

#include <algorithm>
#include <utility>

#include "cctl/counted_loop.hpp"

namespace cohort::cctl {

CountedWalk::CountedWalk(CountedEvaluator& evaluator, const quotient::CountedInitial& initial,
                         const quotient::Colouring* colours)
    : evaluator_(evaluator), trail_(evaluator.graph(), initial) {
  const lang::Formula& source = evaluator.formula().source();
  real_.resize(source.slots.size());
  for (std::size_t slot = 0; slot < source.num_free; ++slot) real_[slot] = source.values[slot];
  trail_.dress(colours, {});
}

NodeId CountedWalk::enter(quotient::CountedSpace& space, const std::vector<std::uint32_t>& slots,
                          const Frame& frame) {
  std::vector<Value> places;
  std::vector<quotient::NamedProcess> named;
  std::vector<std::optional<Value>> kept(real_.size());
  for (const std::uint32_t slot : slots) {
    kept[slot] = real_[slot];
    places.push_back(frame.slots[slot]);
    named.push_back({evaluator_.formula().source().slots[slot].module, *real_[slot]});
  }
  real_ = std::move(kept);
  trail_.dress(space.domain().coloured ? &evaluator_.colouring() : nullptr, named);
  return space.enter(frame.crowd, places);
}

NodeId CountedWalk::enter(FormulaId id, const Frame& frame) {
  return enter(evaluator_.space(id), evaluator_.formula()[id].variables, frame);
}

/// A process that stands where the candidate does.  Those that other variables stand for were taken
/// from their places in the frame, but are still among the processes of their kind.
Value CountedWalk::choose(FormulaId quantifier, const Evaluator::Candidate& candidate,
                          const Frame& frame) {
  const FormulaNode& node = evaluator_.formula()[quantifier];
  const std::size_t module = base::index_of(node.module);
  const model::Program& program = evaluator_.graph().program();
  const auto bound_here = [&](std::uint32_t slot) {
    return slot != node.slot && real_[slot] &&
           evaluator_.formula().source().slots[slot].module == node.module;
  };
  std::optional<Value> chosen;
  if (program.source()[node.module].size == 1) chosen = 0;
  for (std::uint32_t slot = 0; slot < real_.size() && !chosen; ++slot) {
    if (bound_here(slot) && frame.slots[slot] == candidate.process) chosen = real_[slot];
  }
  if (!chosen) {
    const std::size_t first = program.process_number(node.module, 0);
    const auto place = static_cast<std::size_t>(candidate.process);
    const std::span<const std::uint32_t> pool =
        trail_.standing(frame.crowd.places(module).kinds[place]);
    for (std::size_t i = pool.size(); i-- > 0 && !chosen;) {
      const auto process = static_cast<Value>(pool[i] - first);
      bool is_bound = false;
      for (std::uint32_t slot = 0; slot < real_.size() && !is_bound; ++slot) {
        is_bound = bound_here(slot) && real_[slot] == process;
      }
      if (!is_bound) chosen = process;
    }
  }
  real_[node.slot] = chosen;
  return chosen.value();
}

void CountedWalk::close_loop(FormulaId id, NodeId start, const std::vector<std::size_t>& cycle) {
  CountedLoop loop{evaluator_.space(id), trail_, [this] { evaluator_.tick(); }};
  NodeId at = start;
  for (const std::size_t edge : cycle) at = loop.step(at, edge, {});
  loop.close();
}

void CountedWalk::close_fair_loop(FormulaId id, NodeId start,
                                  const std::vector<NodeId>& component) {
  CountedLoop loop{evaluator_.space(id), trail_, [this] { evaluator_.tick(); }};
  walk_fair_round(loop, evaluator_.space(id), component, start);
  loop.close();
}

}  // namespace cohort::cctl
