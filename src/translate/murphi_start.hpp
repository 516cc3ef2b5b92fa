// The initial states in Murphi: a startstate, with a parameter for each free choice.
#pragma once

#include <string>
#include <vector>

#include "translate/murphi_expression.hpp"

namespace cohort::translate {

/// `last`: statements at the end of it.
[[nodiscard]] std::string murphi_start(const model::Program& program,
                                       const MurphiExpressions::Names& names,
                                       const std::vector<bool>& interchangeable, Words& words,
                                       const std::string& last);

}  // namespace cohort::translate
