// Terms that are sums of multiples of slots.  For .cpp files only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "trace/sequential/rational.hpp"
#include "trace/term.hpp"

namespace cohort::trace::sequential {

/// A sum of slots with factors, and a constant.
struct LinearForm {
  std::map<std::uint32_t, cpp_rational> factors;
  cpp_rational constant = 0;

  void scale(const cpp_rational& by);
  void add(const LinearForm& other);
};

/// Nothing if the term is not linear, or has no value for some numbers.
[[nodiscard]] std::optional<LinearForm> linear_form(const Term& term);

/// The two sides of a comparison as one sum, to be compared with 0; nothing if one is not linear.
[[nodiscard]] std::optional<LinearForm> difference_of(const Comparison& comparison);

/// The relation after both sides were multiplied by -1.
[[nodiscard]] Relation mirrored(Relation relation);

}  // namespace cohort::trace::sequential
