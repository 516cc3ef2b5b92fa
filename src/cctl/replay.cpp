#include "cctl/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "cctl/one_path.hpp"
#include "cctl/path_truth.hpp"
#include "model/plain.hpp"

namespace cohort::cctl {
namespace {

using base::index_of;
using lang::Expr;
using lang::Op;
using model::plain::Instance;
using model::plain::Semantics;
using model::plain::State;
using Support = Judgement::Support;

/// `grant(0, 2)`.
[[nodiscard]] std::string name_of(const Instance& instance, const lang::Program& program) {
  return fmt::format("{}({})", program[instance.schema].name, fmt::join(instance.processes, ", "));
}

// ---------------------------------------------------------------------------------------------------
// Stepping

class Stepper {
 public:
  Stepper(const Semantics& semantics, const Evidence& evidence)
      : semantics_(semantics), program_(semantics.program()), evidence_(evidence) {}

  /// Nothing, with objections, if it is no path.
  [[nodiscard]] std::optional<Run> run(std::vector<std::string>& objections) {
    check_initial();
    if (objections_.empty()) {
      run_.states = PathStates{evidence_.initial};
      for (std::size_t i = 0; i < evidence_.steps.size() && objections_.empty(); ++i) step(i);
    }
    if (objections_.empty()) check_loop();
    objections.insert(objections.end(), objections_.begin(), objections_.end());
    if (!objections_.empty()) return std::nullopt;
    return std::move(run_);
  }

 private:
  void check_initial() {
    const State& initial = evidence_.initial;
    const model::Instances& variables = semantics_.variables();
    if (initial.size() != variables.size()) {
      objections_.push_back(fmt::format("the initial state has {} values, the program has {}",
                                        initial.size(), variables.size()));
      return;
    }
    for (std::size_t i = 0; i < initial.size(); ++i) {
      if (semantics_.may_start(i, initial[i])) continue;
      objections_.push_back(fmt::format("'{}' does not start with {}", variables.name(i),
                                        variables.value_text(i, initial[i])));
    }
  }

  void object(std::size_t step, const std::string& why) {
    objections_.push_back(fmt::format("step {}: {}", step, why));
  }

  void step(std::size_t number) {
    const Step& step = evidence_.steps[number];
    if (index_of(step.schema) >= program_.schemas.size()) {
      object(number, "the program has no such schema");
      return;
    }
    const Instance instance{step.schema, step.processes};
    const lang::Schema& schema = program_[step.schema];
    if (!check_processes(number, schema, step.processes)) return;
    const State& before = run_.states.back();
    if (!semantics_.is_fireable(instance, before)) {
      const bool holds = semantics_.condition(instance, before).is_true();
      const std::string name = name_of(instance, program_);
      object(number, holds ? fmt::format("'{}' is kept back by its priority", name)
                           : fmt::format("the condition of '{}' does not hold", name));
      return;
    }
    const model::plain::Effect effect = semantics_.effect(instance, before);
    if (!effect.changes) {
      object(number, fmt::format("'{}' is a model error: {}", name_of(instance, program_),
                                 model::describe(effect.faults.front(), program_)));
      return;
    }
    check_changes(number, before, *effect.changes);
    run_.states.step(*effect.changes);
    run_.fired.push_back(instance);
  }

  [[nodiscard]] bool check_processes(std::size_t number, const lang::Schema& schema,
                                     const std::vector<Value>& processes) {
    if (processes.size() != schema.num_indices) {
      object(number, fmt::format("'{}' has {} index variables, not {}", schema.name,
                                 schema.num_indices, processes.size()));
      return false;
    }
    for (std::size_t i = 0; i < processes.size(); ++i) {
      const lang::Module& module = program_[schema.slots[i].module];
      if (processes[i] >= 0 && processes[i] < module.size) continue;
      object(number, fmt::format("process {} is beyond module '{}', whose ids are 0 to {}",
                                 processes[i], module.name, module.size - 1));
      return false;
    }
    return true;
  }

  void check_changes(std::size_t number, const State& before,
                     const std::map<std::size_t, Value>& changes) {
    std::map<std::size_t, Value> claimed;
    std::set<std::size_t> touched;
    for (const auto& [instance, value] : changes) touched.insert(instance);
    std::optional<std::size_t> previous;
    for (const Change& change : evidence_.steps[number].changes) {
      if (change.instance >= before.size()) {
        object(number, "a variable changes that the program does not have");
        return;
      }
      if (previous && change.instance <= *previous) {
        object(number, "the changes are not in the order of the variables");
      }
      previous = change.instance;
      claimed.emplace(change.instance, change.value);
      touched.insert(change.instance);
    }
    const model::Instances& variables = semantics_.variables();
    for (const std::size_t i : touched) {
      const auto found = claimed.find(i);
      const auto change = changes.find(i);
      const bool stays = change == changes.end();
      const Value after = stays ? before[i] : change->second;
      if (!stays && found == claimed.end()) {
        object(number, fmt::format("'{}' becomes {}, which is not said", variables.name(i),
                                   variables.value_text(i, after)));
      } else if (found != claimed.end() && (stays || found->second != after)) {
        object(number, fmt::format("'{}' {} {}, and does not become {}", variables.name(i),
                                   stays ? "stays" : "becomes", variables.value_text(i, after),
                                   variables.value_text(i, found->second)));
      }
    }
  }

