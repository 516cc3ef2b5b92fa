// Weak process fairness of a component of counted nodes.
//
// Idea.  As in fairness.cpp, with kinds in place of processes: the processes of one kind in a node
// can be exchanged and belong together; an edge leads those of a kind to the kinds that they
// become. Every class of that relation has to be executed by an edge, or disabled in a node, of the
// component.  The only process of a module is the same everywhere; individuals have numbers, which
// an edge may change.
#include "cctl/counted_fairness.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace cohort::cctl {
namespace {

using quotient::CountedEdge;
using quotient::CountedGraph;
using quotient::CountedSpace;
using quotient::Detail;
using quotient::Fan;
using quotient::KindId;
using quotient::NodeId;

class Component {
 public:
  Component(CountedSpace& space, const std::vector<NodeId>& nodes, CountedGraph& graph)
      : space_(space), nodes_(nodes), graph_(graph) {
    for (const NodeId node : nodes) first_.emplace(node, 0);
    only_served_.assign(graph.program().source().modules.size(), true);
    for (std::size_t m = 0; m < only_served_.size(); ++m) {
      only_served_[m] = graph.program().source().modules[m].size > 1;
    }
  }

  [[nodiscard]] bool is_fair() {
    for (const NodeId node : nodes_) number(node);
    served_.assign(parents_.size(), false);
    for (const NodeId node : nodes_) visit(node);
    for (std::uint32_t i = 0; i < parents_.size(); ++i) {
      if (parents_[i] == i && !served_[i]) return false;
    }
    return std::ranges::find(only_served_, false) == only_served_.end();
  }

 private:
  void add(KindId kind) {
    kinds_.push_back(kind);
    parents_.push_back(static_cast<std::uint32_t>(parents_.size()));
  }
  /// Gives every individual and every kind of a node a number: those of a node follow each other,
  /// individuals first.
  void number(NodeId node) {
    space_.read(node, crowd_, places_);
    first_[node] = static_cast<std::uint32_t>(parents_.size());
    for (std::size_t i = 0; i < num_individuals_; ++i) add(quotient::IdSet::none);
    for (const std::size_t module : graph_.layout().counted()) {
      for (const KindId kind : crowd_.places(module).kinds) add(kind);
    }
  }

  /// The number of a place.
  [[nodiscard]] std::uint32_t at(NodeId node, std::size_t module, std::size_t place) const {
    auto number = first_.at(node);
    if (graph_.layout().is_individual(module)) {
      const std::size_t individual = graph_.layout().first_individual(module) + place;
      return number + static_cast<std::uint32_t>(individual);
    }
    number += static_cast<std::uint32_t>(num_individuals_);
    for (const std::size_t other : graph_.layout().counted()) {
      if (other == module) break;
      number += static_cast<std::uint32_t>(crowd_.places(other).size());
    }
    return number + static_cast<std::uint32_t>(place);
  }
  [[nodiscard]] std::uint32_t at(std::uint32_t first, KindId kind) const {
    while (kinds_[first] != kind) ++first;
    return first;
  }

  void visit(NodeId node) {
    const Fan& fan = space_.fan(node, Detail::Permutations);
    if (fan.fault) throw quotient::StateFault{space_.state(node), *fan.fault};
    crowd_ = space_.crowd();
    for (std::size_t e = 0; e < fan.targets.size(); ++e) {
      const auto target = first_.find(fan.targets[e]);
      if (target == first_.end()) continue;
      const CountedEdge& edge = space_.edges()[e];
      serve(node, edge.indices.front().module, edge.indices.front().place);
      for (const CountedEdge::Transfer& transfer : edge.transfers) {
        unite(at(node, transfer.module, transfer.place), at(target->second, transfer.to));
      }
      for (std::uint32_t i = 0; i < num_individuals_; ++i) {
        unite(first_.at(node) + i, target->second + edge.individuals[i]);
      }
    }
    const std::vector<std::vector<bool>>& enabled = space_.enabled(node);
    for (std::size_t module = 0; module < enabled.size(); ++module) {
      for (std::size_t place = 0; place < enabled[module].size(); ++place) {
        if (!enabled[module][place]) serve(node, module, place);
      }
    }
  }

  void serve(NodeId node, std::size_t module, std::size_t place) {
    if (graph_.program().source().modules[module].size == 1) {
      only_served_[module] = true;
    } else {
      served_[root(at(node, module, place))] = true;
    }
  }

  [[nodiscard]] std::uint32_t root(std::uint32_t p) {
    while (parents_[p] != p) {
      parents_[p] = parents_[parents_[p]];
      p = parents_[p];
    }
    return p;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t first = root(a);
    const std::uint32_t second = root(b);
    if (first == second) return;
    parents_[second] = first;
    if (served_[second]) served_[first] = true;
  }

  CountedSpace& space_;
  const std::vector<NodeId>& nodes_;
  CountedGraph& graph_;
  std::size_t num_individuals_ = graph_.layout().num_individuals();
  std::unordered_map<NodeId, std::uint32_t> first_;  // a node's first number
  std::vector<std::uint32_t> parents_;
  std::vector<KindId> kinds_;  // by number
  std::vector<bool> served_;
  std::vector<bool> only_served_;  // by module: its only process; true for the others
  model::Crowd crowd_ = graph_.empty_crowd();
  std::vector<model::Value> places_;
};

}  // namespace

bool is_fair(CountedSpace& space, const std::vector<NodeId>& component, CountedGraph& graph) {
  return Component(space, component, graph).is_fair();
}

}  // namespace cohort::cctl
