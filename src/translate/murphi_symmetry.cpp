#include "translate/murphi_symmetry.hpp"

#include <algorithm>

namespace cohort::translate {
namespace {

using base::index_of;

class Finder {
 public:
  explicit Finder(const Subject& subject)
      : subject_(subject),
        program_(subject.program.source()),
        alike_(program_.modules.size(), true) {}

  [[nodiscard]] std::vector<bool> run() {
    for (std::size_t i = 0; i < program_.modules.size(); ++i) {
      if (program_.modules[i].size == 1) alike_[i] = false;
    }
    for (const lang::Schema& schema : program_.schemas) {
      if (!schema.priority) continue;
      const std::vector<std::uint32_t>& ranks = schema.priority->ranks;
      if (std::ranges::adjacent_find(ranks, std::ranges::not_equal_to{}) != ranks.end()) {
        tell_apart(schema.slots[schema.priority->slot].module);
      }
    }
    for (const lang::Variable& variable : program_.variables) {
      look_at(variable.type, variable.initial);
    }
    for (const lang::Init& init : program_.inits) {
      const lang::Variable& variable = program_[init.variable];
      for (const lang::Dimension& dimension : variable.dimensions) {
        if (dimension.module) tell_apart(*dimension.module);
      }
      look_at(variable.type, init.initial);
    }
    for (const lang::Formula* const formula : subject_.formulas) {
      for (std::size_t i = 0; i < formula->num_free; ++i) tell_apart(formula->slots[i].module);
      look_at(formula->root);
    }
    for (const online::Property* const property : subject_.linear) {
      for (const online::Goal& goal : property->goals) look_at(goal);
    }
    return alike_;
  }

 private:
  void tell_apart(lang::ModuleId module) { alike_[index_of(module)] = false; }

  void look_at(const lang::Type& type, const std::vector<lang::Interval>& initial) {
    if (!type.is_process()) return;
    for (const lang::Interval& values : initial) {
      const bool all = values.last == program_[type.module].size - 1 && values.first <= 0;
      const bool none = values.last == lang::none_value;
      if (!all && !none) tell_apart(type.module);
    }
  }

  void look_at(const online::Goal& goal) {
    for (std::size_t i = 0; i < goal.slots.size(); ++i) {
      if (goal.values[i]) tell_apart(goal.slots[i].module);
    }
    look_at(goal.foralls);
    for (const lang::Expr& atom : goal.atoms) look_at(atom);
  }

  void look_at(const std::vector<lang::Binder>& binders) {
    for (const lang::Binder& binder : binders) {
      if (!binder.set.all) tell_apart(binder.set.module);
    }
  }

  void look_at(const lang::Expr& expr) {
    look_at(expr.binders);
    for (const lang::Expr& arg : expr.args) look_at(arg);
  }

  const Subject& subject_;
  const lang::Program& program_;
  std::vector<bool> alike_;
};

}  // namespace

std::vector<bool> interchangeable_modules(const Subject& subject) { return Finder(subject).run(); }

}  // namespace cohort::translate
