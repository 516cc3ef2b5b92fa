// Dwyer's patterns: which of them a formula is.
//
//   find_pattern(formulas, f)      // G(p -> F s): the response of s to p, everywhere
//
// A formula is recognised however it is spelled, as long as its negation normal form is that of the
// pattern's formula (Dwyer, Avrunin, Corbett 1998, with the scopes of their catalogue; the
// frequency and time interval of Ferlin's thesis are added).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ltl/formula.hpp"

namespace cohort::trace::sequential {

struct Pattern {
  enum class Kind : std::uint8_t {
    Absence,
    Universality,
    Existence,
    BoundedExistence,  ///< p at most `bound` times (stretches)
    Precedence,        ///< s before p
    Response,          ///< s after p
    Frequency,         ///< p again and again
    TimeInterval,      ///< a bound on the time between changes of a variable: `x?T - x?1?T <= 5`
  };
  enum class Scope : std::uint8_t {
    Globally,
    Before,      ///< r
    After,       ///< q
    Between,     ///< q and r
    AfterUntil,  ///< q until r
  };

  Kind kind = Kind::Universality;
  Scope scope = Scope::Globally;
  unsigned bound = 0;
  // Without temporal operators.
  ltl::Formula p{};
  ltl::Formula s{};
  ltl::Formula q{};
  ltl::Formula r{};
  std::uint32_t variable = 0;  ///< of a TimeInterval: p is that it changes

  [[nodiscard]] bool has_s() const { return kind == Kind::Response || kind == Kind::Precedence; }
  [[nodiscard]] bool has_q() const {
    return scope == Scope::After || scope == Scope::Between || scope == Scope::AfterUntil;
  }
  [[nodiscard]] bool has_r() const {
    return scope == Scope::Before || scope == Scope::Between || scope == Scope::AfterUntil;
  }
};

/// `response, between`.
[[nodiscard]] std::string describe(const Pattern& pattern);

[[nodiscard]] std::optional<Pattern> find_pattern(ltl::Formulas& formulas, ltl::Formula f);

}  // namespace cohort::trace::sequential
