// What is left of a trace when only the events stay that an automaton can notice.
//
// Idea.  A state matters if some of the events that do occur can lead to it from an initial state,
// and from it to a bad one.  An event whose letter leaves every such state as it is, and only that,
// can stand anywhere in an order without a difference; it is dropped.  The clocks of the others
// count the others, so nothing of their order is lost, and symbolic configurations of the trace and
// of what is left correspond one to one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "monitor/automaton.hpp"
#include "trace/letters.hpp"
#include "trace/order.hpp"

namespace cohort::trace {

/// Which states of an automaton matter on an execution.
struct UsefulStates {
  std::vector<StateIndex> initial;   ///< ascending
  std::vector<std::uint8_t> useful;  ///< by state: reachable, and a bad state is reachable from it
};

[[nodiscard]] UsefulStates useful_states(const Order& order, const monitor::Compiled& automaton,
                                         const Letters& letters);

/// The events that matter, and their order.  Its processes are those that have such events.
class Watched {
 public:
  Watched(const Order& order, const Letters& letters, const UsefulStates& states);

  [[nodiscard]] const Clocks& clocks() const { return clocks_; }
  [[nodiscard]] std::size_t num_processes() const { return clocks_.num_processes(); }
  [[nodiscard]] std::uint32_t num_events(std::size_t p) const {
    return static_cast<std::uint32_t>(letters_[p].size());
  }
  [[nodiscard]] std::size_t num_events() const;
  /// By position - 1.
  [[nodiscard]] std::span<const Letter> letters(std::size_t p) const { return letters_[p]; }
  /// The event of the whole order that event `position` of p is.
  [[nodiscard]] Event original(std::size_t p, std::uint32_t position) const {
    return {processes_[p], positions_[p][position - 1]};
  }

 private:
  std::vector<ProcessId> processes_;
  std::vector<std::vector<std::uint32_t>> positions_;
  std::vector<std::vector<Letter>> letters_;
  Clocks clocks_;
};

}  // namespace cohort::trace
