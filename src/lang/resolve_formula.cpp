// Formulas: their free process variables, and the rest as in any expression.
//
// Idea.  A name that nothing declares and no quantifier binds is a free process variable if it is
// used as a process, or is given a value; otherwise it is a mistake.  Its module follows from its
// uses, which are collected in a walk before the types are checked: `i = j` says only that both
// have one module.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/suggest.hpp"
#include "lang/one_line.hpp"
#include "lang/resolve.hpp"
#include "lang/resolve_expression.hpp"
#include "lang/warning_codes.hpp"

namespace cohort::lang {
namespace {

using syntax::ExprKind;

/// What the uses of free names say about them.
class FreeNames {
 public:
  explicit FreeNames(const Program& program) : program_(program) {}

  void collect(const syntax::Expr& formula) { walk(formula); }
  void is_process(std::string_view name) { (void)node(name); }
  void has_module(std::string_view name, ModuleId module) {
    std::optional<ModuleId>& known = nodes_[root(node(name))].module;
    if (!known) known = module;
  }

  [[nodiscard]] bool is_free_process(std::string_view name) const { return ids_.contains(name); }
  [[nodiscard]] std::optional<ModuleId> module_of(std::string_view name) {
    const Node& of = nodes_[root(node(name))];
    if (of.module) return of.module;
    return program_.modules.size() == 1 ? ModuleId{0} : of.of_index;
  }

 private:
  struct Node {
    std::size_t parent = 0;
    std::optional<ModuleId> module;
    std::optional<ModuleId> of_index;  ///< of the program's index variable of that name
  };

  [[nodiscard]] std::size_t node(std::string_view name) {
    const auto [found, is_new] = ids_.emplace(name, nodes_.size());
    if (!is_new) return found->second;
    const Symbol* const symbol = declared(name);
    const bool is_index = symbol != nullptr && symbol->kind == SymbolKind::Index;
    nodes_.push_back({.parent = nodes_.size(),
                      .module = std::nullopt,
                      .of_index = is_index ? std::optional{ModuleId{symbol->id}} : std::nullopt});
    return found->second;
  }

  [[nodiscard]] std::size_t root(std::size_t at) {
    while (nodes_[at].parent != at) {
      nodes_[at].parent = nodes_[nodes_[at].parent].parent;
      at = nodes_[at].parent;
    }
    return at;
  }

  void link(std::string_view a, std::string_view b) {
    const std::size_t first = root(node(a));
    const std::size_t second = root(node(b));
    if (first == second) return;
    nodes_[second].parent = first;
    if (!nodes_[first].module) nodes_[first].module = nodes_[second].module;
    if (!nodes_[first].of_index) nodes_[first].of_index = nodes_[second].of_index;
  }

  [[nodiscard]] const Symbol* declared(std::string_view name) const {
    const auto found = program_.names.find(std::string(name));
    return found == program_.names.end() ? nullptr : &found->second;
  }

  [[nodiscard]] const Variable* variable(const syntax::Expr& expr) const {
    if (expr.kind != ExprKind::Reference) return nullptr;
    const Symbol* const symbol = declared(expr.name);
    if (symbol == nullptr || symbol->kind != SymbolKind::Variable) return nullptr;
    return &program_.variables[symbol->id];
  }

  /// A name that could be a free process variable.
  [[nodiscard]] bool could_be_free(const syntax::Expr& expr) const {
    if (expr.kind != ExprKind::Reference || !expr.args.empty() || bound_.contains(expr.name)) {
      return false;
    }
    const Symbol* const symbol = declared(expr.name);
    return symbol == nullptr || symbol->kind == SymbolKind::Index;
  }

  [[nodiscard]] static const syntax::Expr& without_brackets(const syntax::Expr& expr) {
    const syntax::Expr* inner = &expr;
    while (inner->kind == ExprKind::Paren) inner = &inner->args.front();
    return *inner;
  }

