// Numbers about one tree: tuples, nodes, the least sum.  Each node is looked at once.
#include <boost/multiprecision/cpp_int.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ist/operations.hpp"

namespace cohort::ist {
namespace {

/// The nodes of a tree, children before parents; without the end.
[[nodiscard]] std::vector<NodeId> from_below(const Set& a) {
  std::vector<NodeId> order;
  if (a.root() == empty_node || a.root() == end_node) return order;
  std::unordered_set<NodeId> seen{a.root()};
  struct Visit {
    NodeId node;
    std::size_t next_edge;
  };
  std::vector<Visit> open{{a.root(), 0}};
  while (!open.empty()) {
    Visit& at = open.back();
    const std::span<const Edge> edges = a.forest().edges(at.node);
    if (at.next_edge == edges.size()) {
      order.push_back(at.node);
      open.pop_back();
      continue;
    }
    const NodeId child = edges[at.next_edge++].child;
    if (child != end_node && seen.insert(child).second) open.push_back({child, 0});
  }
  return order;
}

template <typename Number>
[[nodiscard]] Number count_as(const Set& a) {
  std::unordered_map<NodeId, Number> below;
  below[end_node] = 1;
  below[empty_node] = 0;
  for (const NodeId node : from_below(a)) {
    Number sum = 0;
    for (const Edge& edge : a.forest().edges(node)) {
      Number width = edge.high - edge.low;
      width += 1;
      sum += width * below.at(edge.child);
    }
    below[node] = sum;
  }
  return below.at(a.root());
}

}  // namespace

std::string count(const Set& a) { return count_as<boost::multiprecision::cpp_int>(a).str(); }

std::optional<std::uint64_t> count_if_small(const Set& a) {
  const auto number = count_as<boost::multiprecision::cpp_int>(a);
  if (number > UINT64_MAX) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

std::size_t num_nodes(const Set& a) {
  if (a.empty()) return 0;
  return from_below(a).size() + 1;
}

std::size_t num_edges(const Set& a) {
  std::size_t sum = 0;
  for (const NodeId node : from_below(a)) sum += a.forest().edges(node).size();
  return sum;
}

std::optional<std::vector<Value>> least(const Set& a) {
  if (a.empty()) return std::nullopt;
  std::unordered_map<NodeId, std::uint64_t> best;
  best[end_node] = 0;
  for (const NodeId node : from_below(a)) {
    std::uint64_t sum = UINT64_MAX;
    for (const Edge& edge : a.forest().edges(node)) {
      sum = std::min(sum, edge.low + best.at(edge.child));
    }
    best[node] = sum;
  }
  std::vector<Value> tuple;
  for (NodeId at = a.root(); at != end_node;) {
    for (const Edge& edge : a.forest().edges(at)) {
      if (edge.low + best.at(edge.child) != best.at(at)) continue;
      tuple.push_back(edge.low);
      at = edge.child;
      break;
    }
  }
  return tuple;
}

}  // namespace cohort::ist
