#include "cctl/evaluator.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cohort::cctl {

using lang::syntax::Join;
using model::Int128;

Evaluator::Evaluator(Setting setting)
    : setting_(std::move(setting)), formula_(setting_.formula), memory_(formula_.size()) {}

void Evaluator::tick() {
  if (setting_.limits.exceeded(setting_.graph.store().size())) throw LimitReached{};
  constexpr std::uint32_t ticks_between_reports = 4096;
  if (++ticks_ % ticks_between_reports == 0 && show_progress_) show_progress_();
}

// ---------------------------------------------------------------------------------------------------
// Frames and positions

Position Evaluator::position(FormulaId id, const Frame& frame) const {
  Position made;
  made.state = frame.state;
  const quotient::Domain& domain = setting_.spaces[id]->domain();
  if (!domain.variables.empty()) {
    for (const std::uint32_t slot : formula_[id].variables) {
      made.processes.push_back(frame.slots[slot]);
    }
  }
  if (domain.coloured) made.colours = frame.colours;
  return made;
}

NodeId Evaluator::enter(FormulaId id, const Frame& frame) {
  if (space(id).domain().is_trivial()) return NodeId{static_cast<std::uint32_t>(frame.state)};
  return space(id).enter(position(id, frame));
}

void Evaluator::read(FormulaId id, NodeId node, Frame& frame) {
  frame.slots.resize(std::max<std::size_t>(formula_.source().slots.size(), 1));
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
    frame.slots[formula_[id].variables[i]] = position.processes[i];
  }
}

// ---------------------------------------------------------------------------------------------------
// State formulas, booleans, numbers

/// The formula's sets as the frame's state sees them.
void Evaluator::find_sets(const Frame& frame) {
  const model::Program& program = setting_.graph.program();
  const std::size_t count = formula_.code().sets().size();
  sets_.resize(count);
  for (std::uint32_t set = 0; set < count; ++set) {
    sets_[set].clear();
    const lang::ModuleId module = formula_.code().set_module(set);
    const std::size_t first = program.process_number(module, 0);
    for (Value p = 0; p < program.source()[module].size; ++p) {
      const Colour colour = frame.colours[first + static_cast<std::size_t>(p)];
      if (setting_.colouring.members[set][colour]) sets_[set].push_back(p);
    }
  }
}

Value Evaluator::evaluate(FormulaId id, Frame& frame) {
  environment_.values = setting_.graph.values(frame.state);
  environment_.slots = frame.slots.data();
  environment_.fault = {};
  const Value value = formula_.code().evaluate(formula_[id].expression, environment_);
  if (environment_.fault) throw FormulaFault{environment_.fault, frame.state, id};
  return value;
}

bool Evaluator::holds(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula_[id];
  switch (node.kind) {
    case Kind::State:
      environment_.sets = nullptr;
      if (node.coloured && !frame.colours.empty()) {
        find_sets(frame);
        environment_.sets = &sets_;
      }
      return evaluate(id, frame) != 0;
    case Kind::Not:
      return !holds(node.args.front(), frame);
    case Kind::And:
      return std::ranges::all_of(node.args, [&](FormulaId arg) { return holds(arg, frame); });
    case Kind::Or:
      return std::ranges::any_of(node.args, [&](FormulaId arg) { return holds(arg, frame); });
    case Kind::Iff: {
      const bool left = holds(node.args[0], frame);
      return left == holds(node.args[1], frame);
    }
    case Kind::Forall:
    case Kind::Exists:
      return quantified(id, frame);
    case Kind::Count:
    case Kind::Sum:
    case Kind::Product:
    case Kind::Negative:
      return number(id, frame) != 0;
    case Kind::Compare: {
      const Int128 left = number(node.args[0], frame);
      const Int128 right = number(node.args[1], frame);
      switch (node.join) {
        case Join::Equal:
          return left == right;
        case Join::NotEqual:
          return left != right;
        case Join::Less:
          return left < right;
        case Join::LessEqual:
          return left <= right;
        case Join::Greater:
          return left > right;
        default:
          return left >= right;
      }
    }
    case Kind::Enabled:
      return is_enabled(id, frame);
    case Kind::Deadlock: {
      const std::vector<bool>& enabled = space(id).enabled(enter(id, frame));
      return std::ranges::find(enabled, true) == enabled.end();
    }
    case Kind::Next:
    case Kind::Until:
    case Kind::Globally:
    case Kind::FairGlobally:
      return holds_at(id, enter(id, frame));
  }
  return false;
}

