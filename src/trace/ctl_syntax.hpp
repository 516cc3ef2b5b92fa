// CTL formulas on traces: from text to a formula whose atoms know the trace's variables.
//
//   base::Diagnostics diagnostics;
//   const std::vector<Formula> formulas = parse_formula(source, trace.words, diagnostics);
//
// The grammar is that of properties of models (lang/), with decimals and strings.  What is about
// models only (COUNT, quantifiers, fairness, enabled, deadlock, none) is refused, and so is a
// variable that the trace never mentions: a typo must not read as "holds".
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "trace/ctl_atom.hpp"
#include "trace/ctl_formula.hpp"
#include "trace/vocabulary.hpp"

namespace cohort::trace::ctl {

struct Formula {
  /// The first place where the formula names a variable.
  struct Mention {
    VariableId variable{};
    base::Span where;
  };

  std::string name;  ///< of a property; "formula" for a bare one
  std::string text;  ///< as it was written
  bool expected = true;
  base::Span where;
  Formulas forms;
  FormulaId root{};
  /// Holds at the empty cut if some condition that has to be evaluated divides by zero.
  FormulaId fault{};
  std::vector<Atom> atoms;
  std::vector<Mention> mentions;  ///< in text order
};

/// One formula, as on the command line.  Empty if there are errors.
[[nodiscard]] std::vector<Formula> parse_formula(const base::Source& source,
                                                 const Vocabulary& words,
                                                 base::Diagnostics& diagnostics);
/// The properties of a spec file.  Empty if there are errors.
[[nodiscard]] std::vector<Formula> parse_properties(const base::Source& source,
                                                    const Vocabulary& words,
                                                    base::Diagnostics& diagnostics);

}  // namespace cohort::trace::ctl
