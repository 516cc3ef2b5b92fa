// LTL and monitors on a partial order, by symbolic composition.
#pragma once

#include "base/limits.hpp"
#include "monitor/automaton.hpp"
#include "trace/answer.hpp"
#include "trace/letters.hpp"
#include "trace/order.hpp"

namespace cohort::trace {

/// Whether some order of the events ends in an accepting ("bad") state of `automaton`: then the
/// verdict is Fails, with the order.  Exact for every automaton, deterministic or not.
///
/// Time grows with the symbolic configurations that are met, memory with those and the events.
[[nodiscard]] Answer check_symbolically(const Order& order, const monitor::Compiled& automaton,
                                        const Letters& letters, base::Limits& limits);

}  // namespace cohort::trace
