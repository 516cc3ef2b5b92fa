#include "model/successors.hpp"

#include <algorithm>

namespace cohort::model {

Generator::Generator(const Program& program)
    : program_(program),
      code_(program.expressions()),
      values_(program.instances().size()),
      slots_(program.most_slots() + 1),
      fired_(program.schemas().size(), false),
      assigned_at_(program.instances().size(), 0),
      assigned_(program.instances().size(), 0) {
  environment_.values = values_.data();
  environment_.slots = slots_.data();
  result_.num_words_ = program.layout().num_words();
}

const std::vector<Value>& Generator::load(const Word* state) {
  state_ = state;
  program_.layout().unpack(state, values_.data());
  return values_;
}

void Generator::note_fired(const std::vector<bool>& fired) {
  for (std::size_t s = 0; s < fired.size(); ++s) {
    if (fired[s]) fired_[s] = true;
  }
}

const Successors& Generator::expand_loaded(const Sight& sight) {
  sight_ = sight;
  result_.fault.reset();
  result_.words_.clear();
  result_.codes_.clear();
  environment_.fault = {};
  for (std::size_t s = 0; s < program_.schemas().size() && !result_.fault; ++s) try_schema(s);
  return result_;
}

const Successors& Generator::fireable_loaded(const Sight& sight) {
  firing_ = false;
  (void)expand_loaded(sight);
  firing_ = true;
  return result_;
}

void Generator::try_schema(std::size_t schema) {
  schema_number_ = schema;
  const Schema& of = program_.schemas()[schema];
  if (sight_.thinning != nullptr) {
    const std::size_t first = program_.process_number(of.module, 0);
    for (const std::uint32_t process : sight_.thinning->firsts[base::index_of(of.module)]) {
      slots_[0] = static_cast<Value>(process - first);
      if (!passes(of, 0)) continue;
      try_others(of);
      if (result_.fault) return;
    }
    return;
  }
  for (Value process = 0; process < of.sizes[0]; ++process) {
    slots_[0] = process;
    if (!passes(of, 0)) continue;
    try_others(of);
    if (result_.fault) return;
  }
}

/// The primary process is bound, and the other index variables are not.
void Generator::try_others(const Schema& schema) {
  candidates_.clear();
  if (schema.num_indices == 1) {
    found(schema);
  } else if (sight_.thinning != nullptr) {
    bind_thinned(schema, 1);
  } else {
    bind(schema, 1);
  }
  if (schema.priority != nullptr) fire_candidates(schema);
}

bool Generator::is_bound(lang::ModuleId module, Value process, std::uint32_t level) const {
  const Schema& schema = program_.schemas()[schema_number_];
  for (std::uint32_t i = 0; i < level; ++i) {
    if (slots_[i] == process && schema.modules[i] == module) return true;
  }
  return false;
}

/// Of a class only the first process that no earlier index variable has taken, and those taken.
/// Recurses once for each index variable.
void Generator::bind_thinned(const Schema& schema, std::uint32_t level) {
  if (level == schema.num_indices) {
    found(schema);
    return;
  }
  const lang::ModuleId module = schema.modules[level];
  const std::size_t first = program_.process_number(module, 0);
  for (std::uint32_t process : sight_.thinning->firsts[base::index_of(module)]) {
    // The processes of a class are taken in their order.
    while (process != Thinning::none) {
      const auto here = static_cast<Value>(process - first);
      slots_[level] = here;
      if (passes(schema, level)) bind_thinned(schema, level + 1);
      if (result_.fault) return;
      process = sight_.thinning->next[process];
      if (process != Thinning::none && !is_bound(module, here, level)) break;
    }
  }
}

std::uint32_t Generator::rank(const Schema& schema, Value process) const {
  if (sight_.colours == nullptr) return schema.priority->ranks[static_cast<std::size_t>(process)];
  const std::size_t number =
      program_.process_number(schema.modules[schema.priority->slot], process);
  return (*sight_.ranks)[schema_number_][sight_.colours[number]];
}

/// Tries every process for the index variables from `level` on.
void Generator::bind(const Schema& schema, std::uint32_t level) {
  // An odometer over slots [level, num_indices).
  if (level == schema.num_indices) {
    found(schema);
    return;
  }
  const std::uint32_t first = level;
  slots_[level] = -1;
  for (;;) {
    if (++slots_[level] == schema.sizes[level]) {
      if (level == first) return;
      --level;
      continue;
    }
    if (!passes(schema, level)) continue;
    if (level + 1 < schema.num_indices) {
      slots_[++level] = -1;
      continue;
    }
    found(schema);
    if (result_.fault) return;
  }
}

/// All index variables are bound, and every conjunct that was split off holds.
void Generator::found(const Schema& schema) {
  if (!schema.split) {
    const bool holds = code_.evaluate(schema.condition, environment_) != 0;
    if (environment_.fault) {
      report();
      return;
    }
    if (!holds) return;
  }
  if (schema.priority != nullptr) {
    candidates_.insert(candidates_.end(), slots_.begin(), slots_.begin() + schema.num_indices);
    return;
  }
  fire(schema);
}

/// Of the instances with this primary process those whose ranked process comes first.
void Generator::fire_candidates(const Schema& schema) {
  if (result_.fault || candidates_.empty()) return;
  const std::size_t width = schema.num_indices;
  const auto rank_of = [&](std::size_t candidate) {
    return rank(schema, candidates_[candidate * width + schema.priority->slot]);
  };
  const std::size_t count = candidates_.size() / width;
  std::uint32_t best = UINT32_MAX;
  for (std::size_t i = 0; i < count; ++i) best = std::min(best, rank_of(i));
  for (std::size_t i = 0; i < count && !result_.fault; ++i) {
    if (rank_of(i) != best) continue;
    std::copy_n(candidates_.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                slots_.begin());
    fire(schema);
  }
}

void Generator::fire(const Schema& schema) {
  result_.codes_.push_back(program_.instance_code(schema_number_, slots_.data()));
  if (!firing_) return;
  fired_[schema_number_] = true;
  const std::size_t at = result_.words_.size();
  result_.words_.insert(result_.words_.end(), state_, state_ + result_.num_words_);
  target_ = result_.words_.data() + at;
  ++firing_number_;
  for (const Action& action : schema.actions) {
    run(schema, action);
    if (result_.fault) return;
  }
}

void Generator::run_bound(const Schema& schema, const Action& action) {
  for (const Action::Binder& binder : action.binders) slots_[binder.slot] = 0;
  for (;;) {
    const bool wanted = !action.filtered || code_.evaluate(action.filter, environment_) != 0;
    if (environment_.fault) report();
    if (wanted && !result_.fault) {
      for (const Action& inner : action.actions) {
        run(schema, inner);
        if (result_.fault) return;
      }
    }
    if (result_.fault) return;
    std::size_t b = action.binders.size();
    for (; b > 0; --b) {
      const Action::Binder& binder = action.binders[b - 1];
      if (++slots_[binder.slot] < binder.size) break;
      slots_[binder.slot] = 0;
    }
    if (b == 0) return;
  }
}

void Generator::assign(const Schema& schema, const Assignment& assignment) {
  const Value value = code_.evaluate(assignment.value, environment_);
  const std::size_t instance = code_.instance(assignment.target, environment_);
  if (environment_.fault) {
    report();
    return;
  }
  if (!assignment.checked && !schema.may_conflict) {
    program_.layout().set(target_, instance, value);
    return;
  }
  const auto blame = [&](FaultKind kind) {
    environment_.fault = {kind, assignment.where, value, assignment.variable};
    report();
  };
  if (assignment.checked &&
      !program_.source().variables[assignment.variable].type.values.contains(value)) {
    blame(FaultKind::OutsideType);
    return;
  }
  if (schema.may_conflict) {
    if (assigned_at_[instance] == firing_number_ && assigned_[instance] != value) {
      blame(FaultKind::Conflict);
      return;
    }
    assigned_at_[instance] = firing_number_;
    assigned_[instance] = value;
  }
  program_.layout().set(target_, instance, value);
}

void Generator::report() {
  result_.fault =
      InstanceFault{environment_.fault, program_.instance_code(schema_number_, slots_.data())};
}

}  // namespace cohort::model
