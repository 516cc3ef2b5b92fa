// Permuting the processes of a state.
#pragma once

#include <vector>

#include "model/program.hpp"
#include "symmetry/permutation.hpp"

namespace cohort::symmetry {

/// The values of every variable instance after each process p has become permutation[p]: what p
/// had, permutation[p] has, and a variable that held p holds permutation[p].
[[nodiscard]] std::vector<model::Value> apply(const model::Program& program,
                                              const Permutation& permutation,
                                              const std::vector<model::Value>& values);

}  // namespace cohort::symmetry
