// The graph G itself: every state, every fireable instance.  Processes never change their names, so
// an evaluation stays what it is along a path, and colours are not needed.
#include <algorithm>

#include "quotient/graph.hpp"

namespace cohort::quotient {
namespace {

using model::Word;

class FullGraph final : public Graph {
 public:
  using Graph::Graph;

  [[nodiscard]] std::unique_ptr<Space> space(const Domain& domain,
                                             const Colouring& colouring) override;
  [[nodiscard]] InitialState add(const Word* words) override { return {store_.insert(words), {}}; }
  const std::vector<std::uint32_t>& classes(StateId /*state*/) override { return no_classes_; }
  [[nodiscard]] bool moves_processes() const override { return false; }

  using Graph::expand;
  using Graph::fireable;
  /// The targets of what was found, in its order; valid until the next call.
  [[nodiscard]] const std::vector<StateId>& insert(const model::Successors& found) {
    store_.forget_announced();
    for (std::size_t i = 0; i < found.size(); ++i) store_.announce(found.target(i));
    return store_.insert_announced();
  }

 private:
  std::vector<std::uint32_t> no_classes_;
};

class FullSpace final : public Space {
 public:
  FullSpace(FullGraph& graph, const Domain& domain)
      : Space(domain),
        graph_(graph),
        width_(1 + (domain.variables.size() + 1) / 2),
        nodes_(width_) {
    words_.resize(width_);
  }

  [[nodiscard]] bool moves_processes() const override { return false; }
  [[nodiscard]] NodeId enter(const Position& position) override {
    if (domain().is_trivial()) return NodeId{static_cast<std::uint32_t>(position.state)};
    pack(position);
    return insert(position.state);
  }
  [[nodiscard]] NodeId enter(const Position& position, Permutation& from_node) override {
    from_node.clear();
    return enter(position);
  }
  [[nodiscard]] StateId state(NodeId node) const override {
    if (domain().is_trivial()) return StateId{static_cast<std::uint32_t>(node)};
    return StateId{static_cast<std::uint32_t>(words_of(node)[0])};
  }
  void read(NodeId node, Position& position) const override {
    position.state = state(node);
    position.processes.resize(domain().variables.size());
    position.colours.clear();
    for (std::size_t i = 0; i < position.processes.size(); ++i) {
      const Word word = words_of(node)[1 + i / 2];
      position.processes[i] = static_cast<Value>((word >> (32 * (i % 2))) & UINT32_MAX);
    }
  }
  [[nodiscard]] std::size_t num_nodes() const override {
    return domain().is_trivial() ? graph_.store().size() : nodes_.size();
  }

  const Fan& fan(NodeId node, Detail detail) override {
    const StateId from = state(node);
    if (!domain().is_trivial()) std::copy_n(words_of(node), width_, words_.begin());
    const model::Successors& found = graph_.expand(from, {});
    fan_.fault = found.fault;
    fan_.targets.clear();
    if (detail == Detail::Permutations) fan_.codes = found.codes();
    if (fan_.fault) return fan_;
    const std::vector<StateId>* targets = &graph_.insert(found);
    if (!domain().is_trivial()) {
      nodes_.forget_announced();
      for (const StateId to : *targets) {
        words_[0] = static_cast<Word>(to);
        nodes_.announce(words_.data());
      }
      targets = &nodes_.insert_announced();
    }
    for (const StateId to : *targets)
      fan_.targets.push_back(NodeId{static_cast<std::uint32_t>(to)});
    return fan_;
  }

  const std::vector<bool>& enabled(NodeId node) override {
    const model::Successors& found = graph_.fireable(state(node), {});
    if (found.fault) throw StateFault{state(node), *found.fault};
    enabled_.assign(graph_.program().num_processes(), false);
    for (const model::InstanceCode code : found.codes()) {
      enabled_[graph_.program().executed_process(code)] = true;
    }
    return enabled_;
  }
  const std::vector<std::uint32_t>& classes(NodeId /*node*/) override { return no_classes_; }

 private:
  [[nodiscard]] const Word* words_of(NodeId node) const {
    return nodes_[StateId{static_cast<std::uint32_t>(node)}];
  }
  void pack(const Position& position) {
    std::fill(words_.begin() + 1, words_.end(), 0);
    for (std::size_t i = 0; i < position.processes.size(); ++i) {
      words_[1 + i / 2] |= static_cast<Word>(position.processes[i]) << (32 * (i % 2));
    }
  }
  /// The node with the evaluation in words_.
  [[nodiscard]] NodeId insert(StateId state) {
    words_[0] = static_cast<Word>(state);
    return NodeId{static_cast<std::uint32_t>(nodes_.insert(words_.data()).id)};
  }

  FullGraph& graph_;
  std::size_t width_;
  model::Store nodes_;
  std::vector<Word> words_;
  Fan fan_;
  std::vector<bool> enabled_;
  std::vector<std::uint32_t> no_classes_;
};

std::unique_ptr<Space> FullGraph::space(const Domain& domain, const Colouring& /*colouring*/) {
  return std::make_unique<FullSpace>(*this, domain);
}

}  // namespace

std::unique_ptr<Graph> make_full_graph(const model::Program& program) {
  return std::make_unique<FullGraph>(program);
}

}  // namespace cohort::quotient
