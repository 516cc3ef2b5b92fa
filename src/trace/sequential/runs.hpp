// The runs of one property through a piece, one from each start state, until they meet.
//
// Cost.  A step costs one look-up for each run that is still apart from the others.  After a few
// letters that is mostly one: the parallel check then does the work of the sequential one.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/sequential/property.hpp"
#include "trace/sequential/summary.hpp"

namespace cohort::trace::sequential {

class Runs {
 public:
  /// Keeps a reference.  `seeds` are ascending.
  Runs(const Property& property, std::vector<StateIndex> seeds);

  /// Reads a letter.  `place()` makes the Place of the position; it is called where one is needed.
  /// True if another step with the same letter could change something.
  template <typename MakePlace>
  bool step(const std::uint64_t* bits, const MakePlace& place) {
    if (fresh_) return first_step(bits, place);
    bool changed = false;
    for (std::size_t i = 0; i < live_.size();) {
      Run& run = live_[i];
      const StateIndex next = property_.compiled().step(run.state, bits);
      if (next == run.state && !looks_at_letter_) {
        ++i;
        continue;
      }
      changed |= next != run.state;
      run.state = next;
      const bool good = is_good(next, bits);
      if (run.good && !good) {
        run.since = place();
        run.has_since = true;
      }
      run.good = good;
      if (next != last_unsettled_ && property_.settled(next)) {
        settle(i, good ? nullptr : &(where_ = place()));
        continue;
      }
      last_unsettled_ = next;
      ++i;
    }
    if (changed && live_.size() > 1) merge();
    return changed;
  }

  [[nodiscard]] bool all_settled() const { return !fresh_ && live_.empty(); }
  [[nodiscard]] std::size_t num_live() const { return live_.size(); }
  /// The state of the only run; statistics follow it.
  [[nodiscard]] const std::vector<StateIndex>& seeds() const { return seeds_; }
  /// What came out, for `positions` positions from `first` on.
  [[nodiscard]] RunsSummary summary(std::uint64_t positions) const;

 private:
  struct Run {
    StateIndex state = 0;
    bool good = true;
    bool has_since = false;
    Place since;
    std::vector<std::uint32_t> members;  // indices of seeds
  };

  template <typename MakePlace>
  bool first_step(const std::uint64_t* bits, const MakePlace& place) {
    fresh_ = false;
    first_ = place();
    for (std::size_t i = 0; i < live_.size();) {
      Run& run = live_[i];
      run.state = property_.compiled().step(run.state, bits);
      run.good = is_good(run.state, bits);
      for (const std::uint32_t seed : run.members) outcomes_[seed].first_good = run.good;
      if (property_.settled(run.state)) {
        settle(i, run.good ? nullptr : &first_);
      } else {
        ++i;
      }
    }
    merge();
    return true;
  }
  [[nodiscard]] bool is_good(StateIndex state, const std::uint64_t* bits);
  void settle(std::size_t run, const Place* where);
  void merge();
  /// Members keep what is true of them alone.
  void flush(Run& run);

  const Property& property_;
  bool looks_at_letter_;
  bool fresh_ = true;
  StateIndex last_unsettled_ = 0xFFFF'FFFFU;
  std::vector<StateIndex> seeds_;
  std::vector<Outcome> outcomes_;
  std::vector<Run> live_;
  Place first_;
  Place where_;
  std::unordered_map<std::uint64_t, bool> known_good_;  // by state and letter, loops only
};

}  // namespace cohort::trace::sequential
