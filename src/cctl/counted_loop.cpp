// Closing a loop in real states.
//
// Idea.  After one round through the nodes there are as many processes of each kind as before, but
// some may have changed places.  In the next round each of these takes the part of one that started
// where it stands now.  Who takes whose part is a permutation of the displaced processes; when the
// round has been walked as often as its order says, all are where they were.  Its cycles are made
// short: each is a shortest way back through the kinds, so the order is mostly 1, 2 or 3, and the
// number of rounds does not grow with the number of processes.
#include "cctl/counted_loop.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "cctl/walk.hpp"

namespace cohort::cctl {

using quotient::KindId;
using quotient::NodeId;

CountedLoop::CountedLoop(quotient::CountedSpace& space, CountedTrail& trail,
                         std::function<void()> tick)
    : space_(space), trail_(trail), tick_(std::move(tick)), begin_(trail.kinds()) {
  trail_.evidence().loop = trail_.length();
}

NodeId CountedLoop::step(NodeId node, std::size_t edge, std::span<const Value> processes) {
  tick_();
  round_.push_back({node, edge});
  return trail_.step(space_, node, edge, processes);
}

void CountedLoop::find_displaced() {
  for (std::uint32_t p = 0; p < begin_.size(); ++p) {
    if (trail_.kinds()[p] != begin_[p]) displaced_.push_back(p);
  }
}

/// Matches displaced processes along shortest ways from where one stands now back to where it
/// started.
void CountedLoop::find_heirs() {
  // By start and end of the round: who went that way and has no successor in its part yet.
  std::map<KindId, std::map<KindId, std::vector<std::uint32_t>>> parts;
  for (const std::uint32_t p : displaced_) parts[begin_[p]][trail_.kinds()[p]].push_back(p);
  heirs_.assign(begin_.size(), 0);
  while (!parts.empty()) {
    const KindId home = parts.begin()->first;
    const KindId first_stop = parts.begin()->second.begin()->first;
    // Each kind's predecessor on a shortest way from first_stop.
    std::map<KindId, KindId> from{{first_stop, home}};
    std::vector<KindId> queue{first_stop};
    for (std::size_t i = 0; !from.contains(home); ++i) {
      for (const auto& [next, processes] : parts.at(queue[i])) {
        if (from.emplace(next, queue[i]).second) queue.push_back(next);
      }
    }
    std::vector<KindId> cycle{home};
    for (KindId kind = from[home]; kind != home; kind = from[kind]) cycle.push_back(kind);
    std::ranges::reverse(cycle);  // ends in home, and goes on from there to its first
    std::vector<std::uint32_t> movers;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const KindId at = cycle[i];
      const KindId to = cycle[(i + 1) % cycle.size()];
      std::vector<std::uint32_t>& processes = parts[at][to];
      movers.push_back(processes.back());
      processes.pop_back();
      if (processes.empty()) parts[at].erase(to);
      if (parts[at].empty()) parts.erase(at);
    }
    for (std::size_t i = 0; i < movers.size(); ++i) {
      heirs_[movers[i]] = movers[(i + 1) % movers.size()];
    }
  }
}

/// The order of the permutation; more than the longest evidence if it is too long.
std::size_t CountedLoop::num_rounds() const {
  std::vector<bool> seen(begin_.size(), false);
  std::set<std::size_t> lengths;
  for (const std::uint32_t p : displaced_) {
    std::size_t length = 0;
    for (std::uint32_t at = p; !seen[at]; at = heirs_[at]) {
      seen[at] = true;
      ++length;
    }
    if (length > 0) lengths.insert(length);
  }
  std::size_t order = 1;
  for (const std::size_t length : lengths) {
    order = std::lcm(order, length);
    if (order > longest_evidence) return order;
  }
  return order;
}

/// Who has the parts of a step of the first round now.
std::vector<Value> CountedLoop::cast(std::size_t step) const {
  const Step& first = trail_.evidence().steps[*trail_.evidence().loop + step];
  const model::Program& program = space_.graph().program();
  const lang::Schema& schema = program.source()[first.schema];
  std::vector<Value> made;
  for (std::size_t i = 0; i < first.processes.size(); ++i) {
    const lang::ModuleId module = schema.slots[i].module;
    const std::size_t before = program.process_number(module, 0);
    const auto role = before + static_cast<std::size_t>(first.processes[i]);
    made.push_back(static_cast<Value>(actors_[role] - before));
  }
  return made;
}

void CountedLoop::close() {
  find_displaced();
  if (displaced_.empty()) return;
  find_heirs();
  const std::size_t rounds = num_rounds();
  if (rounds > longest_evidence / round_.size()) throw TooLong{};
  actors_.resize(begin_.size());
  std::iota(actors_.begin(), actors_.end(), 0U);
  std::vector<std::uint32_t> next = actors_;
  for (std::size_t round = 1; round < rounds; ++round) {
    for (const std::uint32_t p : displaced_) next[heirs_[p]] = actors_[p];
    actors_ = next;
    for (std::size_t i = 0; i < round_.size(); ++i) {
      tick_();
      (void)trail_.step(space_, round_[i].node, round_[i].edge, cast(i));
    }
  }
}

}  // namespace cohort::cctl
