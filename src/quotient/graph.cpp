#include "quotient/graph.hpp"

#include <algorithm>
#include <utility>

#include "quotient/reach.hpp"

namespace cohort::quotient {
namespace {

class EveryInitialState final : public InitialSource {
 public:
  explicit EveryInitialState(const model::Program& program) : states_(program) {}
  [[nodiscard]] const model::Word* next() override {
    if (started_ && !states_.done()) states_.next();
    started_ = true;
    return states_.done() ? nullptr : states_.words();
  }

 private:
  model::InitialStates states_;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<InitialSource> Graph::initial_states(const std::vector<std::uint32_t>& /*marks*/) {
  return std::make_unique<EveryInitialState>(program_);
}

std::span<const NodeId> Nodes::successors(NodeId node) {
  const auto at = static_cast<std::size_t>(node);
  if (remembers(node)) return {places_[at].begin, places_[at].count};
  const Fan& found = fan(node, Detail::Targets);
  if (found.fault) throw StateFault{state(node), *found.fault};
  const std::size_t count = found.targets.size();
  // One more than needed, so that a node without edges has a place as well.
  if (used_in_chunk_ + count + 1 > chunk_size_) {
    constexpr std::size_t usual_chunk = 1U << 16U;
    chunk_size_ = std::max(usual_chunk, count + 1);
    chunks_.emplace_back(new NodeId[chunk_size_]);
    used_in_chunk_ = 0;
  }
  NodeId* const begin = chunks_.back().get() + used_in_chunk_;
  std::ranges::copy(found.targets, begin);
  used_in_chunk_ += std::max<std::size_t>(count, 1);
  if (places_.size() <= at) {
    // Doubling by itself: nodes come one by one.
    if (places_.capacity() <= at) places_.reserve(std::max(at + 1, 2 * places_.capacity()));
    places_.resize(at + 1);
  }
  places_[at] = {begin, static_cast<std::uint32_t>(count)};
  return {begin, count};
}

std::span<const NodeId> Nodes::targets(NodeId node) {
  const auto at = static_cast<std::size_t>(node);
  if (was_asked_.size() <= at) was_asked_.resize(std::max(at + 1, 2 * was_asked_.size()));
  if (was_asked_[at] || remembers(node)) return successors(node);
  was_asked_[at] = true;
  const Fan& found = fan(node, Detail::Targets);
  if (found.fault) throw StateFault{state(node), *found.fault};
  return found.targets;
}

void Graph::adopt(Reached reached) {
  store_.adopt(std::move(reached.states));
  tally_ = reached.tally;
  expanded_.assign(store_.size(), true);
  generator_.note_fired(reached.fired);
}

void Graph::note_expansion(StateId state, std::size_t num_edges) {
  const auto at = static_cast<std::size_t>(state);
  if (expanded_.size() <= at) expanded_.resize(std::max(at + 1, std::size_t{store_.size()}));
  if (expanded_[at]) return;
  expanded_[at] = true;
  ++tally_.expanded;
  tally_.edges += num_edges;
  if (num_edges == 0) ++tally_.deadlocks;
}

}  // namespace cohort::quotient
