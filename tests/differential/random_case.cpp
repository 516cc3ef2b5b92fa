#include "differential/random_case.hpp"

#include <vector>

#include "support/random_program.hpp"

namespace cohort::differential {

std::string random_case(std::uint64_t seed, unsigned fault_percent, double most_bits) {
  base::Random random{seed};
  const support::RandomProgram program =
      support::random_program(random, {.most_bits = most_bits, .fault_percent = fault_percent});
  std::vector<support::RandomFormula> formulas;
  for (int i = 0; i < 4; ++i) {
    formulas.push_back(
        support::random_formula(random, program.vocabulary, {.fault_percent = fault_percent / 2}));
  }
  return support::model_text(program, formulas);
}

}  // namespace cohort::differential
