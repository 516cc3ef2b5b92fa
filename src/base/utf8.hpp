// UTF-8, as far as showing places in a text needs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cohort::base {

/// The number of bytes of the well-formed UTF-8 sequence at `at`, or 0 if there is none
/// (overlong forms, surrogates and values above U+10FFFF are not well formed).
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);

/// How many code points a text has; exact for UTF-8, near enough for anything else.
[[nodiscard]] std::size_t count_code_points(std::string_view text);

}  // namespace cohort::base
