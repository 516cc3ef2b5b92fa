// Judging evidence: is it a path of the program, and does it show what it claims?
//
//   const Judgement judgement = replay(program, formula, evidence, base::Verdict::Fails);
//   if (!judgement.ok()) …   // judgement.objections
//
// Knows programs, formulas and evidence, and shares no code with the search: conditions and actions
// are evaluated by model/plain.hpp, straight from the checked program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/verdict.hpp"
#include "cctl/evidence.hpp"
#include "cctl/path_truth.hpp"
#include "lang/program.hpp"

namespace cohort::cctl {

struct Judgement {
  enum class Support : std::uint8_t {
    Shown,      ///< the path alone proves the verdict
    Undecided,  ///< the path is right, but some sub-formula needs more than one path
    Refuted,    ///< the path shows the contrary, or cannot be what it claims to be
  };
  Support support = Support::Undecided;
  std::vector<std::string> objections;  ///< why it is no path of the program; empty if it is one

  [[nodiscard]] bool ok() const { return objections.empty() && support != Support::Refuted; }
};

/// Steps through the path, then evaluates the formula along it.  `verdict` is what the evidence is
/// said to show: Holds for a witness, Fails for a counterexample.  Objections count steps from 0,
/// as `loop` does.
///
/// Truth is three-valued.  State formulas, `enabled` and `deadlock` are exact.  That some path
/// satisfies an operator is known when this one does; that all do is refuted when this one does
/// not.  What is said to hold is shown for the path's own initial state only, so that a witness
/// proves no verdict of a program with several.
[[nodiscard]] Judgement replay(const lang::Program& program, const lang::Formula& formula,
                               const Evidence& evidence, base::Verdict verdict);

/// Steps through the path for a judge of its own; nothing, with objections, if it is no path.
[[nodiscard]] std::optional<Run> step_through(const model::plain::Semantics& semantics,
                                              const Evidence& evidence,
                                              std::vector<std::string>& objections);

/// Only steps through the path.
[[nodiscard]] Judgement replay_path(const lang::Program& program, const Evidence& evidence);

/// Steps through the path of a model error, and looks whether the fault is where it leads.
[[nodiscard]] Judgement replay_error(const lang::Program& program, const lang::Formula& formula,
                                     const ModelError& error);

}  // namespace cohort::cctl
