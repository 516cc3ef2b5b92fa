// Declared names: finding them, and saying what is wrong with those that nobody declared.
//
//   const std::optional<ModuleId> module = find_module(program, name, names, diagnostics);
//   if (!module) …   // has been reported
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/diagnostic.hpp"
#include "lang/program.hpp"
#include "lang/syntax.hpp"

namespace cohort::lang {

/// Reports names that nobody declared.
class NameErrors {
 public:
  /// Keeps references to both.
  NameErrors(const Program& program, base::Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  /// Names that may be declared where the file could not be read: not knowing them is no error.
  void excuse(const std::vector<std::string_view>& names) {
    excused_.insert(names.begin(), names.end());
  }
  [[nodiscard]] std::vector<std::string_view> excused() const {
    return {excused_.begin(), excused_.end()};
  }
  [[nodiscard]] bool is_excused(std::string_view name) const { return excused_.contains(name); }
  struct Unknown {
    std::string message;
    std::vector<std::string_view>
        more_candidates;               ///< names that are near, besides the declared ones
    std::string other_hint;            ///< if no name is near
    std::optional<SymbolKind> wanted;  ///< what the name ought to be
  };
  void unknown(const syntax::Name& name, const Unknown& how);

 private:
  /// "did you mean 'request'?", or nothing.
  [[nodiscard]] std::string suggestion(std::string_view name,
                                       const std::vector<std::string_view>& more_candidates,
                                       std::optional<SymbolKind> wanted);

  const Program& program_;
  base::Diagnostics& diagnostics_;
  std::unordered_set<std::string_view> excused_;
};

/// "'x' takes 2 subscripts, not 1".
/// What to say of a name that is nothing but a schema's label; empty if there is no such label.
[[nodiscard]] std::string label_hint(const Program& program, std::string_view name);

[[nodiscard]] std::string wrong_subscripts(const Variable& variable, std::size_t given);

/// `a variable`, `a module`, …
[[nodiscard]] std::string_view description(SymbolKind kind);

/// A module's name in a declaration, a set or a literal; reports what is no module.
[[nodiscard]] std::optional<ModuleId> find_module(const Program& program, const syntax::Name& name,
                                                  NameErrors& names,
                                                  base::Diagnostics& diagnostics);

/// The ids of a list, ascending and without repetition.  Ids beyond the module's size are an error,
/// or dropped with a warning if the size was changed from outside.
[[nodiscard]] std::vector<std::int64_t> resolve_ids(const Program& program, ModuleId module,
                                                    const std::vector<syntax::IdRange>& ranges,
                                                    base::Diagnostics& diagnostics);

/// `client`, `vip`, `client{0, 2-5}`.
[[nodiscard]] std::optional<ProcessSet> resolve_set(const Program& program,
                                                    const syntax::ProcessSet& set,
                                                    NameErrors& names,
                                                    base::Diagnostics& diagnostics);

}  // namespace cohort::lang
