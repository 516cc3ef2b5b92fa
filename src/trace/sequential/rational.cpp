#include "trace/sequential/rational.hpp"

#include <algorithm>

namespace cohort::trace::sequential {
namespace {

/// numerator / 10^places as digits, without zeros at the end.
[[nodiscard]] std::string digits_of(cpp_int numerator, unsigned places) {
  const bool negative = numerator < 0;
  if (negative) numerator = -numerator;
  std::string digits = numerator.str();
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) {
    digits.insert(digits.size() - places, ".");
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
  }
  return negative && digits != "0" ? "-" + digits : digits;
}

}  // namespace

cpp_rational rational_of(const Value& value) {
  std::string digits = to_string(value);
  const std::size_t point = digits.find('.');
  cpp_int denominator = 1;
  if (point != std::string::npos) {
    for (std::size_t i = point + 1; i < digits.size(); ++i) denominator *= 10;
    digits.erase(point, 1);
  }
  const bool negative = digits.starts_with('-');
  if (negative) digits.erase(0, 1);
  // A leading zero would make an octal number of it.
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  const cpp_rational number{cpp_int{digits}, denominator};
  return negative ? cpp_rational{-number} : number;
}

std::string text_of(const cpp_rational& number) {
  cpp_int rest{denominator(number)};
  unsigned twos = 0;
  unsigned fives = 0;
  for (; rest % 2 == 0; rest /= 2) ++twos;
  for (; rest % 5 == 0; rest /= 5) ++fives;
  if (rest != 1) return number.str();
  const unsigned places = std::max(twos, fives);
  const cpp_int power = boost::multiprecision::pow(cpp_int{10}, places);
  return digits_of(cpp_int{numerator(number)} * power / cpp_int{denominator(number)}, places);
}

std::string rounded(const cpp_rational& number) {
  constexpr unsigned places = 6;
  const cpp_int power = boost::multiprecision::pow(cpp_int{10}, places);
  const cpp_int top = cpp_int{numerator(number)} * power * 2;
  const cpp_int bottom{denominator(number)};
  // To the nearest, halves away from zero.
  const cpp_int twice = top + (top < 0 ? cpp_int{-bottom} : bottom);
  return digits_of(twice / (bottom * 2), places);
}

}  // namespace cohort::trace::sequential
