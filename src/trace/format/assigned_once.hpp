// Which variables an event has assigned so far: a line of a million assignments is read in linear
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace cohort::trace {

class AssignedOnce {
 public:
  void start_event() { ++event_; }
  /// False if the event has assigned it already.
  [[nodiscard]] bool add(base::VariableId variable) {
    const auto at = static_cast<std::size_t>(base::index_of(variable));
    if (at >= seen_in_.size()) seen_in_.resize(2 * at + 1, 0);
    if (seen_in_[at] == event_) return false;
    seen_in_[at] = event_;
    return true;
  }

 private:
  std::vector<std::uint64_t> seen_in_;  // by variable
  std::uint64_t event_ = 0;
};

}  // namespace cohort::trace
