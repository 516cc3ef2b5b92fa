#include "lang/resolve_schema.hpp"
#include "lang/warning_codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace cohort::lang {
namespace {

class SchemaResolver : public ExpressionResolver {
 public:
  SchemaResolver(const Program& program, const Primary& primary, NameErrors& names,
                 base::Diagnostics& diagnostics)
      : ExpressionResolver(program, names, diagnostics) {
    (void)index_slot(primary.index.text, primary.module.value_or(ModuleId{}));
    module_ = primary.module;
  }

  [[nodiscard]] Schema run(const syntax::Schema& schema) {
    Schema made;
    made.labelled = schema.label.has_value();
    if (schema.label) made.name = schema.label->text;
    made.module = module_.value_or(ModuleId{});
    made.where = schema.where;
    made.condition = condition(schema.condition);
    for (const syntax::Action& action : schema.actions) made.actions.push_back(resolve(action));
    if (schema.priority) made.priority = resolve(*schema.priority);
    finish(made);
    return made;
  }

 protected:
  Expr unbound(const syntax::Expr& reference, const Symbol* symbol) override {
    const syntax::Name name{reference.name, syntax::name_span(reference)};
    if (symbol == nullptr) {
      names_.unknown(name, {.message = fmt::format("unknown name '{}'", name.text),
                            .more_candidates = bound_names(),
                            .other_hint = {},
                            .wanted = {}});
      has_unknown_name_ = true;
      return failed(reference.where);
    }
    const ModuleId module{symbol->id};
    return slot_expr(reference.where, index_slot(name.text, module), module);
  }

  Expr literal(Span where, ModuleId module, std::int64_t id, std::string_view use) override {
    const std::string body =
        module_ ? fmt::format(" in a body of module '{}'", program_[*module_].name) : "";
    diagnostics_.error(
        where,
        use.empty() ? fmt::format("process {} of module '{}'{}", id, program_[module].name, body)
                    : fmt::format("process id {} {}{}", id, use, body),
        "a fixed process breaks the symmetry: use a PriorityClass, a module of one, "
        "or Init");
    return failed(where);
  }

  std::optional<ModuleId> binder_module(const syntax::Name& name) override {
    const auto found = program_.names.find(std::string(name.text));
    if (found == program_.names.end()) {
      const std::string example =
          program_.modules.empty() ? std::string("client") : program_.modules.front().name;
      names_.unknown(name, {.message = fmt::format("unknown index variable '{}'", name.text),
                            .more_candidates = {},
                            .other_hint = fmt::format("declare it, for instance '{} of {};'",
                                                      name.text, example),
                            .wanted = SymbolKind::Index});
      return std::nullopt;
    }
    if (found->second.kind != SymbolKind::Index) {
      diagnostics_.error(name.where, fmt::format("'{}' is {}, not an index variable", name.text,
                                                 description(found->second.kind)));
      return std::nullopt;
    }
    return ModuleId{found->second.id};
  }

 private:
  [[nodiscard]] std::uint32_t index_slot(std::string_view name, ModuleId module) {
    const auto found = index_slots_.find(name);
    if (found != index_slots_.end()) return found->second;
    const std::uint32_t slot = add_slot(std::string(name), module);
    index_slots_.emplace(name, slot);
    index_order_.push_back(slot);
    return slot;
  }

  // -------------------------------------------------------------------------------------------------
  // Actions

  [[nodiscard]] Action resolve(const syntax::Action& action) {
    Action made;
    made.where = action.where;
    if (!action.binders.empty()) {
      made.binders = bind_indices(action.binders);
      for (const syntax::Expr& filter : action.filter) made.filter.push_back(condition(filter));
      for (const syntax::Action& inner : action.actions) made.actions.push_back(resolve(inner));
      unbind(action.binders);
      return made;
    }
    made.target = target(action.target);
    if (made.target.op != Op::Variable) {
      (void)any(action.value);  // for the errors in it
      return made;
    }
    const Variable& variable = program_.variables[made.target.id];
    made.value = value_for(variable.type, action.value, fmt::format("'{}'", variable.name));
    check_constant(variable, made.value);
    return made;
  }

