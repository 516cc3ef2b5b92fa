// The figures of a tally, as people want them: names and numbers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trace/sequential/counting.hpp"

namespace cohort::trace::sequential {

using Figures = std::vector<std::pair<std::string, std::string>>;

/// In a fixed order; numbers are decimal digits.  `scale` is that of the times, nothing if the
/// trace has none.
[[nodiscard]] Figures figures_of(const Pattern& pattern, const Tally& tally,
                                 std::optional<unsigned> scale);

}  // namespace cohort::trace::sequential
