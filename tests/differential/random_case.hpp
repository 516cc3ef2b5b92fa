// A random model with formulas, from a seed.
#pragma once

#include <cstdint>
#include <string>

namespace cohort::differential {

/// The same text for the same arguments, for ever: a seed is a bug report.
[[nodiscard]] std::string random_case(std::uint64_t seed, unsigned fault_percent);

}  // namespace cohort::differential
