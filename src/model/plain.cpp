#include "model/plain.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace cohort::model::plain {
namespace {

using base::index_of;
using lang::Expr;
using lang::Op;
using lang::syntax::Join;

/// As near as a fault can say it.
[[nodiscard]] Value clamped(const Number& number) {
  const Number least = std::numeric_limits<Value>::min();
  const Number most = std::numeric_limits<Value>::max();
  return std::clamp(number, least, most).convert_to<Value>();
}

[[nodiscard]] Number truth(bool value) { return value ? 1 : 0; }

[[nodiscard]] Number combine(const Number& left, Join join, const Number& right) {
  switch (join) {
    case Join::Plus:
      return left + right;
    case Join::Minus:
      return left - right;
    case Join::Times:
      return left * right;
    case Join::Divide:
      return left / right;  // cpp_int rounds towards zero, as C does
    case Join::Modulo:
      return left % right;  // and the remainder has the sign of the left side
    case Join::Equal:
      return truth(left == right);
    case Join::NotEqual:
      return truth(left != right);
    case Join::Less:
      return truth(left < right);
    case Join::LessEqual:
      return truth(left <= right);
    case Join::Greater:
      return truth(left > right);
    case Join::GreaterEqual:
      return truth(left >= right);
    case Join::None:
      break;
  }
  throw std::logic_error("an operand without an operator");
}

/// Evaluates expressions in one state.
class Evaluator {
 public:
  Evaluator(const Semantics& semantics, const State& state, std::vector<Value> slots)
      : semantics_(semantics), state_(state), slots_(std::move(slots)) {}

  [[nodiscard]] std::vector<Fault>& faults() { return faults_; }
  /// From now on, notes every variable instance that is looked at.
  void note_reads(std::set<std::size_t>& reads) { reads_ = &reads; }

  [[nodiscard]] std::optional<Number> value(const Expr& expr) {
    switch (expr.op) {
      case Op::Constant:
        return Number(expr.value);
      case Op::None:
        return Number(lang::none_value);
      case Op::Slot:
        return Number(slots_[expr.id]);
      case Op::Variable: {
        const std::optional<std::size_t> at = place(expr);
        if (!at) return std::nullopt;
        if (reads_ != nullptr) reads_->insert(*at);
        return Number(state_[*at]);
      }
      case Op::Minus: {
        const std::optional<Number> operand = value(expr.args[0]);
        if (!operand) return std::nullopt;
        return Number(-*operand);
      }
      case Op::Not: {
        const std::optional<Number> operand = value(expr.args[0]);
        if (!operand) return std::nullopt;
        return truth(*operand == 0);
      }
      case Op::Product:
      case Op::Sum:
      case Op::Compare:
        return chain(expr);
      case Op::And:
        return until(expr, false, false);
      case Op::Or:
        return until(expr, true, true);
      case Op::Implies:
        return until(expr, false, true);
      case Op::Iff:
        return equivalence(expr);
      case Op::Conditional: {
        const std::optional<Number> test = value(expr.args[0]);
        if (!test) return std::nullopt;
        return value(expr.args[*test != 0 ? 1 : 2]);
      }
      case Op::All:
      case Op::Exists:
      case Op::Count:
        return quantifier(expr);
      default:
        throw std::logic_error("an operator of formulas in an expression");
    }
  }

  /// The variable instance that a variable with its subscripts is.
  [[nodiscard]] std::optional<std::size_t> place(const Expr& expr) {
    const lang::VariableId variable{expr.id};
    std::vector<Value> subscripts;
    bool fine = true;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      const std::optional<Number> subscript = value(expr.args[i]);
      if (!subscript) {
        fine = false;
        continue;
      }
      const lang::Dimension& dimension = semantics_.program()[variable].dimensions[i];
      if (*subscript < dimension.range.first || *subscript > dimension.range.last) {
        add(dimension.module ? FaultKind::NoneAsSubscript : FaultKind::SubscriptOutside,
            expr.args[i].where, *subscript, expr.id);
        fine = false;
        continue;
      }
      subscripts.push_back(subscript->convert_to<Value>());
    }
    if (!fine) return std::nullopt;
    return semantics_.variables().number(variable, subscripts);
  }

  void add(FaultKind kind, lang::Span where, const Number& offending, std::uint32_t variable) {
    faults_.push_back({kind, where, clamped(offending), variable});
  }

