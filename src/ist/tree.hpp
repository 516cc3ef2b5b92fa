// Interval sharing trees: sets of k-tuples of naturals, stored as shared trees of intervals.
//
//   Forest forest{2};                                    // pairs
//   const Set a = forest.box({{0, 4}, {2, 2}});          // 0..4 x {2}
//   const Set b = forest.singleton({5, 2});
//   assert(unite(a, b) == forest.box({{0, 5}, {2, 2}}));  // equal sets are equal nodes
//
// operations.hpp has the operations on sets, iterate.hpp their tuples.
//
// The form.  A node of layer i is the set of the possible ends (x_i, …, x_k) behind some beginning:
// a list of edges, each an interval of values of x_i and the node of what may follow.  The
// intervals of a node are disjoint, sorted, and two that touch lead to different nodes; no edge
// leads to the empty set; and a list is stored once.  So a set has exactly one tree: equality is
// equality of two numbers, and the result of an operation on two nodes can be remembered under
// these.
//
// What differs from the paper (Kalyon, Massart, Meuter, Van Begin: Testing Distributed Systems
// through Symbolic Model Checking, definition 2).  There a label sits on a node, and intervals of
// brothers may overlap: a smaller tree for some sets, but one set has many trees, equality and
// inclusion are searches, complement is exponential already for one layer of brothers, and nothing
// can be remembered.  With disjoint intervals complement and difference cost what intersection
// costs.  The price is that the tree of a union of many boxes in general position can be larger
// than the list of boxes; sets of cuts are not of this kind: between two communications of a
// process all values lead to one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

namespace cohort::ist {

using Value = std::uint32_t;

enum class NodeId : std::uint32_t {};
constexpr NodeId empty_node{0};  ///< no tuple, in every layer
constexpr NodeId end_node{1};    ///< below the last layer: nothing more to choose

/// Values low, …, high of one component lead to `child`.
struct Edge {
  Value low = 0;
  Value high = 0;
  NodeId child = empty_node;

  friend bool operator==(const Edge&, const Edge&) = default;
};

struct Interval {
  Value low = 0;
  Value high = 0;  ///< included

  friend bool operator==(const Interval&, const Interval&) = default;
};

class Forest;

/// A set of tuples; keeps its nodes alive.  Copies are cheap.  The forest must outlive it.
class Set {
 public:
  Set() = default;
  Set(Forest& forest, NodeId root);
  Set(const Set& other);
  Set(Set&& other) noexcept;
  Set& operator=(const Set& other);
  Set& operator=(Set&& other) noexcept;
  ~Set();

  [[nodiscard]] Forest& forest() const { return *forest_; }
  [[nodiscard]] NodeId root() const { return root_; }
  [[nodiscard]] bool empty() const { return root_ == empty_node; }

  /// Sets of one forest are equal exactly when their roots are.
  friend bool operator==(const Set& a, const Set& b) { return a.root_ == b.root_; }

 private:
  Forest* forest_ = nullptr;
  NodeId root_ = empty_node;
};

/// Thrown out of an operation when the forest's `should_stop` says so.  All sets stay valid.
class Stopped : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override;
};

/// The nodes of many sets of k-tuples.  Not for several threads at once.
class Forest {
 public:
  /// Operations recurse once for each component, so there is a limit.
  static constexpr std::size_t most_components = 4096;

  struct Statistics {
    std::size_t nodes = 0;  ///< alive or not yet collected
    std::size_t edges = 0;
    std::size_t peak_nodes = 0;
    std::size_t collections = 0;
    std::size_t bytes = 0;  ///< of nodes, edges and tables
  };

  /// Throws std::logic_error for more than `most_components`.
  explicit Forest(std::size_t num_components);
  Forest(const Forest&) = delete;
  Forest& operator=(const Forest&) = delete;

  [[nodiscard]] std::size_t num_components() const { return num_components_; }

  [[nodiscard]] Set empty() { return {*this, empty_node}; }
  /// All tuples whose components lie in the intervals; an interval with low > high is empty.
  [[nodiscard]] Set box(std::span<const Interval> intervals);
  [[nodiscard]] Set box(std::initializer_list<Interval> intervals) {
    return box(std::span<const Interval>(intervals.begin(), intervals.size()));
  }
  [[nodiscard]] Set singleton(std::span<const Value> tuple);
  [[nodiscard]] Set singleton(std::initializer_list<Value> tuple) {
    return singleton(std::span<const Value>(tuple.begin(), tuple.size()));
  }
  /// `values` holds tuple after tuple.  In lexicographic order this costs one look at each value;
  /// in any other order they are sorted first.  Repetitions are allowed.
  [[nodiscard]] Set from_tuples(std::span<const Value> values);

  // For whoever builds trees layer by layer.  Nodes that no Set holds live until the next operation
  // on sets.

  /// The node with these edges: sorted, disjoint; edges to the empty set are left out and touching
  /// ones merged.
  [[nodiscard]] NodeId node(std::span<const Edge> edges);
  [[nodiscard]] std::span<const Edge> edges(NodeId id) const {
    const Node& node = nodes_[index(id)];
    return {edges_.data() + node.first_edge, node.num_edges};
  }

  /// Frees every node that no Set needs.  Operations do this by themselves now and then.
  void collect();
  /// From how many nodes on, at least, operations collect; for tests.
  void set_collection_threshold(std::size_t nodes) { threshold_ = nodes; }
  /// Asked now and then inside operations; true ends the operation with Stopped.
  void set_should_stop(std::function<bool()> should_stop) { should_stop_ = std::move(should_stop); }

  [[nodiscard]] Statistics statistics() const;

 private:
  friend class Set;
  friend class Operation;

  struct Node {
    std::uint32_t first_edge = 0;
    std::uint32_t num_edges = 0;
    std::uint32_t hash = 0;
    std::uint32_t num_sets = 0;  ///< how many Sets have their root here
  };
  /// A remembered result: operation and operands, and what came out.
  struct Remembered {
    std::uint32_t operation = 0;  ///< 0: none
    NodeId a = empty_node;
    NodeId b = empty_node;
    NodeId result = empty_node;
  };

  [[nodiscard]] static std::size_t index(NodeId id) { return static_cast<std::size_t>(id); }
  [[nodiscard]] NodeId intern(std::span<const Edge> edges);
  [[nodiscard]] std::vector<bool> reachable() const;
  void grow_table();
  void collect_if_worth_it();
  [[nodiscard]] Remembered& remembered(std::uint32_t operation, NodeId a, NodeId b);

  std::size_t num_components_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<NodeId> free_;
  std::vector<NodeId> table_;  ///< open addressing; empty_node marks a free slot
  std::size_t num_in_table_ = 0;
  std::vector<Remembered> cache_;
  std::vector<Edge> scratch_;  ///< a stack of edge lists under construction
  std::size_t threshold_ = std::size_t{1} << 18U;
  std::size_t live_after_collection_ = 0;
  std::size_t peak_ = 0;
  std::size_t collections_ = 0;
  std::uint32_t ticks_ = 0;
  std::function<bool()> should_stop_;
};

}  // namespace cohort::ist
