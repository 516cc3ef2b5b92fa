#include "lang/resolve_expression.hpp"
#include "lang/warning_codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cohort::lang {

using syntax::ExprKind;
using syntax::Join;
using Kind = ValueType::Kind;

namespace {

constexpr std::string_view what_processes_can =
    "processes can be copied, compared with == and !=, and used as subscripts; nothing else";

[[nodiscard]] std::string_view spelling(Join join) {
  switch (join) {
    case Join::Plus:
      return "+";
    case Join::Minus:
      return "-";
    case Join::Times:
      return "*";
    case Join::Divide:
      return "/";
    case Join::Modulo:
      return "%";
    case Join::Equal:
      return "==";
    case Join::NotEqual:
      return "!=";
    case Join::Less:
      return "<";
    case Join::LessEqual:
      return "<=";
    case Join::Greater:
      return ">";
    case Join::GreaterEqual:
      return ">=";
    case Join::None:
      break;
  }
  return "";
}

[[nodiscard]] bool is_equality(Join join) { return join == Join::Equal || join == Join::NotEqual; }

[[nodiscard]] Expr made(Op op, Span where, Kind kind) {
  Expr expr;
  expr.op = op;
  expr.where = where;
  expr.type.kind = kind;
  return expr;
}

/// What has an unknown part is unknown, so that one mistake is reported once.
void add_arg(Expr& parent, Expr arg) {
  if (arg.type.kind == Kind::Unknown) parent.type.kind = Kind::Unknown;
  parent.args.push_back(std::move(arg));
}

[[nodiscard]] syntax::Name name_of(const syntax::Expr& reference) {
  return {reference.name, syntax::name_span(reference)};
}

}  // namespace

void renumber(Expr& expr, const std::vector<std::uint32_t>& new_number) {
  if (expr.op == Op::Slot) expr.id = new_number[expr.id];
  for (Binder& binder : expr.binders) binder.slot = new_number[binder.slot];
  for (Expr& arg : expr.args) renumber(arg, new_number);
}

// ---------------------------------------------------------------------------------------------------
// Pieces

Expr ExpressionResolver::failed(Span where) { return made(Op::Constant, where, Kind::Unknown); }

Expr ExpressionResolver::slot_expr(Span where, std::uint32_t slot, ModuleId module) {
  Expr expr = made(Op::Slot, where, Kind::Process);
  expr.id = slot;
  expr.type.module = module;
  return expr;
}

