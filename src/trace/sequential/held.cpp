#include "trace/sequential/held.hpp"

#include <array>

namespace cohort::trace::sequential {

std::int64_t power_of_ten(unsigned exponent) {
  static constexpr std::array<std::int64_t, 19> powers = [] {
    std::array<std::int64_t, 19> made{};
    made[0] = 1;
    for (std::size_t i = 1; i < made.size(); ++i) made[i] = made[i - 1] * 10;
    return made;
  }();
  return powers[exponent];
}

void Held::set(const Value& value, unsigned scale) {
  switch (value.kind()) {
    case Value::Kind::Text:
      set_text(value.characters());
      return;
    case Value::Kind::Long:
      kind_ = Kind::Long;
      text_ = value.characters();
      return;
    case Value::Kind::Number:
      break;
  }
  std::int64_t product = 0;
  if (value.scale() <= scale &&
      !__builtin_mul_overflow(value.mantissa(), power_of_ten(scale - value.scale()), &product)) {
    set_fixed(product);
    return;
  }
  kind_ = Kind::Number;
  fixed_ = value.mantissa();
  places_ = static_cast<std::uint8_t>(value.scale());
}

Value Held::value(unsigned scale) const {
  switch (kind_) {
    case Kind::Fixed:
      return Value::decimal(fixed_, scale);
    case Kind::Number:
      return Value::decimal(fixed_, places_);
    case Kind::Long:
      return Value::long_number(text_);
    case Kind::Text:
    case Kind::Unknown:
      break;
  }
  return Value::text(text_);
}

}  // namespace cohort::trace::sequential
