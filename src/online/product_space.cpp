#include "online/product_space.hpp"

#include <algorithm>
#include <stdexcept>

namespace cohort::online {

using quotient::Detail;
using quotient::Fan;

namespace {
constexpr std::uint32_t no_vertex = UINT32_MAX;
constexpr std::size_t most_dense_states = 16;
}  // namespace

ProductSpace::ProductSpace(Arena& arena, const monitor::Compiled& automaton)
    : Space(arena.space().domain()),
      arena_(arena),
      inner_(arena.space()),
      automaton_(automaton),
      actions_(arena.property().view == View::Actions),
      num_states_(automaton.num_states()),
      dense_(num_states_ <= most_dense_states) {}

NodeId ProductSpace::vertex(NodeId node, ltl::StateIndex state) {
  std::uint32_t* number = nullptr;
  if (dense_) {
    const std::size_t at = index(node) * num_states_ + state;
    if (numbers_.size() <= at) {
      if (numbers_.capacity() <= at) numbers_.reserve(std::max(at + 1, 2 * numbers_.capacity()));
      numbers_.resize(at + 1, no_vertex);
    }
    number = &numbers_[at];
  } else {
    const std::uint64_t key = std::uint64_t{index(node)} << 32U | state;
    number = &number_of_.emplace(key, no_vertex).first->second;
  }
  if (*number == no_vertex) {
    *number = static_cast<std::uint32_t>(vertices_.size());
    vertices_.push_back({node, state});
  }
  return NodeId{*number};
}

void ProductSpace::follow(ltl::StateIndex from, NodeId target, Letter letter,
                          std::vector<NodeId>& out) {
  for (const ltl::StateIndex next : automaton_.next(from, arena_.bits(letter))) {
    if (!is_useless(next)) out.push_back(vertex(target, next));
  }
}

std::vector<NodeId> ProductSpace::initial(std::size_t start) {
  const NodeId node = arena_.starts()[start].node;
  std::vector<NodeId> made;
  for (const ltl::StateIndex state : automaton_.initial()) {
    if (!actions_) {
      follow(state, node, arena_.letter(node), made);
    } else if (!is_useless(state)) {
      made.push_back(vertex(node, state));
    }
  }
  return made;
}

bool ProductSpace::is_deadlock(NodeId vertex) {
  const NodeId at = node(vertex);
  return actions_ ? arena_.edges(at).empty() : inner_.successors(at).empty();
}

const std::vector<NodeId>& ProductSpace::targets(NodeId vertex) {
  const Vertex from = vertices_[index(vertex)];
  targets_.clear();
  if (actions_) {
    for (const Arena::Edge& edge : arena_.edges(from.node)) {
      follow(from.state, edge.target, edge.letter, targets_);
    }
  } else {
    for (const NodeId target : inner_.successors(from.node)) {
      follow(from.state, target, arena_.letter(target), targets_);
    }
  }
  return targets_;
}

NodeId ProductSpace::enter(const quotient::Position& /*position*/) {
  throw std::logic_error("a product is entered through its initial vertices");
}
NodeId ProductSpace::enter(const quotient::Position& position, Permutation& /*from_node*/) {
  return enter(position);
}

const Fan& ProductSpace::fan(NodeId vertex, Detail detail) {
  fan_.fault.reset();
  fan_.codes.clear();
  fan_.from_target.clear();
  if (detail == Detail::Targets) {
    fan_.targets = targets(vertex);
    return fan_;
  }
  fan_.targets.clear();
  const Vertex from = vertices_[index(vertex)];
  const Fan& inner = inner_.fan(from.node, Detail::Permutations);
  if (inner.fault) throw quotient::StateFault{inner_.state(from.node), *inner.fault};
  for (std::size_t e = 0; e < inner.targets.size(); ++e) {
    const Letter letter =
        actions_ ? arena_.letter(from.node, inner.codes[e]) : arena_.letter(inner.targets[e]);
    follow(from.state, inner.targets[e], letter, fan_.targets);
    while (fan_.codes.size() < fan_.targets.size()) {
      fan_.codes.push_back(inner.codes[e]);
      if (!inner.from_target.empty()) fan_.from_target.push_back(inner.from_target[e]);
    }
  }
  return fan_;
}

}  // namespace cohort::online
