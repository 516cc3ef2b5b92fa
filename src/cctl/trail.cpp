#include "cctl/trail.hpp"

#include "symmetry/apply.hpp"

namespace cohort::cctl {

using quotient::NodeId;
using quotient::Permutation;
using quotient::StateId;

Trail::Trail(quotient::Graph& graph, const quotient::InitialState& initial)
    : graph_(graph), state_(initial.state), to_real_(initial.to_real) {
  real_ = values_of(state_);
  evidence_.initial = real_;
}

std::vector<Value> Trail::values_of(StateId state) const {
  std::vector<Value> values(graph_.program().instances().size());
  graph_.program().layout().unpack(graph_.store()[state], values.data());
  if (to_real_.empty()) return values;
  return symmetry::apply(graph_.program(), to_real_, values);
}

Value Trail::real_process(lang::ModuleId module, Value process) const {
  if (to_real_.empty()) return process;
  const model::Program& program = graph_.program();
  return static_cast<Value>(to_real_[program.process_number(module, process)] -
                            program.process_number(module, 0));
}

void Trail::reframe(const Permutation& change) {
  if (change.empty()) return;
  to_real_ = to_real_.empty() ? change : symmetry::compose(to_real_, change);
}

NodeId Trail::step(quotient::Space& space, NodeId node, std::size_t edge) {
  const quotient::Fan& fan = space.fan(node, quotient::Detail::Permutations);
  const model::Program& program = graph_.program();
  const model::Program::Instance instance = program.instance(fan.codes[edge]);
  Step made;
  made.schema = instance.schema;
  const lang::Schema& schema = program.source()[instance.schema];
  for (std::size_t i = 0; i < instance.processes.size(); ++i) {
    made.processes.push_back(real_process(schema.slots[i].module, instance.processes[i]));
  }
  const NodeId target = fan.targets[edge];
  if (!fan.from_target.empty()) reframe(fan.from_target[edge]);
  state_ = space.state(target);
  std::vector<Value> after = values_of(state_);
  for (std::uint32_t i = 0; i < after.size(); ++i) {
    if (after[i] != real_[i]) made.changes.push_back({i, after[i]});
  }
  real_ = std::move(after);
  evidence_.steps.push_back(std::move(made));
  return target;
}

}  // namespace cohort::cctl