  /// Assigning such a constant is an error of the model where a run meets it, like any other value
  /// outside the type.
  void check_constant(const Variable& variable, const Expr& value) {
    if (value.type.kind != ValueType::Kind::Number) return;
    const std::optional<std::int64_t> number = constant_value(value);
    if (!number || variable.type.values.contains(*number)) return;
    diagnostics_.warning(value.where, value_out_of_type,
                         fmt::format("{} is outside the type of '{}', {}", *number, variable.name,
                                     to_string(variable.type, program_)));
  }

  // -------------------------------------------------------------------------------------------------
  // Priorities

  [[nodiscard]] std::optional<Priority> resolve(const syntax::Priority& priority) {
    const std::optional<std::uint32_t> slot =
        priority.variable ? named_slot(*priority.variable) : only_slot(priority);
    if (!slot) {
      if (priority.variable) (void)has_unknown_class(priority);  // for the errors in it
      return std::nullopt;
    }
    const ModuleId module = slots_[*slot].module;
    const auto size = static_cast<std::size_t>(program_[module].size);
    const auto unranked = static_cast<std::uint32_t>(priority.ranks.size());
    Priority made;
    made.slot = *slot;
    made.where = priority.where;
    made.ranks.assign(size, unranked);
    bool complete = true;
    for (std::uint32_t rank = 0; rank < priority.ranks.size(); ++rank) {
      const std::optional<std::vector<std::int64_t>> ids = ids_of(priority.ranks[rank], module);
      if (!ids) complete = false;
      if (ids) assign_rank(made, rank, *ids, priority.ranks[rank].where);
      if (ids && !priority.ranks[rank].name.text.empty()) {
        made.classes.push_back(*class_named(priority.ranks[rank].name)->set.named);
      }
    }
    if (complete && !diagnostics_.has_errors()) warn_of_unranked(made, module, unranked);
    return made;
  }

  [[nodiscard]] std::optional<std::uint32_t> named_slot(const syntax::Name& name) {
    const auto found = index_slots_.find(name.text);
    if (found != index_slots_.end() && found->second != 0) return found->second;
    if (names_.is_excused(name.text)) return std::nullopt;
    diagnostics_.error(name.where,
                       fmt::format("'{}' is no secondary index variable of this schema", name.text),
                       "a priority ranks the processes of an index variable that occurs in the "
                       "schema, other than the body's own");
    return std::nullopt;
  }

  /// The module that the class names in a priority belong to; none if there are only ids.
  [[nodiscard]] std::optional<ModuleId> module_of_ranks(const syntax::Priority& priority) const {
    for (const syntax::Rank& rank : priority.ranks) {
      const auto found = program_.names.find(std::string(rank.name.text));
      if (found == program_.names.end() || found->second.kind != SymbolKind::Class) continue;
      return program_.classes[found->second.id].set.module;
    }
    return std::nullopt;
  }

  /// Reports the classes that there are not.
  [[nodiscard]] bool has_unknown_class(const syntax::Priority& priority) {
    bool unknown = false;
    for (const syntax::Rank& rank : priority.ranks) {
      if (!rank.name.text.empty() && class_named(rank.name) == nullptr) unknown = true;
    }
    return unknown;
  }

  [[nodiscard]] std::optional<std::uint32_t> only_slot(const syntax::Priority& priority) {
    const std::optional<ModuleId> module = module_of_ranks(priority);
    std::vector<std::uint32_t> candidates;
    for (std::size_t i = 1; i < index_order_.size(); ++i) {
      const std::uint32_t slot = index_order_[i];
      if (!module || slots_[slot].module == *module) candidates.push_back(slot);
    }
    if (candidates.size() == 1) return candidates.front();
    if (has_unknown_class(priority)) return std::nullopt;
    if (candidates.empty() && has_unknown_name_) return std::nullopt;  // it may be that one
    const std::string of =
        module ? fmt::format(" of module '{}'", program_[*module].name) : std::string();
    if (candidates.empty()) {
      diagnostics_.error(
          priority.where,
          fmt::format("a priority in a schema without a secondary index variable{}", of));
    } else {
      diagnostics_.error(
          priority.where,
          fmt::format("the schema has {} secondary index variables{}: which one is ranked?",
                      candidates.size(), of),
          fmt::format("name it: 'Priority {} (…)'", slots_[candidates.front()].name));
    }
    return std::nullopt;
  }

