// Declarations, initial values and bodies.
//
// Idea.  First all names are collected, since declarations may follow their use; then constants are
// computed, in the order of their dependencies; then everything that uses them.  A declaration that
// is wrong is reported once and its name excused: uses of it are silently unknown.
#include "lang/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "lang/constant.hpp"
#include "lang/lint.hpp"
#include "lang/resolve_expression.hpp"
#include "lang/resolve_schema.hpp"

namespace cohort::lang {
namespace {

using base::Diagnostics;
using base::index_of;
using Outcome = ConstantResult::Outcome;

constexpr std::int64_t largest_module = 1'000'000;
constexpr std::int64_t most_instances = 100'000'000;

/// What may stand where a constant is needed: numbers, and processes as initial values.
class ConstantResolver : public ExpressionResolver {
 public:
  using ExpressionResolver::ExpressionResolver;

  /// The value of a number; none after an error.
  [[nodiscard]] std::optional<std::int64_t> constant(const syntax::Expr& expr) {
    return computed(number(expr));
  }

  [[nodiscard]] std::optional<std::int64_t> constant_for(const Type& type, const syntax::Expr& expr,
                                                         std::string_view place) {
    Expr value = value_for(type, expr, place);
    if (value.op == Op::None) return none_value;
    return computed(value);
  }

 protected:
  Expr unbound(const syntax::Expr& reference, const Symbol* symbol) override {
    const syntax::Name name{reference.name, syntax::name_span(reference)};
    if (symbol == nullptr) {
      names_.unknown(name, {.message = fmt::format("unknown name '{}'", name.text),
                            .more_candidates = {},
                            .other_hint = {},
                            .wanted = {}});
    } else {
      diagnostics_.error(name.where,
                         fmt::format("index variable '{}' where a constant is needed", name.text));
    }
    return failed(reference.where);
  }

  Expr literal(Span where, ModuleId module, std::int64_t id, std::string_view /*use*/) override {
    const Module& of = program_[module];
    if (id < 0 || id >= of.size) {
      diagnostics_.error(
          where, fmt::format("process {} is beyond module '{}', whose ids are 0 to {}", id, of.name,
                             of.size - 1));
      return failed(where);
    }
    Expr process;
    process.where = where;
    process.value = id;
    process.type = {ValueType::Kind::Process, module};
    return process;
  }

  std::optional<ModuleId> binder_module(const syntax::Name& name) override {
    diagnostics_.error(name.where, "ALL, EXISTS and COUNT have no constant value");
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<std::int64_t> computed(const Expr& expr) {
    if (expr.type.kind == ValueType::Kind::Unknown) return std::nullopt;
    const ConstantResult result = evaluate_constant(expr);
    switch (result.outcome) {
      case Outcome::Value:
        return result.value;
      case Outcome::NotConstant:
        diagnostics_.error(result.where, "a constant is needed here");
        break;
      case Outcome::DivisionByZero:
        diagnostics_.error(result.where, "division by zero");
        break;
      case Outcome::TooLarge:
        diagnostics_.error(result.where, "the value does not fit in 64 bits");
        break;
    }
    return std::nullopt;
  }
};

/// The names in a constant expression, for ordering constants by their dependencies.
void collect_names(const syntax::Expr& expr, std::vector<std::string_view>& names) {
  if (expr.kind == syntax::ExprKind::Reference) names.push_back(expr.name);
  for (const syntax::Expr& arg : expr.args) collect_names(arg, names);
}

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

class ModelResolver {
 public:
  ModelResolver(const syntax::ModelFile& file, const base::Source& source,
                const std::vector<Override>& overrides, Diagnostics& diagnostics)
      : file_(file), source_(source), diagnostics_(diagnostics), names_(program_, diagnostics) {
    names_.excuse(file.names_in_errors);
    for (const Override& given : overrides) overrides_[given.name] = given.value;
    for (const Override& given : overrides) unknown_overrides_.insert(given.name);
  }

