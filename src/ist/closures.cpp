// Closures, shifts, and until.
//
// Until without rounds.  X = until(T, G) is the least set with G ⊆ X that contains each tuple of T
// one step (one component, plus 1) below a tuple of X.  A step raises the first component or keeps
// it.  So for each value v of the first component the tuples of X that start with v depend on those
// that start with v + 1 and on nothing else of X:
//
//   X[v] = until(T[v], G[v] ∪ (T[v] ∩ X[v + 1]))         (one component less)
//
// One sweep over v from above, in each layer, is the whole computation.  Where T[v] = T[v + 1] and
// G[v] = G[v + 1] also X[v] = X[v + 1]: X[v + 1] lies within T ∪ G and is closed already, so the
// goal of v is X[v + 1] itself.  Hence one step for each common piece of the two nodes' edges, not
// for each value.  The paper's fixpoint costs one round over the whole set for each event.
#include <cassert>
#include <unordered_map>
#include <vector>

#include "ist/operation.hpp"
#include "ist/operations.hpp"

namespace cohort::ist {

NodeId Operation::close_down(NodeId a) {
  if (a == empty_node || a == end_node) return a;
  NodeId result{};
  if (recall(OperationKind::CloseDown, a, a, result)) return result;
  const std::size_t base = open();
  NodeId above = empty_node;
  for (std::size_t i = num_edges(a); i-- > 0;) {
    above = unite(above, close_down(edge(a, i).child));
    prepend(base, {i == 0 ? 0 : edge(a, i - 1).high + 1, edge(a, i).high, above});
  }
  return remember(OperationKind::CloseDown, a, a, close_reversed(base));
}

NodeId Operation::step_back(NodeId a) {
  if (a == empty_node || a == end_node) return empty_node;
  NodeId result{};
  if (recall(OperationKind::StepBack, a, a, result)) return result;
  std::size_t base = open();
  for (std::size_t i = 0; i < num_edges(a); ++i) {
    const Edge at = edge(a, i);
    append(base, {at.low, at.high, step_back(at.child)});
  }
  const NodeId same = close(base);
  base = open();
  for (std::size_t i = 0; i < num_edges(a); ++i) {
    const Edge at = edge(a, i);
    if (at.high > 0) append(base, {at.low > 0 ? at.low - 1 : 0, at.high - 1, at.child});
  }
  const NodeId lower = close(base);
  return remember(OperationKind::StepBack, a, a, unite(same, lower));
}

NodeId Operation::until(NodeId through, NodeId target) {
  if (through == empty_node || target == empty_node || through == target) return target;
  NodeId result{};
  if (recall(OperationKind::Until, through, target, result)) return result;
  struct Piece {
    Value low;
    Value high;
    NodeId through;
    NodeId target;
  };
  std::vector<Piece> pieces;
  along_both(through, target, [&](Value low, Value high, NodeId in_through, NodeId in_target) {
    pieces.push_back({low, high, in_through, in_target});
  });
  const std::size_t base = open();
  NodeId above = empty_node;
  for (std::size_t i = pieces.size(); i-- > 0;) {
    const Piece& piece = pieces[i];
    const bool touches = i + 1 < pieces.size() && piece.high + 1 == pieces[i + 1].low;
    const NodeId continued = touches ? intersect(piece.through, above) : empty_node;
    above = until(piece.through, unite(piece.target, continued));
    prepend(base, {piece.low, piece.high, above});
  }
  return remember(OperationKind::Until, through, target, close_reversed(base));
}

Set close_down(const Set& a) {
  Operation operation{a.forest()};
  return {a.forest(), operation.close_down(a.root())};
}

Set step_back(const Set& a) {
  Operation operation{a.forest()};
  return {a.forest(), operation.step_back(a.root())};
}

Set until(const Set& through, const Set& target) {
  Operation operation{target.forest()};
  return {target.forest(), operation.until(through.root(), target.root())};
}

namespace {

/// Operations on one tree with a parameter for each layer: remembered for the one call only.
class Rebuild {
 public:
  explicit Rebuild(Forest& forest) : operation_(forest) {}

