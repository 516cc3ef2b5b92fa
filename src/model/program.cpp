#include "model/program.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace cohort::model {
namespace {

using lang::Expr;
using lang::Op;

/// The last index variable that an expression mentions; 0 if it mentions none.
[[nodiscard]] std::uint32_t last_index(const Expr& expr, std::size_t num_indices) {
  std::uint32_t last = expr.op == Op::Slot && expr.id < num_indices ? expr.id : 0;
  for (const Expr& arg : expr.args) last = std::max(last, last_index(arg, num_indices));
  return last;
}

void flatten(const Expr& condition, std::vector<const Expr*>& conjuncts) {
  if (condition.op != Op::And) {
    conjuncts.push_back(&condition);
    return;
  }
  for (const Expr& arg : condition.args) flatten(arg, conjuncts);
}

/// How often each variable is assigned, and whether one assignment can hit one instance twice.
class Conflicts {
 public:
  [[nodiscard]] bool possible(const lang::Schema& schema) {
    for (const lang::Action& action : schema.actions) visit(action);
    return possible_;
  }

 private:
  void visit(const lang::Action& action) {
    if (action.binders.empty()) {
      if (!assigned_.insert({action.target.id, 0}).second) possible_ = true;
      // Under ALL every bound variable has to be a subscript by itself, or rounds may meet.
      for (const std::uint32_t slot : bound_) {
        possible_ = possible_ || std::ranges::none_of(action.target.args, [&](const Expr& arg) {
                      return arg.op == Op::Slot && arg.id == slot;
                    });
      }
      return;
    }
    for (const lang::Binder& binder : action.binders) bound_.push_back(binder.slot);
    for (const lang::Action& inner : action.actions) visit(inner);
    bound_.resize(bound_.size() - action.binders.size());
  }

  std::unordered_map<std::uint32_t, int> assigned_;
  std::vector<std::uint32_t> bound_;
  bool possible_ = false;
};

}  // namespace

Program::Program(const lang::Program& source)
    : source_(source),
      instances_(source),
      bounds_(source),
      layout_(source, instances_, bounds_),
      expressions_(source, instances_, bounds_) {
  compile_schemas();
}

Program::Program(const lang::Program& source, Addresses addresses)
    : source_(source),
      addresses_(std::move(addresses)),
      instances_(source),
      bounds_(source),
      expressions_(source, instances_, bounds_, &*addresses_) {
  compile_schemas();
}

void Program::compile_schemas() {
  std::size_t num_processes = 0;
  for (const lang::Module& module : source_.modules) {
    first_processes_.push_back(num_processes);
    num_processes += static_cast<std::size_t>(module.size);
  }
  first_processes_.push_back(num_processes);
  InstanceCode next_code = 0;
  for (const lang::Schema& schema : source_.schemas) {
    schemas_.push_back(compile(schema));
    Schema& made = schemas_.back();
    made.first_code = next_code;
    InstanceCode count = 1;
    for (const Value size : made.sizes) count *= static_cast<InstanceCode>(size);
    next_code += count;
    most_slots_ = std::max<std::size_t>(most_slots_, made.num_slots);
    has_priorities_ = has_priorities_ || made.priority != nullptr;
  }
}

Schema Program::compile(const lang::Schema& schema) {
  Schema made;
  made.module = schema.module;
  made.num_indices = static_cast<std::uint32_t>(schema.num_indices);
  made.num_slots = static_cast<std::uint32_t>(schema.slots.size());
  for (std::size_t i = 0; i < schema.num_indices; ++i) {
    made.modules.push_back(schema.slots[i].module);
    made.sizes.push_back(source_[schema.slots[i].module].size);
  }
  const Expressions::Mark before = expressions_.mark();
  made.condition = expressions_.compile(schema.condition);
  made.split = expressions_.is_safe(made.condition);
  if (made.split) {
    expressions_.forget_since(before);  // the parts are evaluated, never the whole
    split_condition(schema, made);
  }
  for (const lang::Action& action : schema.actions) made.actions.push_back(compile(action));
  made.may_conflict = Conflicts{}.possible(schema);
  if (schema.priority) made.priority = &*schema.priority;
  return made;
}

void Program::split_condition(const lang::Schema& schema, Schema& made) {
  made.conjuncts.resize(made.num_indices);
  std::vector<const Expr*> conjuncts;
  flatten(schema.condition, conjuncts);
  for (const Expr* const conjunct : conjuncts) {
    Conjuncts& of_index = made.conjuncts[last_index(*conjunct, made.num_indices)];
    const Expressions::Mark before = expressions_.mark();
    const NodeId compiled = expressions_.compile_quick(*conjunct);
    if (const auto test = expressions_.as_test(compiled)) {
      expressions_.forget_since(before);
      of_index.tests.push_back(*test);
    } else {
      of_index.others.push_back(compiled);
    }
  }
}

