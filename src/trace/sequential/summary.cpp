#include "trace/sequential/summary.hpp"

#include <algorithm>

namespace cohort::trace::sequential {

void History::append(const Plan& plan, const History& piece) {
  const Held time_before = value(plan, *plan.time);
  for (std::size_t v = 0; v < variables.size(); ++v) {
    VariableHistory& mine = variables[v];
    const VariableHistory& added = piece.variables[v];
    mine.count += added.count;
    const std::size_t most = plan.atoms.variables()[v].depth + std::size_t{1};
    const auto join = [&](std::vector<Held>& old, const std::vector<Held>& fresh) {
      std::vector<Held> all = fresh;
      // Changes in the first lines of a piece may be older than its first time stamp.
      for (Held& held : all) {
        if (!held.is_known()) held = time_before;
      }
      for (const Held& held : old) {
        if (all.size() >= most) break;
        all.push_back(held);
      }
      old = std::move(all);
    };
    join(mine.values, added.values);
    join(mine.times, added.times);
  }
}

const Held& History::value(const Plan& plan, std::uint32_t variable) const {
  const VariableHistory& history = variables[variable];
  return history.values.empty() ? plan.initial[variable] : history.values.front();
}

void resolve(Place& place, const Plan& plan, std::size_t property, const History& before,
             const Offset& offset) {
  place.position += offset.positions;
  place.line += offset.lines;
  if (!place.time.is_known()) place.time = before.value(plan, *plan.time);
  const std::vector<std::uint32_t>& shown = plan.shown[property];
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (!place.before[i].is_known()) place.before[i] = before.value(plan, shown[i]);
    if (!place.now[i].is_known()) place.now[i] = before.value(plan, shown[i]);
  }
}

void Running::apply(const RunsSummary& piece, const Plan& plan, std::size_t property,
                    const History& before, const Offset& offset) {
  if (piece.positions == 0 || settled_) return;
  const auto seed = std::ranges::lower_bound(piece.seeds, state_);
  const Outcome& outcome = piece.outcomes[static_cast<std::size_t>(seed - piece.seeds.begin())];
  const auto take = [&](const Place& place) {
    place_ = place;
    resolve(*place_, plan, property, before, offset);
  };
  // Before the first position nothing is bad yet.
  if (good_ && !outcome.first_good) take(piece.first);
  if (outcome.since) take(*outcome.since);
  started_ = true;
  state_ = outcome.state;
  good_ = outcome.good;
  if (!outcome.settled) return;
  settled_ = true;
  if (outcome.settled_at) take(*outcome.settled_at);
}

}  // namespace cohort::trace::sequential
