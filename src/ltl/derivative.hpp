// Regular expressions and formulas, one position further.
//
// The derivative of a formula by a position is what the rest of the word has to satisfy.  Here it
// is computed for all positions at once, as one decision over atoms whose leaves are conditions on
// the rest of the word.
#pragma once

#include <unordered_map>
#include <vector>

#include "ltl/decision.hpp"
#include "ltl/formula.hpp"

namespace cohort::ltl {

/// If the position satisfies `letter`, then the rest of the match may be what `rest` matches.
struct Step {
  Decision letter;
  Regex rest;
};

/// The partial derivatives of regular expressions (Antimirov), for all positions at once.  For each
/// expression there are finitely many, at most as many as it has places for conditions; with
/// intersections the products of their numbers.
class RegexSteps {
 public:
  /// Keeps references to both.  Atom a is variable a of the letters.
  RegexSteps(Formulas& formulas, Decisions& decisions)
      : formulas_(formulas), decisions_(decisions) {}

  /// Letters may overlap; each rest occurs once.  Valid until the next call.
  [[nodiscard]] const std::vector<Step>& operator()(Regex r);

  /// A formula without temporal operators, as a decision.
  [[nodiscard]] Decision letter(Formula condition);

 private:
  [[nodiscard]] std::vector<Step> compute(Regex r);

  Formulas& formulas_;
  Decisions& decisions_;
  std::unordered_map<Regex, std::vector<Step>> known_;
  std::unordered_map<Formula, Decision> letters_;
};

}  // namespace cohort::ltl
