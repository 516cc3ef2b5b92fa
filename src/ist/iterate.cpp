#include "ist/iterate.hpp"

namespace cohort::ist {

Boxes::Boxes(const Set& set)
    : set_(set),
      nodes_(set.forest().num_components()),
      edges_(nodes_.size()),
      box_(nodes_.size()),
      valid_(!set.empty()) {
  if (!valid_ || nodes_.empty()) return;
  nodes_[0] = set.root();
  descend(0);
}

/// Takes the chosen edge of a layer, and the first edge of every layer below.
void Boxes::descend(std::size_t layer) {
  for (;; ++layer) {
    const Edge& edge = set_.forest().edges(nodes_[layer])[edges_[layer]];
    box_[layer] = {edge.low, edge.high};
    if (layer + 1 == nodes_.size()) return;
    nodes_[layer + 1] = edge.child;
    edges_[layer + 1] = 0;
  }
}

void Boxes::next() {
  for (std::size_t layer = nodes_.size(); layer-- > 0;) {
    if (++edges_[layer] < set_.forest().edges(nodes_[layer]).size()) {
      descend(layer);
      return;
    }
  }
  valid_ = false;
}

Tuples::Tuples(const Set& set)
    : set_(set),
      nodes_(set.forest().num_components()),
      edges_(nodes_.size()),
      tuple_(nodes_.size()),
      valid_(!set.empty()) {
  if (!valid_ || nodes_.empty()) return;
  nodes_[0] = set.root();
  tuple_[0] = set.forest().edges(set.root())[0].low;
  descend(0);
}

/// Follows the chosen value of a layer, and takes the least value of every layer below.
void Tuples::descend(std::size_t layer) {
  for (; layer + 1 < nodes_.size(); ++layer) {
    nodes_[layer + 1] = set_.forest().edges(nodes_[layer])[edges_[layer]].child;
    edges_[layer + 1] = 0;
    tuple_[layer + 1] = set_.forest().edges(nodes_[layer + 1])[0].low;
  }
}

void Tuples::next() {
  for (std::size_t layer = nodes_.size(); layer-- > 0;) {
    const std::span<const Edge> edges = set_.forest().edges(nodes_[layer]);
    if (tuple_[layer] < edges[edges_[layer]].high) {
      ++tuple_[layer];
      descend(layer);
      return;
    }
    if (++edges_[layer] < edges.size()) {
      tuple_[layer] = edges[edges_[layer]].low;
      descend(layer);
      return;
    }
  }
  valid_ = false;
}

}  // namespace cohort::ist