std::uint32_t ExpressionResolver::add_slot(std::string name, ModuleId module) {
  slots_.push_back({std::move(name), module});
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

bool ExpressionResolver::is_bound(std::string_view name) const {
  const auto found = scope_.find(name);
  return found != scope_.end() && !found->second.empty();
}

std::vector<std::string_view> ExpressionResolver::bound_names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, slots] : scope_) {
    if (!slots.empty()) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::string ExpressionResolver::of_module(ModuleId module) const {
  return fmt::format("a process of module '{}'", program_[module].name);
}

void ExpressionResolver::require_number(Expr& expr, std::string_view use) {
  switch (expr.type.kind) {
    case Kind::Unknown:
    case Kind::Number:
      return;
    case Kind::Process:
    case Kind::None:
      diagnostics_.error(expr.where, fmt::format("{} on a process", use),
                         std::string(what_processes_can));
      break;
    case Kind::Truth:
      diagnostics_.error(expr.where, fmt::format("{} on a formula", use),
                         "join formulas with &, |, -> and <->");
      break;
  }
  expr.type.kind = Kind::Unknown;
}

// ---------------------------------------------------------------------------------------------------
// Expressions

Expr ExpressionResolver::any(const syntax::Expr& expr) {
  Expr result = [&] {
    switch (expr.kind) {
      case ExprKind::Number: {
        Expr number = made(Op::Constant, expr.where, Kind::Number);
        number.value = expr.number;
        return number;
      }
      case ExprKind::True:
      case ExprKind::False: {
        Expr number = made(Op::Constant, expr.where, Kind::Number);
        number.value = expr.kind == ExprKind::True ? 1 : 0;
        return number;
      }
      case ExprKind::None:
        return made(Op::None, expr.where, Kind::None);
      case ExprKind::Reference:
        return reference(expr);
      case ExprKind::ProcessLiteral:
        return process_literal(expr);
      case ExprKind::Paren:
        return any(expr.args.front());
      case ExprKind::Minus:
        return arithmetic(expr, Op::Minus);
      case ExprKind::Product:
        return arithmetic(expr, Op::Product);
      case ExprKind::Sum:
        return arithmetic(expr, Op::Sum);
      case ExprKind::Compare:
        return compare(expr);
      case ExprKind::Not:
        return connective(expr, Op::Not);
      case ExprKind::And:
        return connective(expr, Op::And);
      case ExprKind::Or:
        return connective(expr, Op::Or);
      case ExprKind::Implies:
        return connective(expr, Op::Implies);
      case ExprKind::Iff:
        return connective(expr, Op::Iff);
      case ExprKind::Conditional:
        return conditional(expr);
      case ExprKind::All:
        return index_quantifier(expr, Op::All);
      case ExprKind::Exists:
        return index_quantifier(expr, Op::Exists);
      case ExprKind::CountIndex:
        return index_quantifier(expr, Op::Count);
      case ExprKind::ForallProcess:
        return process_quantifier(expr, Op::ForallProcess);
      case ExprKind::ExistsProcess:
        return process_quantifier(expr, Op::ExistsProcess);
      case ExprKind::CountProcess:
        return process_quantifier(expr, Op::CountProcess);
      case ExprKind::Temporal:
        return temporal(expr);
      case ExprKind::Enabled:
        return enabled(expr);
      case ExprKind::Deadlock:
        return made(Op::Deadlock, expr.where, Kind::Truth);
    }
    return failed(expr.where);
  }();
  result.where = expr.where;
  result.join = expr.join;
  return result;
}

Expr ExpressionResolver::condition(const syntax::Expr& expr) {
  Expr result = any(expr);
  if (result.type.kind == Kind::Process || result.type.kind == Kind::None) {
    diagnostics_.error(expr.where, "a process is used as a condition",
                       "compare it with == or != to another process or to none");
    result.type.kind = Kind::Unknown;
  }
  if (is_count(result)) {
    diagnostics_.error(expr.where, "COUNT is a number, not a condition",
                       "compare it, for instance 'COUNT(…) >= 1'");
    result.type.kind = Kind::Unknown;
  }
  return result;
}

Expr ExpressionResolver::number(const syntax::Expr& expr) {
  Expr result = any(expr);
  if (result.type.kind == Kind::Process || result.type.kind == Kind::None) {
    diagnostics_.error(expr.where, "a number is needed here, not a process",
                       std::string(what_processes_can));
    result.type.kind = Kind::Unknown;
  }
  require_number(result, "arithmetic");
  return result;
}

Expr ExpressionResolver::reference(const syntax::Expr& expr) {
  const auto no_subscripts = [&](std::string_view what) {
    if (expr.args.empty()) return true;
    diagnostics_.error(expr.args.front().where,
                       fmt::format("'{}' is {} and takes no subscripts", expr.name, what));
    return false;
  };
  if (const auto bound = scope_.find(expr.name); bound != scope_.end() && !bound->second.empty()) {
    if (!no_subscripts("a process")) return failed(expr.where);
    const std::uint32_t slot = bound->second.back();
    if (broken_slots_.contains(slot)) return failed(expr.where);
    return slot_expr(expr.where, slot, slots_[slot].module);
  }
  const auto found = program_.names.find(std::string(expr.name));
  if (found == program_.names.end()) return unbound(expr, nullptr);
  const Symbol& symbol = found->second;
  switch (symbol.kind) {
    case SymbolKind::Variable:
      return variable(expr, symbol);
    case SymbolKind::Index:
      if (!no_subscripts("a process")) return failed(expr.where);
      return unbound(expr, &symbol);
    case SymbolKind::Constant:
    case SymbolKind::EnumConstant: {
      if (!no_subscripts(description(symbol.kind))) return failed(expr.where);
      Expr number = made(Op::Constant, expr.where, Kind::Number);
      number.value =
          symbol.kind == SymbolKind::Constant ? program_.constants[symbol.id].value : symbol.value;
      return number;
    }
    case SymbolKind::Module:
    case SymbolKind::Enum:
    case SymbolKind::Class:
      break;
  }
  diagnostics_.error(syntax::name_span(expr), fmt::format("'{}' is {} and has no value", expr.name,
                                                          description(symbol.kind)));
  return failed(expr.where);
}

Expr ExpressionResolver::variable(const syntax::Expr& expr, const Symbol& symbol) {
  const Variable& declared = program_.variables[symbol.id];
  if (expr.args.size() != declared.dimensions.size()) {
    diagnostics_.error(expr.where, wrong_subscripts(declared, expr.args.size()));
    for (const syntax::Expr& arg : expr.args) (void)any(arg);
    return failed(expr.where);
  }
  const bool is_process = declared.type.is_process();
  Expr result = made(Op::Variable, expr.where, is_process ? Kind::Process : Kind::Number);
  result.type.module = declared.type.module;
  result.id = symbol.id;
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    result.args.push_back(subscript(expr.args[i], declared.dimensions[i], expr.name));
  }
  return result;
}

