// Quantifiers asked together instead of one process after the other.
//
//   forall i in M . AG φ         is   AG forall i in M . φ
//   exists i in M . EF φ         is   EF exists i in M . φ
//
// On the right no process has to be followed along paths: where the quantifier can be asked of a
// state cheaply, its nodes are far fewer.
#pragma once

#include <optional>

#include "base/verdict.hpp"
#include "lang/program.hpp"

namespace cohort::cctl {

struct Gathered {
  lang::Formula formula;  ///< equivalent
  /// The verdict for which both have to look at everything, so that one of them has a fault in what
  /// it looks at if the other has.
  base::Verdict exhaustive = base::Verdict::Holds;
};

/// Nothing for formulas that do not have that form.  What does not depend on the state may stand
/// between the quantifiers and the operator: `forall i in M . i != j -> AG φ`.
[[nodiscard]] std::optional<Gathered> gather_quantifiers(const lang::Formula& source);

}  // namespace cohort::cctl
