#include "model/why.hpp"

#include <algorithm>
#include <set>
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
    if (expr.op == Op::All) {
      parts.push_back({expr.where, deciding(expr, false, slots)});
    } else if (expr.op == Op::Not && expr.args[0].op == Op::Exists) {
      parts.push_back({expr.where, deciding(expr.args[0], true, slots)});
    } else {
      parts.push_back({expr.where, semantics_.reads(expr, state_, slots)});
    }
  }

  /// What a quantifier looks at for those processes for which its body is true, or false: one of
  /// them is enough to decide it.
  [[nodiscard]] std::vector<std::size_t> deciding(const Expr& quantifier, bool truth,
                                                  std::vector<Value> slots) const {
    std::vector<std::vector<Value>> processes;
    for (const lang::Binder& binder : quantifier.binders) {
      processes.push_back(semantics_.processes(binder.set));
      if (processes.back().empty()) return {};
      slots[binder.slot] = processes.back().front();
    }
    std::set<std::size_t> reads;
    std::vector<std::size_t> at(processes.size(), 0);
    while (true) {
      const Expr& filter = quantifier.args.front();  // or the body once more
      const Expr& body = quantifier.args.back();
      const bool filtered =
          quantifier.args.size() == 1 || semantics_.evaluate(filter, state_, slots).is_true();
      if (filtered && semantics_.evaluate(body, state_, slots).is_true() == truth) {
        for (const Expr& arg : quantifier.args) {
          for (const std::size_t instance : semantics_.reads(arg, state_, slots)) {
            reads.insert(instance);
          }
        }
      }
      std::size_t i = at.size();
      while (i > 0 && ++at[i - 1] == processes[i - 1].size()) at[--i] = 0;
      if (i == 0) return {reads.begin(), reads.end()};
      for (std::size_t j = 0; j < at.size(); ++j) {
        slots[quantifier.binders[j].slot] = processes[j][at[j]];
      }
    }
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
