#include "ist/ranking.hpp"

#include <algorithm>
#include <new>
#include <unordered_map>

namespace cohort::ist {

Ranking::Ranking(const Set& set) {
  if (set.empty()) return;
  // Nodes layer by layer from the root; in reverse children come before their parents.
  std::vector<NodeId> order;
  std::unordered_map<NodeId, std::uint32_t> numbers{{end_node, end}};
  if (set.root() != end_node) {
    order.push_back(set.root());
    numbers.emplace(set.root(), 0);
  }
  std::size_t num_edges = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Edge& edge : set.forest().edges(order[i])) {
      ++num_edges;
      if (numbers.emplace(edge.child, 0).second) order.push_back(edge.child);
    }
  }
  std::ranges::reverse(order);
  begins_.reserve(order.size() + 2);
  counts_.reserve(order.size() + 1);
  edges_.reserve(num_edges);
  begins_.assign({0, 0});
  counts_.push_back(1);  // the end
  for (const NodeId node : order) {
    std::uint64_t sum = 0;
    for (const Edge& edge : set.forest().edges(node)) {
      const std::uint32_t child = numbers.at(edge.child);
      edges_.push_back({edge.low, edge.high, child, static_cast<std::uint32_t>(sum)});
      sum += (std::uint64_t{edge.high} - edge.low + 1) * counts_[child];
      if (sum >= UINT32_MAX) throw std::bad_alloc{};
    }
    numbers[node] = static_cast<std::uint32_t>(counts_.size());
    begins_.push_back(static_cast<std::uint32_t>(edges_.size()));
    counts_.push_back(static_cast<std::uint32_t>(sum));
  }
  root_ = numbers.at(set.root());
  size_ = counts_[root_];
}

std::optional<std::uint32_t> Ranking::rank(std::span<const Value> tuple) const {
  if (size_ == 0) return std::nullopt;
  std::uint32_t number = 0;
  std::uint32_t at = root_;
  for (const Value value : tuple) {
    const auto last = edges_.begin() + begins_[at + 1];
    const auto edge = std::partition_point(edges_.begin() + begins_[at], last,
                                           [&](const RankedEdge& e) { return e.high < value; });
    if (edge == last || edge->low > value) return std::nullopt;
    number += edge->before + (value - edge->low) * counts_[edge->child];
    at = edge->child;
  }
  return number;
}

void Ranking::tuple(std::uint32_t number, std::span<Value> out) const {
  std::uint32_t at = root_;
  for (Value& value : out) {
    const auto edge =
        std::partition_point(edges_.begin() + begins_[at], edges_.begin() + begins_[at + 1],
                             [&](const RankedEdge& e) { return e.before <= number; }) -
        1;
    const std::uint32_t within = number - edge->before;
    value = edge->low + within / counts_[edge->child];
    number = within % counts_[edge->child];
    at = edge->child;
  }
}

std::size_t Ranking::bytes() const {
  return edges_.capacity() * sizeof(RankedEdge) +
         (begins_.capacity() + counts_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace cohort::ist
