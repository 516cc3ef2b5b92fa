#include "cctl/counted_evaluator.hpp"

#include <algorithm>
#include <utility>

#include "cctl/counted_fairness.hpp"

namespace cohort::cctl {

CountedEvaluator::CountedEvaluator(Setting setting)
    : Evaluator({setting.formula, {setting.spaces.begin(), setting.spaces.end()}, setting.limits}),
      setting_(std::move(setting)) {
  environment_.members = &setting_.colouring.members;
}

NodeId CountedEvaluator::enter(FormulaId id, const Frame& frame) {
  places_.clear();
  if (!space(id).domain().variables.empty()) {
    for (const std::uint32_t slot : formula()[id].variables) places_.push_back(frame.slots[slot]);
  }
  return space(id).enter(frame.crowd, places_);
}

void CountedEvaluator::read(FormulaId id, NodeId node, Frame& frame) {
  read(space(id), formula()[id].variables, node, frame);
}

void CountedEvaluator::read(const quotient::CountedSpace& space,
                            const std::vector<std::uint32_t>& slots, NodeId node, Frame& frame) {
  frame.slots.resize(std::max<std::size_t>(formula().source().slots.size(), 1));
  if (frame.crowd.num_modules() == 0) {
    frame.crowd = setting_.graph.empty_crowd();
    paint_singles(frame.crowd);
  }
  space.read(node, frame.crowd, places_);
  for (std::size_t i = 0; i < places_.size(); ++i) frame.slots[slots[i]] = places_[i];
}

std::vector<quotient::NamedProcess> CountedEvaluator::named() const {
  const lang::Formula& source = formula().source();
  std::vector<quotient::NamedProcess> made;
  for (std::size_t i = 0; i < source.num_free; ++i) {
    made.push_back({source.slots[i].module, source.values[i]});
  }
  return made;
}

Frame CountedEvaluator::root_frame(quotient::CountedInitial& initial) const {
  Frame frame;
  std::vector<Value> places;
  initial.fill(frame.crowd, places);
  paint_singles(frame.crowd);
  frame.slots.assign(std::max<std::size_t>(formula().source().slots.size(), 1), 0);
  std::ranges::copy(places, frame.slots.begin());
  return frame;
}

void CountedEvaluator::paint_singles(model::Crowd& crowd) const {
  const model::Program& program = setting_.graph.program();
  for (std::uint32_t m = 0; m < program.source().modules.size(); ++m) {
    if (program.source().modules[m].size != 1 || crowd.places(m).size() != 1) continue;
    const std::size_t process = program.process_number(lang::ModuleId{m}, 0);
    crowd.set_colour(m, 0, setting_.colouring.initial[process]);
  }
}

Value CountedEvaluator::evaluate(FormulaId id, bool /*coloured*/, Frame& frame) {
  environment_.crowd = &frame.crowd;
  environment_.values = frame.crowd.values();
  environment_.slots = frame.slots.data();
  environment_.fault = {};
  const Value value = formula().code().evaluate(formula()[id].expression, environment_);
  if (environment_.fault) throw FormulaFault{environment_.fault, model::no_state, id};
  return value;
}

const std::vector<std::vector<bool>>& CountedEvaluator::enabled(Frame& frame) {
  const bool ranked = setting_.graph.program().has_priorities();
  return setting_.graph.enabled(frame.crowd, ranked ? &setting_.colouring : nullptr);
}

bool CountedEvaluator::is_enabled(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula()[id];
  const Value process = evaluate(id, false, frame);
  if (process == lang::none_value) return false;
  return enabled(frame)[base::index_of(node.module)][static_cast<std::size_t>(process)];
}

bool CountedEvaluator::is_deadlocked(FormulaId /*id*/, Frame& frame) {
  return std::ranges::none_of(enabled(frame), [](const std::vector<bool>& places) {
    return std::ranges::find(places, true) != places.end();
  });
}

std::vector<Evaluator::Candidate> CountedEvaluator::candidates(FormulaId quantifier,
                                                               const Frame& frame) {
  const FormulaNode& node = formula()[quantifier];
  const model::Crowd::Places& places = frame.crowd.places(base::index_of(node.module));
  std::vector<Candidate> found;
  for (std::size_t p = 0; p < places.size(); ++p) {
    const bool inside = node.set == FormulaNode::whole_module ||
                        setting_.colouring.members[node.set][places.colours[p]];
    if (!inside) continue;
    const Candidate candidate{static_cast<Value>(p), places.counts[p]};
    if (setting_.eliminate) {
      found.push_back(candidate);
    } else {
      found.insert(found.end(), candidate.weight, {candidate.process, 1});
    }
  }
  return found;
}

void CountedEvaluator::bind(FormulaId quantifier, const Candidate& candidate, Frame& frame) {
  const FormulaNode& node = formula()[quantifier];
  const std::size_t module = base::index_of(node.module);
  const auto place = static_cast<std::size_t>(candidate.process);
  const bool alone = frame.crowd.places(module).counts[place] == 1;
  frame.slots[node.slot] =
      alone ? candidate.process : static_cast<Value>(frame.crowd.split(module, place));
}

void CountedEvaluator::release(FormulaId quantifier, const Candidate& candidate, Frame& frame) {
  const FormulaNode& node = formula()[quantifier];
  if (frame.slots[node.slot] == candidate.process) return;
  frame.crowd.unsplit(base::index_of(node.module), static_cast<std::size_t>(candidate.process));
}

bool CountedEvaluator::is_fair(FormulaId id, const std::vector<NodeId>& component) {
  return cctl::is_fair(space(id), component, setting_.graph);
}

}  // namespace cohort::cctl
