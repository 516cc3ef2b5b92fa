// A random model with formulas, from a seed.
#pragma once

#include <cstdint>
#include <string>

namespace cohort::differential {

/// The same text for the same arguments, as long as nobody teaches the writers something new.
/// `most_bits` bounds the size of the model: most have fewer than 2^most_bits states.
[[nodiscard]] std::string random_case(std::uint64_t seed, unsigned fault_percent,
                                      double most_bits = 13);

/// Likewise; what symmetry finds hard.
[[nodiscard]] std::string random_entangled_case(std::uint64_t seed, unsigned fault_percent);

/// Likewise; processes that can be counted beside some that are related to each other.
[[nodiscard]] std::string random_mixed_case(std::uint64_t seed, unsigned fault_percent);

}  // namespace cohort::differential
