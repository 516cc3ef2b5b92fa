// Numbers that mean things are types, so that a process cannot be passed for a module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cohort::base {

enum class ModuleId : std::uint32_t {};
enum class VariableId : std::uint32_t {};
enum class ClassId : std::uint32_t {};
enum class SchemaId : std::uint32_t {};
enum class ProcessId : std::uint32_t {};

/// The place of an id in the vector that it numbers.
template <typename Id>
requires std::is_enum_v<Id>
[[nodiscard]] constexpr std::size_t index_of(Id id) { return static_cast<std::size_t>(id); }

}  // namespace cohort::base
