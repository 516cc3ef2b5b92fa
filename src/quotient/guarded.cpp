#include "quotient/guarded.hpp"

#include <map>
#include <utility>

namespace cohort::quotient {
namespace {

/// The processes that compete, by schema and primary process: the conditions of their instances are
/// true.  Found among all instances, whatever was thinned.
class Competitions {
 public:
  Competitions(const model::Program& program, const std::vector<model::InstanceCode>& codes)
      : program_(program) {
    for (const model::InstanceCode code : codes) {
      const model::Program::Instance instance = program.instance(code);
      const model::Schema& schema = program.schemas()[base::index_of(instance.schema)];
      if (schema.priority == nullptr) continue;
      competitors_[key(instance)].push_back(instance.processes[schema.priority->slot]);
    }
    for (auto& [where, competitors] : competitors_) sort_unique(competitors);
  }

  [[nodiscard]] std::optional<Guard> guard(const model::Program::Instance& instance) const {
    const model::Schema& schema = program_.schemas()[base::index_of(instance.schema)];
    if (schema.priority == nullptr) return std::nullopt;
    const std::uint32_t slot = schema.priority->slot;
    return make_guard(instance.schema, schema.modules[slot], instance.processes[slot],
                      competitors_.at(key(instance)));
  }

 private:
  using Key = std::pair<base::SchemaId, Value>;
  [[nodiscard]] static Key key(const model::Program::Instance& instance) {
    return {instance.schema, instance.processes.front()};
  }

  const model::Program& program_;
  std::map<Key, std::vector<Value>> competitors_;
};

}  // namespace

GuardedQuotient::GuardedQuotient(const model::Program& program, Edges which)
    : program_(program),
      which_(which),
      graph_(make_quotient(program)),
      generator_(program),
      thinning_(program),
      colours_(program.num_processes(), 0) {
  for (const model::Schema& schema : program.schemas()) {
    ranks_.emplace_back(schema.priority == nullptr ? 0 : 1, 0);
  }
}

GuardedFan GuardedQuotient::edges(StateId state) {
  GuardedFan fan;
  model::Sight sight;
  sight.colours = colours_.data();
  sight.ranks = &ranks_;
  const model::Successors* found = &generator_.expand(graph_->store()[state], sight);
  fan.fault = found->fault;
  if (fan.fault) return fan;
  const Competitions competitions{program_, found->codes()};
  if (which_ == Edges::Thinned) {
    sight.thinning = &thinning_(graph_->classes(state));
    found = &generator_.expand(graph_->store()[state], sight);
  }
  for (std::size_t e = 0; e < found->size(); ++e) {
    GuardedEdge edge;
    edge.instance = program_.instance(found->code(e));
    InitialState target = graph_->add(found->target(e));
    edge.target = target.state;
    edge.from_target = std::move(target.to_real);
    edge.guard = competitions.guard(edge.instance);
    fan.edges.push_back(std::move(edge));
  }
  return fan;
}

}  // namespace cohort::quotient
