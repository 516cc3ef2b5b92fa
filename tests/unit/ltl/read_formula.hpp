// A formula from its text, for tests.
#pragma once

#include <string>
#include <vector>

#include "ltl/formula.hpp"

namespace cohort::ltl_test {

struct NamedFormula {
  ltl::Formulas formulas;
  ltl::Formula formula{};
  std::vector<std::string> atoms;
};

/// Fails the test if the text is no formula.  Atoms are numbered in the order of `first`, then in
/// that of the text.
[[nodiscard]] NamedFormula read_formula(const std::string& text,
                                        const std::vector<std::string>& first = {});

}  // namespace cohort::ltl_test
