#include "trace/check.hpp"

#include <chrono>

#include "trace/ltl_explicit.hpp"
#include "trace/ltl_symbolic.hpp"

namespace cohort::trace {

bool is_total(const Order& order) {
  Cut cut(order.num_processes(), 0);
  for (std::size_t done = 0; done < order.num_events();) {
    std::uint32_t enabled = 0;
    std::uint32_t which = 0;
    for (std::uint32_t p = 0; p < cut.size(); ++p) {
      if (!order.clocks().enabled(cut, ProcessId{p})) continue;
      which = p;
      if (++enabled > 1) return false;
    }
    ++cut[which];
    ++done;
  }
  return true;
}

Engine pick_engine(const Order& order) {
  return is_total(order) ? Engine::Explicit : Engine::Symbolic;
}

Answer check(const Order& order, const Property& property, const CheckOptions& options,
             base::Limits& limits) {
  const auto started = std::chrono::steady_clock::now();
  Answer answer;
  const Engine engine = options.engine == Engine::Auto ? pick_engine(order) : options.engine;
  if (!property.has_automaton()) {
    answer.engine = engine;
    answer.statistics.events = order.num_events();
    answer.reason = limits.describe();
    if (answer.reason.empty()) answer.reason = "the automaton of the formula is too large";
    return answer;
  }
  answer = engine == Engine::Explicit
               ? check_explicitly(order, property.compiled(), property.letters(), limits)
               : check_symbolically(order, property.compiled(), property.letters(), limits);
  answer.statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return answer;
}

}  // namespace cohort::trace
