// Simpler formulas with the same finite words.
//
//   FiniteSimplifier simplify{formulas};
//   const Formula g = simplify(f);
//
// Not for infinite words: `G F p` and `F G p` ask the same of every word that ends.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ltl/formula.hpp"

namespace cohort::ltl {

class FiniteSimplifier {
 public:
  /// Keeps a reference to `formulas`.
  explicit FiniteSimplifier(Formulas& formulas) : formulas_(formulas) {}

  [[nodiscard]] Formula operator()(Formula f);

 private:
  /// A formula about the last position only.
  struct AtEnd {
    Formula condition;         // boolean
    bool holds_on_empty_word;  // `G F condition`, otherwise `F G condition`
  };

  [[nodiscard]] Formula rewrite(Formula f);
  [[nodiscard]] Formula join(Operator op, const std::vector<Formula>& args);
  [[nodiscard]] std::optional<AtEnd> about_end(Formula f) const;
  [[nodiscard]] Formula written(const AtEnd& end);
  [[nodiscard]] std::optional<Formula> on_one_position(Formula f);
  [[nodiscard]] std::optional<Formula> compute_on_one_position(Formula f);

  Formulas& formulas_;
  std::unordered_map<Formula, Formula> rewritten_;
  std::unordered_map<Formula, std::optional<Formula>> on_one_position_;
};

}  // namespace cohort::ltl
