// Guards: what priorities ask of an edge of the quotient.
//
//   Guards guards{program};
//   const std::optional<Guard> guard = guards.of(words, instance);
//   if (guard && !guard->holds(ranks)) …    // the instance is blocked
//
// The edges of the quotient are those of the program without priorities: who ranks above whom
// depends on the way that led to the representative.  The guard says what has to be true of the
// ranks, as they are seen from there, for the edge to be one of the program with its priorities.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/program.hpp"
#include "model/successors.hpp"

namespace cohort::quotient {

/// None of `rivals` ranks above `process`: their instances of the same schema and the same primary
/// process have true conditions as well.
struct Guard {
  base::SchemaId schema{};
  lang::ModuleId module{};           ///< of all of them
  model::Value process = 0;          ///< that the instance has for the ranked variable
  std::vector<model::Value> rivals;  ///< others, ascending; not empty

  /// `ranks` by process of the module, 0 for the highest.
  [[nodiscard]] bool holds(const std::vector<std::uint32_t>& ranks) const;

  friend bool operator==(const Guard&, const Guard&) = default;
};

/// "client(3) is outranked by none of client(0), client(5)".
[[nodiscard]] std::string to_string(const Guard& guard, const lang::Program& program);

/// Finds guards.  One object for each thread.
class Guards {
 public:
  /// Keeps a reference to `program`.
  explicit Guards(const model::Program& program);

  /// None if the schema has no priority, or nobody else has a true condition.  The instance's own
  /// condition is true in the state.
  [[nodiscard]] std::optional<Guard> of(const model::Word* state,
                                        const model::Program::Instance& instance);

 private:
  const model::Program& program_;
  model::Generator generator_;
  // All processes have one rank, so that nobody is blocked.
  std::vector<std::uint16_t> colours_;
  std::vector<std::vector<std::uint32_t>> ranks_;
};

}  // namespace cohort::quotient
