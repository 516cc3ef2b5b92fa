#include "base/diagnostic.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "base/source.hpp"

namespace cohort::base {
namespace {

std::string shown(const std::string& text, std::uint32_t at, const std::string& hint = {}) {
  const Source source = Source::from_text("f.coh", text);
  Diagnostics found;
  found.error({at, at + 1}, "wrong", hint);
  return render(source, found);
}

}  // namespace

TEST_CASE("a finding shows its line, a caret and a hint", "[base][diagnostic]") {
  CHECK(shown("a\nbc d\n", 5, "write e") ==
        "f.coh:2:4: error: wrong\n    2 | bc d\n      |    ^\n  hint: write e\n");
}

TEST_CASE("tabs are repeated under tabs, and a code point is one blank", "[base][diagnostic]") {
  CHECK(shown("\t∀\tx", 5) == "f.coh:1:4: error: wrong\n    1 | \t∀\tx\n      | \t \t^\n");
}

TEST_CASE("the end of a text can be shown", "[base][diagnostic]") {
  CHECK(shown("", 0) == "f.coh:1:1: error: wrong\n    1 | \n      | ^\n");
  CHECK(shown("ab", 2) == "f.coh:1:3: error: wrong\n    1 | ab\n      |   ^\n");
  CHECK(shown("ab\r\n", 2) == "f.coh:1:3: error: wrong\n    1 | ab\n      |   ^\n");
}

TEST_CASE("a terminal receives no control characters and no broken UTF-8", "[base][diagnostic]") {
  CHECK(shown("\x1B[2J\xFFx", 5) ==
        "f.coh:1:6: error: wrong\n    1 | ?[2J\xEF\xBF\xBDx\n      |      ^\n");
}

TEST_CASE("a long line is shown in part", "[base][diagnostic]") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "∀";
  const std::string out = shown(text, 1500);
  CHECK(out.find("f.coh:1:501: error: wrong\n    1 | …∀") == 0);
  CHECK(out.find("∀…\n") != std::string::npos);
  CHECK(out.size() < 400);
  const std::size_t caret = out.find('^');
  const std::size_t line = out.rfind("| ", caret);
  const std::size_t first = out.find("| …");
  const std::size_t last = out.find('\n', first);
  // The caret stands under the place: as many columns before it as code points before the place.
  CHECK(caret - line == 2 + 1 + 34);
  CHECK(last - first > 100);
}

constexpr FindingCode odd{"odd", "something odd"};
constexpr FindingCode even{"even", "something even"};

TEST_CASE("findings come in text order", "[base][diagnostic]") {
  const Source source = Source::from_text("f", "ab");
  Diagnostics found;
  found.error({1, 2}, "second");
  found.warning({0, 1}, odd, "first");
  found.error({1, 2}, "third");
  const auto sorted = found.sorted();
  REQUIRE(sorted.size() == 3);
  CHECK(sorted[0].message == "first");
  CHECK(sorted[1].message == "second");
  CHECK(sorted[2].message == "third");
  CHECK(found.num_errors() == 2);
  CHECK(render(source, sorted[0]).find("f:1:1: warning: first [odd]\n") == 0);
}

TEST_CASE("more errors than anybody reads are counted only", "[base][diagnostic]") {
  const Source source = Source::from_text("f", "ab");
  Diagnostics found;
  for (std::size_t i = 0; i < Diagnostics::most_errors + 5; ++i) {
    found.error({0, 1}, "wrong: " + std::to_string(i));
  }
  CHECK(found.full());
  CHECK(found.sorted().size() == Diagnostics::most_errors);
  CHECK(found.num_left_out() == 5);
  CHECK(render(source, found).ends_with("f: 5 more errors are not shown\n"));
}

TEST_CASE("a user may leave warnings out, or have them as errors", "[base][diagnostic]") {
  const Source source = Source::from_text("f", "ab");
  Diagnostics found;
  found.warning({0, 1}, odd, "first");
  found.warning({1, 2}, even, "second");
  CHECK_FALSE(found.has_grave_warnings());
  found.weigh([](const std::string& code) { return code == "odd" ? Weight::Off : Weight::Error; });
  REQUIRE(found.sorted().size() == 1);
  CHECK(render(source, found.sorted()[0]).find("f:1:2: error: second [even]\n") == 0);
  CHECK(found.has_grave_warnings());
  CHECK_FALSE(found.has_errors());  // nothing is wrong with the text
}

TEST_CASE("what is said again about one place is there once", "[base][diagnostic]") {
  Diagnostics found;
  found.error({0, 1}, "wrong");
  found.error({1, 2}, "wrong");
  found.error({0, 1}, "wrong");
  found.warning({0, 1}, odd, "wrong");
  CHECK(found.sorted().size() == 3);
}

}  // namespace cohort::base
