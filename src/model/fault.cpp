#include "model/fault.hpp"

#include <fmt/format.h>

namespace cohort::model {
namespace {

/// The value as a user writes it, as far as the type knows it.
[[nodiscard]] std::string value_text(Value value, const lang::Variable& variable,
                                     const lang::Program& program) {
  const lang::Type& type = variable.type;
  if (type.is_process() && value == lang::none_value) return "none";
  if (type.kind == lang::Type::Kind::Enum && type.values.contains(value)) {
    return program.enums[base::index_of(type.enumeration)]
        .constants[static_cast<std::size_t>(value)];
  }
  return fmt::format("{}", value);
}

/// The ranges of a variable's number dimensions: "0..3", or "0..3 or 1..2".
[[nodiscard]] std::string ranges(const lang::Variable& variable) {
  std::string text;
  for (const lang::Dimension& dimension : variable.dimensions) {
    if (dimension.module) continue;
    if (!text.empty()) text += " or ";
    text += fmt::format("{}..{}", dimension.range.first, dimension.range.last);
  }
  return text;
}

}  // namespace

std::string describe(const Fault& fault, const lang::Program& program) {
  switch (fault.kind) {
    case FaultKind::None:
      return {};
    case FaultKind::DivisionByZero:
      return "division by zero";
    case FaultKind::OutsideType:
    case FaultKind::Conflict:
    case FaultKind::SubscriptOutside:
    case FaultKind::NoneAsSubscript:
      break;
  }
  const lang::Variable& variable = program.variables[fault.variable];
  const std::string value = value_text(fault.value, variable, program);
  switch (fault.kind) {
    case FaultKind::OutsideType:
      return fmt::format("{} is outside the type of '{}', {}", value, variable.name,
                         lang::to_string(variable.type, program));
    case FaultKind::Conflict:
      return fmt::format("'{}' is assigned two different values at once, the second is {}",
                         variable.name, value);
    case FaultKind::SubscriptOutside:
      return fmt::format("subscript {} of '{}' is outside {}", fault.value, variable.name,
                         ranges(variable));
    case FaultKind::NoneAsSubscript:
      return fmt::format("none as a subscript of '{}'", variable.name);
    case FaultKind::None:
    case FaultKind::DivisionByZero:
      break;
  }
  return {};
}

}  // namespace cohort::model
