// The program, ready to run: where its variables lie, what its schemas test and do.
//
//   const Program program{loaded.program};
//   Generator generator{program};
//   for (InitialStates initial{program}; !initial.done(); initial.next()) … initial.words()
//   generator.expand(words);        // successors.hpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lang/program.hpp"
#include "model/bounds.hpp"
#include "model/expression.hpp"
#include "model/instances.hpp"
#include "model/layout.hpp"

namespace cohort::model {

/// A schema with its processes, as one number: see Program::instance_code.
using InstanceCode = std::uint64_t;

struct Assignment {
  NodeId target{};
  NodeId value{};
  std::uint32_t variable = 0;
  bool checked = true;  ///< the value may be outside the variable's type
  lang::Span where;     ///< of the value
};

/// An assignment, or ALL(binders where filter: actions).
struct Action {
  Assignment assignment;
  struct Binder {
    std::uint32_t slot = 0;
    Value size = 0;
    std::size_t module = 0;
  };
  std::vector<Binder> binders;
  bool filtered = false;
  NodeId filter{};
  std::vector<Action> actions;
};

/// Conditions that have to hold together, the quick ones first.
struct Conjuncts {
  std::vector<Expressions::Test> tests;
  std::vector<NodeId> others;

  [[nodiscard]] bool hold(const Expressions& code, Environment& environment) const {
    for (const Expressions::Test& test : tests) {
      if (!Expressions::holds(test, environment)) return false;
    }
    for (const NodeId conjunct : others) {
      if (!code.holds(conjunct, environment)) return false;
    }
    return true;
  }
};

struct Schema {
  lang::ModuleId module{};
  std::uint32_t num_indices = 1;
  std::uint32_t num_slots = 1;
  std::vector<lang::ModuleId> modules;  ///< of the index variables
  std::vector<Value> sizes;             ///< how many processes each index variable ranges over
  NodeId condition{};                   ///< unless it is split
  /// The condition's conjuncts by the last index variable that they need, so that most assignments
  /// are never tried in full.  Only where no conjunct can be a fault: then their order is nobody's
  /// business.
  std::vector<Conjuncts> conjuncts;
  bool split = false;
  std::vector<Action> actions;
  bool may_conflict = false;  ///< an instance may be assigned twice at once
  const lang::Priority* priority = nullptr;
  InstanceCode first_code = 0;
};

class Program {
 public:
  /// Keeps a reference to `source`.
  explicit Program(const lang::Program& source);
  /// With conditions and actions to be evaluated in a crowd; such a program has no layout.
  Program(const lang::Program& source, Addresses addresses);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] const lang::Program& source() const { return source_; }
  [[nodiscard]] const Instances& instances() const { return instances_; }
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] const Expressions& expressions() const { return expressions_; }
  /// Null unless expressions are to be evaluated in a crowd.
  [[nodiscard]] const Addresses* addresses() const { return addresses_ ? &*addresses_ : nullptr; }
  [[nodiscard]] const std::vector<Schema>& schemas() const { return schemas_; }
  /// The most slots that a schema has.
  [[nodiscard]] std::size_t most_slots() const { return most_slots_; }
  [[nodiscard]] bool has_priorities() const { return has_priorities_; }

  /// A process as a number among all processes, module after module.
  [[nodiscard]] std::size_t process_number(lang::ModuleId module, Value process) const {
    return first_processes_[base::index_of(module)] + static_cast<std::size_t>(process);
  }
  [[nodiscard]] std::size_t num_processes() const { return first_processes_.back(); }

  [[nodiscard]] InstanceCode instance_code(std::size_t schema, const Value* processes) const;
  struct Instance {
    base::SchemaId schema{};
    std::vector<Value> processes;
  };
  [[nodiscard]] Instance instance(InstanceCode code) const;
  [[nodiscard]] std::size_t schema_of(InstanceCode code) const;
  /// The process that an instance belongs to, among all processes.
  [[nodiscard]] std::size_t executed_process(InstanceCode code) const;

 private:
  [[nodiscard]] Schema compile(const lang::Schema& schema);
  [[nodiscard]] Action compile(const lang::Action& action);
  void split_condition(const lang::Schema& schema, Schema& made);

  void compile_schemas();

  const lang::Program& source_;
  std::optional<Addresses> addresses_;
  Instances instances_;
  Bounds bounds_;
  Layout layout_;
  Expressions expressions_;
  std::vector<Schema> schemas_;
  std::vector<std::size_t> first_processes_;  // and one past the end
  std::size_t most_slots_ = 1;
  bool has_priorities_ = false;
};

/// The initial states, one after the other, packed.
class InitialStates {
 public:
  explicit InitialStates(const Program& program);

  [[nodiscard]] bool done() const { return done_; }
  void next();
  [[nodiscard]] const Word* words() const { return words_.data(); }
  /// How many there are; a number beyond 2^53 is not exact.
  [[nodiscard]] double count() const;

  /// A variable instance that may start with several values.
  struct Choice {
    std::size_t instance = 0;
    const std::vector<lang::Interval>* values = nullptr;
    // The current one, and where it is.
    std::size_t interval = 0;
    Value value = 0;
  };
  [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }

 private:
  const Program& program_;
  std::vector<Word> words_;
  std::vector<Choice> choices_;
  bool done_ = false;
};

}  // namespace cohort::model
