// What a checker walks on: states of a program with what a formula remembers on the way.
//
//   std::unique_ptr<Graph> graph = make_full_graph(program);     // or make_quotient(program)
//   std::unique_ptr<Space> space = graph->space({.variables = {client}, .coloured = false});
//   const NodeId node = space->enter(position);
//   for (const NodeId next : space->successors(node)) …
//
// A formula with a free process variable, or about priorities and sets of processes, is true or
// false not of a state but of a *position*: a state, the processes that the variables stand for
// (the evaluation) and the colours of processes (their ranks and sets), all in terms of that state.
// On the full graph these never change along a path.  On the quotient they move with the
// permutations of the edges, and positions that a symmetry of the state maps to each other are one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/program.hpp"
#include "model/successors.hpp"
#include "quotient/states.hpp"
#include "symmetry/permutation.hpp"

namespace cohort::quotient {

using model::StateId;
using model::Value;
using symmetry::Permutation;

/// A position, as a number in its space.
enum class NodeId : std::uint32_t {};
constexpr NodeId no_node{UINT32_MAX};

/// Of a process: its rank in every priority and the sets of the formula that it is in, together.
using Colour = std::uint16_t;

struct Position {
  StateId state{};
  std::vector<Value> processes;  ///< of the space's variables, by their id within the module
  std::vector<Colour> colours;   ///< of all processes; empty where they are not tracked
};

/// What the positions of a space carry.
struct Domain {
  std::vector<lang::ModuleId> variables;  ///< the module of each
  bool coloured = false;

  [[nodiscard]] bool is_trivial() const { return variables.empty() && !coloured; }
  friend bool operator==(const Domain&, const Domain&) = default;
};

/// What colours stand for.
struct Colouring {
  std::vector<Colour> initial;  ///< of all processes, as the program and the formula are written
  /// By schema and colour: the rank in its priority; empty for a schema without one.
  std::vector<std::vector<std::uint32_t>> ranks;
  /// By set and colour: whether processes of this colour are in it.
  std::vector<std::vector<bool>> members;

  friend bool operator==(const Colouring&, const Colouring&) = default;
};

/// The edges of a node, each in terms of the node's state.
struct Fan {
  std::optional<model::InstanceFault> fault;  ///< then the rest is not to be used
  std::vector<NodeId> targets;
  /// Only if asked for, as the next.
  std::vector<model::InstanceCode> codes;
  /// Maps processes as the target sees them to processes as the node sees them.
  /// Empty where both are the same (the full graph); else there may be more than targets.
  std::vector<Permutation> from_target;
};

enum class Detail : std::uint8_t { Targets, Permutations };

/// Thrown where the program has a fault; the instance is in terms of the state.
struct StateFault {
  StateId state{};
  model::InstanceFault fault;
};

/// Nodes and the edges between them: all that a search needs.
class Nodes {
 public:
  explicit Nodes(Domain domain) : domain_(std::move(domain)) {}
  virtual ~Nodes() = default;
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;

  [[nodiscard]] const Domain& domain() const { return domain_; }
  [[nodiscard]] virtual StateId state(NodeId node) const = 0;
  /// At least as many as any node's number so far.
  [[nodiscard]] virtual std::size_t num_nodes() const = 0;

  /// The edges of a node, computed; valid until the next call.  Where symmetries of the node map
  /// edges to each other, one of them stands for all.
  virtual const Fan& fan(NodeId node, Detail detail) = 0;

  /// The targets of a node's edges, computed once and remembered.  Valid as long as this object.
  /// Throws StateFault.
  [[nodiscard]] std::span<const NodeId> successors(NodeId node);
  /// As successors, but remembered only when asked for again: a search that sees every node once
  /// needs no edges behind it, and the next property's search does.  Valid until the next call.
  [[nodiscard]] std::span<const NodeId> targets(NodeId node);
  [[nodiscard]] bool remembers(NodeId node) const {
    const auto at = static_cast<std::size_t>(node);
    return at < places_.size() && places_[at].begin != nullptr;
  }

 private:
  struct Place {
    const NodeId* begin = nullptr;
    std::uint32_t count = 0;
  };

  Domain domain_;
  std::vector<Place> places_;
  std::vector<bool> was_asked_;
  std::vector<std::unique_ptr<NodeId[]>> chunks_;
  std::size_t used_in_chunk_ = 0;
  std::size_t chunk_size_ = 0;
};

/// Nodes that are positions.
class Space : public Nodes {
 public:
  using Nodes::Nodes;

  /// Whether processes change their names along edges: then fans come with permutations.
  [[nodiscard]] virtual bool moves_processes() const = 0;

