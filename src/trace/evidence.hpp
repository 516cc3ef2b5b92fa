// What shows that a trace violates a property: an order of all its events, and the states of the
// automaton of bad orders along it.
#pragma once

#include <cstddef>
#include <vector>

#include "ltl/automaton.hpp"
#include "trace/order.hpp"

namespace cohort::trace {

struct Evidence {
  std::vector<Event> order;
  /// Before the first event and after each one: one more than `order` has.
  std::vector<ltl::StateIndex> states;
};

}  // namespace cohort::trace
