#include "model/instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <string_view>
#include <system_error>

namespace cohort::model {

using base::index_of;

namespace {
[[nodiscard]] std::size_t length(const lang::Dimension& dimension) {
  return static_cast<std::size_t>(dimension.range.last - dimension.range.first) + 1;
}
}  // namespace

Instances::Instances(const lang::Program& program) : program_(program), first_{0} {
  first_.reserve(program.variables.size() + 1);
  for (const lang::Variable& variable : program.variables) {
    std::size_t count = 1;
    for (const lang::Dimension& dimension : variable.dimensions) count *= length(dimension);
    first_.push_back(first_.back() + count);
  }
}

lang::VariableId Instances::variable_of(std::size_t instance) const {
  assert(instance < size());
  const auto next = std::ranges::upper_bound(first_, instance);
  return lang::VariableId{static_cast<std::uint32_t>(next - first_.begin() - 1)};
}

std::vector<Value> Instances::subscripts(std::size_t instance) const {
  const lang::VariableId variable = variable_of(instance);
  const std::vector<lang::Dimension>& dimensions = program_[variable].dimensions;
  std::size_t rest = instance - first(variable);
  std::vector<Value> result(dimensions.size(), 0);
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    result[i] = dimensions[i].range.first + static_cast<Value>(rest % length(dimensions[i]));
    rest /= length(dimensions[i]);
  }
  return result;
}

std::size_t Instances::number(lang::VariableId variable,
                              const std::vector<Value>& subscripts) const {
  const std::vector<lang::Dimension>& dimensions = program_[variable].dimensions;
  assert(subscripts.size() == dimensions.size());
  std::size_t row = 0;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    assert(dimensions[i].range.contains(subscripts[i]));
    row = row * length(dimensions[i]) +
          static_cast<std::size_t>(subscripts[i] - dimensions[i].range.first);
  }
  return first(variable) + row;
}

std::string Instances::name(std::size_t instance) const {
  const std::string& variable = program_[variable_of(instance)].name;
  const std::vector<Value> at = subscripts(instance);
  return at.empty() ? variable : fmt::format("{}[{}]", variable, fmt::join(at, ","));
}

std::optional<std::size_t> Instances::find(const std::string& name) const {
  const std::string_view text = name;
  const std::size_t bracket = std::min(text.find('['), text.size());
  const auto symbol = program_.names.find(name.substr(0, bracket));
  if (symbol == program_.names.end() || symbol->second.kind != lang::SymbolKind::Variable) {
    return std::nullopt;
  }
  const lang::VariableId variable{symbol->second.id};
  std::vector<Value> at;
  std::size_t begin = bracket;
  while (begin < text.size() && text[begin] != ']') {
    ++begin;  // the bracket, or a comma
    Value subscript = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + begin, last, subscript);
    if (error != std::errc{} || end == last || (*end != ',' && *end != ']')) return std::nullopt;
    at.push_back(subscript);
    begin = static_cast<std::size_t>(end - text.data());
  }
  const std::vector<lang::Dimension>& dimensions = program_[variable].dimensions;
  if (at.size() != dimensions.size()) return std::nullopt;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (!dimensions[i].range.contains(at[i])) return std::nullopt;
  }
  // One name for each instance: no blanks, no leading zeros, nothing behind the bracket.
  const std::size_t found = number(variable, at);
  if (this->name(found) != name) return std::nullopt;
  return found;
}

std::string Instances::value_text(std::size_t instance, Value value) const {
  const lang::Type& type = program_[variable_of(instance)].type;
  switch (type.kind) {
    case lang::Type::Kind::Bool:
      if (value == 0) return "false";
      if (value == 1) return "true";
      break;
    case lang::Type::Kind::Enum:
      if (!type.values.contains(value)) break;
      return program_.enums[index_of(type.enumeration)].constants[static_cast<std::size_t>(value)];
    case lang::Type::Kind::OptionalProcess:
      if (value == lang::none_value) return "none";
      break;
    case lang::Type::Kind::Integer:
    case lang::Type::Kind::Range:
    case lang::Type::Kind::Process:
      break;
  }
  return fmt::format("{}", value);
}

}  // namespace cohort::model
