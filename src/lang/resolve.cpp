// Declarations and bodies.
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

#include "lang/lint.hpp"
#include "lang/resolve_constant.hpp"
#include "lang/resolve_initial.hpp"
#include "lang/resolve_schema.hpp"
#include "lang/warning_codes.hpp"

namespace cohort::lang {
namespace {

using base::Diagnostics;
using base::index_of;

constexpr std::int64_t largest_module = 1'000'000;
constexpr std::int64_t most_instances = 10'000'000;

/// The names in a constant expression, for ordering constants by their dependencies.
void collect_names(const syntax::Expr& expr, std::vector<std::string_view>& names) {
  if (expr.kind == syntax::ExprKind::Reference) names.push_back(expr.name);
  for (const syntax::Expr& arg : expr.args) collect_names(arg, names);
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
    for (const syntax::Init& declared : file_.inits) {
      if (std::optional<Init> made = initials_.init(declared)) program_.inits.push_back(*made);
    }
    for (const VariableId id : without_initial_) initials_.require_initial(id);
    resolve_bodies();
    if (program_.modules.empty() && !diagnostics_.has_errors()) {
      diagnostics_.warning({}, no_module,
                           "the program has no module, so nothing ever happens in it");
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
    if (!is_new) declared_twice(name, found->second.where);
  }

  /// The later declaration is the wrong one, whichever was looked at first.
  void declared_twice(const syntax::Name& name, Span other) {
    const auto [first, second] = std::minmax(name.where.begin, other.begin);
    diagnostics_.error(name.where.begin == second ? name.where : other,
                       fmt::format("'{}' is declared twice", name.text), place({first, first}));
  }

  /// Makes all uses of a name silently unknown, after its declaration was found wrong.
  void disown(const syntax::Name& name) {
    program_.names.erase(std::string(name.text));
    names_.excuse({name.text});
  }

  /// In the order of the text, so that the first of two declarations counts.
  void declare_names() {
    std::vector<std::pair<syntax::Name, Symbol>> found = collect_names_of_declarations();
    std::ranges::sort(found, {}, [](const auto& named) { return named.first.where.begin; });
    for (const auto& [name, symbol] : found) declare(name, symbol);
  }

  [[nodiscard]] std::vector<std::pair<syntax::Name, Symbol>> collect_names_of_declarations() {
    std::vector<std::pair<syntax::Name, Symbol>> found;
    for (const syntax::Module& module : file_.modules) {
      found.emplace_back(module.name, symbol(SymbolKind::Module, program_.modules.size()));
      program_.modules.push_back({std::string(module.name.text), module.name.where, 1, false});
    }
    for (const syntax::Constant& constant : file_.constants) {
      found.emplace_back(constant.name, symbol(SymbolKind::Constant, program_.constants.size()));
      program_.constants.push_back({std::string(constant.name.text), constant.name.where, 0});
    }
    for (const syntax::Enum& declared : file_.enums) collect_names_of_enum(declared, found);
    for (const syntax::PriorityClass& declared : file_.classes) {
      found.emplace_back(declared.name, symbol(SymbolKind::Class, program_.classes.size()));
      program_.classes.push_back({std::string(declared.name.text), declared.name.where, {}});
    }
    for (const syntax::Variable& variable : file_.variables) {
      found.emplace_back(variable.name, symbol(SymbolKind::Variable, program_.variables.size()));
      Variable made;
      made.name = variable.name.text;
      made.where = variable.name.where;
      program_.variables.push_back(std::move(made));
    }
    return found;
  }

  void collect_names_of_enum(const syntax::Enum& declared,
                             std::vector<std::pair<syntax::Name, Symbol>>& found) {
    found.emplace_back(declared.name, symbol(SymbolKind::Enum, program_.enums.size()));
    Enum made{std::string(declared.name.text), declared.name.where, {}};
    for (const syntax::Name& constant : declared.constants) {
      Symbol as_constant = symbol(SymbolKind::EnumConstant, program_.enums.size());
      as_constant.value = static_cast<std::int64_t>(made.constants.size());
      found.emplace_back(constant, as_constant);
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

  /// Whether the value of an expression may come from outside: it mentions a constant that does.
  [[nodiscard]] bool is_from_outside(const syntax::Expr& expr) const {
    if (from_outside_.empty()) return false;
    std::vector<std::string_view> mentioned;
    collect_names(expr, mentioned);
    return std::ranges::any_of(mentioned,
                               [&](std::string_view name) { return from_outside_.contains(name); });
  }

  void compute(std::uint32_t id) {
    const syntax::Constant& constant = file_.constants[id];
    std::optional<std::int64_t> value = override_of(constant.name.text);
    if (value || is_from_outside(constant.value)) from_outside_.insert(constant.name.text);
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
      program_.modules[i].overridden = given || is_from_outside(module.size);
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
      declared_twice(name, found->second.where);
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

  [[nodiscard]] std::optional<Interval> range(const syntax::Range& declared) {
    return ConstantResolver(program_, names_, diagnostics_).range(declared.first, declared.last);
  }

  [[nodiscard]] std::optional<Dimension> dimension(const syntax::Dimension& declared) {
    Dimension made;
    if (!declared.range.empty()) {
      const auto found = range(declared.range.front());
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
        const auto found = range(declared.range.front());
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
      if (!resolve_variable(VariableId{static_cast<std::uint32_t>(i)})) {
        disown(file_.variables[i].name);
      }
    }
  }

  [[nodiscard]] bool resolve_variable(VariableId id) {
    const syntax::Variable& declared = file_.variables[index_of(id)];
    Variable& variable = program_.variables[index_of(id)];
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
    variable.initial = initials_.of_variable(variable, declared.initial);
    if (!declared.initial) without_initial_.push_back(id);
    return fine;
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
  std::unordered_set<std::string_view> from_outside_;  ///< constants, directly or not
  std::unordered_set<std::string_view> self_defined_;
  std::vector<std::optional<ModuleId>> body_modules_;
  std::vector<VariableId> without_initial_;
  InitialResolver initials_{program_, names_, diagnostics_};
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