bool Evaluator::is_fault(FormulaId id, Frame& frame) {
  try {
    (void)number(id, frame);
  } catch (const FormulaFault&) {
    return true;
  }
  return false;
}

bool Evaluator::is_enabled(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula_[id];
  environment_.sets = nullptr;
  const Value process = evaluate(id, frame);
  if (process == lang::none_value) return false;
  const std::size_t number = setting_.graph.program().process_number(node.module, process);
  return space(id).enabled(enter(id, frame))[number];
}

Int128 Evaluator::number(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula_[id];
  switch (node.kind) {
    case Kind::State:
      environment_.sets = nullptr;
      if (node.coloured && !frame.colours.empty()) {
        find_sets(frame);
        environment_.sets = &sets_;
      }
      return evaluate(id, frame);
    case Kind::Count: {
      Int128 count = 0;
      for (const Candidate& candidate : candidates(id, frame)) {
        frame.slots[node.slot] = candidate.process;
        if (holds(node.args.front(), frame)) count += candidate.weight;
      }
      return count;
    }
    case Kind::Negative:
      return -number(node.args.front(), frame);
    case Kind::Sum:
    case Kind::Product:
      return chain(id, frame);
    default:
      return holds(id, frame) ? 1 : 0;
  }
}

Int128 Evaluator::chain(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula_[id];
  Int128 left = number(node.args.front(), frame);
  for (std::size_t i = 1; i < node.args.size(); ++i) {
    const Int128 right = number(node.args[i], frame);
    switch (formula_[node.args[i]].join) {
      case Join::Plus:
        left += right;
        break;
      case Join::Minus:
        left -= right;
        break;
      case Join::Times:
        left *= right;
        break;
      default:
        if (right == 0) {
          throw FormulaFault{{model::FaultKind::DivisionByZero, formula_[node.args[i]].where, 0, 0},
                             frame.state,
                             id};
        }
        left = formula_[node.args[i]].join == Join::Divide ? left / right : left % right;
        break;
    }
  }
  return left;
}

// ---------------------------------------------------------------------------------------------------
// Quantifiers
//
// A permutation that fixes the state, the processes that the body names and, where the body depends
// on them, the colours cannot change the truth of the body.  So the set falls into classes of
// interchangeable processes; the body is asked once for each, and a class counts with its size.
// (Wang 2004, section 4.2; fixing the colours is ours, see semantics.md, COUNT elimination.)

std::vector<Evaluator::Candidate> Evaluator::candidates(FormulaId quantifier, const Frame& frame) {
  const FormulaNode& node = formula_[quantifier];
  const FormulaNode& body = formula_[node.args.front()];
  const model::Program& program = setting_.graph.program();
  const std::size_t first = program.process_number(node.module, 0);
  std::vector<Value> members;
  if (node.set == FormulaNode::whole_module) {
    for (Value p = 0; p < program.source()[node.module].size; ++p) members.push_back(p);
  } else if (frame.colours.empty()) {
    members = formula_.code().sets()[node.set];
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
      return slot != node.slot && formula_.source().slots[slot].module == node.module &&
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

bool Evaluator::quantified(FormulaId id, Frame& frame) {
  const FormulaNode& node = formula_[id];
  const FormulaNode& body = formula_[node.args.front()];
  const bool wanted = node.kind == Kind::Exists;
  // A fault in one process is a fault, so that the answer does not depend on their order; temporal
  // bodies are asked lazily all the same.
  const bool may_stop = body.temporal || body.safe;
  bool decided = false;
  for (const Candidate& candidate : candidates(id, frame)) {
    frame.slots[node.slot] = candidate.process;
    if (holds(node.args.front(), frame) == wanted) {
      decided = true;
      if (may_stop) break;
    }
  }
  return decided ? wanted : !wanted;
}

}  // namespace cohort::cctl
