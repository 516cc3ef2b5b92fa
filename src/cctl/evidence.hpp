// Evidence: a path of the program that shows why a property holds or fails.
//
// Real states, real process ids, from a real initial state.  Whoever has the program and its
// formula can replay it (replay.hpp), without trust in the search that found it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "lang/program.hpp"
#include "model/fault.hpp"

namespace cohort::cctl {

using model::Value;

/// A variable instance (numbered as in model/instances.hpp) that has a new value.
struct Change {
  std::uint32_t instance = 0;
  Value value = 0;

  friend bool operator==(const Change&, const Change&) = default;
};

/// One fired instance of a schema.
struct Step {
  base::SchemaId schema{};
  std::vector<Value> processes;  ///< of the schema's index variables, in their order
  std::vector<Change> changes;   ///< what is different afterwards, ascending by instance
};

/// A process that a quantifier of the formula is about in this evidence.
struct Choice {
  std::string variable;
  lang::ModuleId module{};
  Value process = 0;
};

/// What is known of a sub-formula in one state of the path; state 0 is the initial one.
struct Note {
  std::size_t position = 0;
  lang::Span where;  ///< the sub-formula in the formula's source
  bool holds = false;
};

struct Evidence {
  enum class Kind : std::uint8_t { Counterexample, Witness };
  Kind kind = Kind::Counterexample;
  std::vector<Value> initial;  ///< of every variable instance
  std::vector<Step> steps;
  /// The step (from 0) that starts in the state in which the path ends; none for a finite path.
  std::optional<std::size_t> loop;
  std::vector<Choice> choices;  ///< of the outer quantifiers, from the outside in
  std::vector<Note> notes;      ///< ascending by position
};

/// A model error, and how the program gets there.
struct ModelError {
  model::Fault fault;
  base::SchemaId schema{};       ///< of the instance that was evaluated or fired
  std::vector<Value> processes;  ///< its index variables
  bool in_formula = false;       ///< then schema and processes mean nothing
  /// Ends in the state in which it happens; has no loop.  Where a limit came before it was found
  /// it has no values, and who meets the fault is not known either.
  Evidence path;
};

}  // namespace cohort::cctl
