// The judge of evidence on partial-order traces.
//
//   const Judgement judgement = judge_formula(trace, order, "G !(x = 1)", {"P1#1", "P2#1"});
//   for (const std::string& objection : judgement.objections) …
//
// Shares no code with the searches: that the order respects the trace is seen from the immediate
// predecessors, that it violates the formula from the definition of LTL on finite words, evaluated
// from the last position to the first, and that it is bad for an automaton by running that along
// it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ltl/automaton.hpp"
#include "monitor/monitor_file.hpp"
#include "trace/order.hpp"

namespace cohort::trace {

/// Empty objections: the evidence stands.
struct Judgement {
  std::vector<std::string> objections;
  bool undecided = false;  ///< it would take too long; the objection says why

  [[nodiscard]] bool stands() const { return objections.empty(); }
};

/// Whether `names` is an order of all events that violates the formula.
[[nodiscard]] Judgement judge_formula(const Trace& trace, const Order& order,
                                      const std::string& formula,
                                      std::span<const std::string> names);

/// Whether `names` is an order of all events along which some run of the monitor ends in a bad
/// state.  Steps the monitor as its file reads, without making an automaton of it.
[[nodiscard]] Judgement judge_monitor(const Trace& trace, const Order& order,
                                      const monitor::MonitorFile& file,
                                      std::span<const std::string> names);

/// Whether `names` is an order of all events that the automaton, whose atoms are named by
/// comparisons, accepts.
[[nodiscard]] Judgement judge_automaton(const Trace& trace, const Order& order,
                                        const ltl::Automaton& automaton,
                                        std::span<const std::string> names);

}  // namespace cohort::trace
