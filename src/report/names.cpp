#include "report/names.hpp"

#include <fmt/format.h>

#include "base/utf8.hpp"

namespace cohort::report {

std::string Names::label(base::SchemaId schema, const std::vector<cctl::Value>& processes) const {
  std::string text = program_[schema].name;
  text += '(';
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(processes[i]);
  }
  text += ')';
  return text;
}

std::string Names::assignment(std::size_t instance, cctl::Value value) const {
  return fmt::format("{} = {}", instances_.name(instance), instances_.value_text(instance, value));
}

std::string Names::process(lang::ModuleId module, cctl::Value id) const {
  return fmt::format("{}({})", program_[module].name, id);
}

void Names::write_value(JsonWriter& json, std::size_t instance, cctl::Value value) const {
  const lang::Type& type = program_[instances_.variable_of(instance)].type;
  switch (type.kind) {
    case lang::Type::Kind::Bool:
      json.value(value != 0);
      return;
    case lang::Type::Kind::Enum: {
      const auto& constants = program_.enums[base::index_of(type.enumeration)].constants;
      json.value(constants.at(static_cast<std::size_t>(value)));
      return;
    }
    case lang::Type::Kind::OptionalProcess:
      if (value == lang::none_value) {
        json.null();
        return;
      }
      break;
    case lang::Type::Kind::Integer:
    case lang::Type::Kind::Range:
    case lang::Type::Kind::Process:
      break;
  }
  json.value(value);
}

std::string shortened(const std::string& text, std::size_t width) {
  if (base::count_code_points(text) <= width) return text;
  std::size_t at = 0;
  for (std::size_t kept = 0; kept + 1 < width && at < text.size(); ++kept) {
    const std::size_t length = base::utf8_length(text, at);
    at += length == 0 ? 1 : length;
  }
  return text.substr(0, at) + "…";
}

}  // namespace cohort::report
