#include "lang/resolve_names.hpp"
#include "lang/warning_codes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.hpp"

namespace cohort::lang {

std::string_view description(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Module:
      return "a module";
    case SymbolKind::Constant:
      return "a constant";
    case SymbolKind::Enum:
      return "an enum";
    case SymbolKind::EnumConstant:
      return "an enum constant";
    case SymbolKind::Variable:
      return "a variable";
    case SymbolKind::Index:
      return "an index variable";
    case SymbolKind::Class:
      return "a priority class";
  }
  return "";
}

std::string NameErrors::suggestion(std::string_view name,
                                   const std::vector<std::string_view>& more_candidates,
                                   std::optional<SymbolKind> wanted) {
  // Looking for the nearest of a million names, a thousand times, takes longer than anybody waits.
  constexpr std::size_t most_candidates = 5000;
  std::vector<std::string_view> candidates = more_candidates;
  if (program_.names.size() <= most_candidates) {
    for (const auto& [declared, symbol] : program_.names) {
      if (!wanted || symbol.kind == *wanted) candidates.push_back(declared);
    }
  }
  std::ranges::sort(candidates);  // no order of a hash table may reach the user
  const std::optional<std::string_view> near = base::nearest(name, candidates);
  return near ? fmt::format("did you mean '{}'?", *near) : std::string();
}

std::string label_hint(const Program& program, std::string_view name) {
  const bool is_label = std::ranges::any_of(
      program.schemas, [&](const Schema& schema) { return schema.name == name; });
  return is_label ? fmt::format("'{}' is a label: labels are for formulas of --ltl", name)
                  : std::string();
}

std::string wrong_subscripts(const Variable& variable, std::size_t given) {
  const std::size_t wanted = variable.dimensions.size();
  if (wanted == 0) return fmt::format("'{}' takes no subscripts", variable.name);
  return fmt::format("'{}' takes {} subscript{}, not {}", variable.name, wanted,
                     wanted == 1 ? "" : "s", given);
}

void NameErrors::unknown(const syntax::Name& name, const Unknown& how) {
  if (is_excused(name.text)) return;
  std::string hint;
  if (!diagnostics_.full()) hint = suggestion(name.text, how.more_candidates, how.wanted);
  diagnostics_.error(name.where, how.message, hint.empty() ? how.other_hint : hint);
}

std::optional<ModuleId> find_module(const Program& program, const syntax::Name& name,
                                    NameErrors& names, base::Diagnostics& diagnostics) {
  const auto found = program.names.find(std::string(name.text));
  if (found == program.names.end()) {
    names.unknown(name, {.message = fmt::format("unknown module '{}'", name.text),
                         .more_candidates = {},
                         .other_hint = label_hint(program, name.text),
                         .wanted = SymbolKind::Module});
    return std::nullopt;
  }
  if (found->second.kind != SymbolKind::Module) {
    diagnostics.error(name.where, fmt::format("'{}' is {}, not a module", name.text,
                                              description(found->second.kind)));
    return std::nullopt;
  }
  return ModuleId{found->second.id};
}

std::vector<std::int64_t> resolve_ids(const Program& program, ModuleId module,
                                      const std::vector<syntax::IdRange>& ranges,
                                      base::Diagnostics& diagnostics) {
  const Module& of = program[module];
  const std::int64_t last_id = of.size - 1;
  std::vector<Interval> intervals;
  for (const syntax::IdRange& range : ranges) {
    const std::int64_t last = range.last.value_or(std::max(last_id, range.first));
    if (last < range.first) {
      diagnostics.error(range.where, fmt::format("the range {}-{} is empty", range.first, last),
                        fmt::format("write {}-{}", last, range.first));
      continue;
    }
    if (last > last_id) {
      const std::string message =
          fmt::format("process {} is beyond module '{}', whose ids are 0 to {}",
                      std::max(range.first, std::min(last, last_id + 1)), of.name, last_id);
      if (!of.overridden) {
        diagnostics.error(range.where, message);
        continue;
      }
      diagnostics.warning(range.where, id_left_out, message, "ids that do not exist are left out");
    }
    if (range.first <= last_id) intervals.push_back({range.first, std::min(last, last_id)});
  }
  std::ranges::sort(intervals, {}, &Interval::first);
  std::vector<std::int64_t> ids;
  for (const Interval& interval : intervals) {
    for (std::int64_t id = interval.first; id <= interval.last; ++id) {
      if (ids.empty() || ids.back() < id) ids.push_back(id);
    }
  }
  return ids;
}

std::optional<ProcessSet> resolve_set(const Program& program, const syntax::ProcessSet& set,
                                      NameErrors& names, base::Diagnostics& diagnostics) {
  const auto found = program.names.find(std::string(set.name.text));
  if (found != program.names.end() && found->second.kind == SymbolKind::Class && !set.listed) {
    return program.classes[found->second.id].set;
  }
  const std::optional<ModuleId> module = find_module(program, set.name, names, diagnostics);
  if (!module) return std::nullopt;
  ProcessSet resolved{*module, !set.listed, {}, std::nullopt};
  if (set.listed) resolved.ids = resolve_ids(program, *module, set.ids, diagnostics);
  return resolved;
}

}  // namespace cohort::lang
