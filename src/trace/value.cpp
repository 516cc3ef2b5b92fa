#include "trace/value.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace cohort::trace {
namespace {

[[nodiscard]] bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A number as it is written, without its leading and trailing zeros: 0.digits * 10^exponent.
struct Digits {
  bool negative = false;
  std::string digits;         // no zero at either end; empty: the number is 0
  std::int64_t exponent = 0;  // 0.digits * 10^exponent
};

[[nodiscard]] Digits digits_of(std::string_view text) {
  Digits result;
  std::size_t at = 0;
  if (at < text.size() && text[at] == '-') {
    result.negative = true;
    ++at;
  }
  bool behind_point = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.') {
      behind_point = true;
    } else if (is_digit(text[at])) {
      if (result.digits.empty() && text[at] == '0') {
        if (behind_point) --result.exponent;
        continue;
      }
      result.digits += text[at];
      if (!behind_point) ++result.exponent;
    } else {
      break;
    }
  }
  while (!result.digits.empty() && result.digits.back() == '0') result.digits.pop_back();
  return result;
}

/// Writes a number plainly.
[[nodiscard]] std::string plain(const Digits& number) {
  if (number.digits.empty()) return "0";
  std::string text = number.negative ? "-" : "";
  const auto size = static_cast<std::int64_t>(number.digits.size());
  if (number.exponent <= 0) {
    text += "0.";
    text.append(static_cast<std::size_t>(-number.exponent), '0');
    return text + number.digits;
  }
  if (number.exponent >= size) {
    text += number.digits;
    text.append(static_cast<std::size_t>(number.exponent - size), '0');
    return text;
  }
  const auto point = static_cast<std::size_t>(number.exponent);
  return text + number.digits.substr(0, point) + "." + number.digits.substr(point);
}

/// Exponents beyond this would make a line of memory out of a few characters.
constexpr std::int64_t largest_exponent = 4096;

[[nodiscard]] std::optional<Value> parse_slowly(std::string_view text, std::string& long_digits) {
  // The shape first: [-] digits [. digits] [e [+-] digits].
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t first = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at == first) return std::nullopt;
  if (at < text.size() && text[at] == '.') {
    const std::size_t point = at++;
    while (at < text.size() && is_digit(text[at])) ++at;
    if (at == point + 1) return std::nullopt;
  }
  Digits number = digits_of(text.substr(0, at));
  if (at < text.size()) {
    if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
    ++at;
    const bool down = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (at == text.size()) return std::nullopt;
    std::int64_t exponent = 0;
    for (; at < text.size(); ++at) {
      if (!is_digit(text[at])) return std::nullopt;
      exponent = std::min<std::int64_t>(exponent * 10 + (text[at] - '0'), largest_exponent + 1);
    }
    if (exponent > largest_exponent) return std::nullopt;
    number.exponent += down ? -exponent : exponent;
  }
  if (number.digits.empty()) return Value::integer(0);
  const auto size = static_cast<std::int64_t>(number.digits.size());
  const std::int64_t scale = std::max<std::int64_t>(0, size - number.exponent);
  const std::int64_t length = size + std::max<std::int64_t>(0, number.exponent - size);
  if (scale <= 18 && length <= 18) {
    std::int64_t mantissa = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      mantissa = mantissa * 10 + (i < size ? number.digits[static_cast<std::size_t>(i)] - '0' : 0);
    }
    return Value::decimal(number.negative ? -mantissa : mantissa, static_cast<unsigned>(scale));
  }
  long_digits = plain(number);
  return Value::long_number(long_digits);
}

/// Of two canonical numbers.
[[nodiscard]] std::strong_ordering compare_digits(const Digits& a, const Digits& b) {
  const auto sign = [](const Digits& number) {
    if (number.digits.empty()) return 0;
    return number.negative ? -1 : 1;
  };
  if (sign(a) != sign(b)) return sign(a) <=> sign(b);
  if (sign(a) == 0) return std::strong_ordering::equal;
  const Digits& small = sign(a) > 0 ? a : b;
  const Digits& large = sign(a) > 0 ? b : a;
  if (small.exponent != large.exponent) return small.exponent <=> large.exponent;
  return small.digits.compare(large.digits) <=> 0;
}

}  // namespace

Value Value::decimal(std::int64_t mantissa, unsigned scale) {
  while (scale > 0 && mantissa % 10 == 0) {
    mantissa /= 10;
    --scale;
  }
  return Value{mantissa, static_cast<std::uint8_t>(scale)};
}

std::optional<Value> parse_number(std::string_view text, std::string& long_digits) {
  // Nearly all numbers are short integers.
  const bool negative = !text.empty() && text[0] == '-';
  const std::size_t first = negative ? 1 : 0;
  if (text.size() - first <= 18 && text.size() > first) {
    std::int64_t value = 0;
    std::size_t at = first;
    for (; at < text.size() && is_digit(text[at]); ++at) value = value * 10 + (text[at] - '0');
    if (at == text.size()) return Value::integer(negative ? -value : value);
  }
  return parse_slowly(text, long_digits);
}

std::strong_ordering compare(const Value& a, const Value& b) {
  assert(a.is_number() && b.is_number());
  if (a.kind() == Value::Kind::Number && b.kind() == Value::Kind::Number &&
      a.scale() == b.scale()) {
    return a.mantissa() <=> b.mantissa();
  }
  return compare_digits(digits_of(to_string(a)), digits_of(to_string(b)));
}

std::string to_string(const Value& value) {
  if (value.kind() == Value::Kind::Text) return quoted(value.characters());
  if (value.kind() == Value::Kind::Long) return std::string{value.characters()};
  if (value.scale() == 0) return std::to_string(value.mantissa());
  const bool negative = value.mantissa() < 0;
  // The magnitude of the least 64-bit number does not fit into its type.
  const std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(value.mantissa())
                                           : static_cast<std::uint64_t>(value.mantissa());
  std::string digits = std::to_string(magnitude);
  if (digits.size() <= value.scale()) digits.insert(0, value.scale() + 1 - digits.size(), '0');
  digits.insert(digits.size() - value.scale(), ".");
  return negative ? "-" + digits : digits;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

}  // namespace cohort::trace
