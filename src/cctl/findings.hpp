// Findings about a model and its properties that are no verdicts: what never happens, what does not
// matter.
//
//   Checker checker{…};                      // has answered `asked`
//   const std::vector<Finding> found = find(checker, program, asked, options);
//
// Exact, as far as it goes: of an incomplete graph nothing is said.
#pragma once

#include <string>
#include <vector>

#include "base/finding_code.hpp"
#include "cctl/check.hpp"
#include "lang/program.hpp"

namespace cohort::cctl {

/// A property and its answer.
struct Asked {
  const lang::Formula* formula = nullptr;
  const Answer* answer = nullptr;
};

struct Finding {
  std::string code;                        ///< stable: "schema-never-fires"
  const lang::Formula* formula = nullptr;  ///< none: the model
  lang::Span where;                        ///< in the formula's text, or the model's
  std::string message;
  std::string hint;
};

/// All codes, in the order of the alphabet, each with what it says.
[[nodiscard]] const std::vector<base::FindingCode>& finding_codes();

struct FindingOptions {
  std::vector<std::string> wanted;  ///< codes
  /// What the questions to the checker may take, in seconds; one that is expected to take longer is
  /// not asked.
  double budget = 0;
  double typical_seconds = 0;  ///< what one question is expected to take
};

/// Vacuity: a sub-formula of a property that holds does not matter if the property still holds with
/// the sub-formula replaced by what makes it hardest to hold (false where it helps, true where it
/// hinders; Beer, Ben-David, Eisner, Rodeh).  The largest such sub-formulas are told.
[[nodiscard]] std::vector<Finding> find(Checker& checker, const Summary& summary,
                                        const lang::Program& program,
                                        const std::vector<Asked>& asked,
                                        const FindingOptions& options);

}  // namespace cohort::cctl