  [[nodiscard]] const PriorityClass* class_named(const syntax::Name& name) {
    const auto found = program_.names.find(std::string(name.text));
    if (found == program_.names.end()) {
      names_.unknown(name, {.message = fmt::format("unknown priority class '{}'", name.text),
                            .more_candidates = {},
                            .other_hint = {},
                            .wanted = SymbolKind::Class});
      return nullptr;
    }
    if (found->second.kind != SymbolKind::Class) {
      diagnostics_.error(name.where, fmt::format("'{}' is {}, not a priority class", name.text,
                                                 description(found->second.kind)));
      return nullptr;
    }
    return &program_.classes[found->second.id];
  }

  [[nodiscard]] std::optional<std::vector<std::int64_t>> ids_of(const syntax::Rank& rank,
                                                                ModuleId module) {
    if (rank.name.text.empty()) return resolve_ids(program_, module, rank.ids, diagnostics_);
    const PriorityClass* const found = class_named(rank.name);
    if (found == nullptr) return std::nullopt;
    if (found->set.module != module) {
      diagnostics_.error(
          rank.where,
          fmt::format("class '{}' has processes of module '{}', not of '{}'", found->name,
                      program_[found->set.module].name, program_[module].name));
      return std::nullopt;
    }
    return found->set.ids;
  }

  void assign_rank(Priority& priority, std::uint32_t rank, const std::vector<std::int64_t>& ids,
                   Span where) {
    for (const std::int64_t id : ids) {
      std::uint32_t& current = priority.ranks[static_cast<std::size_t>(id)];
      if (current < rank) {
        diagnostics_.error(where, fmt::format("process {} is in two sets of the priority", id),
                           "the sets of a priority do not overlap");
        return;
      }
      current = rank;
    }
  }

  void warn_of_unranked(const Priority& priority, ModuleId module, std::uint32_t unranked) {
    const auto first = std::ranges::find(priority.ranks, unranked);
    if (first == priority.ranks.end()) return;
    const auto count = std::ranges::count(priority.ranks, unranked);
    diagnostics_.warning(
        priority.where, unranked_process,
        count == 1 ? fmt::format("process {} of module '{}' is in no set of the priority",
                                 first - priority.ranks.begin(), program_[module].name)
                   : fmt::format("{} processes of module '{}' are in no set of the priority, the "
                                 "first is {}",
                                 count, program_[module].name, first - priority.ranks.begin()),
        count == 1 ? "it ranks below all sets" : "they rank below all sets");
  }

  // -------------------------------------------------------------------------------------------------
  // Order of slots

  static void renumber_action(Action& action, const std::vector<std::uint32_t>& new_number) {
    renumber(action.target, new_number);
    renumber(action.value, new_number);
    for (Binder& binder : action.binders) binder.slot = new_number[binder.slot];
    for (Expr& filter : action.filter) renumber(filter, new_number);
    for (Action& inner : action.actions) renumber_action(inner, new_number);
  }

  /// Index variables come first, in the order of their first occurrence.
  void finish(Schema& schema) {
    std::vector<std::uint32_t> new_number(slots_.size(), 0);
    std::vector<bool> is_index(slots_.size(), false);
    for (const std::uint32_t slot : index_order_) {
      is_index[slot] = true;
      new_number[slot] = static_cast<std::uint32_t>(schema.slots.size());
      schema.slots.push_back(slots_[slot]);
    }
    schema.num_indices = index_order_.size();
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      if (is_index[slot]) continue;
      new_number[slot] = static_cast<std::uint32_t>(schema.slots.size());
      schema.slots.push_back(slots_[slot]);
    }
    renumber(schema.condition, new_number);
    for (Action& action : schema.actions) renumber_action(action, new_number);
    if (schema.priority) schema.priority->slot = new_number[schema.priority->slot];
  }

  std::optional<ModuleId> module_;
  std::unordered_map<std::string_view, std::uint32_t> index_slots_;
  std::vector<std::uint32_t> index_order_;
  bool has_unknown_name_ = false;
};

}  // namespace

Schema resolve_schema(const Program& program, const syntax::Schema& schema, const Primary& primary,
                      NameErrors& names, base::Diagnostics& diagnostics) {
  return SchemaResolver(program, primary, names, diagnostics).run(schema);
}

}  // namespace cohort::lang
