#include "model/successors.hpp"

#include <algorithm>

namespace cohort::model {

Generator::Generator(const Program& program)
    : program_(program),
      code_(program.expressions()),
      values_(program.instances().size()),
      slots_(program.most_slots() + 1),
      assigned_at_(program.instances().size(), 0),
      assigned_(program.instances().size(), 0) {
  environment_.values = values_.data();
  environment_.slots = slots_.data();
  result_.num_words_ = program.layout().num_words();
}

const Successors& Generator::expand(const Word* state) {
  state_ = state;
  result_.fault.reset();
  result_.words_.clear();
  result_.codes_.clear();
  environment_.fault = {};
  program_.layout().unpack(state, values_.data());
  for (std::size_t s = 0; s < program_.schemas().size() && !result_.fault; ++s) try_schema(s);
  return result_;
}

const Successors& Generator::fireable(const Word* state) {
  firing_ = false;
  (void)expand(state);
  firing_ = true;
  return result_;
}

void Generator::try_schema(std::size_t schema) {
  schema_number_ = schema;
  const Schema& of = program_.schemas()[schema];
  for (slots_[0] = 0; slots_[0] < of.sizes[0]; ++slots_[0]) {
    candidates_.clear();
    if (passes(of, 0)) bind(of, 1);
    if (of.priority != nullptr) fire_candidates(of);
    if (result_.fault) return;
  }
}

/// Whether the index variables bound so far leave the condition a chance.
bool Generator::passes(const Schema& schema, std::uint32_t level) {
  if (!schema.split) return true;
  for (const NodeId conjunct : schema.conjuncts[level]) {
    if (code_.evaluate(conjunct, environment_) == 0) return false;
  }
  return true;
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
  const auto rank = [&](std::size_t candidate) {
    const Value process = candidates_[candidate * width + schema.priority->slot];
    return schema.priority->ranks[static_cast<std::size_t>(process)];
  };
  const std::size_t count = candidates_.size() / width;
  std::uint32_t best = UINT32_MAX;
  for (std::size_t i = 0; i < count; ++i) best = std::min(best, rank(i));
  for (std::size_t i = 0; i < count && !result_.fault; ++i) {
    if (rank(i) != best) continue;
    std::copy_n(candidates_.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                slots_.begin());
    fire(schema);
  }
}

void Generator::fire(const Schema& schema) {
  result_.codes_.push_back(program_.instance_code(schema_number_, slots_.data()));
  if (!firing_) return;
  const std::size_t at = result_.words_.size();
  result_.words_.insert(result_.words_.end(), state_, state_ + result_.num_words_);
  target_ = result_.words_.data() + at;
  ++firing_number_;
  for (const Action& action : schema.actions) {
    run(schema, action);
    if (result_.fault) return;
  }
}

void Generator::run(const Schema& schema, const Action& action) {
  if (action.binders.empty()) {
    assign(schema, action.assignment);
    return;
  }
  for (const Action::Binder& binder : action.binders) slots_[binder.slot] = 0;
  for (;;) {
    const bool wanted =
        !action.filtered || code_.evaluate(action.filter, environment_) != 0;
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
  result_.fault = InstanceFault{environment_.fault,
                                program_.instance_code(schema_number_, slots_.data())};
}

}  // namespace cohort::model
