// Truth of a formula, asked from the top: a sub-formula is evaluated at a position only when its
// value is needed there.
//
//   Evaluator evaluator{formula, spaces, colouring, limits, options};
//   const bool holds = evaluator.holds(formula.root(), frame);
//
// Every answer of a temporal sub-formula is remembered as a label.  Throws StateFault and
// FormulaFault where the program or the formula has a fault, and LimitReached.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/limits.hpp"
#include "cctl/formula.hpp"
#include "model/bounds.hpp"
#include "quotient/graph.hpp"

namespace cohort::cctl {

using model::StateId;
using model::Value;
using quotient::Colour;
using quotient::NodeId;
using quotient::Position;
using quotient::Space;

/// A limit was hit; Limits knows which.
struct LimitReached {};

/// A fault in a state formula.
struct FormulaFault {
  model::Fault fault;
  StateId state{};
  FormulaId where = 0;  ///< what was evaluated
};

/// A place where a formula is asked: a state and, in its terms, the processes and colours.
struct Frame {
  StateId state{};
  std::vector<Value> slots;     ///< of all the formula's slots; those not bound are not read
  std::vector<Colour> colours;  ///< empty where nothing moves, or nothing depends on them
};

class Evaluator {
 public:
  /// Keeps references to everything; `spaces` has for each formula node the space that its
  /// positions live in (null for what is not temporal).
  struct Setting {
    const Formula& formula;
    quotient::Graph& graph;
    const quotient::Colouring& colouring;
    std::vector<Space*> spaces;
    base::Limits& limits;
    bool eliminate = true;  ///< ask once for each class of processes
  };
  explicit Evaluator(Setting setting);

  /// Called now and then.
  void on_progress(std::function<void()> show) { show_progress_ = std::move(show); }

  [[nodiscard]] bool holds(FormulaId id, Frame& frame);
  /// Whether asking throws a FormulaFault.
  [[nodiscard]] bool is_fault(FormulaId id, Frame& frame);
  /// The truth of a temporal formula at a node of its space.
  [[nodiscard]] bool holds_at(FormulaId id, NodeId node);
  /// The truth of a sub-formula at a node of another formula's space.
  [[nodiscard]] bool holds_in(FormulaId id, FormulaId outer, NodeId node);

  /// The frame of a node; `frame` keeps its buffers.
  void read(FormulaId id, NodeId node, Frame& frame);
  /// The node of a temporal formula for a frame.
  [[nodiscard]] NodeId enter(FormulaId id, const Frame& frame);
  [[nodiscard]] Position position(FormulaId id, const Frame& frame) const;
  /// A process of each class in a binder's set, with the size of the class, for its body.
  struct Candidate {
    Value process = 0;
    std::uint64_t weight = 1;
  };
  [[nodiscard]] std::vector<Candidate> candidates(FormulaId quantifier, const Frame& frame);

  [[nodiscard]] const Formula& formula() const { return formula_; }
  [[nodiscard]] Space& space(FormulaId id) { return *setting_.spaces[id]; }
  [[nodiscard]] quotient::Graph& graph() { return setting_.graph; }

  [[nodiscard]] std::uint64_t num_marks() const { return num_marks_; }
  [[nodiscard]] std::uint64_t num_labels() const { return num_labels_; }
  [[nodiscard]] std::uint64_t depth() const { return depth_; }

  /// Polls the limits; throws LimitReached.
  void tick();

 private:
  enum class Label : std::uint8_t { None, Asked, Open, True, False };
  /// What is remembered about one temporal sub-formula.
  struct Memory {
    std::vector<Label> labels;
    /// When a depth-first search met a node.  Never cleared: such a node has a label in the end.
    std::vector<std::uint32_t> order;
    bool searched_breadth_first = false;
  };
  /// A node of a depth-first search that is not finished.
  struct Open {
    NodeId node{};
    std::uint32_t next_edge = 0;
    std::uint32_t lowest = 0;  ///< the earliest open node that is known to be reachable
  };

  [[nodiscard]] model::Int128 number(FormulaId id, Frame& frame);
  [[nodiscard]] model::Int128 chain(FormulaId id, Frame& frame);
  [[nodiscard]] bool quantified(FormulaId id, Frame& frame);
  [[nodiscard]] Value evaluate(FormulaId id, Frame& frame);
  void find_sets(const Frame& frame);
  [[nodiscard]] bool is_enabled(FormulaId id, Frame& frame);

  [[nodiscard]] Label& label(FormulaId id, NodeId node) {
    std::vector<Label>& labels = memory_[id].labels;
    const auto at = static_cast<std::size_t>(node);
    if (labels.size() <= at) labels.resize(std::max(at + 1, labels.size() * 3 / 2));
    return labels[at];
  }
  void set_label(FormulaId id, NodeId node, bool value) {
    Label& known = label(id, node);
    if (known == Label::None) ++num_marks_;
    known = value ? Label::True : Label::False;
    ++num_labels_;
  }
  void open(FormulaId id, NodeId node) {
    Label& known = label(id, node);
    if (known == Label::None) ++num_marks_;
    known = Label::Open;
  }

  [[nodiscard]] std::uint32_t& order(FormulaId id, NodeId node) {
    std::vector<std::uint32_t>& orders = memory_[id].order;
    const auto at = static_cast<std::size_t>(node);
    if (orders.size() <= at) orders.resize(std::max(at + 1, orders.size() * 3 / 2));
    return orders[at];
  }

  [[nodiscard]] bool next(FormulaId id, NodeId node);
  [[nodiscard]] bool until_breadth_first(FormulaId id, NodeId start);
  /// The three searches by components: E[φ U ψ], EG φ and Efair G φ.
  [[nodiscard]] bool by_components(FormulaId id, NodeId start);
  enum class Arrival : std::uint8_t { Success, DeadEnd, GoOn };
  [[nodiscard]] Arrival arrive(FormulaId id, NodeId node);
  [[nodiscard]] bool is_success(FormulaId id, const std::vector<NodeId>& component);

  Setting setting_;
  const Formula& formula_;
  std::vector<Memory> memory_;
  std::vector<model::ProcessList> sets_;
  model::Environment environment_;
  std::uint64_t num_marks_ = 0;
  std::uint64_t num_labels_ = 0;
  std::uint64_t depth_ = 0;
  std::uint32_t ticks_ = 0;
  std::function<void()> show_progress_;
};

}  // namespace cohort::cctl