  void check_loop() {
    if (!evidence_.loop) return;
    const std::size_t begin = *evidence_.loop;
    if (begin >= run_.fired.size()) {
      objections_.push_back(fmt::format("the loop starts with step {}, but the path has {} step{}",
                                        begin, run_.fired.size(),
                                        run_.fired.size() == 1 ? "" : "s"));
      return;
    }
    if (!run_.states.are_equal(begin, run_.states.size() - 1)) {
      objections_.push_back(
          fmt::format("the path does not end in the state in which step {} starts", begin));
      return;
    }
    run_.loop = begin;
  }

  const Semantics& semantics_;
  const lang::Program& program_;
  const Evidence& evidence_;
  Run run_;
  std::vector<std::string> objections_;
};

// ---------------------------------------------------------------------------------------------------
// Claims

class Judge {
 public:
  Judge(const Semantics& semantics, const lang::Formula& formula, const Evidence& evidence,
        const Run& run)
      : semantics_(semantics),
        formula_(formula),
        evidence_(evidence),
        run_(run),
        truth_(semantics, formula, run) {}

  [[nodiscard]] Judgement run(base::Verdict verdict) {
    if (verdict != base::Verdict::Holds && verdict != base::Verdict::Fails) {
      throw std::logic_error("evidence shows that a property holds or fails, nothing else");
    }
    const bool holds = verdict == base::Verdict::Holds;
    Judgement judgement;
    check_kind(holds);
    const Truth chosen = check_choices(holds);
    // Where the chosen processes show it, the others need not be asked.
    const Truth found = chosen == truth(holds) ? chosen : truth_.value(formula_.root, 0);
    if (found != Truth::Unknown) {
      const bool as_claimed = found == truth(holds);
      judgement.support = as_claimed ? Support::Shown : Support::Refuted;
      if (as_claimed && holds && !semantics_.initial_states(1)) {
        judgement.support = Support::Undecided;
      }
    } else if (one_path_can_show(formula_.root, holds)) {
      judgement.support = Support::Refuted;  // it would have been easy
    }
    for (const Note& note : evidence_.notes) check(note);
    judgement.objections = std::move(objections_);
    return judgement;
  }

 private:
  void check_kind(bool holds) {
    const bool is_witness = evidence_.kind == Evidence::Kind::Witness;
    if (is_witness == holds) return;
    objections_.push_back(is_witness ? "a witness for a property that fails"
                                     : "a counterexample to a property that holds");
  }

  /// The choices of the quantifiers that the formula begins with must not make it come out wrong.
  /// What they say about the formula, if they are all that it needs.
  Truth check_choices(bool holds) {
    for (const Choice& choice : evidence_.choices) {
      const auto& modules = semantics_.program().modules;
      const bool exists = index_of(choice.module) < modules.size() && choice.process >= 0 &&
                          choice.process < modules[index_of(choice.module)].size;
      if (exists) continue;
      objections_.push_back(fmt::format("'{}' is chosen to be process {}, which does not exist",
                                        choice.variable, choice.process));
      return Truth::Unknown;
    }
    const Expr* claim = &formula_.root;
    bool wanted = holds;
    std::size_t next = 0;
    while (true) {
      if (claim->op == Op::Not) {
        wanted = !wanted;
      } else if (claim->op == (wanted ? Op::ExistsProcess : Op::ForallProcess)) {
        for (const lang::Binder& binder : claim->binders) {
          if (next == evidence_.choices.size() || !choose(binder, evidence_.choices[next++])) {
            return Truth::Unknown;
          }
        }
      } else {
        break;
      }
      claim = &claim->args[0];
    }
    if (next == 0) return Truth::Unknown;
    const Truth found = truth_.value(*claim, 0);
    if (found == truth(!wanted)) {
      objections_.push_back("with the chosen processes the path shows the contrary");
    }
    return found == truth(wanted) ? truth(holds) : Truth::Unknown;
  }

  [[nodiscard]] bool choose(const lang::Binder& binder, const Choice& choice) {
    const lang::Slot& slot = formula_.slots[binder.slot];
    if (slot.name != choice.variable || slot.module != choice.module) return false;
    const std::vector<Value> allowed = semantics_.processes(binder.set);
    if (std::ranges::find(allowed, choice.process) == allowed.end()) {
      objections_.push_back(
          fmt::format("'{}' is chosen to be process {}, which it does not range "
                      "over",
                      choice.variable, choice.process));
      return false;
    }
    truth_.set_slot(binder.slot, choice.process);
    chosen_.insert(binder.slot);
    return true;
  }

