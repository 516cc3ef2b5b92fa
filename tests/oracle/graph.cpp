#include "oracle/graph.hpp"

#include <algorithm>

namespace cohort::oracle {
namespace {

class Builder {
 public:
  Builder(const Semantics& semantics, std::size_t most) : semantics_(semantics), most_(most) {}

  [[nodiscard]] std::optional<Graph> run() {
    const std::optional<std::vector<State>> initial = semantics_.initial_states(most_);
    if (!initial) return std::nullopt;
    for (const State& state : *initial) (void)number(state, 0);
    graph_.num_initial = graph_.nodes.size();
    for (std::size_t at = 0; at < graph_.nodes.size(); ++at) {
      if (graph_.nodes.size() > most_) return std::nullopt;
      expand(at);
    }
    const lang::Program& program = semantics_.program();
    for (std::size_t m = 0; m < program.modules.size(); ++m) {
      for (Value id = 0; id < program.modules[m].size; ++id) {
        graph_.processes.emplace_back(lang::ModuleId{static_cast<std::uint32_t>(m)}, id);
      }
    }
    return std::move(graph_);
  }

 private:
  [[nodiscard]] std::size_t number(const State& state, std::size_t distance) {
    const auto [found, is_new] = graph_.numbers.emplace(state, graph_.nodes.size());
    if (is_new) graph_.nodes.push_back({state, {}, {}, {}, distance});
    return found->second;
  }

  [[nodiscard]] Process executed(const Instance& instance) const {
    return {semantics_.program()[instance.schema].module, instance.processes[0]};
  }

  void expand(std::size_t at) {
    const model::plain::View view = semantics_.look(graph_.nodes[at].state);
    graph_.nodes[at].faults = view.faults;
    if (!view.faults.empty()) return;
    for (const Instance& instance : view.fireable) {
      graph_.nodes[at].enabled.insert(executed(instance));
    }
    const std::size_t distance = graph_.nodes[at].distance + 1;
    for (const model::plain::Edge& edge : view.edges) {
      const std::size_t to = number(edge.after, distance);
      graph_.nodes[at].edges.push_back({to, executed(edge.instance), edge.instance});
    }
  }

  const Semantics& semantics_;
  std::size_t most_;
  Graph graph_;
};

}  // namespace

bool Graph::has_faults() const {
  return std::ranges::any_of(nodes, [](const Node& node) { return !node.faults.empty(); });
}

std::size_t Graph::num_edges() const {
  std::size_t sum = 0;
  for (const Node& node : nodes) sum += node.edges.size();
  return sum;
}

std::size_t Graph::num_deadlocks() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      nodes, [](const Node& node) { return node.edges.empty() && node.faults.empty(); }));
}

std::optional<Graph> build(const Semantics& semantics, std::size_t most) {
  return Builder(semantics, most).run();
}

}  // namespace cohort::oracle
