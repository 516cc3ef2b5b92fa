// A partial-order trace in compact form: processes, their events, and what comes before what.
//
//   const Order& order = trace.executions.front();
//   for (const Event e : {Event{p, 1}, Event{p, 2}}) …         // positions count from 1
//   order.below(e, q)                                           // how many events of q are before
//   e order.assignments … trace.words.assignments(order.effect(e))
//
// An event is a process and a position.  A *cut* is a number for each process: how many of its
// events have happened.  The events before e are a cut, too: its clock.  Clocks are kept only where
// they change, that is for the events that come after one of another process, so the memory is
// linear in the events (for a given number of processes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "trace/vocabulary.hpp"

namespace cohort::trace {

using base::ProcessId;

/// Event `position` (from 1) of a process, in causal order.
struct Event {
  ProcessId process{};
  std::uint32_t position = 0;

  friend auto operator<=>(const Event&, const Event&) = default;
};

/// How many events of each process have happened.
using Cut = std::vector<std::uint32_t>;

/// The clocks of some events: for every event how many events of each process are below it.
///
/// Immutable once built; a const object may be shared by threads.
class Clocks {
 public:
  explicit Clocks(std::size_t num_processes)
      : num_processes_(num_processes), rows_(num_processes, 0), rows_of_(num_processes) {}

  [[nodiscard]] std::size_t num_processes() const { return num_processes_; }
  [[nodiscard]] std::uint32_t num_events(ProcessId p) const {
    return static_cast<std::uint32_t>(rows_of_[base::index_of(p)].size());
  }
  [[nodiscard]] std::size_t num_events() const;

  /// For every process how many of its events are strictly below e.  The component of e's own
  /// process is left at 0; it would be e.position - 1.
  [[nodiscard]] std::span<const std::uint32_t> row(Event e) const {
    return {rows_.data() + row_index(e) * num_processes_, num_processes_};
  }
  /// How many events of q are at or below e.
  [[nodiscard]] std::uint32_t below(Event e, ProcessId q) const {
    return q == e.process ? e.position : row(e)[base::index_of(q)];
  }
  /// a comes before b, or is b.
  [[nodiscard]] bool precedes(Event a, Event b) const { return below(b, a.process) >= a.position; }
  /// The first event of q that is e or comes after it; one more than q has if there is none.
  /// Searches between the positions `from` and num_events(q), by halving.
  [[nodiscard]] std::uint32_t first_above(Event e, ProcessId q, std::uint32_t from = 1) const;
  /// The clock of e may differ from that of the event before it in its process.
  [[nodiscard]] bool has_own_row(Event e) const {
    return row_index(e) != (e.position == 1 ? 0 : row_index({e.process, e.position - 1}));
  }
  /// All events before the next event of p have happened in `cut`, and p has a next event.
  [[nodiscard]] bool enabled(std::span<const std::uint32_t> cut, ProcessId p) const;
  /// Every event of `cut` is there with all that comes before it.
  [[nodiscard]] bool is_cut(std::span<const std::uint32_t> cut) const;

  /// Appends an event to p, whose clock is that of the event before it in p.
  void add(ProcessId p) {
    auto& rows = rows_of_[base::index_of(p)];
    rows.push_back(rows.empty() ? 0 : rows.back());
  }
  /// Appends an event to p with a clock of its own; the component of p is ignored.
  void add(ProcessId p, std::span<const std::uint32_t> row);
  void reserve(ProcessId p, std::size_t num_events) {
    rows_of_[base::index_of(p)].reserve(num_events);
  }
  /// Rows are numbered from 1 in the order of their making; 0 is the row of zeros.
  [[nodiscard]] std::size_t num_rows() const {
    return num_processes_ == 0 ? 0 : rows_.size() / num_processes_ - 1;
  }
  [[nodiscard]] std::size_t row_index(Event e) const {
    return rows_of_[base::index_of(e.process)][e.position - 1];
  }
  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] std::size_t stride() const { return num_processes_ == 0 ? 1 : num_processes_; }

  std::size_t num_processes_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::vector<std::uint32_t>> rows_of_;  // by process, then position - 1
};

/// One execution.  Made by `OrderBuilder`; immutable; a const object may be shared by threads.
class Order {
 public:
  /// The parts of one process, in causal order.
  struct Process {
    std::string name;
    std::vector<EffectId> effects;
    std::vector<std::uint32_t> lines;
  };

  Order() : clocks_(0) {}

  [[nodiscard]] std::size_t num_processes() const { return processes_.size(); }
  [[nodiscard]] std::size_t num_events() const { return num_events_; }
  [[nodiscard]] std::uint32_t num_events(ProcessId p) const { return clocks_.num_events(p); }
  [[nodiscard]] const std::string& name(ProcessId p) const {
    return processes_[base::index_of(p)].name;
  }
  /// `P1#2`.
  [[nodiscard]] std::string name(Event e) const;

  [[nodiscard]] EffectId effect(Event e) const {
    return processes_[base::index_of(e.process)].effects[e.position - 1];
  }
  /// The effects of a process, in causal order.
  [[nodiscard]] std::span<const EffectId> effects(ProcessId p) const {
    return processes_[base::index_of(p)].effects;
  }
  /// The line of the file on which the event stands, from 1.
  [[nodiscard]] std::uint32_t line(Event e) const {
    return processes_[base::index_of(e.process)].lines[e.position - 1];
  }

  [[nodiscard]] const Clocks& clocks() const { return clocks_; }
  /// The events of other processes that come immediately before e: the transitive reduction.
  [[nodiscard]] std::span<const Event> predecessors(Event e) const;
  [[nodiscard]] std::size_t num_predecessors() const { return predecessors_.size(); }

  /// The cut of all events.
  [[nodiscard]] Cut everything() const;
  /// All events, each after those before it; of several possible ones the next of the first
  /// process.
  [[nodiscard]] std::vector<Event> some_order() const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class OrderBuilder;

  std::vector<Process> processes_;
  std::size_t num_events_ = 0;
  Clocks clocks_;
  std::vector<std::uint32_t> predecessor_begins_;  // by row
  std::vector<Event> predecessors_;
};

/// Whether each event of `order` stands once, after all that comes before it.
[[nodiscard]] bool is_linear_extension(const Order& order, std::span<const Event> events);

/// A file: one or more executions over one vocabulary.
struct Trace {
  Vocabulary words;
  std::vector<Order> executions;
};

}  // namespace cohort::trace
