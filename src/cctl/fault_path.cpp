#include "cctl/fault_path.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cctl/trail.hpp"

namespace cohort::cctl {
namespace {

using quotient::Fan;
using quotient::NodeId;
using quotient::Permutation;

/// Breadth first from the starts to the first node that is wanted.
class Search {
 public:
  Search(quotient::Nodes& nodes, const std::function<bool(NodeId)>& is_wanted)
      : nodes_(nodes), is_wanted_(is_wanted) {}

  [[nodiscard]] std::optional<Way> run(const std::function<NodeId()>& starts,
                                       base::Limits& limits) {
    for (std::uint32_t s = 0;; ++s) {
      const NodeId start = starts();
      if (start == quotient::no_node) break;
      meet(start, {no_origin, s});
    }
    for (std::uint32_t i = 0; i < queue_.size(); ++i) {
      if (limits.exceeded()) return std::nullopt;
      if (is_wanted_ && is_wanted_(queue_[i])) return way_to(i);
      const Fan& fan = nodes_.fan(queue_[i], quotient::Detail::Targets);
      if (fan.fault) {
        if (!is_wanted_) return way_to(i);
        continue;
      }
      for (std::uint32_t e = 0; e < fan.targets.size(); ++e) meet(fan.targets[e], {i, e});
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t no_origin = UINT32_MAX;
  struct Origin {
    std::uint32_t from = no_origin;  // in the queue
    std::uint32_t edge = 0;          // or the number of the start
  };

  void meet(NodeId node, Origin origin) {
    const auto at = static_cast<std::size_t>(node);
    if (seen_.size() <= at) seen_.resize(std::max(at + 1, 2 * seen_.size()));
    if (seen_[at]) return;
    seen_[at] = true;
    queue_.push_back(node);
    origins_.push_back(origin);
  }

  [[nodiscard]] Way way_to(std::uint32_t last) const {
    Way way;
    std::uint32_t at = last;
    for (; origins_[at].from != no_origin; at = origins_[at].from) {
      way.edges.push_back(origins_[at].edge);
    }
    way.start = origins_[at].edge;
    std::ranges::reverse(way.edges);
    return way;
  }

  quotient::Nodes& nodes_;
  const std::function<bool(NodeId)>& is_wanted_;
  std::vector<NodeId> queue_;
  std::vector<Origin> origins_;
  std::vector<bool> seen_;
};

struct Walked {
  Trail trail;
  NodeId node;  ///< at which it ends
};

[[nodiscard]] std::optional<Walked> walk_to(quotient::Graph& graph, quotient::Space& space,
                                            const std::vector<Start>& starts,
                                            const std::function<bool(NodeId)>& is_wanted,
                                            base::Limits& limits) {
  std::size_t next = 0;
  const auto next_start = [&] {
    return next == starts.size() ? quotient::no_node : space.enter(starts[next++].position);
  };
  const std::optional<Way> way = nearest(space, next_start, is_wanted, limits);
  if (!way) return std::nullopt;
  const Start& start = starts[way->start];
  Walked made{Trail{graph, start.initial}, {}};
  Permutation change;
  made.node = space.enter(start.position, change);
  made.trail.reframe(change);
  for (const std::size_t edge : way->edges) made.node = made.trail.step(space, made.node, edge);
  return made;
}

}  // namespace

std::optional<Way> nearest(quotient::Nodes& nodes, const std::function<NodeId()>& starts,
                           const std::function<bool(NodeId)>& is_wanted, base::Limits& limits) {
  return Search(nodes, is_wanted).run(starts, limits);
}

std::optional<ModelError> nearest_fault(quotient::Graph& graph, quotient::Space& space,
                                        const std::vector<Start>& starts, base::Limits& limits) {
  std::optional<Walked> walked = walk_to(graph, space, starts, {}, limits);
  if (!walked) return std::nullopt;
  const model::InstanceFault found = *space.fan(walked->node, quotient::Detail::Targets).fault;
  const model::Program::Instance instance = graph.program().instance(found.instance);
  const lang::Schema& schema = graph.program().source()[instance.schema];
  ModelError made;
  made.fault = found.fault;
  made.schema = instance.schema;
  for (std::size_t i = 0; i < instance.processes.size(); ++i) {
    made.processes.push_back(
        walked->trail.real_process(schema.slots[i].module, instance.processes[i]));
  }
  made.path = std::move(walked->trail.evidence());
  return made;
}

std::optional<Evidence> path_to(quotient::Graph& graph, quotient::Space& space,
                                const std::vector<Start>& starts,
                                const std::function<bool(NodeId)>& is_wanted,
                                base::Limits& limits) {
  std::optional<Walked> walked = walk_to(graph, space, starts, is_wanted, limits);
  if (!walked) return std::nullopt;
  return std::move(walked->trail.evidence());
}

}  // namespace cohort::cctl