  void walk(const syntax::Expr& expr) {
    switch (expr.kind) {
      case ExprKind::Reference:
        subscripts(expr);
        break;
      case ExprKind::Compare:
        compare(without_brackets(expr.args[0]), without_brackets(expr.args[1]));
        break;
      case ExprKind::Enabled:
        if (could_be_free(without_brackets(expr.args[0]))) {
          is_process(without_brackets(expr.args[0]).name);
        }
        break;
      default:
        break;
    }
    bind(expr);
    for (const syntax::Expr& arg : expr.args) walk(arg);
    unbind(expr);
  }

  void subscripts(const syntax::Expr& expr) {
    const Variable* const declaration = variable(expr);
    if (declaration == nullptr) return;
    const std::size_t count = std::min(expr.args.size(), declaration->dimensions.size());
    for (std::size_t i = 0; i < count; ++i) {
      const syntax::Expr& arg = without_brackets(expr.args[i]);
      const std::optional<ModuleId> module = declaration->dimensions[i].module;
      if (module && could_be_free(arg)) has_module(arg.name, *module);
    }
  }

  void compare(const syntax::Expr& left, const syntax::Expr& right) {
    const bool left_free = could_be_free(left);
    const bool right_free = could_be_free(right);
    if (left_free && right_free) {
      link(left.name, right.name);
    } else if (left_free) {
      learn(left.name, right);
    } else if (right_free) {
      learn(right.name, left);
    }
  }

  /// `name` is compared with `other`.
  void learn(std::string_view name, const syntax::Expr& other) {
    if (other.kind == ExprKind::None) is_process(name);
    if (other.kind == ExprKind::ProcessLiteral) {
      const Symbol* const symbol = declared(other.name);
      if (symbol != nullptr && symbol->kind == SymbolKind::Module) {
        has_module(name, ModuleId{symbol->id});
      }
    }
    if (other.kind != ExprKind::Reference) return;
    if (const auto bound = bound_.find(other.name); bound != bound_.end()) {
      is_process(name);
      if (bound->second.back()) has_module(name, *bound->second.back());
    } else if (const Variable* const compared = variable(other)) {
      if (compared->type.is_process()) has_module(name, compared->type.module);
    }
  }

  [[nodiscard]] std::optional<ModuleId> module_of_set(const syntax::ProcessSet& set) const {
    const Symbol* const symbol = declared(set.name.text);
    if (symbol == nullptr) return std::nullopt;
    if (symbol->kind == SymbolKind::Module) return ModuleId{symbol->id};
    if (symbol->kind == SymbolKind::Class) return program_.classes[symbol->id].set.module;
    return std::nullopt;
  }

  void bind(const syntax::Expr& expr) {
    for (const syntax::Binding& binding : expr.bindings) {
      const std::optional<ModuleId> module = module_of_set(binding.set);
      for (const syntax::Name& name : binding.names) bound_[name.text].push_back(module);
    }
  }

  void unbind(const syntax::Expr& expr) {
    for (const syntax::Binding& binding : expr.bindings) {
      for (const syntax::Name& name : binding.names) {
        const auto found = bound_.find(name.text);
        found->second.pop_back();
        if (found->second.empty()) bound_.erase(found);
      }
    }
  }

  const Program& program_;
  std::unordered_map<std::string_view, std::size_t> ids_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string_view, std::vector<std::optional<ModuleId>>> bound_;
};

void check_given_once(const std::vector<syntax::Value>& values, base::Diagnostics& diagnostics) {
  std::unordered_set<std::string_view> seen;
  for (const syntax::Value& value : values) {
    if (seen.insert(value.variable.text).second) continue;
    diagnostics.error(value.variable.where,
                      fmt::format("'{}' is given two values", value.variable.text));
  }
}

/// A value for a free variable, and whether its place is one of the formula's source.
struct Given {
  const syntax::Value* value = nullptr;
  bool has_place = true;
};

class FormulaResolver : public ExpressionResolver {
 public:
  FormulaResolver(const PropertyContext& context, NameErrors& names, base::Diagnostics& diagnostics)
      : ExpressionResolver(context.program, names, diagnostics),
        context_(context),
        free_(context.program) {}

