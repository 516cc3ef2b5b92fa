#include "trace/sequential/runs.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cohort::trace::sequential {

Runs::Runs(const Property& property, std::vector<StateIndex> seeds)
    : property_(property), looks_at_letter_(property.looks_at_letter()), seeds_(std::move(seeds)) {
  outcomes_.resize(seeds_.size());
  for (std::uint32_t i = 0; i < seeds_.size(); ++i) {
    Run run;
    run.state = seeds_[i];
    run.members.push_back(i);
    live_.push_back(std::move(run));
  }
}

bool Runs::is_good(StateIndex state, const std::uint64_t* bits) {
  if (!looks_at_letter_) return property_.good(state, bits);
  // Few states and few letters: the same question comes again and again.
  if (property_.atoms().size() > 32) return property_.good(state, bits);
  const std::uint64_t key = (std::uint64_t{state} << 32U) | (bits[0] & 0xFFFF'FFFFU);
  const auto known = known_good_.find(key);
  if (known != known_good_.end()) return known->second;
  constexpr std::size_t most_remembered = 1U << 16U;
  const bool good = property_.good(state, bits);
  if (known_good_.size() < most_remembered) known_good_.emplace(key, good);
  return good;
}

void Runs::flush(Run& run) {
  if (!run.has_since) return;
  for (const std::uint32_t seed : run.members) outcomes_[seed].since = run.since;
  run.has_since = false;
}

void Runs::settle(std::size_t index, const Place* where) {
  Run& run = live_[index];
  flush(run);
  for (const std::uint32_t seed : run.members) {
    Outcome& outcome = outcomes_[seed];
    outcome.state = run.state;
    outcome.settled = true;
    outcome.good = run.good;
    if (where != nullptr) outcome.settled_at = *where;
  }
  if (index + 1 < live_.size()) std::swap(live_[index], live_.back());
  live_.pop_back();
}

void Runs::merge() {
  // States come in no particular order; what is merged into what does not matter.
  std::map<StateIndex, std::size_t> owner;
  for (std::size_t i = 0; i < live_.size();) {
    const auto [place, is_new] = owner.emplace(live_[i].state, i);
    if (is_new) {
      ++i;
      continue;
    }
    Run& kept = live_[place->second];
    flush(kept);
    flush(live_[i]);
    kept.members.insert(kept.members.end(), live_[i].members.begin(), live_[i].members.end());
    if (i + 1 < live_.size()) std::swap(live_[i], live_.back());
    live_.pop_back();
  }
}

RunsSummary Runs::summary(std::uint64_t positions) const {
  RunsSummary summary;
  summary.positions = positions;
  summary.first = first_;
  summary.seeds = seeds_;
  summary.outcomes = outcomes_;
  for (const Run& run : live_) {
    for (const std::uint32_t seed : run.members) {
      Outcome& outcome = summary.outcomes[seed];
      outcome.state = run.state;
      outcome.good = run.good;
      if (run.has_since) outcome.since = run.since;
    }
  }
  return summary;
}

}  // namespace cohort::trace::sequential
