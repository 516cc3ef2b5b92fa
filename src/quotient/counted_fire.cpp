#include "quotient/counted_fire.hpp"

#include <algorithm>

namespace cohort::quotient {
namespace {

using model::FaultKind;
using model::Schema;

/// Whether an expression runs over processes, of which a bound one must then not be one of many.
[[nodiscard]] bool runs_over_processes(const lang::Expr& expr, const lang::Program& program) {
  const auto is_large = [&](const lang::Binder& b) { return program[b.set.module].size > 1; };
  const auto runs = [&](const lang::Expr& arg) { return runs_over_processes(arg, program); };
  return std::ranges::any_of(expr.binders, is_large) || std::ranges::any_of(expr.args, runs);
}

}  // namespace

CountedGenerator::CountedGenerator(const model::Program& program, const CountedLayout& layout)
    : program_(program),
      code_(program.expressions()),
      layout_(layout),
      addresses_(layout.addresses()),
      fired_(program.schemas().size(), false),
      slots_(program.most_slots() + 1),
      origins_(program.most_slots() + 1) {
  environment_.slots = slots_.data();
  for (std::size_t s = 0; s < program.schemas().size(); ++s) {
    apart_.push_back(runs_over_processes(program.source().schemas[s].condition, program.source()));
  }
}

std::optional<model::InstanceFault> CountedGenerator::for_each(model::Crowd& crowd,
                                                               const Ranks* ranks,
                                                               const Visit& visit) {
  crowd_ = &crowd;
  ranks_ = ranks;
  visit_ = &visit;
  fault_.reset();
  environment_.crowd = &crowd;
  environment_.values = crowd.values();
  environment_.fault = {};
  for (schema_number_ = 0; schema_number_ < program_.schemas().size(); ++schema_number_) {
    const Schema& schema = program_.schemas()[schema_number_];
    const std::size_t size = crowd.places(base::index_of(schema.module)).size();
    for (std::size_t place = 0; place < size && !fault_; ++place) {
      candidates_.clear();
      picks_.assign(1, place);
      bind(schema, 0);
      if (schema.priority != nullptr && !fault_) fire_candidates(schema);
    }
    if (fault_) break;
  }
  return fault_;
}

bool CountedGenerator::take(std::size_t module, std::size_t place, std::uint32_t slot) {
  const bool leaves = crowd_->places(module).counts[place] > 1;
  slots_[slot] = static_cast<Value>(leaves ? crowd_->split(module, place) : place);
  environment_.values = crowd_->values();
  return leaves;
}

/// Gives the index variable `level` a process of the place picks_[level], and the following ones
/// all that there are.  Recurses once for each index variable.
void CountedGenerator::bind(const Schema& schema, std::uint32_t level) {
  const std::size_t module = base::index_of(schema.modules[level]);
  const std::size_t place = picks_[level];
  // Most attempts end here, and a condition on one process's record does not ask who else has it.
  slots_[level] = static_cast<Value>(place);
  if (!apart_[schema_number_] && !passes(schema, level)) return;
  const bool leaves = take(module, place, level);
  if (!apart_[schema_number_] || passes(schema, level)) {
    if (level + 1 == schema.num_indices) {
      found(schema);
    } else {
      const std::size_t size = crowd_->places(base::index_of(schema.modules[level + 1])).size();
      for (std::size_t next = 0; next < size && !fault_; ++next) {
        picks_.resize(level + 1);
        picks_.push_back(next);
        bind(schema, level + 1);
      }
      picks_.resize(level + 1);
    }
  }
  if (leaves) crowd_->unsplit(module, place);
}

/// Whether the index variables bound so far leave the condition a chance.
bool CountedGenerator::passes(const Schema& schema, std::uint32_t level) {
  return !schema.split || schema.conjuncts[level].hold(code_, environment_);
}

/// All index variables are bound, and every conjunct that was split off holds.
void CountedGenerator::found(const Schema& schema) {
  if (!schema.split) {
    const bool holds = code_.evaluate(schema.condition, environment_) != 0;
    if (environment_.fault) report();
    if (!holds || fault_) return;
  }
  if (schema.priority == nullptr) {
    show(schema);
    return;
  }
  const std::size_t ranked = base::index_of(schema.modules[schema.priority->slot]);
  const auto place = static_cast<std::size_t>(slots_[schema.priority->slot]);
  candidates_.insert(candidates_.end(), picks_.begin(), picks_.end());
  candidates_.push_back((*ranks_)[schema_number_][crowd_->places(ranked).colours[place]]);
}

/// Of the instances with this primary process those whose ranked process comes first.
void CountedGenerator::fire_candidates(const Schema& schema) {
  const std::size_t width = schema.num_indices + std::size_t{1};
  std::size_t best = SIZE_MAX;
  for (std::size_t i = 0; i < candidates_.size(); i += width) {
    best = std::min(best, candidates_[i + width - 1]);
  }
  for (std::size_t i = 0; i < candidates_.size() && !fault_; i += width) {
    if (candidates_[i + width - 1] != best) continue;
    const auto first = candidates_.begin() + static_cast<std::ptrdiff_t>(i);
    picks_.assign(first, first + static_cast<std::ptrdiff_t>(schema.num_indices));
    // The same processes leave the same places, in the same order: they get the same new ones.
    std::uint64_t left = 0;
    for (std::uint32_t level = 0; level < schema.num_indices; ++level) {
      if (take(base::index_of(schema.modules[level]), picks_[level], level)) left |= bit(level);
    }
    show(schema);
    for (std::uint32_t level = schema.num_indices; level-- > 0;) {
      if ((left & bit(level)) == 0) continue;
      crowd_->unsplit(base::index_of(schema.modules[level]), picks_[level]);
    }
  }
}

void CountedGenerator::find_origins(const Schema& schema) {
  for (std::uint32_t i = 0; i < schema.num_indices; ++i) {
    origins_[i] = picks_[i];
    // A place that was made for an earlier index variable is where that one's process stands.
    for (std::uint32_t earlier = 0; earlier < i; ++earlier) {
      if (schema.modules[earlier] == schema.modules[i] && slots_[earlier] == slots_[i]) {
        origins_[i] = origins_[earlier];
        break;
      }
    }
  }
}

void CountedGenerator::show(const Schema& schema) {
  find_origins(schema);
  (*visit_)({schema_number_, schema.num_indices, slots_.data(), origins_.data()});
}

const std::vector<Write>& CountedGenerator::fire() {
  const Schema& schema = program_.schemas()[schema_number_];
  fired_[schema_number_] = true;
  writes_.clear();
  for (const model::Action& action : schema.actions) {
    run(schema, action);
    if (fault_) break;
  }
  return writes_;
}

void CountedGenerator::run(const Schema& schema, const model::Action& action) {
  if (action.binders.empty()) {
    assign(schema, action.assignment);
  } else {
    run_bound(schema, action, 0);
  }
}

void CountedGenerator::run_bound(const Schema& schema, const model::Action& action,
                                 std::size_t binder) {
  if (binder == action.binders.size()) {
    const bool wanted = !action.filtered || code_.evaluate(action.filter, environment_) != 0;
    if (environment_.fault) report();
    for (std::size_t i = 0; wanted && i < action.actions.size() && !fault_; ++i) {
      run(schema, action.actions[i]);
    }
    return;
  }
  const model::Action::Binder& of = action.binders[binder];
  const std::size_t size = crowd_->places(of.module).size();
  for (std::size_t place = 0; place < size && !fault_; ++place) {
    const bool leaves = take(of.module, place, of.slot);
    if (leaves) moved_.push_back({of.module, crowd_->places(of.module).size() - 1, place});
    run_bound(schema, action, binder + 1);
    if (!leaves) continue;
    moved_.pop_back();
    crowd_->unsplit(of.module, place);
  }
}

void CountedGenerator::assign(const Schema& schema, const model::Assignment& assignment) {
  const Value value = code_.evaluate(assignment.value, environment_);
  const std::size_t target = code_.instance(assignment.target, environment_);
  if (environment_.fault) {
    report();
    return;
  }
  const auto blame = [&](FaultKind kind) {
    environment_.fault = {kind, assignment.where, value, assignment.variable};
    report();
  };
  const lang::Variable& variable = program_.source().variables[assignment.variable];
  if (assignment.checked && !variable.type.values.contains(value)) {
    blame(FaultKind::OutsideType);
    return;
  }
  if (!moved_.empty() && layout_.points(assignment.variable) && value != lang::none_value &&
      is_one_of_many(base::index_of(variable.type.module), value)) {
    blame(FaultKind::Conflict);
    return;
  }
  const std::size_t at = moved_.empty() ? target : home_of(target);
  if (schema.may_conflict) {
    const auto known = std::ranges::find(writes_, at, &Write::at);
    if (known != writes_.end()) {
      if (known->value != value) blame(FaultKind::Conflict);
      return;
    }
  }
  writes_.push_back({at, value});
}

/// Where a value lies in the place that its process left while ALL goes through processes.
std::size_t CountedGenerator::home_of(std::size_t at) const {
  if (at < addresses_.first_row) return at;
  const std::size_t row = (at - addresses_.first_row) / addresses_.row_size;
  const std::size_t offset = (at - addresses_.first_row) % addresses_.row_size;
  for (const Moved& moved : moved_) {
    const model::Addresses::Record& record = addresses_.records[moved.module];
    if (moved.place == row && offset >= record.first && offset < record.first + record.size) {
      return at - (row - moved.home) * addresses_.row_size;
    }
  }
  return at;
}

/// Whether a process that ALL goes to has others that look like it: what is done with it is done
/// with each of them.
bool CountedGenerator::is_one_of_many(std::size_t module, Value place) const {
  std::size_t home = static_cast<std::size_t>(place);
  std::size_t count = 0;
  for (const Moved& moved : moved_) {
    if (moved.module == module && moved.place == home) home = moved.home;
  }
  for (const Moved& moved : moved_) {
    if (moved.module == module && moved.home == home) ++count;
  }
  return crowd_->places(module).counts[home] + count > 1;
}

void CountedGenerator::report() {
  if (fault_) return;
  find_origins(program_.schemas()[schema_number_]);
  const std::vector<Value> nobody(program_.most_slots() + 1, 0);
  fault_ = model::InstanceFault{environment_.fault,
                                program_.instance_code(schema_number_, nobody.data())};
}

}  // namespace cohort::quotient
