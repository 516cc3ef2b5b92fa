#include "translate/scope.hpp"

#include <algorithm>

namespace cohort::translate {

using lang::Expr;
using lang::Op;

std::vector<std::int64_t> processes_of(const lang::Program& program, const lang::ProcessSet& set) {
  if (!set.all) return set.ids;
  std::vector<std::int64_t> all;
  for (std::int64_t id = 0; id < program[set.module].size; ++id) all.push_back(id);
  return all;
}

bool is_temporal(const Expr& expr) {
  return expr.op == Op::Temporal || std::ranges::any_of(expr.args, is_temporal);
}

bool is_about_firing(const Expr& expr) {
  return expr.op == Op::Enabled || expr.op == Op::Deadlock ||
         std::ranges::any_of(expr.args, is_about_firing);
}

void add_reads(const Expr& expr, std::set<std::uint32_t>& variables) {
  if (expr.op == Op::Variable) variables.insert(expr.id);
  for (const Expr& arg : expr.args) add_reads(arg, variables);
}

void add_reads(const lang::Action& action, std::set<std::uint32_t>& variables) {
  for (const Expr& subscript : action.target.args) add_reads(subscript, variables);
  add_reads(action.value, variables);
  for (const Expr& filter : action.filter) add_reads(filter, variables);
  for (const lang::Action& inner : action.actions) add_reads(inner, variables);
}

void add_writes(const lang::Action& action, std::set<std::uint32_t>& variables) {
  if (action.binders.empty()) variables.insert(action.target.id);
  for (const lang::Action& inner : action.actions) add_writes(inner, variables);
}

std::set<std::uint32_t> free_slots(const Expr& expr) {
  std::set<std::uint32_t> slots;
  if (expr.op == Op::Slot) slots.insert(expr.id);
  for (const Expr& arg : expr.args) slots.merge(free_slots(arg));
  for (const lang::Binder& binder : expr.binders) slots.erase(binder.slot);
  return slots;
}

std::vector<lang::Binder> secondary_binders(const lang::Schema& schema) {
  std::vector<lang::Binder> binders;
  for (std::size_t i = 1; i < schema.num_indices; ++i) {
    lang::Binder binder;
    binder.slot = static_cast<std::uint32_t>(i);
    binder.set.module = schema.slots[i].module;
    binders.push_back(binder);
  }
  return binders;
}

Bindings::Bindings(const lang::Program& program, const std::vector<lang::Binder>& binders)
    : at_(binders.size(), 0) {
  for (const lang::Binder& binder : binders) {
    sets_.push_back(processes_of(program, binder.set));
    if (sets_.back().empty()) done_ = true;
  }
}

void Bindings::next() {
  std::size_t i = at_.size();
  while (i > 0) {
    --i;
    if (++at_[i] < sets_[i].size()) return;
    at_[i] = 0;
  }
  done_ = true;
}

}  // namespace cohort::translate
