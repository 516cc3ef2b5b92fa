// Statistics of Dwyer's patterns along a trace, in pieces: occurrences, triggers and their answers,
// distances, first and last place.
//
// Idea.  A small automaton follows the scope (and, for precedence, whether s has been); what it
// meets is counted in a Tally.  All figures are sums, minima and maxima, so tallies of neighbouring
// pieces add up, if each remembers what it could not know: an answer to a trigger before the piece
// (for precedence: the s before the piece that came before a p), an occurrence whose predecessor
// lies before it, the part of a scope that began before it or is open at its end.  Those are what a
// Part holds, the *unknown values* of the paper.
//
// A trigger is a position: if p holds in five positions in a row and s in the sixth, five triggers
// were answered, after 5, 4, 3, 2 and 1 positions.  For precedence the distance is that from the
// latest s to p; for the other patterns that from one occurrence to the next in the same scope.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/sequential/held.hpp"
#include "trace/sequential/patterns.hpp"

namespace cohort::trace::sequential {

__extension__ using WideInteger = __int128;

/// A time stamp in nanoseconds, if seconds are its unit: a multiple of 10^-stamp_places.
struct Stamp {
  bool known = false;  ///< false: there is none, or one that is no number or does not fit
  WideInteger ticks = 0;

  friend bool operator==(const Stamp&, const Stamp&) = default;
};
constexpr unsigned stamp_places = 9;

/// Of a value in a plan with this scale.
[[nodiscard]] Stamp stamp_of(const Held& held, unsigned scale);

/// Where something happened.
struct Spot {
  std::uint64_t position = 0;
  std::uint64_t line = 0;
  Stamp time;

  friend bool operator==(const Spot&, const Spot&) = default;
};

/// Shortest, longest, sum.
struct Distances {
  std::uint64_t count = 0;
  WideInteger sum = 0;
  WideInteger shortest = 0;
  WideInteger longest = 0;

  void add(WideInteger distance) { add(1, distance, distance, distance); }
  void add(std::uint64_t number, WideInteger total, WideInteger least, WideInteger most);
  void add(const Distances& other) { add(other.count, other.sum, other.shortest, other.longest); }
  friend bool operator==(const Distances&, const Distances&) = default;
};

/// What was counted and cannot change any more.
struct Tally {
  std::uint64_t scopes = 0;  ///< that are over
  std::uint64_t occurrences = 0;
  std::uint64_t answered = 0;
  std::uint64_t unanswered = 0;  ///< in scopes that are over; preceded by nothing, for precedence
  std::uint64_t violations = 0;  ///< positions without p, for universality
  std::uint64_t most = 0;        ///< stretches of p in one scope
  Distances positions;
  Distances times;
  bool timed = true;  ///< every distance has a time
  std::optional<Spot> first;
  std::optional<Spot> last;

  void add(const Tally& later);
  friend bool operator==(const Tally&, const Tally&) = default;
};

/// Triggers that wait for what comes, or, for precedence, for what was before.
struct Pending {
  std::uint64_t number = 0;
  WideInteger positions = 0;  ///< their sum
  WideInteger times = 0;
  bool timed = true;         ///< all have a time
  std::uint64_t oldest = 0;  ///< position
  std::uint64_t newest = 0;
  WideInteger earliest = 0;  ///< time; times need not ascend
  WideInteger latest = 0;

  void add(const Spot& spot);
  void add(const Pending& later);
  friend bool operator==(const Pending&, const Pending&) = default;
};

/// A stretch inside one scope.  For precedence `answer` is the last s, and `pending` before the
/// first one.
struct Part {
  Tally tally;
  std::optional<Spot> answer;  ///< the first s: for triggers before the stretch
  Pending pending;             ///< behind the last s
  std::optional<Spot> first;   ///< occurrence
  std::optional<Spot> last;
  std::uint64_t stretches = 0;  ///< of p that begin here

  void append(const Part& later, Pattern::Kind kind);
  friend bool operator==(const Part&, const Part&) = default;
};

/// From one state of the scope through a piece.
struct Account {
  Part head;                 ///< up to the first end of a scope
  std::uint64_t closes = 0;  ///< ends of scopes
  Tally closed;              ///< scopes that began and ended here
  Part tail;                 ///< behind the last end, if there is one

  void append(const Account& later, Pattern::Kind kind);
  void close();
  [[nodiscard]] Part& open() { return closes == 0 ? head : tail; }
  friend bool operator==(const Account&, const Account&) = default;
};

/// Moves all that is counted from a piece's begin.
void shift(Account& account, std::uint64_t positions, std::uint64_t lines);

struct CountingSummary {
  struct Row {
    std::uint32_t state = 0;  ///< at the end
    Account account;

    friend bool operator==(const Row&, const Row&) = default;
  };
  std::vector<Row> rows;  ///< by state at the begin
};

/// What the letter says.
struct Conditions {
  bool p = false;
  bool s = false;
  bool q = false;
  bool r = false;
};

/// One pattern along one piece.
class Counting {
 public:
  /// States of the scope: bit 0 in scope, bit 1 s has been (precedence), bit 2 p was true.
  static constexpr std::uint32_t num_states = 8;
  [[nodiscard]] static std::uint32_t initial_state(const Pattern& pattern);

  /// From all states, or from the first one only.
  Counting(const Pattern& pattern, bool from_start);

  void set(const Conditions& conditions) {
    now_ = conditions;
    find_busy();
  }
  /// Whether a position with these conditions changes anything.
  [[nodiscard]] bool busy() const { return busy_; }
  void step(const Spot& spot);
  [[nodiscard]] CountingSummary summary() const;

 private:
  struct Run {
    std::uint32_t state = 0;
    Account account;
    std::vector<std::uint32_t> members;
  };

  void step(Run& run, const Spot& spot) const;
  void merge();
  void find_busy() {
    busy_ = now_.p || now_.s || now_.q || now_.r || was_p_ ||
            pattern_.kind == Pattern::Kind::Universality;
  }

  Pattern pattern_;
  Conditions now_;
  bool busy_ = false;
  bool was_p_ = true;
  std::vector<Run> runs_;
  std::vector<Account> accounts_;  // by start, what is not in a run
};

/// The figures of a whole trace, which ended in a state.
[[nodiscard]] Tally total(const Pattern& pattern, const CountingSummary::Row& whole);

}  // namespace cohort::trace::sequential
