#include "model/why.hpp"

#include <algorithm>
#include <utility>

namespace cohort::model {
namespace {

using lang::Expr;
using lang::Op;

class Finder {
 public:
  Finder(const plain::Semantics& semantics, const plain::State& state)
      : semantics_(semantics), program_(semantics.program()), state_(state) {}

  [[nodiscard]] SchemaReasons reasons(base::SchemaId schema, Value process) const {
    SchemaReasons made{schema, {}};
    std::vector<plain::Instance> satisfied;
    semantics_.any_instance(schema, process, [&](const plain::Instance& instance) {
      if (semantics_.condition(instance, state_).is_true()) satisfied.push_back(instance);
      return false;
    });
    semantics_.any_instance(schema, process, [&](const plain::Instance& instance) {
      add(made.reasons, reason(instance, satisfied), instance);
      return false;
    });
    return made;
  }

 private:
  [[nodiscard]] Reason reason(const plain::Instance& instance,
                              const std::vector<plain::Instance>& satisfied) const {
    Reason made;
    const plain::Evaluation condition = semantics_.condition(instance, state_);
    if (!condition.faults.empty()) {
      made.kind = Reason::Kind::Fault;
      made.fault = condition.faults.front();
      return made;
    }
    if (!condition.is_true()) {
      made.kind = Reason::Kind::False;
      const lang::Schema& schema = program_[instance.schema];
      std::vector<Value> slots = instance.processes;
      slots.resize(schema.slots.size(), 0);
      blame(schema.condition, slots, made.parts);
      return made;
    }
    for (const plain::Instance& other : satisfied) {
      if (!semantics_.is_outranked(instance, other)) continue;
      // The highest one is told.
      if (!made.by || semantics_.is_outranked(*made.by, other)) made.by = other;
    }
    if (made.by) {
      made.kind = Reason::Kind::Outranked;
      return made;
    }
    const plain::Outcome outcome = semantics_.apply(instance, state_);
    if (outcome.faults.empty()) return made;
    made.kind = Reason::Kind::Fault;
    made.fault = outcome.faults.front();
    return made;
  }

  /// The false parts of something false: of a conjunction those of its conjuncts.
  void blame(const Expr& expr, const std::vector<Value>& slots,
             std::vector<FalsePart>& parts) const {
    if (expr.op == Op::And) {
      for (const Expr& arg : expr.args) {
        const plain::Evaluation value = semantics_.evaluate(arg, state_, slots);
        if (value.value && !value.is_true()) blame(arg, slots, parts);
      }
      return;
    }
    parts.push_back({expr.where, semantics_.reads(expr, state_, slots)});
  }

  static void add(std::vector<Reason>& reasons, Reason made, const plain::Instance& instance) {
    const auto alike = std::ranges::find_if(reasons, [&](const Reason& other) {
      return other.kind == made.kind && other.parts == made.parts && other.by == made.by &&
             other.fault.has_value() == made.fault.has_value() &&
             (!made.fault ||
              (other.fault->kind == made.fault->kind && other.fault->where == made.fault->where &&
               other.fault->value == made.fault->value));
    });
    if (alike != reasons.end()) {
      alike->instances.push_back(instance);
      return;
    }
    made.instances.push_back(instance);
    reasons.push_back(std::move(made));
  }

  const plain::Semantics& semantics_;
  const lang::Program& program_;
  const plain::State& state_;
};

}  // namespace

bool SchemaReasons::is_fireable() const {
  return std::ranges::any_of(
      reasons, [](const Reason& reason) { return reason.kind == Reason::Kind::Fireable; });
}

std::vector<ProcessReasons> why(const plain::Semantics& semantics, const plain::State& state) {
  const Finder finder(semantics, state);
  const lang::Program& program = semantics.program();
  std::vector<ProcessReasons> made;
  for (std::size_t m = 0; m < program.modules.size(); ++m) {
    for (Value id = 0; id < program.modules[m].size; ++id) {
      ProcessReasons process{lang::ModuleId{static_cast<std::uint32_t>(m)}, id, {}};
      for (std::size_t i = 0; i < program.schemas.size(); ++i) {
        if (program.schemas[i].module != process.module) continue;
        process.schemas.push_back(
            finder.reasons(base::SchemaId{static_cast<std::uint32_t>(i)}, id));
      }
      made.push_back(std::move(process));
    }
  }
  return made;
}

}  // namespace cohort::model
