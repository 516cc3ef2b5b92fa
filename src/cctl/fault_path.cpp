#include "cctl/fault_path.hpp"

#include <unordered_map>
#include <utility>

#include "cctl/trail.hpp"

namespace cohort::cctl {
namespace {

using quotient::Fan;
using quotient::NodeId;
using quotient::Permutation;

/// Breadth first from the initial positions to the first node that is wanted.
class Search {
 public:
  Search(quotient::Graph& graph, quotient::Space& space, const std::vector<Start>& starts)
      : graph_(graph), space_(space), starts_(starts) {}

  /// The path to the node; nothing if there is none, or a limit is hit.
  [[nodiscard]] std::optional<Trail> run(const std::function<bool(NodeId, const Fan&)>& is_wanted,
                                         base::Limits& limits) {
    for (std::size_t s = 0; s < starts_.size(); ++s) {
      meet(space_.enter(starts_[s].position), {SIZE_MAX, 0, s});
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (limits.exceeded()) return std::nullopt;
      const Fan& fan = space_.fan(queue_[i], quotient::Detail::Targets);
      if (is_wanted(queue_[i], fan)) return path_to(i);
      if (fan.fault) continue;
      for (std::size_t e = 0; e < fan.targets.size(); ++e) meet(fan.targets[e], {i, e, 0});
    }
    return std::nullopt;
  }

 private:
  struct Origin {
    std::size_t from;  // in the queue; SIZE_MAX for a start
    std::size_t edge;
    std::size_t start;
  };

  void meet(NodeId node, Origin origin) {
    if (!seen_.emplace(node, true).second) return;
    queue_.push_back(node);
    origins_.push_back(origin);
  }

  [[nodiscard]] Trail path_to(std::size_t last) const {
    std::vector<std::size_t> edges;
    std::size_t at = last;
    for (; origins_[at].from != SIZE_MAX; at = origins_[at].from) {
      edges.push_back(origins_[at].edge);
    }
    const Start& start = starts_[origins_[at].start];
    Trail trail{graph_, start.initial};
    Permutation change;
    NodeId node = space_.enter(start.position, change);
    trail.reframe(change);
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
      node = trail.step(space_, node, *edge);
    }
    return trail;
  }

  quotient::Graph& graph_;
  quotient::Space& space_;
  const std::vector<Start>& starts_;
  std::vector<NodeId> queue_;
  std::vector<Origin> origins_;
  std::unordered_map<NodeId, bool> seen_;
};

}  // namespace

std::optional<ModelError> nearest_fault(quotient::Graph& graph, quotient::Space& space,
                                        const std::vector<Start>& starts, base::Limits& limits) {
  model::InstanceFault found;
  const auto has_fault = [&](NodeId /*node*/, const Fan& fan) {
    if (fan.fault) found = *fan.fault;
    return fan.fault.has_value();
  };
  std::optional<Trail> trail = Search(graph, space, starts).run(has_fault, limits);
  if (!trail) return std::nullopt;
  const model::Program::Instance instance = graph.program().instance(found.instance);
  const lang::Schema& schema = graph.program().source()[instance.schema];
  ModelError made;
  made.fault = found.fault;
  made.schema = instance.schema;
  for (std::size_t i = 0; i < instance.processes.size(); ++i) {
    made.processes.push_back(trail->real_process(schema.slots[i].module, instance.processes[i]));
  }
  made.path = std::move(trail->evidence());
  return made;
}

std::optional<Evidence> path_to(quotient::Graph& graph, quotient::Space& space,
                                const std::vector<Start>& starts,
                                const std::function<bool(NodeId)>& is_wanted,
                                base::Limits& limits) {
  const auto at_node = [&](NodeId node, const Fan& /*fan*/) { return is_wanted(node); };
  std::optional<Trail> trail = Search(graph, space, starts).run(at_node, limits);
  if (!trail) return std::nullopt;
  return std::move(trail->evidence());
}

}  // namespace cohort::cctl
