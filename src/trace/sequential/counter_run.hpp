// A statistical automaton along a piece of a trace: its counters, from every state.
//
//   CounterRuns runs{property, CounterRuns::Start::Unknown};
//   runs.step(letter, [&](std::uint32_t slot) { return value_of(slot); }, line);
//   apply(runs.summary(), totals);                 // one piece further
//
// Counters are rationals of any size.  What they were before the piece is unknown: they are kept as
// expressions over it (symbolic.hpp), one list for each start, until runs meet.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trace/sequential/property.hpp"

namespace cohort::trace::sequential {

struct CounterRow {
  StateIndex state = 0;           ///< at the end
  std::vector<std::string> sums;  ///< by counter: Sum::text()
  std::string wrong;              ///< a division by zero, a text
  std::uint64_t line = 0;         ///< of that
  bool too_large = false;         ///< to be followed from the begin of the trace only
};

struct CountersSummary {
  std::vector<CounterRow> rows;  ///< by state at the begin
};

/// The counters of a trace from its begin on.
struct CounterTotals {
  StateIndex state = 0;
  std::vector<std::string> sums;
  std::string wrong;
  std::uint64_t line = 0;
  bool too_large = false;
};

[[nodiscard]] CounterTotals initial_totals(const Property& property);
/// One piece further; `lines` are before the piece.
void apply(const CountersSummary& piece, std::uint64_t lines, CounterTotals& totals);
/// For people: digits, or fractions.
[[nodiscard]] std::vector<std::string> shown(const CounterTotals& totals);

class CounterRuns {
 public:
  enum class Start : std::uint8_t { Unknown, OfTrace };

  /// Keeps a reference.
  CounterRuns(const Property& property, Start start);
  CounterRuns(CounterRuns&&) noexcept;
  CounterRuns& operator=(CounterRuns&&) = delete;
  ~CounterRuns();

  void step(const std::uint64_t* letter, const std::function<Value(std::uint32_t)>& value_of,
            std::uint64_t line);
  [[nodiscard]] CountersSummary summary() const;

 private:
  struct Work;

  const Property& property_;
  std::vector<std::vector<const CounterMove*>> moves_;  // by state
  std::unique_ptr<Work> work_;
};

}  // namespace cohort::trace::sequential
