#include "trace/vocabulary.hpp"

#include <algorithm>
#include <cstring>

namespace cohort::trace {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 16U;

[[nodiscard]] std::uint64_t hash_of(const Value& value) {
  if (value.kind() == Value::Kind::Number) {
    return mix(static_cast<std::uint64_t>(value.mantissa()), value.scale());
  }
  return hash_bytes(value.characters());
}

}  // namespace

std::string_view Vocabulary::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > block_left_) {
    const std::size_t size = std::max(block_size, text.size());
    blocks_.push_back(std::make_unique<char[]>(size));
    block_at_ = blocks_.back().get();
    block_left_ = size;
  }
  char* const begin = block_at_;
  std::memcpy(begin, text.data(), text.size());
  block_at_ += text.size();
  block_left_ -= text.size();
  return {begin, text.size()};
}

VariableId Vocabulary::variable(std::string_view name) {
  const std::uint32_t id = name_ids_.find_or_add(
      hash_bytes(name), [&](std::uint32_t i) { return names_[i] == name; },
      [&] {
        names_.push_back(keep(name));
        return static_cast<std::uint32_t>(names_.size() - 1);
      });
  return VariableId{id};
}

std::optional<VariableId> Vocabulary::find_variable(std::string_view name) const {
  const std::uint32_t id =
      name_ids_.find(hash_bytes(name), [&](std::uint32_t i) { return names_[i] == name; });
  if (id == IdTable::none) return std::nullopt;
  return VariableId{id};
}

ValueId Vocabulary::value(const Value& value) {
  const std::uint32_t id = value_ids_.find_or_add(
      hash_of(value), [&](std::uint32_t i) { return values_[i] == value; },
      [&] {
        if (value.kind() == Value::Kind::Number) {
          values_.push_back(value);
        } else if (value.is_text()) {
          values_.push_back(Value::text(keep(value.characters())));
        } else {
          values_.push_back(Value::long_number(keep(value.characters())));
        }
        return static_cast<std::uint32_t>(values_.size() - 1);
      });
  return ValueId{id};
}

EffectId Vocabulary::effect(std::span<const Assignment> assignments) {
  std::uint64_t hash = assignments.size();
  for (const Assignment& assignment : assignments) {
    hash = mix(hash, (static_cast<std::uint64_t>(assignment.variable) << 32U) |
                         static_cast<std::uint64_t>(assignment.value));
  }
  const std::uint32_t id = effect_ids_.find_or_add(
      hash,
      [&](std::uint32_t i) {
        return std::ranges::equal(this->assignments(EffectId{i}), assignments);
      },
      [&] {
        assignments_.insert(assignments_.end(), assignments.begin(), assignments.end());
        effect_begins_.push_back(static_cast<std::uint32_t>(assignments_.size()));
        return static_cast<std::uint32_t>(effect_begins_.size() - 2);
      });
  return EffectId{id};
}

void Vocabulary::set_initial(VariableId variable, ValueId value) {
  const std::size_t i = base::index_of(variable);
  if (initial_.size() <= i) initial_.resize(i + 1);
  initial_[i] = value;
}

Value Vocabulary::initial(VariableId variable) const {
  const std::size_t i = base::index_of(variable);
  if (i < initial_.size() && initial_[i]) return value(*initial_[i]);
  return Value::integer(0);
}

}  // namespace cohort::trace
