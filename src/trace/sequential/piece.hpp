// One worker on one piece of a trace: takes what a reader finds, line by line, and keeps variables,
// history, atoms and runs up to date.
//
//   Piece piece{plan, Piece::Start::Unknown};
//   piece.assign_fixed(x, 3); piece.end_of_record();  …       // what a line changes
//   const PieceSummary summary = piece.summary();
//
// Idea.  Reading costs; nothing else may.  A number that stays in its region changes no atom; a
// position that changes no atom of a property is skipped for it once its runs stay where they are.
//
// What a piece cannot know at its begin is known after a few lines: a variable's value after its
// first change, `x?n` after n + 1 of them.  A property starts, from all states, when all that it
// asks about is known; the few positions before that are read once more later, with the history of
// the pieces before (Start::Known).  `x?C` is never known inside a piece, so a property that asks
// for it is checked the second time as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/sequential/counter_run.hpp"
#include "trace/sequential/counting.hpp"
#include "trace/sequential/plan.hpp"
#include "trace/sequential/runs.hpp"
#include "trace/sequential/summary.hpp"

namespace cohort::trace::sequential {

/// Something wrong with a line.
struct Problem {
  std::uint64_t line = 0;  ///< from 1; inside a piece counted from its begin
  std::uint32_t column = 0;
  std::string message;
  std::string hint;
};
/// More are not listed.
constexpr std::size_t most_problems = 20;

/// A division by zero, or something else wrong that a line's values bring about.
struct Fault {
  Problem problem;
  std::uint32_t rank = 0;  ///< of two in one line the one with the smaller rank is told
};

struct PropertySummary {
  /// Positions before this one were not looked at; the piece's length if none was.
  std::uint64_t from = 0;
  RunsSummary runs;
  std::optional<CountingSummary> counting;
  std::optional<CountersSummary> counters;
};

struct PieceSummary {
  std::uint64_t positions = 0;
  std::uint64_t lines = 0;
  History history;
  std::vector<PropertySummary> properties;
  std::vector<Problem> problems;  ///< by line; at most one more than most_problems
  bool stuck = false;             ///< behind the last one nothing could be read
  std::optional<Fault> fault;     ///< the first one, in front of all problems
};

class Piece {
 public:
  /// A piece after others.  Keeps a reference to the plan.
  explicit Piece(const Plan& plan);
  /// A piece with a known history: the first one, or one that is read again.  With `from_start`
  /// there is only the initial state to start from.  Property p is not looked at from position
  /// until[p] on; an empty `until` means all of it.
  Piece(const Plan& plan, const History& before, bool from_start,
        const std::vector<std::uint64_t>& until);

  // What a line changes.
  void assign_fixed(std::uint32_t variable, std::int64_t fixed) {
    Now& now = now_[variable];
    now.before = now.value;
    now.value.set_fixed(fixed);
    now.assigned_at = position_;
    ++now.count;
    if (fixed < now.low || fixed > now.high) enter_region(variable);
    if (now.follows) touched_.push_back(variable);
  }
  /// A number or a text.
  void assign(std::uint32_t variable, const Value& value);

  /// The line is over.
  void end_of_record() {
    if (!touched_.empty() || touched_later_) after_changes();
    if (waiting_ > 0) start_properties();
    if (num_lacking_ > 0) find_fault();
    if (!steps_.empty() || counts_) step();
    ++position_;
    if (position_ == next_stop_) stop_properties();
  }
  /// Lines beyond one for each record.
  void add_lines(std::uint64_t number) { extra_lines_ += number; }
  [[nodiscard]] std::uint64_t line() const { return position_ + extra_lines_ + 1; }
  [[nodiscard]] std::uint64_t position() const { return position_; }
  /// False once there is nothing left to look at, in a piece that is read again.
  [[nodiscard]] bool wants_more() const { return !done_; }

  /// Something is wrong with the line, and what comes behind it can be read.
  void complain(std::string message, std::string hint = {}, std::uint32_t column = 0);
  /// … and what comes behind it means nothing.
  void fail(std::string message, std::string hint = {}, std::uint32_t column = 0);
  /// Nothing more is to be read.
  [[nodiscard]] bool failed() const { return stuck_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }

  [[nodiscard]] PieceSummary summary() const;

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  /// A variable now.
  struct Now {
    Held value;
    Held before;  // the value before the last assignment
    std::uint64_t assigned_at = never;
    std::uint64_t count = 0;
    std::int64_t low = 1;  // the region of the value; empty: not known
    std::int64_t high = 0;
    bool follows = false;  // more than regions depend on it
    bool keeps_history = false;
    std::uint32_t newest = 0;  // in the ring
    std::uint32_t filled = 0;
    std::vector<Held> values;  // a ring, with history only
    std::vector<Held> times;
  };

  void prepare(bool from_start);
  void enter_region(std::uint32_t variable);
  void set_atom(std::uint32_t atom, bool truth);
  void set_lacking(std::uint32_t atom, bool lacking);
  void find_fault();
  void after_changes();
  void evaluate(std::uint32_t atom);
  [[nodiscard]] bool slots_known(std::uint32_t atom) const;
  [[nodiscard]] bool linear(const AtomInfo& atom, bool& truth) const;
  [[nodiscard]] Held slot_value(std::uint32_t slot) const;
  void start_properties();
  void start_property(std::uint32_t property);
  void stop_properties();
  void step();
  void set_conditions(std::uint32_t property);
  void count();
  void mark(std::uint32_t property);
  [[nodiscard]] Place place(std::uint32_t property) const;

  const Plan& plan_;
  bool known_start_ = false;
  std::uint64_t position_ = 0;
  std::uint64_t extra_lines_ = 0;
  std::vector<Now> now_;
  std::vector<std::uint64_t> first_counts_;  // by variable: before the piece
  std::vector<std::uint32_t> touched_;
  bool touched_later_ = false;                 // the truth of Assigns atoms ends with their line
  std::vector<std::uint32_t> assigned_atoms_;  // Assigns atoms that are true in this line
  std::vector<std::uint32_t> last_assigned_atoms_;
  std::vector<std::uint8_t> truth_;    // by atom
  std::vector<std::uint8_t> lacking_;  // by atom: it has no value
  std::uint32_t num_lacking_ = 0;
  std::vector<std::vector<std::uint32_t>> assigns_;  // by variable: its Assigns atom, if any
  std::vector<std::vector<std::uint64_t>> letters_;  // by property
  std::vector<Runs> runs_;
  std::vector<std::optional<Counting>> counting_;
  std::vector<std::optional<CounterRuns>> counter_runs_;
  std::vector<std::uint32_t> counters_;  // the properties that count, once they have started
  std::vector<std::uint64_t> from_;      // by property; never: it has not started
  std::vector<std::uint64_t> until_;     // by property
  std::vector<std::uint8_t> active_;
  std::vector<std::uint8_t> marked_;
  std::vector<std::uint32_t> steps_;  // properties to step at the end of this line
  std::vector<std::uint32_t> next_steps_;
  std::uint32_t waiting_ = 0;  // properties that can still start
  bool counts_ = false;        // some property counts at every position
  std::uint64_t next_stop_ = never;
  bool done_ = false;
  std::vector<Problem> problems_;
  bool stuck_ = false;
  std::optional<Fault> fault_;
};

}  // namespace cohort::trace::sequential
