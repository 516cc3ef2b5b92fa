// The variables of a trace, their values, and what its events assign.
//
// What an event assigns is kept once, as an *effect*, however many events assign it: a long trace
// has few.  Whoever asks something about every event asks it about every effect.
//
//   Vocabulary words;
//   const VariableId x = words.variable("x");
//   const EffectId up = words.effect({{x, words.value(Value::integer(1))}});
//   for (const Assignment& a : words.assignments(up)) …  words.value(a.value) …
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "trace/id_table.hpp"
#include "trace/value.hpp"

namespace cohort::trace {

using base::VariableId;
enum class ValueId : std::uint32_t {};
enum class EffectId : std::uint32_t {};

struct Assignment {
  VariableId variable{};
  ValueId value{};

  friend bool operator==(const Assignment&, const Assignment&) = default;
};

/// Gives ids in the order of arrival.  Ids and views stay valid as long as the object lives.
class Vocabulary {
 public:
  /// Finds a variable or makes it.
  VariableId variable(std::string_view name);
  [[nodiscard]] std::optional<VariableId> find_variable(std::string_view name) const;
  [[nodiscard]] std::string_view name(VariableId variable) const {
    return names_[base::index_of(variable)];
  }
  [[nodiscard]] std::size_t num_variables() const { return names_.size(); }

  /// Finds a value or keeps a copy of it.
  ValueId value(const Value& value);
  [[nodiscard]] const Value& value(ValueId id) const { return values_[base::index_of(id)]; }
  [[nodiscard]] std::size_t num_values() const { return values_.size(); }

  /// Finds an effect or makes it.  No variable may occur twice.
  EffectId effect(std::span<const Assignment> assignments);
  [[nodiscard]] std::span<const Assignment> assignments(EffectId effect) const {
    const std::size_t i = base::index_of(effect);
    return {assignments_.data() + effect_begins_[i], effect_begins_[i + 1] - effect_begins_[i]};
  }
  [[nodiscard]] std::size_t num_effects() const { return effect_begins_.size() - 1; }

  /// The value of a variable before the first event; 0 unless `init` says otherwise.
  void set_initial(VariableId variable, ValueId value);
  [[nodiscard]] Value initial(VariableId variable) const;

 private:
  [[nodiscard]] std::string_view keep(std::string_view text);

  std::vector<std::string_view> names_;
  IdTable name_ids_;
  std::vector<Value> values_;
  IdTable value_ids_;
  std::vector<std::uint32_t> effect_begins_ = {0};
  std::vector<Assignment> assignments_;
  IdTable effect_ids_;
  std::vector<std::optional<ValueId>> initial_;  // by variable; may be shorter
  std::vector<std::unique_ptr<char[]>> blocks_;  // of characters; they never move
  std::size_t block_left_ = 0;
  char* block_at_ = nullptr;
};

}  // namespace cohort::trace
