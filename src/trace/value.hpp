// What a trace assigns: exact numbers and strings.
//
//   const std::optional<Value> price = parse_number("2.50");
//   assert(*price == Value::decimal(25, 1));          // 2.5, however it is written
//   assert(compare(*price, Value::integer(3)) < 0);
//
// A number that fits is a 64-bit mantissa and a power of ten; one that does not is its canonical
// digits.  No number is ever rounded.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cohort::trace {

/// A value.  Short ones own nothing; the text of a string or of a long number belongs to whoever
/// made the value (`Vocabulary` keeps those of a trace).
class Value {
 public:
  enum class Kind : std::uint8_t {
    Number,  ///< mantissa / 10^scale, in lowest terms: the scale is 0 or 10 does not divide
    Long,    ///< a number whose mantissa or scale does not fit, as canonical decimal digits
    Text,    ///< a string
  };

  Value() = default;
  [[nodiscard]] static Value integer(std::int64_t value) { return Value{value, 0}; }
  /// mantissa / 10^scale, brought to lowest terms.
  [[nodiscard]] static Value decimal(std::int64_t mantissa, unsigned scale);
  [[nodiscard]] static Value text(std::string_view text) { return Value{Kind::Text, text}; }
  /// `digits` is canonical: an optional minus, no leading zeros, no trailing ones behind a point.
  [[nodiscard]] static Value long_number(std::string_view digits) {
    return Value{Kind::Long, digits};
  }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_text() const { return kind_ == Kind::Text; }
  [[nodiscard]] bool is_number() const { return kind_ != Kind::Text; }
  /// Of a Number.
  [[nodiscard]] std::int64_t mantissa() const { return mantissa_; }
  [[nodiscard]] unsigned scale() const { return scale_; }
  /// Of a Long or a Text.
  [[nodiscard]] std::string_view characters() const { return {text_, size_}; }

  /// Forms are canonical, so equal values look equal.
  friend bool operator==(const Value& a, const Value& b) {
    return a.kind_ == b.kind_ && a.mantissa_ == b.mantissa_ && a.scale_ == b.scale_ &&
           a.characters() == b.characters();
  }

 private:
  Value(std::int64_t mantissa, std::uint8_t scale) : mantissa_(mantissa), scale_(scale) {}
  Value(Kind kind, std::string_view text)
      : text_(text.data()), size_(static_cast<std::uint32_t>(text.size())), kind_(kind) {}

  std::int64_t mantissa_ = 0;
  const char* text_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint8_t scale_ = 0;
  Kind kind_ = Kind::Number;
};

/// The number that a text writes: `-12`, `2.50`, `1e3`, `-0.5E-2`; nothing if it writes none.  A
/// long number's digits are kept in `long_digits`, which must then outlive the value.
[[nodiscard]] std::optional<Value> parse_number(std::string_view text, std::string& long_digits);

/// Numbers in their order.  Both must be numbers.
[[nodiscard]] std::strong_ordering compare(const Value& a, const Value& b);

/// A number's decimal digits, or a string in quotes, as the native form writes them.
[[nodiscard]] std::string to_string(const Value& value);

/// A string in quotes, with backslashes where the native form needs them.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace cohort::trace
