// The figures of a tally, as people want them: names and numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trace/sequential/counting.hpp"

namespace cohort::trace::sequential {

using Figures = std::vector<std::pair<std::string, std::string>>;

/// In a fixed order; numbers are decimal digits.  Without `has_time` the trace has no time stamps.
[[nodiscard]] Figures figures_of(const Pattern& pattern, const Tally& tally, bool has_time);

}  // namespace cohort::trace::sequential