  [[nodiscard]] Formula run(const syntax::Property& property) {
    collect_values(property);
    free_.collect(property.formula);
    learn_from_values();
    Formula made;
    made.name = property.name.text;
    made.expected = property.expected;
    made.where = property.formula.where;
    made.root = condition(property.formula);
    finish(made);
    warn_of_unused_values(property);
    return made;
  }

  [[nodiscard]] bool lacks_value() const { return lacks_value_; }

 protected:
  Expr unbound(const syntax::Expr& reference, const Symbol* /*symbol*/) override {
    const syntax::Name name{reference.name, syntax::name_span(reference)};
    if (!reference.args.empty() || !free_.is_free_process(name.text)) {
      names_.unknown(name, {.message = fmt::format("unknown name '{}'", name.text),
                            .more_candidates = bound_names(),
                            .other_hint = label_hint(program_, name.text),
                            .wanted = {}});
      for (const syntax::Expr& arg : reference.args) (void)any(arg);
      return failed(reference.where);
    }
    const auto known = free_slots_.find(name.text);
    if (known != free_slots_.end()) {
      if (!known->second) return failed(reference.where);
      return slot_expr(reference.where, *known->second, slots_[*known->second].module);
    }
    const std::optional<std::uint32_t> slot = make_free(name);
    free_slots_.emplace(name.text, slot);
    if (!slot) return failed(reference.where);
    return slot_expr(reference.where, *slot, slots_[*slot].module);
  }

  Expr literal(Span where, ModuleId module, std::int64_t id, std::string_view /*use*/) override {
    const Module& of = program_[module];
    if (id < 0 || id >= of.size) {
      diagnostics_.error(
          where, fmt::format("process {} is beyond module '{}', whose ids are 0 to {}", id, of.name,
                             of.size - 1));
      return failed(where);
    }
    const auto key = std::pair{base::index_of(module), id};
    const auto found = literal_slots_.find(key);
    if (found != literal_slots_.end()) return slot_expr(where, found->second, module);
    const std::uint32_t slot = add_slot(fmt::format("{}({})", of.name, id), module);
    literal_slots_.emplace(key, slot);
    values_.emplace_back(slot, id);
    return slot_expr(where, slot, module);
  }

  std::optional<ModuleId> binder_module(const syntax::Name& /*name*/) override {
    return std::nullopt;  // formulas have no ALL(i: …)
  }

 private:
  void collect_values(const syntax::Property& property) {
    for (const syntax::Value& value : context_.evaluation) {
      given_[value.variable.text] = {&value, true};
    }
    check_given_once(property.values, diagnostics_);
    for (const syntax::Value& value : property.values) {
      given_[value.variable.text] = {&value, true};
    }
    for (const syntax::Value& value : context_.commanded) {
      given_[value.variable.text] = {&value, false};
    }
  }

  void learn_from_values() {
    for (const auto& [name, given] : given_) {
      free_.is_process(name);
      if (!given.value->module) continue;
      const auto found = program_.names.find(std::string(given.value->module->text));
      if (found == program_.names.end() || found->second.kind != SymbolKind::Module) continue;
      free_.has_module(name, ModuleId{found->second.id});
    }
  }

  void no_value(const syntax::Name& name) {
    const std::vector<std::string_view> bound = bound_names();
    const std::optional<std::string_view> near = base::nearest(name.text, bound);
    diagnostics_.error(
        name.where, fmt::format("free process variable '{}' has no value", name.text),
        near ? fmt::format("did you mean '{}'?", *near)
             : fmt::format("bind it with a quantifier, or give it a value: 'with {0} = 0' in a "
                           "spec, '{0} = 0;' under Evaluation in a model, '--evaluate {0}=0'",
                           name.text));
  }

