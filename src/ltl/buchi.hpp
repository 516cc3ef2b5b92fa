// Büchi automata of formulas, over infinite words.
//
//   const std::optional<Automaton> automaton = buchi_automaton(formulas, f, names);
//
// Accepts the infinite words that satisfy the formula.  Small, in general not deterministic and not
// complete; deterministic and the smallest such where the formula is an obligation (a boolean
// combination of safety and guarantee properties) and that is not larger.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ltl/automaton.hpp"
#include "ltl/finite_word.hpp"
#include "ltl/formula.hpp"

namespace cohort::ltl {

/// Nothing if a limit is hit.  `atoms` names the formula's atoms, by number.
[[nodiscard]] std::optional<Automaton> buchi_automaton(Formulas& formulas, Formula formula,
                                                       std::vector<std::string> atoms,
                                                       const TranslationLimits& limits = {});

}  // namespace cohort::ltl
