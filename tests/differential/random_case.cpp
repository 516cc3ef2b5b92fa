#include "differential/random_case.hpp"

#include <vector>

#include "support/random_program.hpp"

namespace cohort::differential {

namespace {

[[nodiscard]] std::string random_case(std::uint64_t seed, const support::ProgramShape& shape) {
  base::Random random{seed};
  const support::RandomProgram program = support::random_program(random, shape);
  support::FormulaShape formula_shape;
  formula_shape.fault_percent = shape.fault_percent / 2;
  formula_shape.entangled = shape.is_hard();
  std::vector<support::RandomFormula> formulas;
  for (int i = 0; i < 4; ++i) {
    formulas.push_back(support::random_formula(random, program.vocabulary, formula_shape));
  }
  return support::model_text(program, formulas);
}

}  // namespace

std::string random_case(std::uint64_t seed, unsigned fault_percent, double most_bits) {
  support::ProgramShape shape;
  shape.fault_percent = fault_percent;
  shape.most_bits = most_bits;
  return random_case(seed, shape);
}

std::string random_entangled_case(std::uint64_t seed, unsigned fault_percent) {
  support::ProgramShape shape;
  shape.fault_percent = fault_percent;
  shape.most_bits = 18;  // variables over two processes are large
  shape.entangled = true;
  return random_case(seed, shape);
}

std::string random_mixed_case(std::uint64_t seed, unsigned fault_percent) {
  support::ProgramShape shape;
  shape.fault_percent = fault_percent;
  shape.most_bits = 16;
  shape.mixed = true;
  return random_case(seed, shape);
}

}  // namespace cohort::differential