  /// Calls `visit` for every value of the bound variables.
  void for_each(const std::vector<lang::Binder>& binders, const std::function<void()>& visit,
                std::size_t from = 0) {
    if (from == binders.size()) {
      visit();
      return;
    }
    for (const Value process : semantics_.processes(binders[from].set)) {
      slots_[binders[from].slot] = process;
      for_each(binders, visit, from + 1);
    }
  }

 private:
  [[nodiscard]] std::optional<Number> chain(const Expr& expr) {
    std::optional<Number> result = value(expr.args[0]);
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
      const Join join = expr.args[i].join;
      const std::optional<Number> right = value(expr.args[i]);
      if ((join == Join::Divide || join == Join::Modulo) && right && *right == 0) {
        add(FaultKind::DivisionByZero, expr.args[i].where, 0, 0);
        result.reset();
        continue;
      }
      result = result && right ? std::optional(combine(*result, join, *right)) : std::nullopt;
    }
    return result;
  }

  /// From left to right; an operand but the last that is as true as `decisive` ends it with
  /// `result`.
  [[nodiscard]] std::optional<Number> until(const Expr& expr, bool decisive, bool result) {
    for (std::size_t i = 0; i + 1 < expr.args.size(); ++i) {
      const std::optional<Number> operand = value(expr.args[i]);
      if (!operand) return std::nullopt;
      if ((*operand != 0) == decisive) return truth(result);
    }
    const std::optional<Number> last = value(expr.args.back());
    if (!last) return std::nullopt;
    return truth(*last != 0);
  }

  [[nodiscard]] std::optional<Number> equivalence(const Expr& expr) {
    std::optional<Number> result = value(expr.args[0]);
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
      const std::optional<Number> right = value(expr.args[i]);
      result =
          result && right ? std::optional(truth((*result != 0) == (*right != 0))) : std::nullopt;
    }
    return result;
  }

  /// Looks at every process, so that a fault in one of them is a fault.
  [[nodiscard]] std::optional<Number> quantifier(const Expr& expr) {
    Number looked_at = 0;
    Number satisfied = 0;
    bool fine = true;
    for_each(expr.binders, [&] {
      if (expr.args.size() == 2) {
        const std::optional<Number> filter = value(expr.args.front());
        if (!filter) fine = false;
        if (!filter || *filter == 0) return;
      }
      const std::optional<Number> body = value(expr.args.back());
      if (!body) fine = false;
      ++looked_at;
      if (body && *body != 0) ++satisfied;
    });
    if (!fine) return std::nullopt;
    if (expr.op == Op::All) return truth(satisfied == looked_at);
    if (expr.op == Op::Exists) return truth(satisfied > 0);
    return satisfied;
  }

  const Semantics& semantics_;
  const State& state_;
  std::vector<Value> slots_;
  std::vector<Fault> faults_;
  std::set<std::size_t>* reads_ = nullptr;
};

/// Carries out actions: everything is evaluated in the old state, then assigned at once.
class Assigner {
 public:
  Assigner(const Semantics& semantics, const State& state, std::vector<Value> slots)
      : semantics_(semantics), state_(state), evaluator_(semantics, state, std::move(slots)) {}

  [[nodiscard]] Evaluator& evaluator() { return evaluator_; }
  /// What has been assigned.
  [[nodiscard]] const std::map<std::size_t, Value>& assigned() const { return assigned_; }

  [[nodiscard]] Effect run(const std::vector<lang::Action>& actions) {
    for (const lang::Action& action : actions) perform(action);
    if (!evaluator_.faults().empty()) return {std::nullopt, std::move(evaluator_.faults())};
    std::map<std::size_t, Value> changes = assigned_;
    std::erase_if(changes, [&](const auto& made) { return state_[made.first] == made.second; });
    return {std::move(changes), {}};
  }

 private:
  void perform(const lang::Action& action) {
    if (action.binders.empty()) {
      assign(action);
      return;
    }
    evaluator_.for_each(action.binders, [&] {
      if (!action.filter.empty()) {
        const std::optional<Number> filter = evaluator_.value(action.filter.front());
        if (!filter || *filter == 0) return;
      }
      for (const lang::Action& inner : action.actions) perform(inner);
    });
  }

