// Where a goal is searched: positions of a graph, and which atoms are true there.
//
//   Arena arena{graph, property, goal, limits, Arena::Elimination::On};
//   while (arena.next_round()) {
//     for (const Start& start : arena.starts()) … arena.letter(start.node)
//   }
//
// The processes that the atoms name travel with the states, like the evaluation of a formula: on
// the quotient they are part of a position and move through the permutations of edges.  The
// variables of outermost foralls are chosen at the start; choices that a symmetry of the initial
// state maps to each other lead to the same node, and most of them are not even tried.  On the full
// graph names never move: there is a round for each choice, in which it stays fixed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/limits.hpp"
#include "cctl/evaluator.hpp"
#include "cctl/formula.hpp"
#include "online/property.hpp"
#include "quotient/graph.hpp"

namespace cohort::online {

using model::Value;
using quotient::NodeId;
using quotient::Permutation;
using quotient::Position;

/// The truth of all atoms at a position, as a number; Arena::bits tells which are true.
using Letter = std::uint32_t;

struct Start {
  quotient::InitialState initial;
  NodeId node{};
  Permutation from_node;      ///< maps processes as the node sees them to those of initial.state
  std::vector<Value> chosen;  ///< of the goal's foralls: real processes
};

/// Keeps references to everything it is made with.  Throws StateFault, FormulaFault, LimitReached.
class Arena {
 public:
  enum class Elimination : std::uint8_t { On, Off };

  Arena(quotient::Graph& graph, const Property& property, const Goal& goal, base::Limits& limits,
        Elimination elimination);

  /// Goes to the next choice of processes; false after the last.
  [[nodiscard]] bool next_round();
  [[nodiscard]] const std::vector<Start>& starts() const { return starts_; }
  /// Goes back into a round, without its starts.
  void resume(const std::vector<Value>& chosen) { set_slots(chosen); }

  [[nodiscard]] quotient::Graph& graph() { return graph_; }
  [[nodiscard]] quotient::Space& space() { return *space_; }
  [[nodiscard]] const Property& property() const { return property_; }
  [[nodiscard]] const Goal& goal() const { return goal_; }
  [[nodiscard]] base::Limits& limits() { return limits_; }
  [[nodiscard]] const model::Program& program() const { return program_; }

  /// View::States: of a node, remembered.
  [[nodiscard]] Letter letter(NodeId node) {
    const auto at = static_cast<std::size_t>(node);
    if (at < letters_.size() && letters_[at] != unknown) return letters_[at];
    return find_letter(node);
  }
  /// View::Actions: of an instance that is fired at a node.
  [[nodiscard]] Letter letter(NodeId node, model::InstanceCode code);
  /// As many words as the goal's atoms need.
  [[nodiscard]] const std::uint64_t* bits(Letter letter) const {
    return words_.data() + std::size_t{letter} * width_;
  }
  [[nodiscard]] std::size_t num_letters() const { return words_.size() / width_; }

  struct Edge {
    NodeId target{};
    Letter letter = 0;
  };
  /// View::Actions: the edges of a node, remembered.  Valid until the next call.
  [[nodiscard]] std::span<const Edge> edges(NodeId node);

  /// Polls the limits.
  void tick() {
    if (limits_.exceeded(graph_.store().size())) throw cctl::LimitReached{};
  }

 private:
  using Colour = quotient::Colour;
  static constexpr Letter unknown = UINT32_MAX;

  [[nodiscard]] std::vector<std::vector<Value>> all_choices() const;
  [[nodiscard]] std::vector<bool> forall_sets(lang::ModuleId module, Value process) const;
  void start_moving();
  void start_fixed(const std::vector<Value>& chosen);
  void enter(const quotient::InitialState& initial, const Permutation& from_real,
             const std::vector<Colour>& colours, const std::vector<Value>& chosen);
  void set_slots(const std::vector<Value>& chosen);
  [[nodiscard]] Letter find_letter(NodeId node);
  [[nodiscard]] Letter intern();
  void read_frame(NodeId node);
  [[nodiscard]] bool holds(const lang::Expr& expr, const model::Program::Instance& fired);
  [[nodiscard]] std::int64_t number(const lang::Expr& expr, const model::Program::Instance& fired);

  quotient::Graph& graph_;
  const Property& property_;
  const Goal& goal_;
  base::Limits& limits_;
  const model::Program& program_;
  bool eliminate_;
  std::vector<std::uint32_t> tracked_;
  lang::Formula source_;  // the atoms, as operands of one conjunction
  std::unique_ptr<cctl::Formula> formula_;
  std::vector<cctl::FormulaId> atom_ids_;
  quotient::Colouring colouring_;
  std::unique_ptr<quotient::Space> space_;
  std::unique_ptr<quotient::Space> enabled_space_;
  std::unique_ptr<cctl::PositionEvaluator> evaluator_;
  cctl::Frame frame_;
  Position position_;
  std::vector<Value> slots_;  // real ones, of the round or of a start

  std::vector<Start> starts_;
  std::vector<std::vector<Value>> rounds_;  // that are left, last first
  bool started_ = false;

  std::size_t width_;
  std::vector<Letter> letters_;       // by node
  std::vector<std::uint64_t> words_;  // by letter
  std::vector<std::uint64_t> scratch_;
  struct WordsHash {
    std::size_t operator()(const std::vector<std::uint64_t>& words) const;
  };
  std::unordered_map<std::vector<std::uint64_t>, Letter, WordsHash> known_;

  struct Place {
    std::size_t begin = 0;
    std::uint32_t count = 0;
    bool known = false;
  };
  std::vector<Place> places_;  // by node
  std::vector<Edge> edges_;
};

}  // namespace cohort::online