  [[nodiscard]] std::optional<std::uint32_t> make_free(const syntax::Name& name) {
    const auto given = given_.find(name.text);
    if (given == given_.end()) {
      lacks_value_ = true;
      const bool is_error = context_.missing_values == MissingValues::Error;
      if (is_error && !names_.is_excused(name.text)) no_value(name);
      return std::nullopt;
    }
    const std::optional<ModuleId> module = free_.module_of(name.text);
    if (!module) {
      // A program may have no module at all.
      const std::string hint = program_.modules.empty()
                                   ? std::string()
                                   : fmt::format("give its value with the module: '{} = {}(0)'",
                                                 name.text, program_.modules.front().name);
      diagnostics_.error(name.where,
                         fmt::format("the module of '{}' cannot be told from its use", name.text),
                         hint);
      return std::nullopt;
    }
    if (!check_value(given->second, name, *module)) return std::nullopt;
    const std::uint32_t slot = add_slot(std::string(name.text), *module);
    values_.emplace_back(slot, given->second.value->id);
    return slot;
  }

  [[nodiscard]] bool check_value(const Given& given, const syntax::Name& name, ModuleId module) {
    const Span where = given.has_place ? given.value->where : name.where;
    const Module& of = program_[module];
    if (given.value->module && given.value->module->text != of.name) {
      diagnostics_.error(where, fmt::format("'{}' is a process of module '{}', not of '{}'",
                                            name.text, of.name, given.value->module->text));
      return false;
    }
    if (given.value->id >= of.size) {
      diagnostics_.error(where,
                         fmt::format("process {} is beyond module '{}', whose ids are 0 to {}",
                                     given.value->id, of.name, of.size - 1));
      return false;
    }
    return true;
  }

  void warn_of_unused_values(const syntax::Property& property) {
    for (const syntax::Value& value : property.values) {
      if (free_slots_.contains(value.variable.text)) continue;
      diagnostics_.warning(value.variable.where, unused_value,
                           fmt::format("'{}' is not free in the formula", value.variable.text));
    }
  }

  /// Free variables come first.
  void finish(Formula& formula) {
    std::vector<std::uint32_t> new_number(slots_.size(), 0);
    std::vector<bool> is_free(slots_.size(), false);
    for (const auto& [slot, id] : values_) {
      is_free[slot] = true;
      new_number[slot] = static_cast<std::uint32_t>(formula.slots.size());
      formula.slots.push_back(slots_[slot]);
      formula.values.push_back(id);
    }
    formula.num_free = values_.size();
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      if (is_free[slot]) continue;
      new_number[slot] = static_cast<std::uint32_t>(formula.slots.size());
      formula.slots.push_back(slots_[slot]);
    }
    renumber(formula.root, new_number);
  }

  const PropertyContext& context_;
  FreeNames free_;
  std::map<std::string_view, Given> given_;  // ordered: the first module that is found counts
  std::unordered_map<std::string_view, std::optional<std::uint32_t>> free_slots_;
  std::map<std::pair<std::size_t, std::int64_t>, std::uint32_t> literal_slots_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> values_;
  bool lacks_value_ = false;
};

}  // namespace

std::vector<Formula> resolve_properties(const std::vector<syntax::Property>& properties,
                                        const PropertyContext& context,
                                        base::Diagnostics& diagnostics) {
  NameErrors names{context.program, diagnostics};
  names.excuse(context.excused_names);
  check_given_once(context.evaluation, diagnostics);
  std::vector<Formula> formulas;
  std::unordered_set<std::string_view> seen;
  for (const syntax::Property& property : properties) {
    if (!seen.insert(property.name.text).second) {
      diagnostics.error(property.name.where,
                        fmt::format("two properties have the name '{}'", property.name.text));
    }
    FormulaResolver resolver{context, names, diagnostics};
    Formula made = resolver.run(property);
    if (resolver.lacks_value() && context.missing_values == MissingValues::LeaveOut) continue;
    formulas.push_back(std::move(made));
    formulas.back().source = &context.source;
    formulas.back().text = on_one_line(context.source.text(property.formula.where));
  }
  return formulas;
}

}  // namespace cohort::lang
