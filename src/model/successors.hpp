// What a program can do in a state: its fireable instances, and where they lead.
//
//   Generator generator{program};
//   const Successors& found = generator.expand(store[id]);
//   if (found.fault) …                       // a model error; the rest is not to be used
//   for (std::size_t i = 0; i < found.size(); ++i) … found.target(i), found.code(i)
//
// Deterministic: the same state gives the same successors in the same order, always.  Nothing is
// allocated once the buffers have grown.  One object for each thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/program.hpp"

namespace cohort::model {

/// A model error in a state: what, and in which instance.
struct InstanceFault {
  Fault fault;
  InstanceCode instance = 0;
};

class Successors {
 public:
  std::optional<InstanceFault> fault;

  [[nodiscard]] std::size_t size() const { return codes_.size(); }
  [[nodiscard]] const Word* target(std::size_t i) const { return words_.data() + i * num_words_; }
  [[nodiscard]] InstanceCode code(std::size_t i) const { return codes_[i]; }
  [[nodiscard]] const std::vector<InstanceCode>& codes() const { return codes_; }

 private:
  friend class Generator;
  std::size_t num_words_ = 1;
  std::vector<Word> words_;
  std::vector<InstanceCode> codes_;
};

/// Processes that can be exchanged without changing a state, so that of the instances that an
/// exchange maps to each other one is enough.  Numbers go through all processes.
struct Thinning {
  static constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> next;                 ///< the next of the same class, or none
  std::vector<std::vector<std::uint32_t>> firsts;  ///< by module: the first of each class
};

/// How processes are seen; by default each for itself and with the ranks that the program gives.
struct Sight {
  const Thinning* thinning = nullptr;
  /// By process, and by schema and colour; null for the program's own ranks.
  const std::uint16_t* colours = nullptr;
  const std::vector<std::vector<std::uint32_t>>* ranks = nullptr;
};

class Generator {
 public:
  /// Keeps a reference to `program`.
  explicit Generator(const Program& program);

  /// The result is valid until the next call.
  const Successors& expand(const Word* state, const Sight& sight = {}) {
    (void)load(state);
    return expand_loaded(sight);
  }
  /// Only the fireable instances; their actions are not tried, so that only faults in conditions
  /// are met.
  const Successors& fireable(const Word* state, const Sight& sight = {}) {
    (void)load(state);
    return fireable_loaded(sight);
  }

  /// In two steps: the values of a state, then what can be done in it.  The words must stay as they
  /// are until the second step.
  [[nodiscard]] const std::vector<Value>& load(const Word* state);
  const Successors& expand_loaded(const Sight& sight);
  const Successors& fireable_loaded(const Sight& sight);
  /// By schema: whether an instance was ever fired.
  [[nodiscard]] const std::vector<bool>& fired() const { return fired_; }
  /// What another object fired counts as well.
  void note_fired(const std::vector<bool>& fired);

 private:
  void try_schema(std::size_t schema);
  void try_others(const Schema& schema);
  void bind_thinned(const Schema& schema, std::uint32_t level);
  [[nodiscard]] bool is_bound(lang::ModuleId module, Value process, std::uint32_t level) const;
  [[nodiscard]] std::uint32_t rank(const Schema& schema, Value process) const;
  void bind(const Schema& schema, std::uint32_t level);
  /// Whether the index variables bound so far leave the condition a chance.
  [[nodiscard]] bool passes(const Schema& schema, std::uint32_t level) {
    return !schema.split || schema.conjuncts[level].hold(code_, environment_);
  }
  void found(const Schema& schema);
  void fire_candidates(const Schema& schema);
  void fire(const Schema& schema);
  void run(const Schema& schema, const Action& action) {
    if (action.binders.empty()) {
      assign(schema, action.assignment);
    } else {
      run_bound(schema, action);
    }
  }
  void run_bound(const Schema& schema, const Action& action);
  void assign(const Schema& schema, const Assignment& assignment);
  void report();

  const Program& program_;
  const Expressions& code_;
  std::vector<Value> values_;
  std::vector<Value> slots_;
  std::vector<bool> fired_;
  Environment environment_;
  const Word* state_ = nullptr;
  Sight sight_;
  bool firing_ = true;
  std::size_t schema_number_ = 0;
  Successors result_;
  std::vector<Value> candidates_;  // of a schema with a priority: num_indices values each
  Word* target_ = nullptr;
  // For conflicts: what the current firing assigned.
  std::vector<std::uint64_t> assigned_at_;
  std::vector<Value> assigned_;
  std::uint64_t firing_number_ = 0;
};

}  // namespace cohort::model
