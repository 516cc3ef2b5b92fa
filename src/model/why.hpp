// Why each schema of each process can or cannot fire in a state.
//
//   const plain::Semantics semantics{program};
//   for (const ProcessReasons& process : why(semantics, state)) …
//
// Judged by the plain semantics.  Instances of a schema with one primary process are grouped where
// the reason is the same: the same parts of the condition are false with the same values, or the
// same instance takes precedence.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "model/plain.hpp"

namespace cohort::model {

/// A part of a condition that is false, and what it looks at.
struct FalsePart {
  lang::Span where;
  /// Variable instances, ascending.  Of ALL(…) and !EXISTS(…) those of the processes that make it
  /// false.
  std::vector<std::size_t> reads;

  friend bool operator==(const FalsePart&, const FalsePart&) = default;
};

struct Reason {
  enum class Kind : std::uint8_t {
    Fireable,
    False,      ///< the condition is; `parts` says where
    Outranked,  ///< the condition holds, but `by` has a higher rank
    Fault,      ///< evaluation met one: in the condition, or in the action if it is fireable
  };
  Kind kind = Kind::Fireable;
  std::vector<plain::Instance> instances;  ///< that this is true of
  /// Conjuncts, or alternatives of which none holds; what evaluation would never look at as well,
  /// as long as it has a value.
  std::vector<FalsePart> parts;
  std::optional<plain::Instance> by;
  std::optional<Fault> fault;
};

struct SchemaReasons {
  base::SchemaId schema{};
  std::vector<Reason> reasons;

  [[nodiscard]] bool is_fireable() const;
};

struct ProcessReasons {
  lang::ModuleId module{};
  Value process = 0;
  std::vector<SchemaReasons> schemas;
};

/// Every process of every module, in order.
[[nodiscard]] std::vector<ProcessReasons> why(const plain::Semantics& semantics,
                                              const plain::State& state);

}  // namespace cohort::model