Expr ExpressionResolver::subscript(const syntax::Expr& expr, const Dimension& dimension,
                                   std::string_view of_variable) {
  if (dimension.module) return process_subscript(expr, *dimension.module, of_variable);
  Expr result = any(expr);
  if (result.type.kind == Kind::Process || result.type.kind == Kind::None) {
    diagnostics_.error(expr.where,
                       fmt::format("a process as a subscript of '{}', which takes a "
                                   "number from {} to {} here",
                                   of_variable, dimension.range.first, dimension.range.last));
    return failed(expr.where);
  }
  require_number(result, "a subscript");
  if (is_count(result)) {
    misplaced_count(expr.where);
    return failed(expr.where);
  }
  const std::optional<std::int64_t> value = constant_value(result);
  if (value && result.type.kind == Kind::Number && !dimension.range.contains(*value)) {
    diagnostics_.warning(expr.where, subscript_out_of_range,
                         fmt::format("subscript {} of '{}' is outside {}..{}", *value, of_variable,
                                     dimension.range.first, dimension.range.last));
  }
  return result;
}

Expr ExpressionResolver::process_subscript(const syntax::Expr& expr, ModuleId module,
                                           std::string_view of_variable) {
  Expr result = any(expr);
  switch (result.type.kind) {
    case Kind::Unknown:
      return result;
    case Kind::Process:
      if (result.type.module == module) return result;
      diagnostics_.error(
          expr.where, fmt::format("{} as a subscript of '{}', which takes {} here",
                                  of_module(result.type.module), of_variable, of_module(module)));
      return failed(expr.where);
    case Kind::None:
      diagnostics_.error(expr.where, fmt::format("none as a subscript of '{}', which takes {} here",
                                                 of_variable, of_module(module)));
      return failed(expr.where);
    case Kind::Number:
      if (const std::optional<std::int64_t> id = constant_value(result)) {
        return literal(expr.where, module, *id, fmt::format("as a subscript of '{}'", of_variable));
      }
      break;
    case Kind::Truth:
      break;
  }
  diagnostics_.error(expr.where,
                     fmt::format("a number as a subscript of '{}', which takes {} here",
                                 of_variable, of_module(module)),
                     fmt::format("a variable of type '{}' holds a process", program_[module].name));
  return failed(expr.where);
}

Expr ExpressionResolver::process_literal(const syntax::Expr& expr) {
  const auto named = program_.names.find(std::string(expr.name));
  if (named != program_.names.end() && named->second.kind == SymbolKind::Variable) {
    diagnostics_.error(syntax::name_span(expr),
                       fmt::format("'{}' is a variable, not a module", expr.name),
                       "subscripts stand in square brackets");
    (void)any(expr.args.front());
    return failed(expr.where);
  }
  const std::optional<ModuleId> module = find_module(program_, name_of(expr), names_, diagnostics_);
  const Expr id = module ? number(expr.args.front()) : any(expr.args.front());
  if (!module || id.type.kind == Kind::Unknown) return failed(expr.where);
  const std::optional<std::int64_t> value = constant_value(id);
  if (!value) {
    diagnostics_.error(expr.args.front().where, "the id of a process is a constant");
    return failed(expr.where);
  }
  return literal(expr.where, *module, *value, {});
}