  [[nodiscard]] Resolved run() {
    declare_names();
    compute_constants();
    compute_module_sizes();
    declare_indices();
    resolve_classes();
    resolve_variables();
    resolve_inits();
    resolve_bodies();
    if (program_.modules.empty() && !diagnostics_.has_errors()) {
      diagnostics_.warning({}, "the program has no module, so nothing ever happens in it");
    }
    Resolved result;
    result.unknown_overrides.assign(unknown_overrides_.begin(), unknown_overrides_.end());
    std::ranges::sort(result.unknown_overrides);
    result.excused_names = names_.excused();
    result.program = std::move(program_);
    return result;
  }

 private:
  // -------------------------------------------------------------------------------------------------
  // Names

  [[nodiscard]] std::string place(Span where) const {
    const base::Position at = source_.position(where.begin);
    return fmt::format("the first declaration is at line {}, column {}", at.line, at.column);
  }

  void declare(const syntax::Name& name, Symbol symbol) {
    symbol.where = name.where;
    const auto [found, is_new] = program_.names.emplace(std::string(name.text), symbol);
    if (is_new) return;
    diagnostics_.error(name.where, fmt::format("'{}' is declared twice", name.text),
                       place(found->second.where));
  }

  /// Makes all uses of a name silently unknown, after its declaration was found wrong.
  void disown(const syntax::Name& name) {
    program_.names.erase(std::string(name.text));
    names_.excuse({name.text});
  }

  void declare_names() {
    for (const syntax::Module& module : file_.modules) {
      declare(module.name, symbol(SymbolKind::Module, program_.modules.size()));
      program_.modules.push_back({std::string(module.name.text), module.name.where, 1, false});
    }
    for (const syntax::Constant& constant : file_.constants) {
      declare(constant.name, symbol(SymbolKind::Constant, program_.constants.size()));
      program_.constants.push_back({std::string(constant.name.text), constant.name.where, 0});
    }
    for (const syntax::Enum& declared : file_.enums) declare_enum(declared);
    for (const syntax::PriorityClass& declared : file_.classes) {
      declare(declared.name, symbol(SymbolKind::Class, program_.classes.size()));
      program_.classes.push_back({std::string(declared.name.text), declared.name.where, {}});
    }
    for (const syntax::Variable& variable : file_.variables) {
      declare(variable.name, symbol(SymbolKind::Variable, program_.variables.size()));
      Variable made;
      made.name = variable.name.text;
      made.where = variable.name.where;
      program_.variables.push_back(std::move(made));
    }
  }

  void declare_enum(const syntax::Enum& declared) {
    declare(declared.name, symbol(SymbolKind::Enum, program_.enums.size()));
    Enum made{std::string(declared.name.text), declared.name.where, {}};
    for (const syntax::Name& constant : declared.constants) {
      Symbol as_constant = symbol(SymbolKind::EnumConstant, program_.enums.size());
      as_constant.value = static_cast<std::int64_t>(made.constants.size());
      declare(constant, as_constant);
      made.constants.emplace_back(constant.text);
    }
    program_.enums.push_back(std::move(made));
  }

  [[nodiscard]] static Symbol symbol(SymbolKind kind, std::size_t id) {
    Symbol made;
    made.kind = kind;
    made.id = static_cast<std::uint32_t>(id);
    return made;
  }

  // -------------------------------------------------------------------------------------------------
  // Constants and sizes

  [[nodiscard]] std::optional<std::int64_t> override_of(std::string_view name) {
    const auto found = overrides_.find(std::string(name));
    if (found == overrides_.end()) return std::nullopt;
    unknown_overrides_.erase(found->first);
    return found->second;
  }

