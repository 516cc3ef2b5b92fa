// What programs mean, slowly and obviously: straight from the checked program, sentence by sentence
// of the language's definition.
//
//   const plain::Semantics semantics{program};
//   for (const plain::State& initial : *semantics.initial_states(1000)) {
//     const plain::View view = semantics.look(initial);
//     …  // view.faults, or view.edges: fireable instances and where they lead
//   }
//
// What judges the search stands on this and on nothing that the search uses: the replay of evidence
// and the oracle of the tests.  No speed is promised; arithmetic is exact without a limit.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "lang/program.hpp"
#include "model/fault.hpp"
#include "model/instances.hpp"

namespace cohort::model::plain {

using Number = boost::multiprecision::cpp_int;

/// The value of every variable instance, by its number in Instances.
using State = std::vector<Value>;

/// A schema with a process for each of its index variables, the primary one first.
struct Instance {
  base::SchemaId schema{};
  std::vector<Value> processes;

  friend auto operator<=>(const Instance&, const Instance&) = default;
};

/// A value, or why there is none.
///
/// Evaluation meets a fault in every operand that it looks at, and goes on with the next: what
/// stands here are all faults that an evaluation can meet first, in whatever order it takes the
/// operands of an operator that looks at all of them.
struct Evaluation {
  std::optional<Number> value;  ///< if there are no faults
  std::vector<Fault> faults;

  [[nodiscard]] bool is_true() const { return value && *value != 0; }
};

/// The state after an instance, or why there is none.
struct Outcome {
  std::optional<State> after;  ///< if there are no faults
  std::vector<Fault> faults;
};

/// What an instance changes, or why it cannot.
struct Effect {
  /// If there are no faults: the variable instances that get another value, and which.
  std::optional<std::map<std::size_t, Value>> changes;
  std::vector<Fault> faults;
};

/// A fireable instance, and where it leads.
struct Edge {
  Instance instance;
  State after;
};

/// What a firing depends on, and what it assigns.
struct Footprint {
  /// The variable instances that were looked at, ascending: by the condition, by the conditions of
  /// the instances that would take precedence, by right sides, subscripts and filters.  What
  /// evaluation stopped before is not among them: in every state that agrees on these the instance
  /// is fireable and assigns the same.
  std::vector<std::size_t> reads;
  /// Every assignment, ascending; those that change nothing as well.
  std::vector<std::pair<std::size_t, Value>> writes;
};

struct InstanceFault {
  Instance instance;
  Fault fault;
};

/// A state's surroundings.
struct View {
  std::vector<InstanceFault> faults;  ///< if there are any, the run stops here
  /// Every fireable instance, in the order of schemas and processes.
  std::vector<Instance> fireable;
  std::vector<Edge> edges;  ///< one for each of them, without those whose action has a fault

  [[nodiscard]] bool is_deadlock() const { return fireable.empty(); }
};

/// Reads a program.  A const object may be shared by threads.
class Semantics {
 public:
  /// Keeps a reference to `program`, which must outlive this object.
  explicit Semantics(const lang::Program& program);

  [[nodiscard]] const lang::Program& program() const { return program_; }
  [[nodiscard]] const Instances& variables() const { return variables_; }

  /// Whether a variable instance may have this value in an initial state.
  [[nodiscard]] bool may_start(std::size_t instance, Value value) const;
  /// All of these; disjoint, ascending.
  [[nodiscard]] const std::vector<lang::Interval>& initial_values(std::size_t instance) const {
    return *initial_[instance];
  }
  [[nodiscard]] bool is_initial(const State& state) const;
  /// In lexicographic order; nothing if there are more than `most`.
  [[nodiscard]] std::optional<std::vector<State>> initial_states(std::size_t most) const;

  /// The processes of a set, ascending.
  [[nodiscard]] std::vector<Value> processes(const lang::ProcessSet& set) const;
  /// Calls `visit` for each instance of a schema, in the order of processes, until it returns true;
  /// with a `primary`, for those of this process only.  Returns whether it did.
  bool any_instance(base::SchemaId schema, std::optional<Value> primary,
                    const std::function<bool(const Instance&)>& visit) const;

  /// Everything but the operators that only formulas have (`<->` is allowed).  `slots` has a value
  /// for each slot that is not bound inside.
  [[nodiscard]] Evaluation evaluate(const lang::Expr& expr, const State& state,
                                    std::vector<Value> slots) const;
  /// The variable instances that such an evaluation looks at, ascending.
  [[nodiscard]] std::vector<std::size_t> reads(const lang::Expr& expr, const State& state,
                                               std::vector<Value> slots) const;
  [[nodiscard]] Evaluation condition(const Instance& instance, const State& state) const;
  /// Whether `other` is of the same schema and primary process, and has a higher rank.
  [[nodiscard]] bool is_outranked(const Instance& instance, const Instance& other) const;
  /// Whether the condition holds and no priority is against it.  A condition with a fault does not.
  [[nodiscard]] bool is_fireable(const Instance& instance, const State& state) const;
  /// What the actions do, fireable or not: the changes, or the whole state.
  [[nodiscard]] Effect effect(const Instance& instance, const State& state) const;
  [[nodiscard]] Outcome apply(const Instance& instance, const State& state) const;

  /// Of an instance that is fireable and whose action has no fault.
  [[nodiscard]] Footprint footprint(const Instance& instance, const State& state) const;

  /// Whether the process has a fireable instance.
  [[nodiscard]] bool is_enabled(lang::ModuleId module, Value process, const State& state) const;
  [[nodiscard]] bool is_deadlock(const State& state) const;
  [[nodiscard]] View look(const State& state) const;

 private:
  const lang::Program& program_;
  Instances variables_;
  std::vector<const std::vector<lang::Interval>*> initial_;  // of every variable instance
};

}  // namespace cohort::model::plain
