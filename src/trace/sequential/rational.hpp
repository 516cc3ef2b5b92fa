// Rationals of any size out of values, and back to text.  For .cpp files only.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

#include "trace/value.hpp"

namespace cohort::trace::sequential {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

[[nodiscard]] cpp_rational rational_of(const Value& value);

/// Digits where that is exact, else a fraction: `0.25`, `1/3`.
[[nodiscard]] std::string text_of(const cpp_rational& number);

/// Digits, rounded to six places behind the point.
[[nodiscard]] std::string rounded(const cpp_rational& number);

}  // namespace cohort::trace::sequential
