// What may stand where a constant is needed: numbers, and processes as initial values.
//
//   ConstantResolver constants{program, names, diagnostics};
//   const std::optional<std::int64_t> size = constants.constant(module.size);
//   if (!size) …   // has been reported
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lang/resolve_expression.hpp"

namespace cohort::lang {

class ConstantResolver : public ExpressionResolver {
 public:
  using ExpressionResolver::ExpressionResolver;

  /// From now on a process that is missing because its module's size was changed from outside is
  /// left out with a warning.
  void leave_out_missing() { leaves_out_missing_ = true; }
  [[nodiscard]] bool left_out_some() const { return left_out_some_; }

  /// The value of a number; none after an error.
  [[nodiscard]] std::optional<std::int64_t> constant(const syntax::Expr& expr);
  /// first..last, which is not empty; none after an error.
  [[nodiscard]] std::optional<Interval> range(const syntax::Expr& first, const syntax::Expr& last);
  /// A value for a place of this type, not compared with its range; none after an error.
  [[nodiscard]] std::optional<std::int64_t> constant_for(const Type& type, const syntax::Expr& expr,
                                                         std::string_view place);

 protected:
  Expr unbound(const syntax::Expr& reference, const Symbol* symbol) override;
  Expr literal(Span where, ModuleId module, std::int64_t id, std::string_view use) override;
  std::optional<ModuleId> binder_module(const syntax::Name& name) override;

 private:
  [[nodiscard]] std::optional<std::int64_t> computed(const Expr& expr);

  bool leaves_out_missing_ = false;
  bool left_out_some_ = false;
};

}  // namespace cohort::lang
