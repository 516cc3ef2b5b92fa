// Hints for those who write as in another language, or forgot how something is written here.
#pragma once

#include <string>
#include <vector>

#include "base/lexer.hpp"
#include "base/source.hpp"

namespace cohort::base {

/// Where a parser failed.
struct Stumble {
  const Token* first;                 ///< of the whole text
  const Token* piece_start;           ///< of the declaration, schema or formula
  const Token* found;                 ///< what does not fit
  std::vector<std::string> expected;  ///< as it is said to the author: `'->'`, `an expression`
};

/// Empty if nothing comes to mind.
[[nodiscard]] std::string habit_hint(const Stumble& stumble, const Source& source,
                                     const Lexicon& lexicon);

}  // namespace cohort::base