Action Program::compile(const lang::Action& action) {
  Action made;
  if (!action.binders.empty()) {
    for (const lang::Binder& binder : action.binders) {
      made.binders.push_back(
          {binder.slot, source_[binder.set.module].size, base::index_of(binder.set.module)});
    }
    made.filtered = !action.filter.empty();
    if (made.filtered) made.filter = expressions_.compile(action.filter.front());
    for (const lang::Action& inner : action.actions) made.actions.push_back(compile(inner));
    return made;
  }
  const lang::Interval& type = source_.variables[action.target.id].type.values;
  const WideInterval values = bounds_.of(action.value);
  made.assignment.target = expressions_.compile(action.target);
  made.assignment.value = expressions_.compile(action.value);
  made.assignment.variable = action.target.id;
  made.assignment.checked = values.first < type.first || values.last > type.last;
  made.assignment.where = action.value.where;
  return made;
}

InstanceCode Program::instance_code(std::size_t schema, const Value* processes) const {
  const Schema& of = schemas_[schema];
  InstanceCode code = 0;
  for (std::size_t i = 0; i < of.num_indices; ++i) {
    code = code * static_cast<InstanceCode>(of.sizes[i]) + static_cast<InstanceCode>(processes[i]);
  }
  return of.first_code + code;
}

std::size_t Program::schema_of(InstanceCode code) const {
  const auto after = std::ranges::upper_bound(schemas_, code, {}, &Schema::first_code);
  return static_cast<std::size_t>(after - schemas_.begin()) - 1;
}

Program::Instance Program::instance(InstanceCode code) const {
  const std::size_t number = schema_of(code);
  const Schema& schema = schemas_[number];
  Instance made{base::SchemaId{static_cast<std::uint32_t>(number)},
                std::vector<Value>(schema.num_indices)};
  InstanceCode rest = code - schema.first_code;
  for (std::size_t i = schema.num_indices; i-- > 0;) {
    const auto size = static_cast<InstanceCode>(schema.sizes[i]);
    made.processes[i] = static_cast<Value>(rest % size);
    rest /= size;
  }
  return made;
}

std::size_t Program::executed_process(InstanceCode code) const {
  const Schema& schema = schemas_[schema_of(code)];
  InstanceCode rest = code - schema.first_code;
  for (std::size_t i = schema.num_indices; i-- > 1;) {
    rest /= static_cast<InstanceCode>(schema.sizes[i]);
  }
  return process_number(schema.module, static_cast<Value>(rest));
}

// ---------------------------------------------------------------------------------------------------
// Initial states

InitialStates::InitialStates(const Program& program)
    : program_(program), words_(program.layout().num_words(), 0) {
  const lang::Program& source = program.source();
  const Instances& instances = program.instances();
  std::unordered_map<std::size_t, const std::vector<lang::Interval>*> overrides;
  for (const lang::Init& init : source.inits) {
    overrides[instances.number(init.variable, init.subscripts)] = &init.initial;
  }
  for (std::uint32_t v = 0; v < source.variables.size(); ++v) {
    const std::size_t first = instances.first(lang::VariableId{v});
    const std::size_t count = instances.count(lang::VariableId{v});
    for (std::size_t i = first; i < first + count; ++i) {
      const auto found = overrides.find(i);
      const std::vector<lang::Interval>& values =
          found == overrides.end() ? source.variables[v].initial : *found->second;
      program.layout().set(words_.data(), i, values.front().first);
      const bool is_fixed = values.size() == 1 && values.front().first == values.front().last;
      if (!is_fixed) choices_.push_back({i, &values, 0, values.front().first});
    }
  }
}

void InitialStates::next() {
  for (Choice& choice : choices_) {
    const std::vector<lang::Interval>& values = *choice.values;
    bool wrapped = false;
    if (choice.value < values[choice.interval].last) {
      ++choice.value;
    } else {
      choice.interval = choice.interval + 1 == values.size() ? 0 : choice.interval + 1;
      choice.value = values[choice.interval].first;
      wrapped = choice.interval == 0;
    }
    program_.layout().set(words_.data(), choice.instance, choice.value);
    if (!wrapped) return;
  }
  done_ = true;
}

double InitialStates::count() const {
  double count = 1;
  for (const Choice& choice : choices_) {
    double values = 0;
    for (const lang::Interval& interval : *choice.values) {
      values += static_cast<double>(interval.last) - static_cast<double>(interval.first) + 1;
    }
    count *= values;
  }
  return count;
}

}  // namespace cohort::model
