// What a firing does, in Murphi: everything is evaluated in the old state, then assigned.
//
// A variable that is assigned and read by one firing, or assigned at two places, is changed in a
// local copy; the copies become the variables in the end.
#pragma once

#include <string>
#include <vector>

#include "translate/murphi_expression.hpp"

namespace cohort::translate {

struct MurphiAction {
  std::string locals;      ///< declarations
  std::string statements;  ///< indented
};

/// `types`: the type of each variable, as it is declared; `flags`: the same with booleans.
[[nodiscard]] MurphiAction murphi_action(const model::Program& program, std::size_t schema,
                                         const MurphiSlots& slots,
                                         const MurphiExpressions::Names& names,
                                         const std::vector<std::string>& types,
                                         const std::vector<std::string>& flags,
                                         MurphiExpressions& expressions);

/// Gives a place a value, which may be none.  `indent` before each line.
[[nodiscard]] std::string murphi_assign(const std::string& place, const lang::Type& type,
                                        const lang::Expr& value, const MurphiSlots& slots,
                                        MurphiExpressions& expressions, const std::string& indent);

}  // namespace cohort::translate
