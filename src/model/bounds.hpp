// Which values can occur: intervals of variables and expressions, found without exploring anything.
//
// Two uses.  The width of a field: a variable without a type could hold any 32-bit number, but what
// the program can really assign to it is often a few bits wide.  And arithmetic: an expression
// whose interval fits in 64 bits is computed in 64 bits; the others, hardly ever met, exactly and
// slowly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "lang/program.hpp"

namespace cohort::model {

__extension__ using Int128 = __int128;

/// Numbers from first to last.  Beyond 64 bits it is only known that they are beyond.
struct WideInterval {
  Int128 first = 0;
  Int128 last = 0;

  [[nodiscard]] bool fits_64_bits() const;
};

class Bounds {
 public:
  /// The values that each variable can take when the program runs.  Sound, not exact.
  explicit Bounds(const lang::Program& program);

  [[nodiscard]] const lang::Interval& of(lang::VariableId variable) const {
    return variables_[base::index_of(variable)];
  }
  [[nodiscard]] WideInterval of(const lang::Expr& expr) const;
  /// Whether a sum, a product or a negation fits, each step of a chain and not only its end.
  [[nodiscard]] bool fits_64_bits(const lang::Expr& arithmetic) const;

 private:
  /// Facts about the values of references, from conditions such as `x[k] < 5`.  By the reference as
  /// it is written: a condition may have a million of them.
  struct ReferenceHash {
    std::size_t operator()(const lang::Expr* reference) const;
  };
  struct SameReference {
    bool operator()(const lang::Expr* a, const lang::Expr* b) const;
  };
  using Refinements =
      std::unordered_map<const lang::Expr*, WideInterval, ReferenceHash, SameReference>;

  [[nodiscard]] std::vector<lang::Interval> initial_values() const;
  void narrow();
  /// Whether a schema assigns to a variable whose bounds are not known from its type.
  [[nodiscard]] bool assigns_untyped(const lang::Schema& schema) const;
  [[nodiscard]] bool grow(const lang::Schema& schema);
  [[nodiscard]] bool grow(const lang::Action& action, const Refinements& known);
  [[nodiscard]] bool cover(lang::Interval& known, std::size_t variable, WideInterval values) const;
  [[nodiscard]] WideInterval of(const lang::Expr& expr, const Refinements& known) const;
  /// Of a sum or a product, and whether each step of it fits.
  struct Chain {
    WideInterval values;
    bool fits = true;
  };
  [[nodiscard]] Chain of_chain(const lang::Expr& expr, const Refinements& known) const;
  void refine(const lang::Expr& condition, Refinements& known) const;

  const lang::Program& program_;
  std::vector<lang::Interval> variables_;
  bool widening_ = false;
};

}  // namespace cohort::model