ExpressionResolver::Content ExpressionResolver::content(const Expr& expr) {
  switch (expr.op) {
    case Op::Constant:
      return Content::Constant;
    case Op::CountProcess:
      return Content::Counts;
    case Op::Minus:
    case Op::Sum:
    case Op::Product: {
      Content whole = Content::Constant;
      for (const Expr& arg : expr.args) whole = std::max(whole, content(arg));
      return whole;
    }
    default:
      return Content::State;
  }
}

void ExpressionResolver::check_counts(Expr& expr) {
  if (expr.type.kind == Kind::Unknown || !is_count(expr)) return;
  std::size_t num_counts = 0;
  for (const Expr& arg : expr.args) {
    const Content found = content(arg);
    if (found == Content::Counts) ++num_counts;
    const bool factor_is_wrong =
        expr.op == Op::Product &&
        (num_counts > 1 || (arg.join != Join::Times && arg.join != Join::None));
    if (found != Content::State && !factor_is_wrong) continue;
    misplaced_count(arg.where);
    expr.type.kind = Kind::Unknown;
    return;
  }
}

Expr ExpressionResolver::arithmetic(const syntax::Expr& expr, Op op) {
  Expr result = made(op, expr.where, Kind::Number);
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    Expr arg = any(expr.args[i]);
    const Join join = op == Op::Minus ? Join::Minus : expr.args[std::max<std::size_t>(i, 1)].join;
    require_number(arg, fmt::format("'{}'", spelling(join)));
    add_arg(result, std::move(arg));
  }
  if (op != Op::Minus) check_counts(result);
  return result;
}

Expr ExpressionResolver::connective(const syntax::Expr& expr, Op op) {
  Expr result = made(op, expr.where, Kind::Number);
  for (const syntax::Expr& arg : expr.args) {
    Expr operand = condition(arg);
    if (operand.type.kind == Kind::Truth && result.type.kind == Kind::Number) {
      result.type.kind = Kind::Truth;
    }
    add_arg(result, std::move(operand));
  }
  return result;
}

Expr ExpressionResolver::compare(const syntax::Expr& expr) {
  Expr left = any(expr.args[0]);
  Expr right = any(expr.args[1]);
  const auto is_process = [](const Expr& side) {
    return side.type.kind == Kind::Process || side.type.kind == Kind::None;
  };
  if (is_process(left) || is_process(right)) {
    return compare_processes(expr, std::move(left), std::move(right));
  }
  const std::string use = fmt::format("'{}'", spelling(expr.args[1].join));
  require_number(left, use);
  require_number(right, use);
  Expr result = made(Op::Compare, expr.where, compare_counts(left, right));
  add_arg(result, std::move(left));
  add_arg(result, std::move(right));
  return result;
}

/// What a comparison of these numbers is: nothing else goes with COUNT terms than constants.
Kind ExpressionResolver::compare_counts(const Expr& left, const Expr& right) {
  if (!has_counts_) return Kind::Number;
  const Content on_left = content(left);
  const Content on_right = content(right);
  if (on_left != Content::Counts && on_right != Content::Counts) return Kind::Number;
  for (const auto& [side, found] : {std::pair{&left, on_left}, std::pair{&right, on_right}}) {
    if (found != Content::State) continue;
    misplaced_count(side->where);
    return Kind::Unknown;
  }
  return Kind::Truth;
}

void ExpressionResolver::misplaced_count(Span where) {
  diagnostics_.error(where, "COUNT goes with constants and other COUNT terms only",
                     "compare sums and differences of COUNT terms and constants; a COUNT may have "
                     "a constant factor");
}

