#include <catch2/catch.hpp>
#include <sstream>

#include "report/junit.hpp"
#include "unit/report/example.hpp"

namespace cohort::report {

TEST_CASE("a property is a test case, and what is wrong with it its content", "[report]") {
  const lang::Loaded loaded = load_example();
  Run run;
  run.input = "a\"<&>.coh";
  run.loaded = &loaded;
  run.results = {{&loaded.formulas[0], {}}, {&loaded.formulas[1], {}}, {&loaded.formulas[0], {}}};
  run.results[0].answer.verdict = base::Verdict::Holds;
  run.results[0].answer.statistics.seconds = 0.25;
  run.results[1].answer.reason = "interrupted";
  run.results[2].answer.verdict = base::Verdict::Fails;
  std::ostringstream out;
  write_junit(out, run);
  constexpr const char* expected = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="cohort" tests="3" failures="1" errors="0" skipped="1" time="0.250">
  <testsuite name="a&quot;&lt;&amp;&gt;.coh" tests="3" failures="1" errors="0" skipped="1" time="0.250">
    <testcase name="p" classname="a&quot;&lt;&amp;&gt;.coh" time="0.250"/>
    <testcase name="z" classname="a&quot;&lt;&amp;&gt;.coh" time="0.000">
      <skipped message="unknown: interrupted"/>
    </testcase>
    <testcase name="p" classname="a&quot;&lt;&amp;&gt;.coh" time="0.000">
      <failure message="fails: AG (lk[0] = idle | lk[1] = idle)">p: fails
</failure>
    </testcase>
  </testsuite>
</testsuites>
)xml";
  CHECK(out.str() == expected);
}

}  // namespace cohort::report
