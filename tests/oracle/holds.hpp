// CCTL by naive fixpoints over the whole graph, once for each evaluation of the process variables.
//
//   const Verdicts verdicts = judge(graph, semantics, formula);
//   CHECK(verdicts.lazy.allows(answer.verdict));
//
// Without model errors exactly one verdict is right.  With them a lazy run may decide before it
// meets one, but only if the decision does not depend on what would come behind it: truth is
// three-valued here, a state with a fault has unknown successors, and a sub-formula with a fault
// has an unknown value.
#pragma once

#include "base/verdict.hpp"
#include "lang/program.hpp"
#include "oracle/graph.hpp"

namespace cohort::oracle {

enum class Truth { False, Unknown, True };

/// The verdicts that a run may give.
struct Allowed {
  bool holds = false;
  bool fails = false;
  bool error = false;

  [[nodiscard]] bool allows(base::Verdict verdict) const {
    return (verdict == base::Verdict::Holds && holds) ||
           (verdict == base::Verdict::Fails && fails) || (verdict == base::Verdict::Error && error);
  }
  [[nodiscard]] bool is_certain() const {
    return (holds ? 1 : 0) + (fails ? 1 : 0) + (error ? 1 : 0) == 1;
  }
};

struct Verdicts {
  Allowed lazy;                   ///< of a run that looks at states when it needs them
  Allowed eager;                  ///< of a run that looks at every state first
  std::vector<Truth> at_initial;  ///< of the formula in each initial state
};

[[nodiscard]] Verdicts judge(const Graph& graph, const Semantics& semantics,
                             const lang::Formula& formula);

}  // namespace cohort::oracle
