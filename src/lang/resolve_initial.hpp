// Initial values: of variables, and of single instances by `Init`.
//
//   InitialResolver initials{program, names, diagnostics};
//   variable.initial = initials.of_variable(variable, declared.initial);
//   if (std::optional<Init> init = initials.init(declared_init)) …
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/diagnostic.hpp"
#include "lang/program.hpp"
#include "lang/resolve_names.hpp"
#include "lang/syntax.hpp"

namespace cohort::lang {

class InitialResolver {
 public:
  /// Keeps references to all three.
  InitialResolver(const Program& program, NameErrors& names, base::Diagnostics& diagnostics)
      : program_(program), names_(names), diagnostics_(diagnostics) {}

  /// The values that an instance of `variable` may start with: those given, or what its type has
  /// without them, or any if it has none: see `require_initial`.  Empty after an error.
  [[nodiscard]] std::vector<Interval> of_variable(const Variable& variable,
                                                  const std::optional<syntax::Initial>& given);
  /// None after an error, or if the instance is missing because a size was changed from outside.
  [[nodiscard]] std::optional<Init> init(const syntax::Init& declared);

  /// For a variable without given values, after all Inits: if its type has none either, each
  /// instance needs an Init.
  void require_initial(VariableId id);

 private:
  [[nodiscard]] std::vector<Interval> without_initial(const Variable& variable);
  [[nodiscard]] std::vector<Interval> initial(const Variable& variable,
                                              const syntax::Initial& given);
  [[nodiscard]] std::vector<Interval> list(const Variable& variable, const syntax::Initial& given);
  [[nodiscard]] std::vector<Interval> range(const Variable& variable, const syntax::Initial& given);
  [[nodiscard]] std::vector<Interval> any(const Variable& variable, const syntax::Name& name);
  void outside(const Variable& variable, std::int64_t value, Span where);

  /// A subscript of an Init; `missing` if its process is left out.
  struct Subscript {
    std::int64_t value = 0;
    bool missing = false;
  };
  [[nodiscard]] std::optional<VariableId> init_variable(const syntax::Init& init);
  [[nodiscard]] std::optional<Subscript> subscript(const Variable& variable,
                                                   const Dimension& dimension,
                                                   const syntax::Expr& expr);
  [[nodiscard]] std::optional<std::int64_t> subscript_value(const Dimension& dimension,
                                                            const syntax::Expr& expr);

  const Program& program_;
  NameErrors& names_;
  base::Diagnostics& diagnostics_;
  /// The instances that have an Init, by variable.
  std::unordered_map<std::uint32_t, std::unordered_set<std::int64_t>> initialised_;
};

}  // namespace cohort::lang
