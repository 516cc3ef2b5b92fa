// Whether some values of the variables make a condition over atoms true.
//
//   satisfiable(letters, letters.conjunction(guard1, guard2), own, atoms)     // x = 1 and x = 2:
//   no
//
// Idea.  The atoms about one value (`x < 3`, `2 * x = 5`, `x != "on"`) cut what it can be into few
// stretches; one value out of each stands for all.  Atoms about several values, or not linear, are
// taken to be free: the answer may then be yes where it is no, never the other way round.
#pragma once

#include <cstdint>
#include <vector>

#include "ltl/decision.hpp"
#include "trace/sequential/atoms.hpp"

namespace cohort::trace::sequential {

/// `own` says by letter variable which of the atoms it is.
[[nodiscard]] bool satisfiable(ltl::Decisions& letters, ltl::Decision condition,
                               const std::vector<std::uint32_t>& own, const Atoms& atoms);

}  // namespace cohort::trace::sequential
