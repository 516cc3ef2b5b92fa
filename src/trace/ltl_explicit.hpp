// LTL and monitors on a partial order, by explicit composition.
#pragma once

#include "base/limits.hpp"
#include "monitor/automaton.hpp"
#include "trace/answer.hpp"
#include "trace/letters.hpp"
#include "trace/order.hpp"

namespace cohort::trace {

/// Whether some order of the events ends in an accepting ("bad") state of `automaton`, by visiting
/// every cut with every state: definition 5 of the paper.  The cuts are swept level by level (by
/// their number of events) and only two levels are kept; a violation is found by a second sweep.
///
/// Time grows with the cuts, memory with the largest level.  For narrow traces, and to compare
/// with.
[[nodiscard]] Answer check_explicitly(const Order& order, const monitor::Compiled& automaton,
                                      const Letters& letters, base::Limits& limits);

}  // namespace cohort::trace
