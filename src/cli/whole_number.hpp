// For CLI11's check(): a whole number without a sign that fits in 64 bits.  CLI11 itself takes -1
// for the largest one.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

namespace cohort::cli {

/// What is wrong with `text`; empty: nothing.
[[nodiscard]] inline std::string check_whole_number(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc{} && stop == end) return {};
  return "'" + text + "' is no whole number";
}

}  // namespace cohort::cli
