// A value that a variable of a sequential trace has: owned, and fast where it is a plain number.
//
//   Held x;
//   x.set_fixed(1250);                        // 12.5, in a plan whose scale is 2
//   x.value(2)                                // as a trace::Value
//
// Nearly every number of a trace is an integer, or a decimal with few places.  Those are kept as a
// 64-bit multiple of 10^-scale, one scale for a whole run, so that atoms compare machine words.
// Everything else (texts, long numbers, more places than the scale has) is kept exactly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/value.hpp"

namespace cohort::trace::sequential {

class Held {
 public:
  enum class Kind : std::uint8_t {
    Fixed,   ///< fixed() / 10^scale
    Number,  ///< mantissa / 10^places, which the scale cannot hold
    Long,    ///< canonical digits
    Text,
    Unknown,  ///< what it was before the piece that is being read
  };

  Held() = default;
  Held(const Held& other) { *this = other; }
  Held(Held&&) noexcept = default;
  Held& operator=(Held&&) noexcept = default;
  Held& operator=(const Held& other) {
    fixed_ = other.fixed_;
    kind_ = other.kind_;
    // A string that is not looked at need not be copied: this is done at every line.
    if (kind_ > Kind::Fixed && this != &other) {
      places_ = other.places_;
      text_ = other.text_;
    }
    return *this;
  }
  ~Held() = default;

  [[nodiscard]] static Held unknown() {
    Held held;
    held.kind_ = Kind::Unknown;
    return held;
  }
  /// Fixed if the scale can hold it.
  [[nodiscard]] static Held of(const Value& value, unsigned scale) {
    Held held;
    held.set(value, scale);
    return held;
  }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_fixed() const { return kind_ == Kind::Fixed; }
  [[nodiscard]] bool is_text() const { return kind_ == Kind::Text; }
  [[nodiscard]] bool is_known() const { return kind_ != Kind::Unknown; }
  [[nodiscard]] std::int64_t fixed() const { return fixed_; }

  void set_fixed(std::int64_t fixed) {
    fixed_ = fixed;
    kind_ = Kind::Fixed;
  }
  void set_text(std::string_view text) {
    kind_ = Kind::Text;
    text_ = text;
  }
  void set(const Value& value, unsigned scale);

  /// Valid until the object changes.  Not of an unknown one.
  [[nodiscard]] Value value(unsigned scale) const;

 private:
  std::int64_t fixed_ = 0;  // or the mantissa
  Kind kind_ = Kind::Fixed;
  std::uint8_t places_ = 0;
  std::string text_;
};

/// 10^0 to 10^18.
[[nodiscard]] std::int64_t power_of_ten(unsigned exponent);

/// The largest scale: 10^-9, nanoseconds.
constexpr unsigned largest_scale = 9;

}  // namespace cohort::trace::sequential
