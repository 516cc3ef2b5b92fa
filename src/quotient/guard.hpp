// Guards: what priorities ask of an edge of the quotient.
//
//   if (edge.guard && !edge.guard->holds(ranks)) …    // the instance is blocked
//   to_string(*edge.guard, program)                   // "client(3) is outranked by none of …"
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

/// Of an instance with `process` among `competitors`; none if nobody else competes.
[[nodiscard]] std::optional<Guard> make_guard(base::SchemaId schema, lang::ModuleId module,
                                              model::Value process,
                                              const std::vector<model::Value>& competitors);

/// Brings the processes that compete into the order that guards have them in.
void sort_unique(std::vector<model::Value>& competitors);

}  // namespace cohort::quotient
