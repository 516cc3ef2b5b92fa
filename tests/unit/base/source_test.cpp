#include "base/source.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace cohort::base {

TEST_CASE("lines and columns count from 1, columns in code points", "[base][source]") {
  const Source source = Source::from_text("t", "ab\n∀x\n\nend");
  CHECK(source.position(0) == Position{1, 1});
  CHECK(source.position(2) == Position{1, 3});  // the line break itself
  CHECK(source.position(3) == Position{2, 1});
  CHECK(source.position(6) == Position{2, 2});  // behind the three bytes of ∀
  CHECK(source.position(8) == Position{3, 1});
  CHECK(source.position(9) == Position{4, 1});
  CHECK(source.position(12) == Position{4, 4});  // the end of the text
}

TEST_CASE("a line comes without its line break", "[base][source]") {
  const Source source = Source::from_text("t", "ab\r\n\nc\n");
  CHECK(source.line(1) == "ab");
  CHECK(source.line(2).empty());
  CHECK(source.line(3) == "c");
  CHECK(source.line(4).empty());
}

TEST_CASE("an empty text has one place", "[base][source]") {
  const Source source = Source::from_text("t", "");
  CHECK(source.position(0) == Position{1, 1});
  CHECK(source.line(1).empty());
}

TEST_CASE("places in long lines agree with counting", "[base][source]") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += i % 3 == 0 ? "∀" : "x";
  const Source source = Source::from_text("t", text);
  std::uint32_t column = 1;
  for (std::uint32_t byte = 0; byte < text.size(); ++byte) {
    const bool starts = (static_cast<unsigned char>(text[byte]) & 0xC0U) != 0x80U;
    if (!starts) continue;
    if (source.position(byte) != Position{1, column}) FAIL("wrong at byte " << byte);
    ++column;
  }
  CHECK(column == 5001);
}

TEST_CASE("views stay valid when a source is moved", "[base][source]") {
  Source source = Source::from_text("t", "abc");
  const std::string_view view = source.text({1, 2});
  const Source moved = std::move(source);
  CHECK(view == "b");
  CHECK(view.data() == moved.text().data() + 1);
}

TEST_CASE("a file that cannot be read has a reason", "[base][source]") {
  const auto missing = read_source("/no/such/file");
  REQUIRE(std::holds_alternative<Unreadable>(missing));
  CHECK(std::get<Unreadable>(missing).reason == "No such file or directory");
  const auto directory = read_source("/");
  REQUIRE(std::holds_alternative<Unreadable>(directory));
  CHECK(std::get<Unreadable>(directory).reason == "is a directory");
}

}  // namespace cohort::base
