// From the lines of a file to an order: numbers events, resolves clocks and `after`, finds what is
// at odds, and drops what is implied.
//
//   OrderBuilder builder{findings};
//   const ProcessId p = builder.process("P1");
//   builder.begin_event(p, line);
//   builder.add_after(builder.process("P2"), 3);     // after P2#3, which may stand further down
//   builder.end_event(effect);
//   const Order order = builder.finish();            // meaningless if findings.has_errors()
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/finding.hpp"
#include "trace/id_table.hpp"
#include "trace/order.hpp"

namespace cohort::trace {

/// Takes events in any order of lines.
///
/// An event with a clock has the number that its own component says; one without has the next
/// number after the line before it in its process.  Numbers may have gaps (events that were not
/// logged): a warning.  Time and memory are linear in what is added, times the number of processes
/// for the clocks.
class OrderBuilder {
 public:
  /// Keeps a reference to `findings`, which must outlive this object.
  explicit OrderBuilder(Findings& findings) : findings_(findings) {}

  /// Finds a process or makes it.  One that gets no event and is not declared is no process of the
  /// order.
  ProcessId process(std::string_view name);
  /// The process belongs to the order, whether it has events or not; once a process is declared,
  /// all that have events must be.
  void declare(ProcessId p);

  /// From now on the lines of a process have to stand in the order of their numbers.
  void require_line_order() { line_order_ = true; }

  void begin_event(ProcessId p, std::uint32_t line);
  /// The event comes after event `number` of q.
  void add_after(ProcessId q, std::uint64_t number);
  /// The event's clock has this component: its own number, or it comes after every event of q
  /// numbered up to `number`.
  void add_component(ProcessId q, std::uint64_t number);
  void end_event(EffectId effect);

  [[nodiscard]] std::size_t num_events() const { return num_events_; }

  /// The order of what was added.  Afterwards the object is empty.
  [[nodiscard]] Order finish();

 private:
  enum class EdgeKind : std::uint8_t { After, Component };

  struct Edge {
    std::uint64_t number = 0;
    std::uint32_t process = 0;
    EdgeKind kind = EdgeKind::After;
  };

  /// A process as its lines stand in the file.
  struct Lane {
    std::string name;
    bool declared = false;
    std::vector<EffectId> effects;
    std::vector<std::uint32_t> lines;
    std::vector<std::uint64_t> edge_begins;  // one for each event
    std::vector<Edge> edges;
    std::vector<std::uint64_t> numbers;  // empty while they are 1, 2, 3, …
    std::uint64_t last_number = 0;       // of the last line
    std::uint64_t largest_number = 0;
    bool in_order = true;  // numbers have only grown
    // The greatest components so far; while the lines stand in order a component that repeats the
    // greatest one is implied, and not kept.
    std::vector<std::uint64_t> greatest;
    std::size_t num_greatest = 0;
    std::vector<bool> shortened;  // this event's clock also had all of `greatest`
    // Clocks that name events beyond the last one.
    std::uint64_t named_beyond = 0;
    std::uint32_t named_beyond_line = 0;

    [[nodiscard]] std::size_t size() const { return effects.size(); }
    [[nodiscard]] bool numbered() const { return !numbers.empty(); }
  };

  /// An edge to the event at a position; 0: to none.
  struct Resolved {
    std::uint32_t process = 0;
    std::uint32_t position = 0;
  };

  [[nodiscard]] Lane& lane(ProcessId p) { return lanes_[base::index_of(p)]; }
  [[nodiscard]] std::string event_name(const Lane& lane, std::size_t index) const;
  void keep_clock(Lane& lane);
  void check_size();
  void check_declared();
  void drop_unknown();
  void restore_clocks(Lane& lane);
  void sort(Lane& lane);
  void check_line_order(const Lane& lane);
  void check_numbers(Lane& lane);
  void check_clocks(Lane& lane);
  void resolve(std::uint32_t p);
  [[nodiscard]] std::uint32_t resolve_after(std::uint32_t p, std::size_t index, const Edge& edge);
  void warn_of_gaps();
  void close(Order& order);
  bool advance(std::uint32_t p, Order& order);
  void append(std::uint32_t p, std::span<const Resolved> edges, Order& order);
  void report_cycles();
  [[nodiscard]] std::span<const Resolved> edges_of(std::uint32_t p, std::size_t index) const;

  Findings& findings_;
  std::vector<Lane> lanes_;
  IdTable lane_ids_;
  std::size_t num_events_ = 0;
  bool any_declared_ = false;
  bool line_order_ = false;

  // The event that is being added.
  std::uint32_t current_ = 0;
  bool has_clock_ = false;
  bool has_number_ = false;
  std::uint64_t own_number_ = 0;
  std::vector<std::uint64_t> seen_in_;  // by process: the event whose clock had it last
  std::uint64_t serial_ = 0;

  // While finishing.
  std::vector<std::vector<Resolved>> resolved_;              // by process
  std::vector<std::vector<std::uint64_t>> resolved_begins_;  // by process and event
  std::vector<std::uint32_t> done_;                          // by process
  std::vector<Resolved> blocked_on_;                         // by process
  std::vector<std::vector<std::uint32_t>> now_;              // by process: the clock so far
  std::vector<std::uint32_t> join_;
  std::vector<std::uint32_t> furthest_;  // zero between two events
};

}  // namespace cohort::trace