Expr ExpressionResolver::compare_processes(const syntax::Expr& expr, Expr left, Expr right) {
  Expr result = made(Op::Compare, expr.where, Kind::Number);
  const Join join = expr.args[1].join;
  if (!is_equality(join)) {
    diagnostics_.error(expr.where, fmt::format("'{}' on processes", spelling(join)),
                       std::string(what_processes_can));
    return failed(expr.where);
  }
  // A number beside a process is meant as a process id.
  for (auto [side, other] : {std::pair{&left, &right}, std::pair{&right, &left}}) {
    if (side->type.kind != Kind::Number && side->type.kind != Kind::Truth) continue;
    const std::optional<std::int64_t> id = constant_value(*side);
    if (side->type.kind == Kind::Number && id && other->type.kind == Kind::Process) {
      const Join side_join = side->join;
      *side = literal(side->where, other->type.module, *id, "in a comparison");
      side->join = side_join;
      continue;
    }
    diagnostics_.error(expr.where, "a process is compared with a number",
                       std::string(what_processes_can));
    return failed(expr.where);
  }
  if (left.type.kind == Kind::Process && right.type.kind == Kind::Process &&
      left.type.module != right.type.module) {
    diagnostics_.error(expr.where,
                       fmt::format("{} is compared with {}", of_module(left.type.module),
                                   of_module(right.type.module)),
                       "processes of different modules are never equal");
    return failed(expr.where);
  }
  add_arg(result, std::move(left));
  add_arg(result, std::move(right));
  return result;
}

Expr ExpressionResolver::conditional(const syntax::Expr& expr) {
  Expr test = condition(expr.args[0]);
  Expr yes = any(expr.args[1]);
  Expr no = any(expr.args[2]);
  Expr result = made(Op::Conditional, expr.where, yes.type.kind);
  result.type = yes.type.kind == Kind::None || yes.type.kind == Kind::Unknown ? no.type : yes.type;
  const auto goes_with = [&](const Expr& branch) {
    const Kind kind = branch.type.kind;
    if (kind == Kind::Unknown || result.type.kind == Kind::Unknown) return true;
    if (result.type.kind == Kind::Process) {
      return kind == Kind::None ||
             (kind == Kind::Process && branch.type.module == result.type.module);
    }
    return kind == result.type.kind;
  };
  if (!goes_with(yes) || !goes_with(no)) {
    diagnostics_.error(expr.where, "the two values of '? :' are of different kinds",
                       "both are numbers, or both are processes of one module");
    result.type.kind = Kind::Unknown;
  }
  result.args.push_back(std::move(test));
  result.args.push_back(std::move(yes));
  result.args.push_back(std::move(no));
  return result;
}

// ---------------------------------------------------------------------------------------------------
// What binds names

std::uint32_t ExpressionResolver::bind_new(std::string_view name, std::optional<ModuleId> module) {
  const std::uint32_t slot = add_slot(std::string(name), module.value_or(ModuleId{}));
  if (!module) broken_slots_.insert(slot);
  scope_[name].push_back(slot);
  return slot;
}

std::vector<Binder> ExpressionResolver::bind_indices(const std::vector<syntax::Name>& names) {
  std::unordered_set<std::string_view> seen;
  std::vector<Binder> binders;
  for (const syntax::Name& name : names) {
    if (!seen.insert(name.text).second) bound_twice(name);
    const std::optional<ModuleId> module = binder_module(name);
    Binder binder;
    binder.slot = bind_new(name.text, module);
    binder.set.module = module.value_or(ModuleId{});
    binders.push_back(std::move(binder));
  }
  return binders;
}

void ExpressionResolver::unbind(const std::vector<syntax::Name>& names) {
  for (const syntax::Name& name : names) scope_[name.text].pop_back();
}

Expr ExpressionResolver::index_quantifier(const syntax::Expr& expr, Op op) {
  const std::vector<syntax::Name>& names = expr.bindings.front().names;
  Expr result = made(op, expr.where, Kind::Number);
  result.binders = bind_indices(names);
  for (const Binder& binder : result.binders) {
    if (broken_slots_.contains(binder.slot)) result.type.kind = Kind::Unknown;
  }
  for (const syntax::Expr& arg : expr.args) add_arg(result, condition(arg));
  unbind(names);
  return result;
}

void ExpressionResolver::bound_twice(const syntax::Name& name) {
  diagnostics_.error(name.where, fmt::format("'{}' is bound twice", name.text));
}

void ExpressionResolver::check_bound_name(const syntax::Name& name) {
  const auto declared = program_.names.find(std::string(name.text));
  if (declared == program_.names.end() || declared->second.kind == SymbolKind::Index) return;
  diagnostics_.error(
      name.where,
      fmt::format("'{}' is {} of the program", name.text, description(declared->second.kind)),
      "choose another name for the process");
}

