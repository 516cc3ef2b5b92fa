// Union, intersection, difference, inclusion: one walk along two nodes, each pair of nodes
// once.
#include "ist/operations.hpp"

#include <cassert>
#include <utility>

#include "ist/operation.hpp"

namespace cohort::ist {

NodeId Operation::unite(NodeId a, NodeId b) {
  if (a == b || b == empty_node) return a;
  if (a == empty_node) return b;
  if (a > b) std::swap(a, b);
  NodeId result{};
  if (recall(OperationKind::Unite, a, b, result)) return result;
  const std::size_t base = open();
  along_both(a, b, [&](Value low, Value high, NodeId in_a, NodeId in_b) {
    append(base, {low, high, unite(in_a, in_b)});
  });
  return remember(OperationKind::Unite, a, b, close(base));
}

NodeId Operation::intersect(NodeId a, NodeId b) {
  if (a == b) return a;
  if (a == empty_node || b == empty_node) return empty_node;
  if (a > b) std::swap(a, b);
  NodeId result{};
  if (recall(OperationKind::Intersect, a, b, result)) return result;
  const std::size_t base = open();
  const bool a_is_narrow = num_edges(a) <= num_edges(b);
  along_first(a_is_narrow ? a : b, a_is_narrow ? b : a,
              [&](Value low, Value high, NodeId in_a, NodeId in_b) {
                append(base, {low, high, intersect(in_a, in_b)});
              });
  return remember(OperationKind::Intersect, a, b, close(base));
}

NodeId Operation::subtract(NodeId a, NodeId b) {
  if (a == b || a == empty_node) return empty_node;
  if (b == empty_node) return a;
  NodeId result{};
  if (recall(OperationKind::Subtract, a, b, result)) return result;
  const std::size_t base = open();
  along_first(a, b, [&](Value low, Value high, NodeId in_a, NodeId in_b) {
    append(base, {low, high, subtract(in_a, in_b)});
  });
  return remember(OperationKind::Subtract, a, b, close(base));
}

bool Operation::includes(NodeId a, NodeId b) {
  if (a == b || b == empty_node) return true;
  if (a == empty_node) return false;
  NodeId result{};
  if (recall(OperationKind::Includes, a, b, result)) return result == end_node;
  bool all = true;
  along_first(b, a,
              [&](Value, Value, NodeId in_b, NodeId in_a) { all = all && includes(in_a, in_b); });
  remember(OperationKind::Includes, a, b, all ? end_node : empty_node);
  return all;
}

Set unite(const Set& a, const Set& b) {
  Operation operation{a.forest()};
  return {a.forest(), operation.unite(a.root(), b.root())};
}

Set intersect(const Set& a, const Set& b) {
  Operation operation{a.forest()};
  return {a.forest(), operation.intersect(a.root(), b.root())};
}

Set subtract(const Set& a, const Set& b) {
  Operation operation{a.forest()};
  return {a.forest(), operation.subtract(a.root(), b.root())};
}

Set complement(const Set& a, std::span<const Value> bounds) {
  std::vector<Interval> all;
  all.reserve(bounds.size());
  for (const Value bound : bounds) all.push_back({0, bound});
  return subtract(a.forest().box(all), a);
}

bool includes(const Set& outer, const Set& inner) {
  Operation operation{outer.forest()};
  return operation.includes(outer.root(), inner.root());
}

bool contains(const Set& a, std::span<const Value> tuple) {
  assert(tuple.size() == a.forest().num_components());
  NodeId at = a.root();
  for (const Value value : tuple) {
    const std::span<const Edge> edges = a.forest().edges(at);
    const auto behind = std::ranges::upper_bound(edges, value, {}, &Edge::low);
    if (behind == edges.begin() || (behind - 1)->high < value) return false;
    at = (behind - 1)->child;
  }
  return at == end_node;
}

}  // namespace cohort::ist