  /// The node of a position; the same for positions that nothing can tell apart.
  [[nodiscard]] virtual NodeId enter(const Position& position) = 0;
  /// As enter; `from_node` maps processes as the node sees them to processes as `position` does.
  [[nodiscard]] virtual NodeId enter(const Position& position, Permutation& from_node) = 0;
  virtual void read(NodeId node, Position& position) const = 0;

  /// Which of all processes have a fireable instance; valid until the next call.  Throws
  /// StateFault.
  virtual const std::vector<bool>& enabled(NodeId node) = 0;
  /// Numbers processes so that those with one number can be exchanged without changing the node;
  /// empty if every process is alone.  Valid until the next call.
  virtual const std::vector<std::uint32_t>& classes(NodeId node) = 0;
};

/// A state that the program may start in.
struct InitialState {
  StateId state{};
  /// Maps processes as `state` sees them to real ones; empty for the identity.
  Permutation to_real;
};

/// Real states that the program may start in, one after the other.
class InitialSource {
 public:
  virtual ~InitialSource() = default;
  /// Null at the end.  Valid until the next call.
  [[nodiscard]] virtual const model::Word* next() = 0;
};

/// What was found out about the graph on the way.
struct Tally {
  std::uint64_t edges = 0;
  std::uint64_t expanded = 0;  ///< states whose edges are known
  std::uint64_t deadlocks = 0;
};

struct Reached;

class Graph {
 public:
  explicit Graph(const model::Program& program)
      : program_(program), store_(program.layout()), generator_(program) {}
  virtual ~Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  [[nodiscard]] const model::Program& program() const { return program_; }
  [[nodiscard]] const States& store() const { return store_; }
  [[nodiscard]] const Tally& tally() const { return tally_; }
  /// By schema: whether an instance was ever fired.
  [[nodiscard]] const std::vector<bool>& fired() const { return generator_.fired(); }
  /// The values of a state; valid until the graph is asked for anything else.
  [[nodiscard]] const model::Value* values(StateId state) {
    load(state);
    return values_;
  }

  /// The packed words of a state; valid until the graph is asked for anything else.
  [[nodiscard]] const model::Word* words(StateId state) const { return store_[state]; }
  /// Takes all reachable states at once; the graph must have none yet.
  void adopt(Reached reached);

  /// A new space.  The graph and, where the domain is coloured, `colouring` must outlive it.
  [[nodiscard]] virtual std::unique_ptr<Space> space(const Domain& domain,
                                                     const Colouring& colouring) = 0;
  /// The initial states.  On the quotient one of those that permutations map to each other which
  /// fix `marks`, a number for each process: whatever is tracked of a process has to be in it.
  [[nodiscard]] virtual std::unique_ptr<InitialSource> initial_states(
      const std::vector<std::uint32_t>& marks);
  /// Puts a real state into the graph.
  [[nodiscard]] virtual InitialState add(const model::Word* words) = 0;
  /// Classes of processes that can be exchanged without changing a state, as Space::classes.
  virtual const std::vector<std::uint32_t>& classes(StateId state) = 0;
  /// Whether ranks and sets have to be tracked as colours; if not, they never move.
  [[nodiscard]] virtual bool moves_processes() const = 0;

 protected:
  /// What can be done in a state, and where it leads.
  const model::Successors& expand(StateId state, const model::Sight& sight) {
    load(state);
    const model::Successors& found = generator_.expand_loaded(sight);
    if (!found.fault) note_expansion(state, found.size());
    return found;
  }
  const model::Successors& fireable(StateId state, const model::Sight& sight) {
    load(state);
    return generator_.fireable_loaded(sight);
  }

  const model::Program& program_;
  States store_;

 private:
  void load(StateId state) {
    if (state == loaded_) return;
    const model::Word* words = store_[state];
    if (store_.in_tree()) {
      // The generator reads them again when it expands the state.
      loaded_words_.assign(words, words + program_.layout().num_words());
      words = loaded_words_.data();
    }
    values_ = generator_.load(words).data();
    loaded_ = state;
  }
  /// Notes the edges of a state when they are seen for the first time.
  void note_expansion(StateId state, std::size_t num_edges);

  model::Generator generator_;
  StateId loaded_ = model::no_state;
  const model::Value* values_ = nullptr;
  std::vector<model::Word> loaded_words_;
  Tally tally_;
  std::vector<bool> expanded_;
};

[[nodiscard]] std::unique_ptr<Graph> make_full_graph(const model::Program& program);
[[nodiscard]] std::unique_ptr<Graph> make_quotient(const model::Program& program);

}  // namespace cohort::quotient