  void assign(const lang::Action& action) {
    const std::optional<std::size_t> place = evaluator_.place(action.target);
    const std::optional<Number> value = evaluator_.value(action.value);
    if (!value) return;
    const lang::Interval& values =
        semantics_.program()[lang::VariableId{action.target.id}].type.values;
    if (*value < values.first || *value > values.last) {
      evaluator_.add(FaultKind::OutsideType, action.value.where, *value, action.target.id);
      return;
    }
    if (!place) return;
    const auto [earlier, is_first] = assigned_.emplace(*place, value->convert_to<Value>());
    if (!is_first && earlier->second != *value) {
      evaluator_.add(FaultKind::Conflict, action.where, *value, action.target.id);
    }
  }

  const Semantics& semantics_;
  const State& state_;
  Evaluator evaluator_;
  std::map<std::size_t, Value> assigned_;
};

}  // namespace

Semantics::Semantics(const lang::Program& program) : program_(program), variables_(program) {
  for (const lang::Variable& variable : program.variables) {
    const lang::VariableId id{static_cast<std::uint32_t>(&variable - program.variables.data())};
    initial_.insert(initial_.end(), variables_.count(id), &variable.initial);
  }
  for (const lang::Init& init : program.inits) {
    initial_[variables_.number(init.variable, init.subscripts)] = &init.initial;
  }
}

// ---------------------------------------------------------------------------------------------------
// Initial states

bool Semantics::may_start(std::size_t instance, Value value) const {
  return std::ranges::any_of(*initial_[instance],
                             [&](const lang::Interval& values) { return values.contains(value); });
}

bool Semantics::is_initial(const State& state) const {
  if (state.size() != initial_.size()) return false;
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (!may_start(i, state[i])) return false;
  }
  return true;
}

std::optional<std::vector<State>> Semantics::initial_states(std::size_t most) const {
  // One instance after the other, each state so far with each value of the next.
  std::vector<State> states{State{}};
  for (const std::vector<lang::Interval>* const choices : initial_) {
    Number num_choices = 0;
    for (const lang::Interval& values : *choices) {
      num_choices += Number(values.last) - values.first + 1;
    }
    if (num_choices * states.size() > most) return std::nullopt;
    std::vector<State> longer;
    for (const State& state : states) {
      for (const lang::Interval& values : *choices) {
        for (Number value = values.first; value <= values.last; ++value) {
          longer.push_back(state);
          longer.back().push_back(value.convert_to<Value>());
        }
      }
    }
    states = std::move(longer);
  }
  return states;
}

// ---------------------------------------------------------------------------------------------------
// Instances

std::vector<Value> Semantics::processes(const lang::ProcessSet& set) const {
  if (!set.all) return {set.ids.begin(), set.ids.end()};
  std::vector<Value> all;
  for (Value id = 0; id < program_[set.module].size; ++id) all.push_back(id);
  return all;
}

bool Semantics::any_instance(base::SchemaId schema, std::optional<Value> primary,
                             const std::function<bool(const Instance&)>& visit) const {
  const lang::Schema& of = program_[schema];
  Instance instance{schema, std::vector<Value>(of.num_indices, 0)};
  const std::size_t first_counted = primary ? 1 : 0;
  if (primary) instance.processes[0] = *primary;
  while (true) {
    if (visit(instance)) return true;
    // The next one: the last index variable counts fastest.
    std::size_t i = of.num_indices;
    while (i > first_counted &&
           instance.processes[i - 1] + 1 == program_[of.slots[i - 1].module].size) {
      instance.processes[i - 1] = 0;
      --i;
    }
    if (i == first_counted) return false;
    ++instance.processes[i - 1];
  }
}

// ---------------------------------------------------------------------------------------------------
// Conditions and actions

Evaluation Semantics::evaluate(const Expr& expr, const State& state,
                               std::vector<Value> slots) const {
  Evaluator evaluator(*this, state, std::move(slots));
  std::optional<Number> value = evaluator.value(expr);
  assert(value.has_value() == evaluator.faults().empty());
  return {std::move(value), std::move(evaluator.faults())};
}

std::vector<std::size_t> Semantics::reads(const Expr& expr, const State& state,
                                          std::vector<Value> slots) const {
  std::set<std::size_t> reads;
  Evaluator evaluator(*this, state, std::move(slots));
  evaluator.note_reads(reads);
  static_cast<void>(evaluator.value(expr));
  return {reads.begin(), reads.end()};
}

namespace {
[[nodiscard]] std::vector<Value> slots_of(const lang::Schema& schema, const Instance& instance) {
  std::vector<Value> slots = instance.processes;
  slots.resize(schema.slots.size(), 0);
  return slots;
}
}  // namespace

