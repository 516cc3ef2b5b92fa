// A trace as a list of events, and all its orders, one by one: slow, and too simple to be wrong.
//
//   oracle::for_each_order(trace, [&](const std::vector<std::size_t>& order) { … return true; });
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace cohort::oracle {

struct PlainEvent {
  std::size_t process = 0;
  std::vector<std::pair<std::string, int>> sets;
  std::vector<std::size_t> after;  ///< events, by their place in the list
};

/// The events of a process are ordered as they stand in the list.
struct PlainTrace {
  std::size_t num_processes = 1;
  std::vector<PlainEvent> events;
};

struct TraceShape {
  std::size_t most_processes = 3;
  std::size_t most_events = 7;
  std::vector<std::string> variables = {"x", "y"};
  int largest_value = 2;
  unsigned edge_percent = 25;
};

[[nodiscard]] PlainTrace random_trace(base::Random& random, const TraceShape& shape);

/// Calls `visit` with every order of all events that respects the trace, until it returns false.
void for_each_order(const PlainTrace& trace,
                    const std::function<bool(const std::vector<std::size_t>&)>& visit);

/// `P1#2`, as Cohort names an event.
[[nodiscard]] std::string event_name(const PlainTrace& trace, std::size_t event);

/// The native form, with `after`; lines stand in a random order that keeps each process's own.
[[nodiscard]] std::string native_text(const PlainTrace& trace, base::Random& random);
/// JSON lines with vector clocks, in any order of lines.
[[nodiscard]] std::string json_text(const PlainTrace& trace, base::Random& random);
/// GoVector's two lines for each event, in any order; what is set stands in a JSON object.
[[nodiscard]] std::string govector_text(const PlainTrace& trace, base::Random& random);

/// For each event, how many events of each process are at or before it.
[[nodiscard]] std::vector<std::vector<std::size_t>> vector_clocks(const PlainTrace& trace);

}  // namespace cohort::oracle
