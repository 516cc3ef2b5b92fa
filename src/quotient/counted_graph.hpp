// The quotient of programs whose processes can be counted: a representative says how many processes
// there are of each kind.
//
//   if (CountedGraph::fits(program)) {
//     CountedGraph graph{program};
//     std::unique_ptr<CountedSpace> space = graph.space(domain, colouring);
//     const NodeId node = space->enter(crowd, places);
//     for (const NodeId next : space->successors(node)) …
//   }
//
// Where every variable belongs to one process at the most (of the modules with more than one), a
// state is, up to a permutation of processes, a multiset of records.  A node is that too: the
// processes that the evaluation stands for have names, names and colours are part of what a process
// looks like, and so an edge needs no permutation: names and colours move with the record.  Nothing
// here costs more for a module of a million processes than for one of ten.
//
// Modules whose processes are related to each other keep them apart, beside those that are counted
// (counted_layout.hpp): these individuals have numbers in a node, which are canonical
// (counted_arrange.hpp), and an edge says what becomes of the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "model/crowd.hpp"
#include "model/program.hpp"
#include "quotient/counted_arrange.hpp"
#include "quotient/counted_fire.hpp"
#include "quotient/counted_kinds.hpp"
#include "quotient/counted_layout.hpp"
#include "quotient/counted_store.hpp"
#include "quotient/graph.hpp"

namespace cohort::quotient {

/// What an edge does to the processes of a node.
struct CountedEdge {
  std::size_t schema = 0;
  /// By index variable: the place of the node that its process stands at, and the first index
  /// variable that has the same process.
  struct Index {
    std::size_t module = 0;
    std::size_t place = 0;
    std::size_t same_as = 0;
  };
  std::vector<Index> indices;
  /// Where processes go: those of a place that no index variable has, or that of an index variable.
  struct Transfer {
    static constexpr std::size_t nobody = SIZE_MAX;
    std::size_t module = 0;
    std::size_t place = 0;
    std::size_t index = nobody;
    KindId from = 0;
    KindId to = 0;
  };
  std::vector<Transfer> transfers;         ///< of counted processes; in terms of the target
  std::vector<std::uint32_t> individuals;  ///< by individual of the node: its number in the target
  KindId background = 0;                   ///< of the target: what belongs to no process
};

class CountedSpace;

class CountedGraph {
 public:
  /// Whether processes can be counted.
  [[nodiscard]] static bool fits(const lang::Program& program);
  /// Whether that costs less than the general quotient as well.
  [[nodiscard]] static bool pays(const lang::Program& program) {
    return fits(program) && CountedLayout(program).is_worth_counting();
  }
  /// Whether what the quantifiers of an expression count fits in 64 bits.
  [[nodiscard]] static bool fits(const lang::Expr& expr, const lang::Program& program);
  /// Keeps a reference to `program`.
  explicit CountedGraph(const model::Program& program);
  CountedGraph(const CountedGraph&) = delete;
  CountedGraph& operator=(const CountedGraph&) = delete;

  [[nodiscard]] const model::Program& program() const { return program_; }
  /// The program with conditions, actions and addresses for crowds.
  [[nodiscard]] const model::Program& placed() const { return placed_; }
  [[nodiscard]] Kinds& kinds() { return kinds_; }
  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] std::size_t num_states() const { return states_.size(); }
  [[nodiscard]] std::size_t state_bytes() const { return states_.bytes(); }
  [[nodiscard]] const std::vector<bool>& fired() const { return generator_.fired(); }
  [[nodiscard]] const CountedLayout& layout() const { return layout_; }
  /// Of the background, which has neither colour nor names of its own.
  [[nodiscard]] Kinds::Look background_look() const {
    return {static_cast<std::uint32_t>(layout_.background()), 0, 0};
  }
  /// Without the processes that are counted.
  [[nodiscard]] model::Crowd empty_crowd() const;
  /// Gives a crowd the background of a kind, which does not say where variables point.
  void set_background(model::Crowd& crowd, KindId kind) const;

  /// A new space.  The graph and, where the domain is coloured, `colouring` must outlive it.
  [[nodiscard]] std::unique_ptr<CountedSpace> space(const Domain& domain,
                                                    const Colouring& colouring);