Expr ExpressionResolver::process_quantifier(const syntax::Expr& expr, Op op) {
  Expr result = made(op, expr.where, op == Op::CountProcess ? Kind::Number : Kind::Truth);
  if (op == Op::CountProcess) has_counts_ = true;
  std::unordered_set<std::string_view> seen;
  for (const syntax::Binding& binding : expr.bindings) {
    const std::optional<ProcessSet> set = resolve_set(program_, binding.set, names_, diagnostics_);
    for (const syntax::Name& name : binding.names) {
      check_bound_name(name);
      if (!seen.insert(name.text).second) bound_twice(name);
      Binder binder;
      binder.slot = bind_new(name.text, set ? std::optional(set->module) : std::nullopt);
      binder.set = set.value_or(ProcessSet{});
      result.binders.push_back(std::move(binder));
    }
  }
  result.args.push_back(condition(expr.args.front()));
  for (const syntax::Binding& binding : expr.bindings) unbind(binding.names);
  return result;
}

Expr ExpressionResolver::temporal(const syntax::Expr& expr) {
  Expr result = made(Op::Temporal, expr.where, Kind::Truth);
  result.path = expr.path;
  result.temporal = expr.temporal;
  for (const syntax::Expr& arg : expr.args) result.args.push_back(condition(arg));
  return result;
}

Expr ExpressionResolver::enabled(const syntax::Expr& expr) {
  Expr result = made(Op::Enabled, expr.where, Kind::Truth);
  Expr process = any(expr.args.front());
  const bool fits = process.type.kind == Kind::Process || process.type.kind == Kind::Unknown;
  if (!fits) {
    diagnostics_.error(expr.args.front().where, "enabled() takes a process",
                       "write 'enabled(i)', or 'enabled(client(3))' with the module's name");
  }
  result.args.push_back(std::move(process));
  return result;
}

// ---------------------------------------------------------------------------------------------------
// Assignments

Expr ExpressionResolver::target(const syntax::Expr& expr) {
  const auto found = program_.names.find(std::string(expr.name));
  if (found != program_.names.end() && found->second.kind != SymbolKind::Variable) {
    diagnostics_.error(syntax::name_span(expr),
                       fmt::format("'{}' is {} and cannot be assigned to", expr.name,
                                   description(found->second.kind)));
    return failed(expr.where);
  }
  if (found == program_.names.end()) {
    names_.unknown(name_of(expr), {.message = fmt::format("unknown variable '{}'", expr.name),
                                   .more_candidates = {},
                                   .other_hint = {},
                                   .wanted = SymbolKind::Variable});
    return failed(expr.where);
  }
  return variable(expr, found->second);
}

Expr ExpressionResolver::value_for(const Type& type, const syntax::Expr& expr,
                                   std::string_view place) {
  Expr value = any(expr);
  const Kind kind = value.type.kind;
  if (kind == Kind::Unknown) return value;
  if (!type.is_process()) {
    if (kind == Kind::Number) return value;
    diagnostics_.error(expr.where, fmt::format("{} holds numbers, not processes", place));
    return failed(expr.where);
  }
  if (kind == Kind::None) {
    if (type.kind == Type::Kind::OptionalProcess) return value;
    diagnostics_.error(expr.where, fmt::format("{} cannot be none", place),
                       fmt::format("declare it with type '{}?'", program_[type.module].name));
    return failed(expr.where);
  }
  if (kind == Kind::Process && value.type.module == type.module) return value;
  if (kind == Kind::Process) {
    diagnostics_.error(expr.where, fmt::format("{} holds {}, not {}", place, of_module(type.module),
                                               of_module(value.type.module)));
    return failed(expr.where);
  }
  if (const std::optional<std::int64_t> id = constant_value(value); id && kind == Kind::Number) {
    return literal(expr.where, type.module, *id, fmt::format("as a value of {}", place));
  }
  diagnostics_.error(expr.where,
                     fmt::format("{} holds {}, not a number", place, of_module(type.module)));
  return failed(expr.where);
}

}  // namespace cohort::lang
