// Evidence: a path of a program that shows why a property holds or fails.
//
//   for (const cohort::Step& step : evidence.steps) std::cout << to_string(step) << '\n';
//       // grant(0, 3)  lc[0] = 1, reply[0,3] = 1
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cohort {

/// A number or a process, a truth value, an enum constant by its name; monostate is `none`.
using Value = std::variant<std::monostate, std::int64_t, bool, std::string>;

/// A variable instance, `request[0,3]`, and its value.
using Binding = std::pair<std::string, Value>;

/// One fired instance of a schema.
struct Step {
  std::string label;
  /// Every index variable of the schema with its process, the primary one first.
  std::vector<std::pair<std::string, std::int64_t>> processes;
  std::vector<Binding> changes;  ///< what is different afterwards
};

/// A process that a quantifier of the formula is about.
struct Choice {
  std::string variable;
  std::string module;
  std::int64_t process = 0;
};

struct Evidence {
  enum class Kind { Counterexample, Witness };
  Kind kind = Kind::Counterexample;
  std::vector<Binding> initial;  ///< every variable instance
  std::vector<Step> steps;
  /// The step (from 0) that starts in the state in which the path ends; none for a finite path.
  std::optional<std::size_t> loop;
  std::vector<Choice> choices;  ///< of the outer quantifiers, from the outside in
};

/// `3`, `true`, `idle`, `none`.
[[nodiscard]] std::string to_string(const Value& value);
/// `grant(0, 3)  lc[0] = 1, reply[0,3] = 1`.
[[nodiscard]] std::string to_string(const Step& step);

}  // namespace cohort