  void check(const Note& note) {
    if (note.position >= run_.states.size()) {
      objections_.push_back(
          fmt::format("a note is about state {}, which the path does not have", note.position));
      return;
    }
    const Expr* const found = find(formula_.root, note.where);
    if (found == nullptr) {
      objections_.push_back("a note is about something that is no part of the formula");
      return;
    }
    const bool known = std::ranges::all_of(free_slots(*found), [&](std::uint32_t slot) {
      return slot < formula_.num_free || chosen_.contains(slot);
    });
    if (!known || found->type.kind == lang::ValueType::Kind::Process) return;
    if (truth_.value(*found, run_.normal(note.position)) != truth(!note.holds)) return;
    const std::string part(formula_.source == nullptr ? "a sub-formula"
                                                      : formula_.source->text(note.where));
    objections_.push_back(fmt::format("'{}' is said to be {} in state {}, but it is not", part,
                                      note.holds ? "true" : "false", note.position));
  }

  [[nodiscard]] static const Expr* find(const Expr& expr, lang::Span where) {
    if (expr.where == where) return &expr;
    for (const Expr& arg : expr.args) {
      if (const Expr* const found = find(arg, where)) return found;
    }
    return nullptr;
  }

  const Semantics& semantics_;
  const lang::Formula& formula_;
  const Evidence& evidence_;
  const Run& run_;
  PathTruth truth_;
  std::set<std::uint32_t> chosen_;
  std::vector<std::string> objections_;
};

/// Why the fault of an instance is not what the last state of the path shows; empty if it is.
[[nodiscard]] std::string objection_to_fault(const Semantics& semantics, const ModelError& error,
                                             const State& state) {
  const lang::Program& program = semantics.program();
  const bool fits = index_of(error.schema) < program.schemas.size() &&
                    error.processes.size() == program[error.schema].num_indices;
  if (!fits) return "the program has no such schema";
  for (std::size_t i = 0; i < error.processes.size(); ++i) {
    const lang::Module& module = program[program[error.schema].slots[i].module];
    if (error.processes[i] < 0 || error.processes[i] >= module.size) {
      return fmt::format("process {} is beyond module '{}'", error.processes[i], module.name);
    }
  }
  const Instance instance{error.schema, error.processes};
  std::vector<model::Fault> faults = semantics.condition(instance, state).faults;
  if (semantics.is_fireable(instance, state)) faults = semantics.apply(instance, state).faults;
  const bool is_met = std::ranges::any_of(faults, [&](const model::Fault& met) {
    return met.kind == error.fault.kind && overlap(met.where, error.fault.where);
  });
  if (is_met) return {};
  const std::string instead =
      faults.empty() ? "no model error" : model::describe(faults.front(), program);
  return fmt::format("'{}' is said to meet: {}; it meets: {}", name_of(instance, program),
                     model::describe(error.fault, program), instead);
}

}  // namespace

std::optional<Run> step_through(const Semantics& semantics, const Evidence& evidence,
                                std::vector<std::string>& objections) {
  return Stepper(semantics, evidence).run(objections);
}

Judgement replay_path(const lang::Program& program, const Evidence& evidence) {
  const Semantics semantics{program};
  Judgement judgement;
  if (!Stepper(semantics, evidence).run(judgement.objections)) judgement.support = Support::Refuted;
  return judgement;
}

Judgement replay(const lang::Program& program, const lang::Formula& formula,
                 const Evidence& evidence, base::Verdict verdict) {
  const Semantics semantics{program};
  Judgement judgement;
  const std::optional<Run> run = Stepper(semantics, evidence).run(judgement.objections);
  if (run) return Judge(semantics, formula, evidence, *run).run(verdict);
  judgement.support = Support::Refuted;
  return judgement;
}

Judgement replay_error(const lang::Program& program, const lang::Formula& formula,
                       const ModelError& error) {
  const Semantics semantics{program};
  Judgement judgement;
  judgement.support = Support::Refuted;
  if (error.path.loop) judgement.objections.push_back("the path to a model error has no loop");
  const std::optional<Run> run = Stepper(semantics, error.path).run(judgement.objections);
  if (!run || !judgement.objections.empty()) return judgement;
  const std::size_t last = run->states.size() - 1;
  if (error.in_formula) {
    if (!PathTruth(semantics, formula, *run).meets(formula.root, last, error.fault)) {
      judgement.objections.push_back("the formula meets no such model error there");
    }
  } else {
    const std::string objection = objection_to_fault(semantics, error, run->states[last]);
    if (!objection.empty()) judgement.objections.push_back(objection);
  }
  if (judgement.objections.empty()) judgement.support = Support::Shown;
  return judgement;
}

}  // namespace cohort::cctl
