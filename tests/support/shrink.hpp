// Making a failing input small: a greedy search for a smaller text that still fails.
//
//   const std::string small = shrink(text, [](const std::string& candidate) {
//     return loads(candidate) && engines_disagree(candidate);
//   });
//
// Works on any model file: it deletes stretches of tokens, puts operands in the place of their
// operators, and lowers numbers, for as long as that helps.
#pragma once

#include <functional>
#include <string>

namespace cohort::support {

/// `fails` is asked about many texts that are no models at all; it should say false to them
/// quickly.  The result fails, and no single step makes it smaller.
[[nodiscard]] std::string shrink(std::string text,
                                 const std::function<bool(const std::string&)>& fails);

}  // namespace cohort::support
