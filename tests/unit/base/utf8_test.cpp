#include "base/utf8.hpp"

#include <catch2/catch.hpp>

namespace cohort::base {

TEST_CASE("well-formed sequences have their length", "[base][utf8]") {
  CHECK(utf8_length("a", 0) == 1);
  CHECK(utf8_length("\xC3\xA9", 0) == 2);
  CHECK(utf8_length("∀", 0) == 3);
  CHECK(utf8_length("\xF0\x9D\x94\xB8", 0) == 4);
  CHECK(utf8_length("a∀", 1) == 3);
}

TEST_CASE("malformed sequences have none", "[base][utf8]") {
  CHECK(utf8_length("\x80", 0) == 0);              // a continuation byte alone
  CHECK(utf8_length("\xC0\xAF", 0) == 0);          // overlong
  CHECK(utf8_length("\xE0\x80\x80", 0) == 0);      // overlong
  CHECK(utf8_length("\xED\xA0\x80", 0) == 0);      // a surrogate
  CHECK(utf8_length("\xF4\x90\x80\x80", 0) == 0);  // above U+10FFFF
  CHECK(utf8_length("\xF5\x80\x80\x80", 0) == 0);
  CHECK(utf8_length("\xE2\x88", 0) == 0);  // cut off
  CHECK(utf8_length("\xFF", 0) == 0);
}

TEST_CASE("code points are counted, not bytes", "[base][utf8]") {
  CHECK(count_code_points("") == 0);
  CHECK(count_code_points("abc") == 3);
  CHECK(count_code_points("∀ i ∈ m") == 7);
}

}  // namespace cohort::base