Evaluation Semantics::condition(const Instance& instance, const State& state) const {
  const lang::Schema& schema = program_[instance.schema];
  return evaluate(schema.condition, state, slots_of(schema, instance));
}

bool Semantics::is_outranked(const Instance& instance, const Instance& other) const {
  const std::optional<lang::Priority>& priority = program_[instance.schema].priority;
  if (!priority || instance.schema != other.schema) return false;
  if (instance.processes[0] != other.processes[0]) return false;
  const auto rank = [&](const Instance& of) {
    return priority->ranks[static_cast<std::size_t>(of.processes[priority->slot])];
  };
  return rank(other) < rank(instance);
}

bool Semantics::is_fireable(const Instance& instance, const State& state) const {
  if (!condition(instance, state).is_true()) return false;
  if (!program_[instance.schema].priority) return true;
  return !any_instance(instance.schema, instance.processes[0], [&](const Instance& other) {
    return is_outranked(instance, other) && condition(other, state).is_true();
  });
}

Effect Semantics::effect(const Instance& instance, const State& state) const {
  const lang::Schema& schema = program_[instance.schema];
  return Assigner(*this, state, slots_of(schema, instance)).run(schema.actions);
}

Outcome Semantics::apply(const Instance& instance, const State& state) const {
  Effect effect = this->effect(instance, state);
  if (!effect.changes) return {std::nullopt, std::move(effect.faults)};
  State after = state;
  for (const auto& [place, value] : *effect.changes) after[place] = value;
  return {std::move(after), {}};
}

Footprint Semantics::footprint(const Instance& instance, const State& state) const {
  const lang::Schema& schema = program_[instance.schema];
  std::set<std::size_t> reads;
  const auto look_at_condition = [&](const Instance& of) {
    Evaluator evaluator(*this, state, slots_of(schema, of));
    evaluator.note_reads(reads);
    static_cast<void>(evaluator.value(schema.condition));
  };
  look_at_condition(instance);
  any_instance(instance.schema, instance.processes[0], [&](const Instance& other) {
    if (is_outranked(instance, other)) look_at_condition(other);
    return false;
  });
  Assigner assigner(*this, state, slots_of(schema, instance));
  assigner.evaluator().note_reads(reads);
  static_cast<void>(assigner.run(schema.actions));
  return {{reads.begin(), reads.end()}, {assigner.assigned().begin(), assigner.assigned().end()}};
}

// ---------------------------------------------------------------------------------------------------
// States

bool Semantics::is_enabled(lang::ModuleId module, Value process, const State& state) const {
  for (std::size_t i = 0; i < program_.schemas.size(); ++i) {
    if (program_.schemas[i].module != module) continue;
    const bool fires =
        any_instance(base::SchemaId{static_cast<std::uint32_t>(i)}, process,
                     [&](const Instance& instance) { return is_fireable(instance, state); });
    if (fires) return true;
  }
  return false;
}

bool Semantics::is_deadlock(const State& state) const {
  for (std::size_t i = 0; i < program_.schemas.size(); ++i) {
    const bool fires =
        any_instance(base::SchemaId{static_cast<std::uint32_t>(i)}, std::nullopt,
                     [&](const Instance& instance) { return is_fireable(instance, state); });
    if (fires) return false;
  }
  return true;
}

View Semantics::look(const State& state) const {
  View view;
  for (std::size_t i = 0; i < program_.schemas.size(); ++i) {
    std::vector<Instance> satisfied;
    any_instance(base::SchemaId{static_cast<std::uint32_t>(i)}, std::nullopt,
                 [&](const Instance& instance) {
                   const Evaluation evaluation = condition(instance, state);
                   for (const Fault& fault : evaluation.faults)
                     view.faults.push_back({instance, fault});
                   if (evaluation.is_true()) satisfied.push_back(instance);
                   return false;
                 });
    for (const Instance& instance : satisfied) {
      const bool outranked = std::ranges::any_of(
          satisfied, [&](const Instance& other) { return is_outranked(instance, other); });
      if (outranked) continue;
      view.fireable.push_back(instance);
      Outcome outcome = apply(instance, state);
      for (const Fault& fault : outcome.faults) view.faults.push_back({instance, fault});
      if (outcome.after) view.edges.push_back({instance, std::move(*outcome.after)});
    }
  }
  return view;
}

}  // namespace cohort::model::plain
