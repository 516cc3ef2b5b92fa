// "did you mean": the declared name that is nearest to one that nobody declared.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace cohort::base {

/// The candidate with the fewest single-letter edits (a swap of neighbours is one; a change of case
/// costs nothing), if few enough; of equally near ones the first.  Costs time in proportion to the
/// candidates' total length: ask once for a name, not once for each use of it.
[[nodiscard]] std::optional<std::string_view> nearest(
    std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace cohort::base
