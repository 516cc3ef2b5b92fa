// Text as code points, and back.
//
//   assert(encode(decode("a → b")) == "a → b");
#pragma once

#include <string>
#include <string_view>

namespace cohort::grammar_test {

/// The code points of UTF-8 text.  A byte that belongs to none becomes U+FFFD.
[[nodiscard]] std::u32string decode(std::string_view bytes);

[[nodiscard]] std::string encode(std::u32string_view text);

}  // namespace cohort::grammar_test
