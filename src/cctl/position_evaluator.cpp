// Formulas at positions: a state with the processes and colours that the formula is about.
#include <algorithm>
#include <tuple>
#include <utility>

#include "cctl/evaluator.hpp"
#include "cctl/fairness.hpp"

namespace cohort::cctl {

PositionEvaluator::PositionEvaluator(Setting setting)
    : Evaluator({setting.formula, {setting.spaces.begin(), setting.spaces.end()}, setting.limits}),
      setting_(std::move(setting)) {}

// ---------------------------------------------------------------------------------------------------
// Frames and positions

Position PositionEvaluator::position(FormulaId id, const Frame& frame) const {
  Position made;
  made.state = frame.state;
  const quotient::Domain& domain = setting_.spaces[id]->domain();
  if (!domain.variables.empty()) {
    for (const std::uint32_t slot : formula()[id].variables) {
      made.processes.push_back(frame.slots[slot]);
    }
  }
  if (domain.coloured) made.colours = frame.colours;
  return made;
}

NodeId PositionEvaluator::enter(FormulaId id, const Frame& frame) {
  if (space(id).domain().is_trivial()) return NodeId{static_cast<std::uint32_t>(frame.state)};
  return space(id).enter(position(id, frame));
}

void PositionEvaluator::read(FormulaId id, NodeId node, Frame& frame) {
  frame.slots.resize(std::max<std::size_t>(formula().source().slots.size(), 1));
  const quotient::Domain& domain = space(id).domain();
  if (domain.is_trivial()) {
    frame.state = StateId{static_cast<std::uint32_t>(node)};
    frame.colours.clear();
    return;
  }
  Position position;
  position.colours = std::move(frame.colours);
  space(id).read(node, position);
  frame.state = position.state;
  frame.colours = std::move(position.colours);
  for (std::size_t i = 0; i < position.processes.size(); ++i) {
    frame.slots[formula()[id].variables[i]] = position.processes[i];
  }
}

// ---------------------------------------------------------------------------------------------------
// State formulas, booleans, numbers

/// The formula's sets as the frame's state sees them.
void PositionEvaluator::find_sets(const Frame& frame) {
  const model::Program& program = setting_.graph.program();
  const std::size_t count = formula().code().sets().size();
  sets_.resize(count);
  for (std::uint32_t set = 0; set < count; ++set) {
    sets_[set].clear();
    const lang::ModuleId module = formula().code().set_module(set);
    const std::size_t first = program.process_number(module, 0);
    for (Value p = 0; p < program.source()[module].size; ++p) {
      const Colour colour = frame.colours[first + static_cast<std::size_t>(p)];
      if (setting_.colouring.members[set][colour]) sets_[set].push_back(p);
    }
  }
}

Value PositionEvaluator::evaluate(FormulaId id, bool coloured, Frame& frame) {
  environment_.sets = nullptr;
  if (coloured && !frame.colours.empty()) {
    find_sets(frame);
    environment_.sets = &sets_;
  }
  environment_.values = setting_.graph.values(frame.state);
  environment_.slots = frame.slots.data();
  environment_.fault = {};
  const Value value = formula().code().evaluate(formula()[id].expression, environment_);
  if (environment_.fault) throw FormulaFault{environment_.fault, frame.state, id};
  return value;
}

bool PositionEvaluator::is_enabled(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula()[id];
  const Value process = evaluate(id, false, frame);
  if (process == lang::none_value) return false;
  const std::size_t number = setting_.graph.program().process_number(node.module, process);
  return space(id).enabled(enter(id, frame))[number];
}

// ---------------------------------------------------------------------------------------------------
// Quantifiers
//
// A permutation that fixes the state, the processes that the body names and, where the body depends
// on them, the colours cannot change the truth of the body.  So the set falls into classes of
// interchangeable processes; the body is asked once for each, and a class counts with its size.
// (Wang 2004, section 4.2; fixing the colours is ours, see semantics.md, COUNT elimination.)

std::vector<Evaluator::Candidate> PositionEvaluator::candidates(FormulaId quantifier,
                                                                const Frame& frame) {
  const FormulaNode& node = formula()[quantifier];
  const FormulaNode& body = formula()[node.args.front()];
  const model::Program& program = setting_.graph.program();
  const std::size_t first = program.process_number(node.module, 0);
  std::vector<Value> members;
  if (node.set == FormulaNode::whole_module) {
    for (Value p = 0; p < program.source()[node.module].size; ++p) members.push_back(p);
  } else if (frame.colours.empty()) {
    members = formula().code().sets()[node.set];
  } else {
    const std::vector<bool>& inside = setting_.colouring.members[node.set];
    for (Value p = 0; p < program.source()[node.module].size; ++p) {
      if (inside[frame.colours[first + static_cast<std::size_t>(p)]]) members.push_back(p);
    }
  }
  std::vector<Candidate> found;
  if (!setting_.eliminate || !setting_.graph.moves_processes()) {
    for (const Value p : members) found.push_back({p, 1});
    return found;
  }
  const std::vector<std::uint32_t>& classes = setting_.graph.classes(frame.state);
  // What tells processes apart: class, colour, and being named by the body.
  using Key = std::tuple<std::uint32_t, Colour, bool, Value>;
  std::vector<Key> keys;
  for (const Value p : members) {
    const std::size_t number = first + static_cast<std::size_t>(p);
    const bool is_named = std::ranges::any_of(body.variables, [&](std::uint32_t slot) {
      return slot != node.slot && formula().source().slots[slot].module == node.module &&
             frame.slots[slot] == p;
    });
    const Colour colour =
        body.coloured && !frame.colours.empty() ? frame.colours[number] : Colour{0};
    keys.emplace_back(classes.empty() ? static_cast<std::uint32_t>(number) : classes[number],
                      colour, is_named, p);
  }
  std::ranges::sort(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto& [type, colour, is_named, p] = keys[i];
    const bool same = i > 0 && !is_named && std::get<0>(keys[i - 1]) == type &&
                      std::get<1>(keys[i - 1]) == colour && !std::get<2>(keys[i - 1]);
    if (same) {
      ++found.back().weight;
    } else {
      found.push_back({p, 1});
    }
  }
  return found;
}

bool PositionEvaluator::is_deadlocked(FormulaId id, Frame& frame) {
  const std::vector<bool>& enabled = space(id).enabled(enter(id, frame));
  return std::ranges::find(enabled, true) == enabled.end();
}

bool PositionEvaluator::is_fair(FormulaId id, const std::vector<NodeId>& component) {
  return cctl::is_fair(space(id), component, setting_.graph.program());
}

}  // namespace cohort::cctl
