#include "grammar/utf8.hpp"

#include <cstddef>

namespace cohort::grammar_test {
namespace {

struct Lead {
  char32_t bits;
  std::size_t following;
};

Lead read_lead(unsigned char byte) {
  if (byte < 0x80U) return {.bits = byte, .following = 0};
  if ((byte & 0xE0U) == 0xC0U) return {.bits = byte & 0x1FU, .following = 1};
  if ((byte & 0xF0U) == 0xE0U) return {.bits = byte & 0x0FU, .following = 2};
  if ((byte & 0xF8U) == 0xF0U) return {.bits = byte & 0x07U, .following = 3};
  return {.bits = U'\uFFFD', .following = 0};
}

char byte_of(char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); }

}  // namespace

std::u32string decode(std::string_view bytes) {
  std::u32string text;
  std::size_t at = 0;
  while (at < bytes.size()) {
    const Lead lead = read_lead(static_cast<unsigned char>(bytes[at]));
    ++at;
    char32_t point = lead.bits;
    for (std::size_t i = 0; i < lead.following; ++i, ++at) {
      const unsigned char next = at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
      if ((next & 0xC0U) != 0x80U) {
        point = U'\uFFFD';
        break;
      }
      point = (point << 6U) | (next & 0x3FU);
    }
    text += point;
  }
  return text;
}

std::string encode(std::u32string_view text) {
  std::string bytes;
  for (const char32_t point : text) {
    if (point < 0x80U) {
      bytes += byte_of(point);
    } else if (point < 0x800U) {
      bytes += byte_of(0xC0U | (point >> 6U));
      bytes += byte_of(0x80U | (point & 0x3FU));
    } else if (point < 0x10000U) {
      bytes += byte_of(0xE0U | (point >> 12U));
      bytes += byte_of(0x80U | ((point >> 6U) & 0x3FU));
      bytes += byte_of(0x80U | (point & 0x3FU));
    } else {
      bytes += byte_of(0xF0U | (point >> 18U));
      bytes += byte_of(0x80U | ((point >> 12U) & 0x3FU));
      bytes += byte_of(0x80U | ((point >> 6U) & 0x3FU));
      bytes += byte_of(0x80U | (point & 0x3FU));
    }
  }
  return bytes;
}

}  // namespace cohort::grammar_test
