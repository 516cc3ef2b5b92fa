// Permutations of processes within their modules.
//
// Processes are numbered through all modules (model::Program::process_number).  p[i] is the process
// that i is mapped to; compose(p, q) applies q first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cohort::symmetry {

using Permutation = std::vector<std::uint32_t>;

[[nodiscard]] inline Permutation identity(std::size_t num_processes) {
  Permutation made(num_processes);
  std::iota(made.begin(), made.end(), 0U);
  return made;
}

[[nodiscard]] inline Permutation inverse(const Permutation& p) {
  Permutation made(p.size());
  for (std::uint32_t i = 0; i < p.size(); ++i) made[p[i]] = i;
  return made;
}

/// First `inner`, then `outer`.
[[nodiscard]] inline Permutation compose(const Permutation& outer, const Permutation& inner) {
  Permutation made(inner.size());
  for (std::size_t i = 0; i < inner.size(); ++i) made[i] = outer[inner[i]];
  return made;
}

}  // namespace cohort::symmetry
