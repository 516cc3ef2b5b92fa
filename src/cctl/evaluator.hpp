// Truth of a formula, asked from the top: a sub-formula is evaluated at a position only when its
// value is needed there.
//
//   PositionEvaluator evaluator{formula, graph, colouring, spaces, limits};
//   const bool holds = evaluator.holds(formula.root(), frame);
//
// The logic and the searches are one; what a place in the graph looks like, and which processes are
// alike there, is the graph's business: positions (here) or counted kinds (counted_evaluator.hpp).
//
// Every answer of a temporal sub-formula is remembered as a label.  Throws StateFault and
// FormulaFault where the program or the formula has a fault, and LimitReached.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "base/limits.hpp"
#include "cctl/formula.hpp"
#include "model/bounds.hpp"
#include "model/crowd.hpp"
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
  model::Crowd crowd;           ///< in place of state and colours where processes are counted
};

class Evaluator {
 public:
  /// Keeps references to everything; `nodes` has for each formula node the nodes that it is asked
  /// at (null for what is not temporal).
  struct Setting {
    const Formula& formula;
    std::vector<quotient::Nodes*> nodes;
    base::Limits& limits;
  };
  explicit Evaluator(Setting setting)
      : setting_(std::move(setting)), formula_(setting_.formula), memory_(formula_.size()) {}
  virtual ~Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

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
  virtual void read(FormulaId id, NodeId node, Frame& frame) = 0;
  /// The node of a temporal formula for a frame.
  [[nodiscard]] virtual NodeId enter(FormulaId id, const Frame& frame) = 0;
  /// A process of each class in a binder's set, with the size of the class, for its body.
  struct Candidate {
    Value process = 0;
    std::uint64_t weight = 1;
  };
  [[nodiscard]] virtual std::vector<Candidate> candidates(FormulaId quantifier,
                                                          const Frame& frame) = 0;
  /// Lets a quantifier's variable stand for a candidate, and undoes that.
  virtual void bind(FormulaId quantifier, const Candidate& candidate, Frame& frame) = 0;
  virtual void release(FormulaId quantifier, const Candidate& candidate, Frame& frame) = 0;
  /// Whether a component of the nodes of a formula has a fair path that stays in it.
  [[nodiscard]] virtual bool is_fair(FormulaId id, const std::vector<NodeId>& component) = 0;
  [[nodiscard]] virtual std::size_t num_states() const = 0;

  [[nodiscard]] const Formula& formula() const { return formula_; }
  [[nodiscard]] quotient::Nodes& nodes(FormulaId id) { return *setting_.nodes[id]; }

  [[nodiscard]] std::uint64_t num_marks() const { return num_marks_; }
  [[nodiscard]] std::uint64_t num_labels() const { return num_labels_; }
  [[nodiscard]] std::uint64_t depth() const { return depth_; }

  /// Polls the limits; throws LimitReached.
  void tick();

 protected:
  /// The value of a node's expression; `coloured` if it depends on sets of processes.
  [[nodiscard]] virtual Value evaluate(FormulaId id, bool coloured, Frame& frame) = 0;
  [[nodiscard]] virtual bool is_enabled(FormulaId id, Frame& frame) = 0;
  [[nodiscard]] virtual bool is_deadlocked(FormulaId id, Frame& frame) = 0;

 private:
  enum class Label : std::uint8_t { None, Asked, Open, True, False };
  /// A frame from those that are not in use, so that its buffers are there already.
  class Borrowed {
   public:
    explicit Borrowed(Evaluator& evaluator) : evaluator_(evaluator), at_(evaluator.borrowed_++) {
      if (at_ == evaluator.frames_.size()) evaluator.frames_.emplace_back();
    }
    ~Borrowed() { --evaluator_.borrowed_; }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    [[nodiscard]] Frame& operator*() const { return evaluator_.frames_[at_]; }

   private:
    Evaluator& evaluator_;
    std::size_t at_;
  };
  /// What is remembered about one temporal sub-formula.
  struct Memory {
    std::vector<Label> labels;
    /// When a depth-first search met a node.  Never cleared: such a node has a label in the end.
    std::vector<std::uint32_t> order;
    /// How often a node was left without an answer, and how many have one.
    std::uint64_t num_left = 0;
    std::uint64_t num_answered = 0;
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
    ++memory_[id].num_answered;
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
  std::deque<Frame> frames_;  // in use from the front
  std::size_t borrowed_ = 0;
  std::uint64_t num_marks_ = 0;
  std::uint64_t num_labels_ = 0;
  std::uint64_t depth_ = 0;
  std::uint32_t ticks_ = 0;
  std::function<void()> show_progress_;
};

/// On the full graph and on the quotient: nodes are positions.
class PositionEvaluator final : public Evaluator {
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
  explicit PositionEvaluator(Setting setting);

  void read(FormulaId id, NodeId node, Frame& frame) override;
  [[nodiscard]] NodeId enter(FormulaId id, const Frame& frame) override;
  [[nodiscard]] Position position(FormulaId id, const Frame& frame) const;
  [[nodiscard]] std::vector<Candidate> candidates(FormulaId quantifier,
                                                  const Frame& frame) override;
  void bind(FormulaId quantifier, const Candidate& candidate, Frame& frame) override {
    frame.slots[formula()[quantifier].slot] = candidate.process;
  }
  void release(FormulaId /*quantifier*/, const Candidate& /*candidate*/,
               Frame& /*frame*/) override {}
  [[nodiscard]] bool is_fair(FormulaId id, const std::vector<NodeId>& component) override;
  [[nodiscard]] std::size_t num_states() const override { return setting_.graph.store().size(); }

  [[nodiscard]] Space& space(FormulaId id) { return *setting_.spaces[id]; }
  [[nodiscard]] quotient::Graph& graph() { return setting_.graph; }

 private:
  [[nodiscard]] Value evaluate(FormulaId id, bool coloured, Frame& frame) override;
  [[nodiscard]] bool is_enabled(FormulaId id, Frame& frame) override;
  [[nodiscard]] bool is_deadlocked(FormulaId id, Frame& frame) override;
  void find_sets(const Frame& frame);

  Setting setting_;
  std::vector<model::ProcessList> sets_;
  model::Environment environment_;
};

}  // namespace cohort::cctl
