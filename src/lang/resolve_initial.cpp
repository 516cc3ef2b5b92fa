#include "lang/resolve_initial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "lang/resolve_constant.hpp"
#include "lang/warning_codes.hpp"

namespace cohort::lang {

using base::index_of;

namespace {

[[nodiscard]] std::vector<Interval> normalised(std::vector<Interval> intervals) {
  std::ranges::sort(intervals, {}, &Interval::first);
  std::vector<Interval> merged;
  for (const Interval& next : intervals) {
    if (!merged.empty() && next.first <= merged.back().last) {
      merged.back().last = std::max(merged.back().last, next.last);
    } else {
      merged.push_back(next);
    }
  }
  return merged;
}

}  // namespace

std::vector<Interval> InitialResolver::of_variable(const Variable& variable,
                                                   const std::optional<syntax::Initial>& given) {
  return given ? initial(variable, *given) : without_initial(variable);
}

std::vector<Interval> InitialResolver::without_initial(const Variable& variable) {
  if (variable.type.kind == Type::Kind::OptionalProcess) return {{none_value, none_value}};
  if (variable.type.kind == Type::Kind::Process) return {{0, 0}};
  if (variable.type.values.contains(0)) return {{0, 0}};
  return {{variable.type.values.first, variable.type.values.first}};
}

void InitialResolver::require_initial(VariableId id) {
  const Variable& variable = program_[id];
  const bool is_process = variable.type.kind == Type::Kind::Process;
  if (variable.type.kind == Type::Kind::OptionalProcess) return;
  if (!is_process && variable.type.values.contains(0)) return;
  std::uint64_t instances = 1;
  for (const Dimension& dimension : variable.dimensions) {
    instances *= static_cast<std::uint64_t>(dimension.range.last - dimension.range.first + 1);
  }
  if (initialised_[static_cast<std::uint32_t>(id)].size() == instances) return;
  if (is_process) {
    const std::string& module = program_[variable.type.module].name;
    diagnostics_.error(
        variable.where,
        fmt::format("'{}' holds a process and needs an initial value", variable.name),
        fmt::format("write 'in {0}' for any, or '= {0}(0)'", module));
    return;
  }
  diagnostics_.error(variable.where,
                     fmt::format("'{}' needs an initial value: 0 is not in {}", variable.name,
                                 to_string(variable.type, program_)),
                     fmt::format("write '= {}'", variable.type.values.first));
}

void InitialResolver::outside(const Variable& variable, std::int64_t value, Span where) {
  diagnostics_.error(where, fmt::format("{} is outside the type of '{}', {}", value, variable.name,
                                        to_string(variable.type, program_)));
}

std::vector<Interval> InitialResolver::initial(const Variable& variable,
                                               const syntax::Initial& given) {
  switch (given.kind) {
    case syntax::Initial::Kind::Value:
    case syntax::Initial::Kind::List:
      return list(variable, given);
    case syntax::Initial::Kind::Range:
      return range(variable, given);
    case syntax::Initial::Kind::Module:
      return any(variable, given.module);
  }
  return {};
}

std::vector<Interval> InitialResolver::list(const Variable& variable,
                                            const syntax::Initial& given) {
  ConstantResolver constants{program_, names_, diagnostics_};
  if (given.kind == syntax::Initial::Kind::List) constants.leave_out_missing();
  std::vector<Interval> made;
  for (const syntax::Expr& expr : given.values) {
    const std::optional<std::int64_t> value =
        constants.constant_for(variable.type, expr, fmt::format("'{}'", variable.name));
    if (!value) continue;
    if (variable.type.values.contains(*value)) {
      made.push_back({*value, *value});
    } else {
      outside(variable, *value, expr.where);
    }
  }
  if (made.empty() && constants.left_out_some()) {
    diagnostics_.error(given.where, fmt::format("no initial value of '{}' is left", variable.name));
  }
  return normalised(std::move(made));
}

std::vector<Interval> InitialResolver::range(const Variable& variable,
                                             const syntax::Initial& given) {
  const std::optional<Interval> found =
      ConstantResolver(program_, names_, diagnostics_).range(given.values[0], given.values[1]);
  if (!found) return {};
  if (variable.type.is_process()) {
    const std::string& module = program_[variable.type.module].name;
    diagnostics_.error(given.where, fmt::format("'{}' holds processes, not numbers", variable.name),
                       fmt::format("write 'in {}' for any process", module));
    return {};
  }
  for (const auto& [value, expr] :
       {std::pair{found->first, &given.values[0]}, std::pair{found->last, &given.values[1]}}) {
    if (variable.type.values.contains(value)) continue;
    outside(variable, value, expr->where);
    return {};
  }
  return {*found};
}

/// `in client`: any process; `in Phase`: any constant of an enum.
std::vector<Interval> InitialResolver::any(const Variable& variable, const syntax::Name& name) {
  const auto found = program_.names.find(std::string(name.text));
  const bool is_enum = found != program_.names.end() && found->second.kind == SymbolKind::Enum &&
                       variable.type.kind == Type::Kind::Enum &&
                       index_of(variable.type.enumeration) == found->second.id;
  if (is_enum) return {variable.type.values};
  const std::optional<ModuleId> module = find_module(program_, name, names_, diagnostics_);
  if (!module) return {};
  if (!variable.type.is_process() || variable.type.module != *module) {
    diagnostics_.error(
        name.where, fmt::format("'{}' holds no process of module '{}'", variable.name, name.text),
        variable.dimensions.empty() && variable.type.kind == Type::Kind::Integer
            ? fmt::format("'{0} of {1};' declares an index variable, '{0} : {1} in {1};' a "
                          "variable that holds a process",
                          variable.name, name.text)
            : std::string());
    return {};
  }
  return {{0, program_[*module].size - 1}};
}

std::optional<VariableId> InitialResolver::init_variable(const syntax::Init& init) {
  const syntax::Name name{init.target.name, syntax::name_span(init.target)};
  const auto found = program_.names.find(std::string(name.text));
  if (found == program_.names.end()) {
    names_.unknown(name, {.message = fmt::format("unknown variable '{}'", name.text),
                          .more_candidates = {},
                          .other_hint = {},
                          .wanted = SymbolKind::Variable});
    return std::nullopt;
  }
  if (found->second.kind != SymbolKind::Variable) {
    diagnostics_.error(name.where, fmt::format("'{}' is {}, not a variable", name.text,
                                               description(found->second.kind)));
    return std::nullopt;
  }
  const VariableId id{found->second.id};
  const Variable& variable = program_[id];
  if (variable.dimensions.size() == init.target.args.size()) return id;
  diagnostics_.error(init.target.where, wrong_subscripts(variable, init.target.args.size()));
  return std::nullopt;
}

std::optional<Init> InitialResolver::init(const syntax::Init& declared) {
  const std::optional<VariableId> id = init_variable(declared);
  if (!id) return std::nullopt;
  const Variable& variable = program_[*id];
  Init made;
  made.variable = *id;
  made.where = declared.target.where;
  bool is_missing = false;
  std::int64_t instance = 0;
  for (std::size_t i = 0; i < declared.target.args.size(); ++i) {
    const Dimension& dimension = variable.dimensions[i];
    const auto found = subscript(variable, dimension, declared.target.args[i]);
    if (!found) return std::nullopt;
    is_missing = is_missing || found->missing;
    made.subscripts.push_back(found->value);
    instance = instance * (dimension.range.last - dimension.range.first + 1) +
               (found->value - dimension.range.first);
  }
  made.initial = initial(variable, declared.initial);
  if (is_missing) return std::nullopt;
  if (!initialised_[static_cast<std::uint32_t>(*id)].insert(instance).second) {
    diagnostics_.error(declared.target.where,
                       fmt::format("'{}' has two Inits for the same instance", variable.name));
    return std::nullopt;
  }
  return made;
}

std::optional<InitialResolver::Subscript> InitialResolver::subscript(const Variable& variable,
                                                                     const Dimension& dimension,
                                                                     const syntax::Expr& expr) {
  const std::optional<std::int64_t> id = subscript_value(dimension, expr);
  if (!id) return std::nullopt;
  if (dimension.range.contains(*id)) return Subscript{*id, false};
  const std::string message =
      dimension.module ? fmt::format("process {} is beyond module '{}', whose ids are 0 to {}", *id,
                                     program_[*dimension.module].name, dimension.range.last)
                       : fmt::format("subscript {} of '{}' is outside {}..{}", *id, variable.name,
                                     dimension.range.first, dimension.range.last);
  if (dimension.module && program_[*dimension.module].overridden && *id >= 0) {
    diagnostics_.warning(expr.where, id_left_out, message, "this Init is left out");
    return Subscript{dimension.range.first, true};
  }
  diagnostics_.error(expr.where, message);
  return std::nullopt;
}

/// `tok[0]`, or `tok[client(0)]`.
std::optional<std::int64_t> InitialResolver::subscript_value(const Dimension& dimension,
                                                             const syntax::Expr& expr) {
  ConstantResolver constants{program_, names_, diagnostics_};
  const bool is_literal = expr.kind == syntax::ExprKind::ProcessLiteral;
  if (!is_literal || !dimension.module) return constants.constant(expr);
  const syntax::Name name{expr.name, syntax::name_span(expr)};
  const std::optional<ModuleId> module = find_module(program_, name, names_, diagnostics_);
  if (!module) return std::nullopt;
  if (*module != *dimension.module) {
    diagnostics_.error(expr.where,
                       fmt::format("a process of module '{}' where one of '{}' is needed",
                                   program_[*module].name, program_[*dimension.module].name));
    return std::nullopt;
  }
  return constants.constant(expr.args.front());
}

}  // namespace cohort::lang
