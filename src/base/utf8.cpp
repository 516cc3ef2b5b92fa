#include "base/utf8.hpp"

namespace cohort::base {
namespace {

[[nodiscard]] bool in_range(std::string_view text, std::size_t at, unsigned low, unsigned high) {
  if (at >= text.size()) return false;
  const auto byte = static_cast<unsigned char>(text[at]);
  return low <= byte && byte <= high;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  // Table 3-7 of the Unicode standard: the second byte's range depends on the first byte.
  const auto tail = [&](std::size_t offset) { return in_range(text, at + offset, 0x80, 0xBF); };
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  if (first < 0xE0) return tail(1) ? 2 : 0;
  if (first < 0xF0) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return in_range(text, at + 1, low, high) && tail(2) ? 3 : 0;
  }
  const unsigned low = first == 0xF0 ? 0x90 : 0x80;
  const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
  return in_range(text, at + 1, low, high) && tail(2) && tail(3) ? 4 : 0;
}

std::size_t count_code_points(std::string_view text) {
  // Every byte but the continuation bytes starts a code point; written so that it vectorises, for
  // lines of many megabytes.
  std::size_t count = 0;
  for (const char byte : text) {
    count += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1U : 0U;
  }
  return count;
}

}  // namespace cohort::base
