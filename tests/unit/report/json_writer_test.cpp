#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "base/random.hpp"
#include "report/json_writer.hpp"

namespace cohort::report {
namespace {

using nlohmann::json;

[[nodiscard]] json written(const std::string& text) {
  std::ostringstream out;
  JsonWriter writer{out};
  writer.value(text);
  return json::parse(out.str());
}

}  // namespace

TEST_CASE("objects and arrays stand on lines, or on one", "[report]") {
  std::ostringstream out;
  JsonWriter writer{out};
  writer.begin_object();
  writer.member("a", 1);
  writer.key("b");
  writer.begin_array();
  writer.begin_object(JsonWriter::Layout::Line);
  writer.member("c", true);
  writer.key("d");
  writer.begin_array();
  writer.null();
  writer.value(-2);
  writer.end();
  writer.end();
  writer.end();
  writer.key("e");
  writer.begin_array();
  writer.end();
  writer.member("f", 0.5);
  writer.end();
  CHECK(out.str() ==
        "{\n  \"a\": 1,\n  \"b\": [\n    {\"c\": true, \"d\": [null, -2]}\n  ],\n  \"e\": [],\n"
        "  \"f\": 0.5\n}\n");
}

TEST_CASE("every text can be written and read again", "[report]") {
  for (const char* const text : {"", "plain", "\"\\/\b\f\n\r\t\x01\x1f\x7f", "∀ i ∈ client", "😀"}) {
    CAPTURE(text);
    CHECK(written(text) == text);
  }
  CHECK(written("a\xff"
                "b\xc3") == "a\uFFFDb\uFFFD");
  CHECK(written(std::string("a\0b", 3)) == std::string("a\0b", 3));
}

TEST_CASE("random bytes make right JSON", "[report][random]") {
  base::Random random{GENERATE(range(1U, 51U))};
  std::string text;
  for (int i = 0; i < 40; ++i) text += static_cast<char>(random.next() % 256);
  CAPTURE(text);
  CHECK(written(text).is_string());
}

TEST_CASE("numbers keep their value, and what is none is null", "[report]") {
  std::ostringstream out;
  JsonWriter writer{out};
  writer.begin_array(JsonWriter::Layout::Line);
  writer.value(std::numeric_limits<std::int64_t>::min());
  writer.value(std::numeric_limits<std::uint64_t>::max());
  writer.value(std::numeric_limits<double>::infinity());
  writer.value(1e-9);
  writer.end();
  CHECK(out.str() == "[-9223372036854775808, 18446744073709551615, null, 1e-09]\n");
}

}  // namespace cohort::report
