// A graph and an automaton side by side, as a space of its own.
//
//   ProductSpace product{arena, automaton};
//   for (const NodeId vertex : product.initial()) …
//   for (const NodeId next : product.successors(vertex)) …
//
// A vertex is a node of the arena's space with a state of the automaton.  Since the automaton's
// state says nothing about processes, whatever renames or exchanges processes of a node does so for
// its vertices: what is written for spaces (fairness, evidence) works on products.
//
// View::States: the automaton has read the vertex's node.  View::Actions: it has read what was
// fired on the way.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "monitor/automaton.hpp"
#include "online/arena.hpp"
#include "quotient/graph.hpp"

namespace cohort::online {

class ProductSpace final : public quotient::Space {
 public:
  /// Of the current round of `arena`.  Keeps references to both.
  ProductSpace(Arena& arena, const monitor::Compiled& automaton);

  /// The vertices of the arena's start number `start`.
  [[nodiscard]] std::vector<NodeId> initial(std::size_t start);
  [[nodiscard]] NodeId node(NodeId vertex) const { return vertices_[index(vertex)].node; }
  [[nodiscard]] ltl::StateIndex automaton_state(NodeId vertex) const {
    return vertices_[index(vertex)].state;
  }
  [[nodiscard]] bool accepting(NodeId vertex) const {
    return automaton_.accepting(automaton_state(vertex));
  }
  /// Whether the program can do nothing there.
  [[nodiscard]] bool is_deadlock(NodeId vertex);

  /// The targets of a vertex, not remembered; valid until the next call.  Throws StateFault.
  [[nodiscard]] const std::vector<NodeId>& targets(NodeId vertex);

  [[nodiscard]] bool moves_processes() const override { return inner_.moves_processes(); }
  /// Products are entered through initial().
  [[nodiscard]] NodeId enter(const quotient::Position& position) override;
  [[nodiscard]] NodeId enter(const quotient::Position& position, Permutation& from_node) override;
  [[nodiscard]] quotient::StateId state(NodeId vertex) const override {
    return inner_.state(node(vertex));
  }
  void read(NodeId vertex, quotient::Position& position) const override {
    inner_.read(node(vertex), position);
  }
  [[nodiscard]] std::size_t num_nodes() const override { return vertices_.size(); }
  const quotient::Fan& fan(NodeId vertex, quotient::Detail detail) override;
  const std::vector<bool>& enabled(NodeId vertex) override { return inner_.enabled(node(vertex)); }
  const std::vector<std::uint32_t>& classes(NodeId vertex) override {
    return inner_.classes(node(vertex));
  }

 private:
  struct Vertex {
    NodeId node{};
    ltl::StateIndex state = 0;
  };
  [[nodiscard]] static std::size_t index(NodeId id) { return static_cast<std::size_t>(id); }
  [[nodiscard]] NodeId vertex(NodeId node, ltl::StateIndex state);
  void follow(ltl::StateIndex from, NodeId target, Letter letter, std::vector<NodeId>& out);
  [[nodiscard]] bool is_useless(ltl::StateIndex state) const {
    return automaton_.acceptance() == ltl::Acceptance::Finite && automaton_.settled(state) &&
           !automaton_.accepting(state);
  }

  Arena& arena_;
  quotient::Space& inner_;
  const monitor::Compiled& automaton_;
  bool actions_;
  std::vector<Vertex> vertices_;
  /// Numbers by node and state, where the automaton is small; else by both together.
  std::size_t num_states_;
  bool dense_;
  std::vector<std::uint32_t> numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_;
  std::vector<NodeId> targets_;
  quotient::Fan fan_;
};

}  // namespace cohort::online
