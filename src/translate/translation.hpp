// A program and its properties in the languages of other model checkers.
//
//   const model::Program program{loaded.program};
//   const Translation made = to_promela({program, formulas, {}, "models/german.coh", "1.0"});
//   if (made.findings.empty()) std::cout << made.text;
//
// Faithful: the states of the translation are the states of the full graph (Promela has one more,
// before the initial values are chosen), and each edge of the graph is one step.  What a language
// cannot say is a finding with its place, never a silent change.  docs/export.md says how each part
// of the language is translated.
#pragma once

#include <string>
#include <vector>

#include "base/source.hpp"
#include "lang/program.hpp"
#include "model/program.hpp"
#include "online/property.hpp"

namespace cohort::translate {

struct Subject {
  const model::Program& program;
  std::vector<const lang::Formula*> formulas;
  std::vector<const online::Property*> linear;  ///< of linear time
  std::string name;                             ///< of the model, for the first lines
  std::string version;                          ///< of Cohort, likewise
};

/// Something that the other language cannot say.
struct Finding {
  const lang::Formula* formula = nullptr;  ///< none: the model itself
  base::Span where;                        ///< in the text of the formula, or of the model
  std::string message;
  std::string hint;
};

struct Translation {
  /// Without the properties that have findings; empty if the model has some.
  std::string text;
  std::vector<Finding> findings;
};

[[nodiscard]] Translation to_promela(const Subject& subject);
[[nodiscard]] Translation to_murphi(const Subject& subject);

}  // namespace cohort::translate
