// Checks one execution of a partial-order trace.
//
//   const Property property = Property::from_ltl("ltl1", "G(a = 1 -> F b = 1)", trace.words);
//   base::Limits limits;
//   const Answer answer = check(order, property, {.engine = Engine::Auto}, limits);
#pragma once

#include "base/limits.hpp"
#include "trace/answer.hpp"
#include "trace/order.hpp"
#include "trace/property.hpp"

namespace cohort::trace {

struct CheckOptions {
  Engine engine = Engine::Auto;
};

/// Whether every order of the execution avoids the bad words.  `property` is ok().
[[nodiscard]] Answer check(const Order& order, const Property& property,
                           const CheckOptions& options, base::Limits& limits);

/// The engine that Engine::Auto stands for: explicit where all events are ordered, for there it
/// only runs the automaton once; symbolic everywhere else.
[[nodiscard]] Engine pick_engine(const Order& order);

/// Whether any two events are ordered: the trace has width 1.
[[nodiscard]] bool is_total(const Order& order);

}  // namespace cohort::trace
