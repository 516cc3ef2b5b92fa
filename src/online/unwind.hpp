// From a way through a product to evidence: a path of the program with real states and processes.
#pragma once

#include <optional>

#include "cctl/evidence.hpp"
#include "online/search.hpp"

namespace cohort::online {

/// A finite path.
[[nodiscard]] cctl::Evidence unwind(Arena& arena, ProductSpace& product, const Path& path);

/// A path with a loop: on the quotient a round leads to the same vertex, but renames processes; it
/// is repeated until the real state comes again.  Nothing if that takes too long.
[[nodiscard]] std::optional<cctl::Evidence> unwind(Arena& arena, ProductSpace& product,
                                                   const Cycle& cycle);

/// The processes that the goal's foralls stand for.
[[nodiscard]] std::vector<cctl::Choice> choices_of(const Goal& goal,
                                                   const std::vector<Value>& chosen);

}  // namespace cohort::online
