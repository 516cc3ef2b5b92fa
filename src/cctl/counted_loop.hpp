// Loops through counted nodes, closed in real states.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "cctl/counted_trail.hpp"
#include "quotient/counted_graph.hpp"

namespace cohort::cctl {

/// A loop that is being walked: first a round that leads back to the node that it starts in, then
/// the same round again until every process is where it was.
class CountedLoop {
 public:
  /// Keeps references to `space` and `trail`; the loop starts where the path ends.
  CountedLoop(quotient::CountedSpace& space, CountedTrail& trail, std::function<void()> tick);

  [[nodiscard]] CountedTrail& trail() { return trail_; }
  /// Takes an edge of the round, as CountedTrail::step.
  quotient::NodeId step(quotient::NodeId node, std::size_t edge, std::span<const Value> processes);
  [[nodiscard]] bool is_empty() const { return round_.empty(); }
  /// The round is complete.  Throws TooLong.
  void close();

 private:
  struct Taken {
    quotient::NodeId node{};
    std::size_t edge = 0;
  };

  void find_displaced();
  void find_heirs();
  [[nodiscard]] std::size_t num_rounds() const;
  [[nodiscard]] std::vector<Value> cast(std::size_t step) const;

  quotient::CountedSpace& space_;
  CountedTrail& trail_;
  std::function<void()> tick_;
  std::vector<quotient::KindId> begin_;  // by process: its kind where the loop starts
  std::vector<Taken> round_;
  std::vector<std::uint32_t> displaced_;  // the round brought them to another kind
  std::vector<std::uint32_t> heirs_;      // of each of these: whose part it has in the next round
  std::vector<std::uint32_t> actors_;     // by process: who has its part now
};

/// Walks a round of a fair component from `start` back to it in which every process is executed, or
/// comes to a state in which it is disabled.  Throws TooLong, and StateFault.
void walk_fair_round(CountedLoop& loop, quotient::CountedSpace& space,
                     const std::vector<quotient::NodeId>& component, quotient::NodeId start);

}  // namespace cohort::cctl