  /// By module and place: which processes have a fireable instance.  Valid until the next call.
  /// Throws StateFault.  `colouring` is null where there are no priorities.
  const std::vector<std::vector<bool>>& enabled(model::Crowd& crowd, const Colouring* colouring);

 private:
  friend class CountedSpace;

  /// Brings entries from `first` on into their order; those of one kind become one.
  static void settle(Entries& entries, std::size_t first);
  void encode(KindId background, const Entries& entries);
  /// The state of a node, into encoding_.
  void encode_state_of(std::span<const std::uint8_t> node);
  void note_expansion(std::uint32_t state, std::size_t num_edges);

  const model::Program& program_;
  CountedLayout layout_;
  model::Program placed_;
  Kinds kinds_;
  CountedGenerator generator_;
  Arranger arrange_;
  CountedStore states_;
  Tally tally_;
  std::vector<bool> expanded_;
  Encoding encoding_;
  Entries plain_;
  std::vector<std::vector<bool>> enabled_;
};

class CountedSpace final : public Nodes {
 public:
  CountedSpace(CountedGraph& graph, const Domain& domain, const Colouring& colouring);

  [[nodiscard]] CountedGraph& graph() { return graph_; }
  /// The node of a crowd in which the variables of the domain stand for the processes at `places`.
  [[nodiscard]] NodeId enter(const model::Crowd& crowd, std::span<const Value> places);
  /// The crowd of a node, and where the processes of the domain's variables stand.
  void read(NodeId node, model::Crowd& crowd, std::vector<Value>& places) const;
  [[nodiscard]] StateId state(NodeId node) const override {
    const auto number = static_cast<std::uint32_t>(node);
    return StateId{nodes_ == &own_nodes_ ? states_of_nodes_[number] : number};
  }
  [[nodiscard]] std::size_t num_nodes() const override { return nodes_->size(); }
  const Fan& fan(NodeId node, Detail detail) override;
  /// Of the last fan with Detail::Permutations: what its edges do.
  [[nodiscard]] const std::vector<CountedEdge>& edges() const { return edges_; }
  /// Of the last fan, which has a fault: the index variables of the instance that meets it.
  [[nodiscard]] std::vector<CountedEdge::Index> faulty() const {
    return indices_of(graph_.generator_.faulty());
  }
  /// The crowd of the last fan's node.
  [[nodiscard]] const model::Crowd& crowd() const { return crowd_; }
  /// By module and place of the node's crowd, as CountedGraph::enabled.
  const std::vector<std::vector<bool>>& enabled(NodeId node);

 private:
  [[nodiscard]] std::span<const std::uint8_t> bytes_of(NodeId node) const {
    return (*nodes_)[static_cast<std::uint32_t>(node)];
  }
  void announce(KindId background);
  const std::vector<CountedStore::Inserted>& insert_announced();
  void load(NodeId node);
  void forget_pointers(Value* background) const;
  [[nodiscard]] Value* changing(std::size_t module, std::size_t place);
  void move_marks(std::size_t background_record);
  void announce_target(const std::vector<Write>& writes);
  void describe(const CountedGenerator::Instance& instance);
  [[nodiscard]] std::vector<CountedEdge::Index> indices_of(
      const CountedGenerator::Instance& instance) const;
  [[nodiscard]] KindId kind_after(std::size_t module, std::size_t place) const;
  [[nodiscard]] const Colouring* colouring() const {
    return domain().coloured ? &colouring_ : nullptr;
  }

  CountedGraph& graph_;
  const Colouring& colouring_;
  CountedStore own_nodes_;
  CountedStore* nodes_;  // the graph's states where positions carry nothing else
  std::vector<std::uint32_t> states_of_nodes_;  // of own_nodes_
  model::Crowd crowd_;
  KindId background_ = 0;      // of the crowd
  std::vector<Value> places_;  // of the domain's variables in the crowd
  Fan fan_;
  std::vector<CountedEdge> edges_;
  Entries entries_;
  Arranger arrange_;  // not the graph's: its moves are those of the last node
  /// A place whose record is another one afterwards.
  struct Changed {
    std::size_t module = 0;
    std::size_t place = 0;
    std::size_t record = 0;  ///< in records_
    KindId kind = 0;
  };
  std::vector<Changed> changed_;
  std::vector<Value> records_;
  KindId background_after_ = 0;  // of the last node that was made
};

}  // namespace cohort::quotient
