// Expressions in Promela, or in the C of its verifier.
//
// Quantifiers are unfolded, subscripts become one number, processes are their ids and `none` is -1.
// Promela's integers have 32 bits.  An expression that may leave them, divide by zero or use a
// subscript that does not exist comes with a condition under which it has a value: `defined`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lang/program.hpp"
#include "model/bounds.hpp"
#include "model/program.hpp"
#include "translate/common_expressions.hpp"

namespace cohort::translate {

/// A process: what stands for it in the text, and its id where that is known.
struct Named {
  std::string text;
  std::optional<std::int64_t> id;
};
using Slots = std::vector<Named>;

[[nodiscard]] Named named(std::int64_t id);

/// "-2147483648" and its like, as a C compiler reads them.
[[nodiscard]] std::string promela_number(std::int64_t value);

/// Conjunctions and disjunctions without operands that decide nothing; "1" and "0" are the truths.
[[nodiscard]] std::string all_of(const std::vector<std::string>& terms);
[[nodiscard]] std::string any_of(const std::vector<std::string>& terms);
[[nodiscard]] std::string negated(const std::string& term);

class PromelaExpressions final : public CommonExpressions<Slots> {
 public:
  enum class Dialect { Promela, C };

  /// Keeps references.  `variables` are the names of the program's variables.
  PromelaExpressions(const model::Program& program, const std::vector<std::string>& variables,
                     Dialect dialect);

  [[nodiscard]] std::string value(const lang::Expr& expr, const Slots& slots) override;
  [[nodiscard]] std::string truth(const lang::Expr& expr, const Slots& slots) override;
  [[nodiscard]] std::string defined(const lang::Expr& expr, const Slots& slots) override;
  /// Evaluation may be a fault of the model, and not only leave 32 bits.
  [[nodiscard]] bool has_faults(const lang::Expr& expr, const Slots& slots);
  /// Of a variable's subscripts alone.
  [[nodiscard]] std::string subscripts_defined(const lang::Expr& expr, const Slots& slots);
  /// "x[k*3 + 2]".
  [[nodiscard]] std::string place(const lang::Expr& variable, const Slots& slots);
  /// The number in the brackets; empty for a variable without dimensions.
  [[nodiscard]] std::string index(const lang::Expr& variable, const Slots& slots);
  [[nodiscard]] const std::string& name(std::uint32_t variable) const {
    return variables_[variable];
  }

  /// What stands for conditions in Promela: names of macros.  In C they are written out.
  struct Macros {
    std::string holds;  ///< the condition of an instance: holds(primary, secondary, …)
    /// That some instance of a higher rank than r has a true condition: above_r(primary).
    std::string above;
  };
  void set_macros(std::vector<Macros> macros) { macros_ = std::move(macros); }
  [[nodiscard]] const std::string& above(std::size_t schema) const { return macros_[schema].above; }
  [[nodiscard]] std::string fireable(std::size_t schema, const Slots& slots);
  [[nodiscard]] std::string holds(std::size_t schema, const Slots& slots);
  [[nodiscard]] std::string enabled(lang::ModuleId module, std::int64_t process);
  [[nodiscard]] std::string deadlock();

  /// Constants that do not fit.
  std::vector<lang::Span> too_large;

 private:
  [[nodiscard]] std::string quantifier(const lang::Expr& expr, const Slots& slots);
  [[nodiscard]] std::string chain_defined(const lang::Expr& expr, const Slots& slots);
  [[nodiscard]] std::string step_defined(lang::syntax::Join join, const std::string& left,
                                         const std::string& right, model::WideInterval from,
                                         model::WideInterval by, model::WideInterval to) const;
  [[nodiscard]] std::string product_defined(const std::string& left, const std::string& right,
                                            model::WideInterval by) const;
  [[nodiscard]] std::string conditional(const std::string& test, const std::string& yes,
                                        const std::string& no) const;
  template <typename Visit>
  void for_each(const std::vector<lang::Binder>& binders, Slots slots, Visit visit) const;

  const model::Program& program_;
  const std::vector<std::string>& variables_;
  Dialect dialect_;
  std::vector<Macros> macros_;
  bool asks_bits_ = true;
};

/// The instances of a schema, the first index variable given: slots with an id for each other one.
[[nodiscard]] std::vector<Slots> instances_of(const lang::Program& program,
                                              const lang::Schema& schema, const Named& primary);

}  // namespace cohort::translate