  [[nodiscard]] NodeId close_up(NodeId a, std::span<const Value> bounds) {
    if (a == empty_node || bounds.empty()) return a;
    if (const auto found = done_.find(a); found != done_.end()) return found->second;
    const std::size_t base = operation_.open();
    NodeId below = empty_node;
    const std::size_t num_edges = operation_.num_edges(a);
    for (std::size_t i = 0; i < num_edges && operation_.edge(a, i).low <= bounds[0]; ++i) {
      const NodeId child = close_up(operation_.edge(a, i).child, bounds.subspan(1));
      below = operation_.unite(below, child);
      const bool last = i + 1 == num_edges;
      const Value until_next = last ? bounds[0] : operation_.edge(a, i + 1).low - 1;
      operation_.append(base, {operation_.edge(a, i).low, std::min(until_next, bounds[0]), below});
    }
    return done_[a] = operation_.close(base);
  }

  [[nodiscard]] NodeId shift(NodeId a, std::size_t component, std::int64_t delta) {
    if (a == empty_node) return a;
    if (const auto found = done_.find(a); found != done_.end()) return found->second;
    const std::size_t base = operation_.open();
    for (std::size_t i = 0; i < operation_.num_edges(a); ++i) {
      const Edge at = operation_.edge(a, i);
      if (component > 0) {
        operation_.append(base, {at.low, at.high, shift(at.child, component - 1, delta)});
        continue;
      }
      const std::int64_t low = std::max<std::int64_t>(0, at.low + delta);
      const std::int64_t high = std::min<std::int64_t>(UINT32_MAX, at.high + delta);
      if (low > high) continue;
      operation_.append(base, {static_cast<Value>(low), static_cast<Value>(high), at.child});
    }
    return done_[a] = operation_.close(base);
  }

 private:
  Operation operation_;
  std::unordered_map<NodeId, NodeId> done_;
};

}  // namespace

Set close_up(const Set& a, std::span<const Value> bounds) {
  assert(bounds.size() == a.forest().num_components());
  Rebuild rebuild{a.forest()};
  return {a.forest(), rebuild.close_up(a.root(), bounds)};
}

Set shift(const Set& a, std::size_t component, std::int64_t delta) {
  assert(component < a.forest().num_components());
  constexpr std::int64_t furthest = std::int64_t{1} << 33U;  // beyond: nothing is left
  Rebuild rebuild{a.forest()};
  return {a.forest(), rebuild.shift(a.root(), component, std::clamp(delta, -furthest, furthest))};
}

namespace {

class Spreading {
 public:
  Spreading(const Forest& from, Forest& into, std::span<const Spread> components)
      : from_(from), operation_(into), components_(components) {}

  [[nodiscard]] NodeId run(NodeId a, std::size_t layer) {
    if (a == empty_node || layer == components_.size()) return a;
    const std::uint64_t key = (static_cast<std::uint64_t>(a) << 32U) | layer;
    if (const auto found = done_.find(key); found != done_.end()) return found->second;
    const Spread& component = components_[layer];
    const std::size_t base = operation_.open();
    if (component.starts.empty()) {
      operation_.append(base, {component.all.low, component.all.high, run(a, layer + 1)});
    } else {
      for (const Edge& at : from_.edges(a)) {
        operation_.append(base,
                          {component.starts[at.low], component.starts[at.high + std::size_t{1}] - 1,
                           run(at.child, layer + 1)});
      }
    }
    return done_[key] = operation_.close(base);
  }

 private:
  const Forest& from_;
  Operation operation_;
  std::span<const Spread> components_;
  std::unordered_map<std::uint64_t, NodeId> done_;
};

}  // namespace

Set spread(const Set& a, Forest& into, std::span<const Spread> components) {
  assert(&a.forest() != &into);
  assert(components.size() == into.num_components());
  Spreading spreading{a.forest(), into, components};
  return {into, spreading.run(a.root(), 0)};
}

}  // namespace cohort::ist
