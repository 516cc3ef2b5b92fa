#include "model/simulate.hpp"

#include <utility>

#include "base/random.hpp"

namespace cohort::model {
namespace {

/// One of the values, each as likely as every other.
[[nodiscard]] Value pick(base::Random& random, const std::vector<lang::Interval>& choices) {
  std::uint64_t count = 0;
  const auto size = [](const lang::Interval& values) {
    return static_cast<std::uint64_t>(values.last) - static_cast<std::uint64_t>(values.first) + 1;
  };
  for (const lang::Interval& values : choices) count += size(values);
  std::uint64_t which = random.below(count);
  for (const lang::Interval& values : choices) {
    if (which < size(values)) return values.first + static_cast<Value>(which);
    which -= size(values);
  }
  return choices.back().last;
}

}  // namespace

Run simulate(const plain::Semantics& semantics, const RunOptions& options) {
  base::Random random{options.seed};
  Run run;
  for (std::size_t i = 0; i < semantics.variables().size(); ++i) {
    run.initial.push_back(pick(random, semantics.initial_values(i)));
  }
  run.last = run.initial;
  while (true) {
    if (options.stop && options.stop()) {
      run.end = Run::End::Stopped;
      return run;
    }
    // The last state is looked at as well: a deadlock or a model error there is worth saying.
    plain::View view = semantics.look(run.last);
    if (!view.faults.empty()) {
      run.end = Run::End::Fault;
      run.fault = std::move(view.faults.front());
      return run;
    }
    if (view.is_deadlock()) {
      run.end = Run::End::Deadlock;
      return run;
    }
    if (run.steps.size() == options.steps) return run;
    plain::Edge& edge = view.edges[random.below(view.edges.size())];
    plain::Footprint footprint = semantics.footprint(edge.instance, run.last);
    run.steps.push_back({std::move(edge.instance), std::move(footprint)});
    run.last = std::move(edge.after);
  }
}

}  // namespace cohort::model
