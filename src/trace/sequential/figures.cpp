#include "trace/sequential/figures.hpp"

#include "trace/sequential/rational.hpp"

namespace cohort::trace::sequential {
namespace {

[[nodiscard]] cpp_rational over(WideInteger number, unsigned scale) {
  const bool negative = number < 0;
  const WideInteger magnitude = negative ? -number : number;
  cpp_int made{static_cast<std::uint64_t>(magnitude >> 64U)};
  made = (made << 64U) + static_cast<std::uint64_t>(magnitude);
  return cpp_rational{negative ? cpp_int{-made} : made, cpp_int{power_of_ten(scale)}};
}

}  // namespace

Figures figures_of(const Pattern& pattern, const Tally& tally, bool has_time) {
  using Kind = Pattern::Kind;
  Figures figures;
  const auto add = [&](std::string name, std::string value) {
    figures.emplace_back(std::move(name), std::move(value));
  };
  const auto add_distances = [&](const std::string& unit, const Distances& distances,
                                 unsigned places) {
    if (distances.count == 0) return;
    add("shortest_" + unit, text_of(over(distances.shortest, places)));
    add("longest_" + unit, text_of(over(distances.longest, places)));
    add("mean_" + unit, rounded(over(distances.sum, places) / cpp_rational{distances.count}));
  };
  const auto add_spot = [&](const std::string& which, const std::optional<Spot>& spot) {
    if (!spot) return;
    add(which + "_position", std::to_string(spot->position));
    add(which + "_line", std::to_string(spot->line));
    if (has_time && spot->time.known) {
      add(which + "_time", text_of(over(spot->time.ticks, stamp_places)));
    }
  };
  if (pattern.has_r()) add("scopes", std::to_string(tally.scopes));
  add(pattern.kind == Kind::Response ? "triggers" : "occurrences",
      std::to_string(tally.occurrences));
  if (pattern.kind == Kind::Response) {
    add("answered", std::to_string(tally.answered));
    add("unanswered", std::to_string(tally.unanswered));
  } else if (pattern.kind == Kind::Precedence) {
    add("preceded", std::to_string(tally.answered));
    add("unpreceded", std::to_string(tally.unanswered));
  } else if (pattern.kind == Kind::Universality) {
    add("violations", std::to_string(tally.violations));
  } else if (pattern.kind == Kind::BoundedExistence) {
    add("most_in_a_scope", std::to_string(tally.most));
  }
  add_distances("positions", tally.positions, 0);
  if (has_time && tally.timed) add_distances("time", tally.times, stamp_places);
  add_spot("first", tally.first);
  add_spot("last", tally.last);
  return figures;
}

}  // namespace cohort::trace::sequential
