// EX, EU, EG and fair EG at a node, by searching forward from it.
//
// Idea.  E[φ U ψ] is first asked breadth first: that finds the shortest way, and where there is
// none every node that was met has its answer.  Asked again elsewhere, and EG always, the search
// goes depth first over strongly connected components: when it succeeds, every open node can reach
// the success, because it can reach the current path; when a component is complete without success,
// its nodes are answered "no".  So each node is searched once for each sub-formula.
//
// Trap.  A node may be answered "no" only when its component is complete: an ancestor that is still
// open may yet succeed (semantics.md, EUCheck).  A cycle that closes on the stack is a success of
// EG (EGCheck).  No recursion: a path of ten million states must not overflow the stack.
#include <algorithm>
#include <utility>

#include "cctl/evaluator.hpp"

namespace cohort::cctl {

bool Evaluator::holds_at(FormulaId id, NodeId node) {
  const Label known = label(id, node);
  if (known == Label::True || known == Label::False) return known == Label::True;
  switch (formula_[id].kind) {
    case Kind::Next: {
      open(id, node);
      const bool value = next(id, node);
      set_label(id, node, value);
      return value;
    }
    case Kind::Until:
      // What a breadth-first search leaves open is searched again: not more often than it answers.
      if (memory_[id].num_left <= memory_[id].num_answered) return until_breadth_first(id, node);
      return by_components(id, node);
    default:
      return by_components(id, node);
  }
}

bool Evaluator::holds_in(FormulaId id, FormulaId outer, NodeId node) {
  const Borrowed frame{*this};
  read(outer, node, *frame);
  return holds(id, *frame);
}

bool Evaluator::next(FormulaId id, NodeId node) {
  tick();
  for (const NodeId target : nodes(id).successors(node)) {
    if (holds_in(formula_[id].args.front(), id, target)) return true;
  }
  return false;
}

bool Evaluator::until_breadth_first(FormulaId id, NodeId start) {
  const FormulaId phi = formula_[id].args[0];
  const FormulaId psi = formula_[id].args[1];
  quotient::Nodes& space = nodes(id);
  std::vector<NodeId> queue{start};
  std::vector<std::uint32_t> parents{0};
  open(id, start);
  std::size_t level_end = 1;
  std::uint64_t level = 0;
  const Borrowed borrowed{*this};
  Frame& frame = *borrowed;
  std::size_t success = SIZE_MAX;
  for (std::size_t i = 0; i < queue.size() && success == SIZE_MAX; ++i) {
    tick();
    if (i == level_end) {
      level_end = queue.size();
      depth_ = std::max(depth_, ++level);
    }
    read(id, queue[i], frame);
    if (holds(psi, frame)) {
      success = i;
      break;
    }
    if (!holds(phi, frame)) {
      set_label(id, queue[i], false);
      continue;
    }
    for (const NodeId target : space.targets(queue[i])) {
      const Label known = label(id, target);
      if (known == Label::True) success = i;
      if (known != Label::None && known != Label::Asked) continue;
      open(id, target);
      queue.push_back(target);
      parents.push_back(static_cast<std::uint32_t>(i));
    }
  }
  for (const NodeId node : queue) {
    Label& known = label(id, node);
    if (known != Label::Open) continue;
    if (success == SIZE_MAX) {
      set_label(id, node, false);
    } else {
      known = Label::Asked;
      ++memory_[id].num_left;
    }
  }
  if (success == SIZE_MAX) return false;
  for (std::size_t i = success;; i = parents[i]) {
    set_label(id, queue[i], true);
    if (i == 0) return true;
  }
}

/// What a node says by itself when a depth-first search comes to it.
Evaluator::Arrival Evaluator::arrive(FormulaId id, NodeId node) {
  const FormulaNode& formula = formula_[id];
  const Borrowed frame{*this};
  read(id, node, *frame);
  if (formula.kind == Kind::Until) {
    if (holds(formula.args[1], *frame)) return Arrival::Success;
    return holds(formula.args[0], *frame) ? Arrival::GoOn : Arrival::DeadEnd;
  }
  if (!holds(formula.args[0], *frame)) return Arrival::DeadEnd;
  // A path that ends here is maximal, and fair.
  return nodes(id).successors(node).empty() ? Arrival::Success : Arrival::GoOn;
}

/// Whether a complete component makes the formula true.
bool Evaluator::is_success(FormulaId id, const std::vector<NodeId>& component) {
  if (formula_[id].kind != Kind::FairGlobally) return false;
  if (component.size() == 1) {
    const std::span<const NodeId> targets = nodes(id).successors(component.front());
    if (std::ranges::find(targets, component.front()) == targets.end()) return false;
  }
  return is_fair(id, component);
}

bool Evaluator::by_components(FormulaId id, NodeId start) {
  const bool cycles_count = formula_[id].kind == Kind::Globally;
  quotient::Nodes& space = nodes(id);
  std::vector<Open> path;          // the current path
  std::vector<NodeId> unfinished;  // in the order in which they were met; labelled Open
  std::uint32_t met = 0;
  bool success = false;

  // Looks at a node for the first time: true ends the search.
  const auto visit = [&](NodeId node) {
    const Arrival arrival = arrive(id, node);
    if (arrival == Arrival::DeadEnd) {
      set_label(id, node, false);
      return false;
    }
    if (arrival == Arrival::Success) {
      set_label(id, node, true);
      return true;
    }
    open(id, node);
    order(id, node) = met;
    path.push_back({node, 0, met});
    unfinished.push_back(node);
    ++met;
    depth_ = std::max<std::uint64_t>(depth_, path.size());
    return false;
  };

  success = visit(start);
  while (!success && !path.empty()) {
    tick();
    const NodeId node = path.back().node;
    const std::span<const NodeId> targets = space.successors(node);
    if (path.back().next_edge < targets.size()) {
      const NodeId target = targets[path.back().next_edge++];
      switch (label(id, target)) {
        case Label::True:
          success = true;
          break;
        case Label::False:
          break;
        case Label::Open:
          success = cycles_count;
          path.back().lowest = std::min(path.back().lowest, order(id, target));
          break;
        case Label::None:
        case Label::Asked:
          success = visit(target);
          break;
      }
      continue;
    }
    const Open finished = path.back();
    path.pop_back();
    if (finished.lowest != order(id, node)) {
      path.back().lowest = std::min(path.back().lowest, finished.lowest);
      continue;
    }
    const auto first = std::ranges::find(unfinished.rbegin(), unfinished.rend(), node).base() - 1;
    const std::vector<NodeId> component(first, unfinished.end());
    if (is_success(id, component)) {
      success = true;
      break;
    }
    for (const NodeId done : component) set_label(id, done, false);
    unfinished.erase(first, unfinished.end());
  }
  if (success) {
    for (const NodeId node : unfinished) set_label(id, node, true);
  }
  return success;
}

}  // namespace cohort::cctl
