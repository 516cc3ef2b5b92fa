// The states of a path: the first, and what changes from each to the next.
//
//   PathStates states{initial};
//   states.step({{3, 1}});          // variable instance 3 becomes 1, the others stay
//   states[0], states.back()
//
// A loop that serves thousands of processes has as many states as it has steps, with as many values
// as there are processes, of which a step changes a few.  One state is written out at a time; going
// to another costs the changes between the two.  One object for each thread.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "model/plain.hpp"

namespace cohort::cctl {

class PathStates {
 public:
  using State = model::plain::State;

  PathStates() = default;
  explicit PathStates(State initial) : here_(std::move(initial)), ends_{0} {}

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  /// Adds a state behind the last one, with new values of these variable instances.
  void step(const std::map<std::size_t, model::Value>& changes) {
    const State& last = back();
    for (const auto& [instance, after] : changes) {
      changes_.push_back({instance, last[instance], after});
    }
    ends_.push_back(changes_.size());
  }
  /// Valid until another one is asked for.
  [[nodiscard]] const State& operator[](std::size_t number) const {
    for (; at_ < number; ++at_) {
      for (std::size_t c = ends_[at_]; c < ends_[at_ + 1]; ++c) {
        here_[changes_[c].instance] = changes_[c].after;
      }
    }
    for (; at_ > number; --at_) {
      for (std::size_t c = ends_[at_ - 1]; c < ends_[at_]; ++c) {
        here_[changes_[c].instance] = changes_[c].before;
      }
    }
    return here_;
  }
  [[nodiscard]] const State& back() const { return (*this)[size() - 1]; }
  [[nodiscard]] bool are_equal(std::size_t a, std::size_t b) const {
    const State first = (*this)[a];
    return first == (*this)[b];
  }

 private:
  struct Change {
    std::size_t instance = 0;
    model::Value before = 0;
    model::Value after = 0;
  };

  mutable State here_;  // the state at_
  mutable std::size_t at_ = 0;
  std::vector<Change> changes_;
  std::vector<std::size_t> ends_;  // of the changes before each state
};

}  // namespace cohort::cctl