  /// Depth first over the dependencies, with a stack of its own: a chain may be a million long.
  void compute_constants() {
    enum class Progress : std::uint8_t { New, Open, Done };
    std::vector<Progress> progress(file_.constants.size(), Progress::New);
    std::vector<std::uint32_t> stack;
    for (std::uint32_t start = 0; start < file_.constants.size(); ++start) {
      stack.push_back(start);
      while (!stack.empty()) {
        const std::uint32_t current = stack.back();
        if (progress[current] == Progress::New) {
          progress[current] = Progress::Open;
          for (const std::uint32_t needed : constants_in(file_.constants[current])) {
            if (progress[needed] == Progress::New) stack.push_back(needed);
            if (progress[needed] == Progress::Open) defined_by_itself(file_.constants[needed]);
          }
          continue;
        }
        stack.pop_back();
        if (progress[current] == Progress::Done) continue;
        progress[current] = Progress::Done;
        compute(current);
      }
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> constants_in(const syntax::Constant& constant) const {
    if (overrides_.contains(std::string(constant.name.text))) return {};
    std::vector<std::string_view> mentioned;
    collect_names(constant.value, mentioned);
    std::vector<std::uint32_t> ids;
    for (const std::string_view name : mentioned) {
      const auto found = program_.names.find(std::string(name));
      if (found != program_.names.end() && found->second.kind == SymbolKind::Constant) {
        ids.push_back(found->second.id);
      }
    }
    return ids;
  }

  void defined_by_itself(const syntax::Constant& constant) {
    if (!self_defined_.insert(constant.name.text).second) return;
    diagnostics_.error(constant.name.where,
                       fmt::format("constant '{}' is defined by itself", constant.name.text));
    disown(constant.name);
  }

  void compute(std::uint32_t id) {
    const syntax::Constant& constant = file_.constants[id];
    std::optional<std::int64_t> value = override_of(constant.name.text);
    if (!value) value = ConstantResolver(program_, names_, diagnostics_).constant(constant.value);
    if (value) {
      program_.constants[id].value = *value;
    } else {
      disown(constant.name);
    }
  }

  void compute_module_sizes() {
    for (std::size_t i = 0; i < file_.modules.size(); ++i) {
      const syntax::Module& module = file_.modules[i];
      const std::optional<std::int64_t> given = override_of(module.name.text);
      const std::optional<std::int64_t> size =
          given ? given : ConstantResolver(program_, names_, diagnostics_).constant(module.size);
      program_.modules[i].overridden = given.has_value();
      if (size && *size > 0 && *size <= largest_module) {
        program_.modules[i].size = *size;
        continue;
      }
      if (size) {
        diagnostics_.error(given ? module.name.where : module.size.where,
                           fmt::format("module '{}' has size {}", module.name.text, *size),
                           *size > 0
                               ? fmt::format("a module has at most {} processes", largest_module)
                               : "a module has at least one process");
      }
      disown(module.name);
    }
  }

  // -------------------------------------------------------------------------------------------------
  // Index variables and classes

  [[nodiscard]] std::optional<ModuleId> module_named(const syntax::Name& name) {
    return find_module(program_, name, names_, diagnostics_);
  }

  void declare_index(const syntax::Name& name, std::optional<ModuleId> module) {
    if (!module) {
      if (!program_.names.contains(std::string(name.text))) names_.excuse({name.text});
      return;
    }
    const auto found = program_.names.find(std::string(name.text));
    const auto id = static_cast<std::uint32_t>(index_of(*module));
    if (found == program_.names.end()) {
      declare(name, symbol(SymbolKind::Index, id));
      return;
    }
    if (found->second.kind != SymbolKind::Index) {
      diagnostics_.error(name.where, fmt::format("'{}' is declared twice", name.text),
                         place(found->second.where));
    } else if (found->second.id != id) {
      const base::Position at = source_.position(found->second.where.begin);
      diagnostics_.error(
          name.where,
          fmt::format("index variable '{}' of two modules: '{}' and '{}'", name.text,
                      program_.modules[found->second.id].name, program_[*module].name),
          fmt::format("it belongs to '{}' since line {}; use another name",
                      program_.modules[found->second.id].name, at.line));
    }
  }

  void declare_indices() {
    for (const syntax::Indices& indices : file_.indices) {
      const std::optional<ModuleId> module = module_named(indices.module);
      for (const syntax::Name& name : indices.names) declare_index(name, module);
    }
    for (const syntax::Body& body : file_.bodies) {
      body_modules_.push_back(module_named(body.module));
      declare_index(body.index, body_modules_.back());
    }
  }

  void resolve_classes() {
    for (std::size_t i = 0; i < file_.classes.size(); ++i) {
      const syntax::PriorityClass& declared = file_.classes[i];
      const std::optional<ModuleId> module = module_named(declared.module);
      if (!module) {
        disown(declared.name);
        continue;
      }
      program_.classes[i].set = {*module, false,
                                 resolve_ids(program_, *module, declared.ids, diagnostics_),
                                 ClassId{static_cast<std::uint32_t>(i)}};
    }
  }

  // -------------------------------------------------------------------------------------------------
  // Variables

  [[nodiscard]] std::optional<std::int64_t> constant(const syntax::Expr& expr) {
    return ConstantResolver(program_, names_, diagnostics_).constant(expr);
  }

  [[nodiscard]] std::optional<Interval> range(const syntax::Expr& first, const syntax::Expr& last) {
    const std::optional<std::int64_t> from = constant(first);
    const std::optional<std::int64_t> to = constant(last);
    if (!from || !to) return std::nullopt;
    if (*to < *from) {
      diagnostics_.error(base::join(first.where, last.where),
                         fmt::format("the range {}..{} is empty", *from, *to));
      return std::nullopt;
    }
    return Interval{*from, *to};
  }

  [[nodiscard]] std::optional<Dimension> dimension(const syntax::Dimension& declared) {
    Dimension made;
    if (!declared.range.empty()) {
      const auto found = range(declared.range.front().first, declared.range.front().last);
      if (!found) return std::nullopt;
      made.range = *found;
      return made;
    }
    made.module = module_named(declared.name);
    if (!made.module) return std::nullopt;
    made.range = {0, program_[*made.module].size - 1};
    return made;
  }

  [[nodiscard]] std::optional<Type> type(const syntax::Type& declared) {
    Type made;
    switch (declared.kind) {
      case syntax::Type::Kind::Bool:
        made.kind = Type::Kind::Bool;
        made.values = {0, 1};
        return made;
      case syntax::Type::Kind::Range: {
        const auto found = range(declared.range.front().first, declared.range.front().last);
        if (!found) return std::nullopt;
        made.kind = Type::Kind::Range;
        made.values = *found;
        return made;
      }
      case syntax::Type::Kind::Named:
      case syntax::Type::Kind::Optional:
        return named_type(declared);
    }
    return made;
  }

  [[nodiscard]] std::optional<Type> named_type(const syntax::Type& declared) {
    const auto found = program_.names.find(std::string(declared.name.text));
    const bool optional = declared.kind == syntax::Type::Kind::Optional;
    Type made;
    if (found == program_.names.end()) {
      names_.unknown(declared.name,
                     {.message = fmt::format("unknown type '{}'", declared.name.text),
                      .more_candidates = {},
                      .other_hint = "a type is a range 'a..b', 'bool', an enum or a module",
                      .wanted = {}});
      return std::nullopt;
    }
    if (found->second.kind == SymbolKind::Enum && !optional) {
      made.kind = Type::Kind::Enum;
      made.enumeration = EnumId{found->second.id};
      const auto size =
          static_cast<std::int64_t>(program_.enums[found->second.id].constants.size());
      made.values = {0, size - 1};
      return made;
    }
    if (found->second.kind != SymbolKind::Module) {
      diagnostics_.error(declared.name.where,
                         fmt::format("'{}' is {}, not a {}", declared.name.text,
                                     description(found->second.kind), optional ? "module" : "type"),
                         optional ? "only a module's name takes '?': a process or none"
                                  : "a type is a range 'a..b', 'bool', an enum or a module");
      return std::nullopt;
    }
    made.kind = optional ? Type::Kind::OptionalProcess : Type::Kind::Process;
    made.module = ModuleId{found->second.id};
    made.values = {optional ? none_value : 0, program_[made.module].size - 1};
    return made;
  }

  void resolve_variables() {
    for (std::size_t i = 0; i < file_.variables.size(); ++i) {
      if (!resolve_variable(file_.variables[i], program_.variables[i])) {
        disown(file_.variables[i].name);
      }
    }
  }

  [[nodiscard]] bool resolve_variable(const syntax::Variable& declared, Variable& variable) {
    bool fine = true;
    std::int64_t instances = 1;
    for (const syntax::Dimension& subscript : declared.dimensions) {
      const std::optional<Dimension> made = dimension(subscript);
      if (!made) {
        fine = false;
        continue;
      }
      // In unsigned numbers the difference of two 64-bit ones always fits.
      const std::uint64_t one_less = static_cast<std::uint64_t>(made->range.last) -
                                     static_cast<std::uint64_t>(made->range.first);
      const bool too_many = one_less >= static_cast<std::uint64_t>(most_instances / instances);
      if (too_many) {
        diagnostics_.error(declared.name.where, fmt::format("'{}' has more than {} instances",
                                                            declared.name.text, most_instances));
        return false;
      }
      instances *= static_cast<std::int64_t>(one_less) + 1;
      variable.dimensions.push_back(*made);
    }
    variable.type.values = {std::numeric_limits<std::int32_t>::min(),
                            std::numeric_limits<std::int32_t>::max()};
    if (declared.type) {
      const std::optional<Type> made = type(*declared.type);
      if (!made) return false;
      variable.type = *made;
    }
    // A wrong initial value leaves the variable itself in order.
    variable.initial =
        declared.initial ? initial(variable, *declared.initial) : default_initial(variable);
    return fine;
  }

  // -------------------------------------------------------------------------------------------------
  // Initial values

  [[nodiscard]] std::vector<Interval> default_initial(const Variable& variable) {
    if (variable.type.kind == Type::Kind::OptionalProcess) return {{none_value, none_value}};
    if (variable.type.kind == Type::Kind::Process) {
      const std::string& module = program_[variable.type.module].name;
      diagnostics_.error(
          variable.where,
          fmt::format("'{}' holds a process and needs an initial value", variable.name),
          fmt::format("write 'in {0}' for any, or '= {0}(0)'", module));
      return {};
    }
    if (variable.type.values.contains(0)) return {{0, 0}};
    diagnostics_.error(variable.where,
                       fmt::format("'{}' needs an initial value: 0 is not in {}", variable.name,
                                   to_string(variable.type, program_)),
                       fmt::format("write '= {}'", variable.type.values.first));
    return {};
  }

  [[nodiscard]] std::optional<std::int64_t> initial_value(const Variable& variable,
                                                          const syntax::Expr& expr) {
    const std::optional<std::int64_t> value =
        ConstantResolver(program_, names_, diagnostics_)
            .constant_for(variable.type, expr, fmt::format("'{}'", variable.name));
    if (!value || variable.type.values.contains(*value)) return value;
    outside(variable, *value, expr.where);
    return std::nullopt;
  }

  void outside(const Variable& variable, std::int64_t value, Span where) {
    diagnostics_.error(where, fmt::format("{} is outside the type of '{}', {}", value,
                                          variable.name, to_string(variable.type, program_)));
  }

  [[nodiscard]] std::vector<Interval> initial(const Variable& variable,
                                              const syntax::Initial& given) {
    std::vector<Interval> made;
    switch (given.kind) {
      case syntax::Initial::Kind::Value:
      case syntax::Initial::Kind::List:
        for (const syntax::Expr& expr : given.values) {
          if (const auto value = initial_value(variable, expr)) made.push_back({*value, *value});
        }
        return normalised(std::move(made));
      case syntax::Initial::Kind::Range:
        return initial_range(variable, given);
      case syntax::Initial::Kind::Module:
        return initial_any(variable, given.module);
    }
    return made;
  }

  [[nodiscard]] std::vector<Interval> initial_range(const Variable& variable,
                                                    const syntax::Initial& given) {
    const std::optional<Interval> found = range(given.values[0], given.values[1]);
    if (!found) return {};
    if (variable.type.is_process()) {
      const std::string& module = program_[variable.type.module].name;
      diagnostics_.error(given.where,
                         fmt::format("'{}' holds processes, not numbers", variable.name),
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
  [[nodiscard]] std::vector<Interval> initial_any(const Variable& variable,
                                                  const syntax::Name& name) {
    const auto found = program_.names.find(std::string(name.text));
    const bool is_enum = found != program_.names.end() && found->second.kind == SymbolKind::Enum &&
                         variable.type.kind == Type::Kind::Enum &&
                         index_of(variable.type.enumeration) == found->second.id;
    if (is_enum) return {variable.type.values};
    const std::optional<ModuleId> module = module_named(name);
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

  // -------------------------------------------------------------------------------------------------
  // Init

  void resolve_inits() {
    for (const syntax::Init& init : file_.inits) resolve_init(init);
  }

  [[nodiscard]] const Variable* init_variable(const syntax::Init& init, VariableId& id) {
    const syntax::Name name{init.target.name, syntax::name_span(init.target)};
    const auto found = program_.names.find(std::string(name.text));
    if (found == program_.names.end()) {
      names_.unknown(name, {.message = fmt::format("unknown variable '{}'", name.text),
                            .more_candidates = {},
                            .other_hint = {},
                            .wanted = SymbolKind::Variable});
      return nullptr;
    }
    if (found->second.kind != SymbolKind::Variable) {
      diagnostics_.error(name.where, fmt::format("'{}' is {}, not a variable", name.text,
                                                 description(found->second.kind)));
      return nullptr;
    }
    id = VariableId{found->second.id};
    const Variable& variable = program_[id];
    if (variable.dimensions.size() == init.target.args.size()) return &variable;
    diagnostics_.error(init.target.where, wrong_subscripts(variable, init.target.args.size()));
    return nullptr;
  }

  void resolve_init(const syntax::Init& declared) {
    Init init;
    const Variable* const variable = init_variable(declared, init.variable);
    if (variable == nullptr) return;
    bool dropped = false;
    std::int64_t instance = 0;
    for (std::size_t i = 0; i < declared.target.args.size(); ++i) {
      const Dimension& dimension = variable->dimensions[i];
      const std::optional<std::int64_t> subscript =
          init_subscript(*variable, dimension, declared.target.args[i], dropped);
      if (!subscript) return;
      init.subscripts.push_back(*subscript);
      instance = instance * (dimension.range.last - dimension.range.first + 1) +
                 (*subscript - dimension.range.first);
    }
    init.initial = initial(*variable, declared.initial);
    init.where = declared.target.where;
    if (dropped) return;
    if (!initialised_[static_cast<std::uint32_t>(init.variable)].insert(instance).second) {
      diagnostics_.error(declared.target.where,
                         fmt::format("'{}' has two Inits for the same instance", variable->name));
      return;
    }
    program_.inits.push_back(std::move(init));
  }

  [[nodiscard]] std::optional<std::int64_t> init_subscript(const Variable& variable,
                                                           const Dimension& dimension,
                                                           const syntax::Expr& expr,
                                                           bool& dropped) {
    const std::optional<std::int64_t> id = init_id(dimension, expr);
    if (!id || dimension.range.contains(*id)) return id;
    const std::string message =
        dimension.module ? fmt::format("process {} is beyond module '{}', whose ids are 0 to {}",
                                       *id, program_[*dimension.module].name, dimension.range.last)
                         : fmt::format("subscript {} of '{}' is outside {}..{}", *id, variable.name,
                                       dimension.range.first, dimension.range.last);
    if (dimension.module && program_[*dimension.module].overridden && *id >= 0) {
      diagnostics_.warning(expr.where, message, "this Init is left out");
      dropped = true;
      return dimension.range.first;
    }
    diagnostics_.error(expr.where, message);
    return std::nullopt;
  }

  /// `tok[0]`, or `tok[client(0)]`.
  [[nodiscard]] std::optional<std::int64_t> init_id(const Dimension& dimension,
                                                    const syntax::Expr& expr) {
    const bool is_literal = expr.kind == syntax::ExprKind::ProcessLiteral;
    if (!is_literal || !dimension.module) return constant(expr);
    const syntax::Name name{expr.name, syntax::name_span(expr)};
    const std::optional<ModuleId> module = module_named(name);
    if (!module) return std::nullopt;
    if (*module != *dimension.module) {
      diagnostics_.error(expr.where,
                         fmt::format("a process of module '{}' where one of '{}' is needed",
                                     program_[*module].name, program_[*dimension.module].name));
      return std::nullopt;
    }
    return constant(expr.args.front());
  }

  // -------------------------------------------------------------------------------------------------
  // Bodies

  void resolve_bodies() {
    std::vector<std::size_t> num_schemas(program_.modules.size(), 0);
    std::unordered_map<std::string_view, Span> labels;
    for (std::size_t i = 0; i < file_.bodies.size(); ++i) {
      const syntax::Body& body = file_.bodies[i];
      for (const syntax::Schema& schema : body.schemas) {
        if (schema.label) check_label(*schema.label, labels);
        Schema made =
            resolve_schema(program_, schema, {body.index, body_modules_[i]}, names_, diagnostics_);
        if (!body_modules_[i]) continue;
        const std::size_t number = ++num_schemas[index_of(*body_modules_[i])];
        if (!schema.label)
          made.name = fmt::format("{}#{}", program_[*body_modules_[i]].name, number);
        program_.schemas.push_back(std::move(made));
      }
    }
  }

  void check_label(const syntax::Name& label, std::unordered_map<std::string_view, Span>& labels) {
    const auto [first, is_new] = labels.emplace(label.text, label.where);
    if (!is_new) {
      const base::Position at = source_.position(first->second.begin);
      diagnostics_.error(label.where, fmt::format("two schemas have the label '{}'", label.text),
                         fmt::format("the first one is at line {}", at.line));
    }
    const auto declared = program_.names.find(std::string(label.text));
    if (declared != program_.names.end() && declared->second.kind == SymbolKind::Variable) {
      diagnostics_.error(label.where,
                         fmt::format("the label '{}' is the name of a variable, too", label.text));
    }
  }

  const syntax::ModelFile& file_;
  const base::Source& source_;
  Diagnostics& diagnostics_;
  Program program_;
  NameErrors names_;
  std::unordered_map<std::string, std::int64_t> overrides_;
  std::unordered_set<std::string> unknown_overrides_;
  std::unordered_set<std::string_view> self_defined_;
  std::vector<std::optional<ModuleId>> body_modules_;
  std::unordered_map<std::uint32_t, std::unordered_set<std::int64_t>> initialised_;
};

}  // namespace

std::string to_string(const Type& type, const Program& program) {
  switch (type.kind) {
    case Type::Kind::Integer:
      return "a 32-bit integer";
    case Type::Kind::Range:
      return fmt::format("{}..{}", type.values.first, type.values.last);
    case Type::Kind::Bool:
      return "bool";
    case Type::Kind::Enum:
      return program.enums[index_of(type.enumeration)].name;
    case Type::Kind::Process:
      return program[type.module].name;
    case Type::Kind::OptionalProcess:
      return program[type.module].name + "?";
  }
  return {};
}

Resolved resolve_model(const syntax::ModelFile& file, const base::Source& source,
                       const std::vector<Override>& overrides, base::Diagnostics& diagnostics) {
  Resolved resolved = ModelResolver(file, source, overrides, diagnostics).run();
  if (!diagnostics.has_errors()) warn_of_idle_schemas(resolved.program, diagnostics);
  return resolved;
}

}  // namespace cohort::lang
