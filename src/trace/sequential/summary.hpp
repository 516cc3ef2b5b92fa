// What a piece of a trace does, whatever came before it.
//
//   History before = History::at_start(plan);
//   …
//   running.apply(piece.properties[i], before, offsets);     // one property, one piece further
//   before.append(piece.history);
//
// A summary is a map on automaton states, with the places that evidence is made of; what it says
// about the places inside a piece is counted from the piece's begin.  Summaries are applied in the
// order of the pieces.  Nothing in one depends on how the trace was cut elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/sequential/held.hpp"
#include "trace/sequential/plan.hpp"

namespace cohort::trace::sequential {

/// A position of the trace, and what the variables of a property are there.
struct Place {
  std::uint64_t position = 0;  ///< from 0
  std::uint64_t line = 0;      ///< from 1
  Held time;
  std::vector<Held> before;  ///< the property's variables at the position before
  std::vector<Held> now;     ///< and at this one
  std::vector<Held> past;    ///< and what it asks of the past
};

/// How far a piece is from the begin of the trace.
struct Offset {
  std::uint64_t positions = 0;
  std::uint64_t lines = 0;
};

/// The last changes of a variable.
struct VariableHistory {
  std::uint64_t count = 0;   ///< changes: in the piece, or in all up to here
  std::vector<Held> values;  ///< the latest first, at most one more than the variable's depth
  std::vector<Held> times;   ///< of these changes; empty if nobody asks
};

/// Of all variables.
struct History {
  std::vector<VariableHistory> variables;

  /// What a piece adds.
  void append(const Plan& plan, const History& piece);
  /// The value now; the initial one before the first change.
  [[nodiscard]] const Held& value(const Plan& plan, std::uint32_t variable) const;
};

/// From one start state through a piece.
struct Outcome {
  StateIndex state = 0;
  bool settled = false;             ///< decided inside the piece
  bool good = true;                 ///< what good() says after the last position
  bool first_good = true;           ///< and after the first one
  std::optional<Place> since;       ///< the last place after the first one where it became bad
  std::optional<Place> settled_at;  ///< where it became bad for good
};

/// One property, one piece, all start states.
struct RunsSummary {
  std::uint64_t positions = 0;  ///< that were looked at; with none, nothing changes
  Place first;
  std::vector<StateIndex> seeds;  ///< ascending
  std::vector<Outcome> outcomes;  ///< by seed
};

/// Fills in what a piece did not know: what was before it, and where it begins.
void resolve(Place& place, const Plan& plan, std::size_t property, const History& before,
             const Offset& offset);

/// One property along the whole trace.
class Running {
 public:
  explicit Running(StateIndex start) : state_(start) {}

  void apply(const RunsSummary& piece, const Plan& plan, std::size_t property,
             const History& before, const Offset& offset);

  [[nodiscard]] StateIndex state() const { return state_; }
  [[nodiscard]] bool settled() const { return settled_; }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool started() const { return started_; }
  /// Of a property that fails: where it was lost, or where the wait began that has no end.
  [[nodiscard]] const std::optional<Place>& place() const { return place_; }

 private:
  StateIndex state_;
  bool started_ = false;
  bool settled_ = false;
  bool good_ = true;
  std::optional<Place> place_;
};

}  // namespace cohort::trace::sequential
