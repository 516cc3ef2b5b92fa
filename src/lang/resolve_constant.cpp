#include "lang/resolve_constant.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "lang/constant.hpp"
#include "lang/warning_codes.hpp"

namespace cohort::lang {

using Outcome = ConstantResult::Outcome;

std::optional<std::int64_t> ConstantResolver::constant(const syntax::Expr& expr) {
  return computed(number(expr));
}

std::optional<Interval> ConstantResolver::range(const syntax::Expr& first,
                                                const syntax::Expr& last) {
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

std::optional<std::int64_t> ConstantResolver::constant_for(const Type& type,
                                                           const syntax::Expr& expr,
                                                           std::string_view place) {
  Expr value = value_for(type, expr, place);
  if (value.op == Op::None) return none_value;
  return computed(value);
}

Expr ConstantResolver::unbound(const syntax::Expr& reference, const Symbol* symbol) {
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

Expr ConstantResolver::literal(Span where, ModuleId module, std::int64_t id,
                               std::string_view /*use*/) {
  const Module& of = program_[module];
  if (id < 0 || id >= of.size) {
    std::string message = fmt::format("process {} is beyond module '{}', whose ids are 0 to {}", id,
                                      of.name, of.size - 1);
    if (leaves_out_missing_ && of.overridden && id >= 0) {
      diagnostics_.warning(where, id_left_out, std::move(message), "this value is left out");
      left_out_some_ = true;
    } else {
      diagnostics_.error(where, std::move(message));
    }
    return failed(where);
  }
  Expr process;
  process.where = where;
  process.value = id;
  process.type = {ValueType::Kind::Process, module};
  return process;
}

std::optional<ModuleId> ConstantResolver::binder_module(const syntax::Name& name) {
  diagnostics_.error(name.where, "ALL, EXISTS and COUNT have no constant value");
  return std::nullopt;
}

std::optional<std::int64_t> ConstantResolver::computed(const Expr& expr) {
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

}  // namespace cohort::lang
