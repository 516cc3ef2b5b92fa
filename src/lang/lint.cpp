#include "lang/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lang/resolve.hpp"
#include "lang/warning_codes.hpp"

namespace cohort::lang {
namespace {

[[nodiscard]] bool same(const Expr& a, const Expr& b) {
  // Two quantifiers bind different slots even where they look alike; nothing is lost by calling
  // them different.
  if (a.op != b.op || a.id != b.id || a.value != b.value || !a.binders.empty()) return false;
  return std::ranges::equal(
      a.args, b.args, [](const Expr& x, const Expr& y) { return x.join == y.join && same(x, y); });
}

/// Whether `condition` says that target and value are equal, in one of its top-level conjuncts.
[[nodiscard]] bool equates(const Expr& condition, const Expr& target, const Expr& value) {
  if (condition.op == Op::And) {
    return std::ranges::any_of(condition.args,
                               [&](const Expr& arg) { return equates(arg, target, value); });
  }
  if (condition.op != Op::Compare || condition.args[1].join != syntax::Join::Equal) return false;
  const Expr& left = condition.args[0];
  const Expr& right = condition.args[1];
  return (same(left, target) && same(right, value)) || (same(right, target) && same(left, value));
}

[[nodiscard]] bool changes_nothing(const Action& action, const Expr& condition) {
  if (!action.binders.empty()) {
    return std::ranges::all_of(
        action.actions, [&](const Action& inner) { return changes_nothing(inner, condition); });
  }
  return same(action.target, action.value) || equates(condition, action.target, action.value);
}

struct Uses {
  std::vector<bool> variables;
  std::vector<bool> classes;

  void add(const Expr& expr) {
    if (expr.op == Op::Variable) variables[expr.id] = true;
    for (const Binder& binder : expr.binders) {
      if (binder.set.named) classes[base::index_of(*binder.set.named)] = true;
    }
    for (const Expr& arg : expr.args) add(arg);
  }
  void add(const Action& action) {
    add(action.target);
    add(action.value);
    for (const Expr& filter : action.filter) add(filter);
    for (const Action& inner : action.actions) add(inner);
  }
};

/// An index variable is used where a schema's slot or a formula's has its name.
void warn_of_unused_indices(const Program& program, const std::vector<Formula>& formulas,
                            base::Diagnostics& diagnostics) {
  std::unordered_set<std::string_view> used;
  for (const Schema& schema : program.schemas) {
    for (const Slot& slot : schema.slots) used.insert(slot.name);
  }
  for (const Formula& formula : formulas) {
    for (const Slot& slot : formula.slots) used.insert(slot.name);
  }
  std::vector<std::pair<std::uint32_t, std::string_view>> unused;
  for (const auto& [name, symbol] : program.names) {
    if (symbol.kind != SymbolKind::Index || used.contains(name)) continue;
    unused.emplace_back(symbol.where.begin, name);
  }
  std::ranges::sort(unused);  // only the first thousand are kept: they must be the same each time
  for (const auto& [begin, name] : unused) {
    const auto end = static_cast<std::uint32_t>(begin + name.size());
    diagnostics.warning({begin, end}, unused_index,
                        fmt::format("index variable '{}' is never used", name));
  }
}

}  // namespace

const std::vector<base::FindingCode>& warning_codes() {
  static const std::vector<base::FindingCode> codes{id_left_out,
                                                    no_module,
                                                    schema_changes_nothing,
                                                    schema_never_fires,
                                                    subscript_out_of_range,
                                                    unranked_process,
                                                    unused_class,
                                                    unused_index,
                                                    unused_value,
                                                    unused_variable,
                                                    value_out_of_type};
  return codes;
}

void warn_of_idle_schemas(const Program& program, base::Diagnostics& diagnostics) {
  for (const Schema& schema : program.schemas) {
    if (constant_value(schema.condition) == 0) {
      diagnostics.warning(
          schema.condition.where, schema_never_fires,
          fmt::format("schema '{}' never fires: its condition is false", schema.name));
      continue;
    }
    const bool idle = std::ranges::all_of(schema.actions, [&](const Action& action) {
      return changes_nothing(action, schema.condition);
    });
    if (idle) {
      diagnostics.warning(schema.where, schema_changes_nothing,
                          fmt::format("schema '{}' changes nothing", schema.name),
                          "every assignment gives a variable the value that it has already");
    }
  }
}

void warn_of_unused(const Program& program, const std::vector<Formula>& formulas,
                    base::Diagnostics& diagnostics) {
  Uses uses;
  uses.variables.resize(program.variables.size());
  uses.classes.resize(program.classes.size());
  for (const Schema& schema : program.schemas) {
    uses.add(schema.condition);
    for (const Action& action : schema.actions) uses.add(action);
    if (!schema.priority) continue;
    for (const ClassId id : schema.priority->classes) uses.classes[base::index_of(id)] = true;
  }
  for (const Formula& formula : formulas) uses.add(formula.root);
  warn_of_unused_indices(program, formulas, diagnostics);
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    if (uses.variables[i]) continue;
    diagnostics.warning(program.variables[i].where, unused_variable,
                        fmt::format("variable '{}' is never used", program.variables[i].name));
  }
  for (std::size_t i = 0; i < program.classes.size(); ++i) {
    if (uses.classes[i]) continue;
    diagnostics.warning(program.classes[i].where, unused_class,
                        fmt::format("priority class '{}' is never used", program.classes[i].name));
  }
}

}  // namespace cohort::lang
