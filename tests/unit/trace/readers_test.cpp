// The readers: all formats give the same order, and every error names its lines.
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "oracle/plain_trace.hpp"
#include "trace/format/read.hpp"
#include "trace/order.hpp"
#include "unit/ltl/random_formula.hpp"

namespace cohort::trace {
namespace {

Reading native(const std::string& text) {
  return read_trace_text(text, {.format = Format::Native});
}

std::size_t num_cuts(const Order& order) {
  std::set<Cut> level = {Cut(order.num_processes(), 0)};
  std::size_t count = 0;
  while (!level.empty()) {
    count += level.size();
    std::set<Cut> next;
    for (const Cut& cut : level) {
      for (std::uint32_t p = 0; p < cut.size(); ++p) {
        if (!order.clocks().enabled(cut, ProcessId{p})) continue;
        Cut after = cut;
        ++after[p];
        next.insert(std::move(after));
      }
    }
    level = std::move(next);
  }
  return count;
}

/// Every event has the clock and the assignments that the oracle says.
void compare(const oracle::PlainTrace& plain, const Reading& reading) {
  INFO(render(reading.file, reading.findings));
  REQUIRE(reading.ok());
  REQUIRE(reading.trace.executions.size() == 1);
  const Order& order = reading.trace.executions.front();
  REQUIRE(order.num_events() == plain.events.size());
  const auto clocks = oracle::vector_clocks(plain);
  for (std::size_t i = 0; i < plain.events.size(); ++i) {
    const std::string name = oracle::event_name(plain, i);
    CAPTURE(name);
    bool found = false;
    for (std::uint32_t p = 0; p < order.num_processes(); ++p) {
      for (std::uint32_t k = 1; k <= order.num_events(ProcessId{p}); ++k) {
        const Event e{ProcessId{p}, k};
        if (order.name(e) != name) continue;
        found = true;
        for (std::uint32_t q = 0; q < order.num_processes(); ++q) {
          const std::size_t own = std::stoul(order.name(ProcessId{q}).substr(1)) - 1;
          REQUIRE(order.clocks().below(e, ProcessId{q}) == clocks[i][own]);
        }
        const auto assignments = reading.trace.words.assignments(order.effect(e));
        REQUIRE(assignments.size() == plain.events[i].sets.size());
        for (std::size_t a = 0; a < assignments.size(); ++a) {
          CHECK(reading.trace.words.name(assignments[a].variable) == plain.events[i].sets[a].first);
          CHECK(reading.trace.words.value(assignments[a].value) ==
                Value::integer(plain.events[i].sets[a].second));
        }
      }
    }
    REQUIRE(found);
  }
}

struct BadTrace {
  std::string text;
  std::uint32_t line;
  std::string message;
};

}  // namespace

TEST_CASE("all formats give one order", "[trace][random]") {
  const std::size_t cases = ltl_test::scaled(300);
  for (std::size_t seed = 1; seed <= cases; ++seed) {
    base::Random random{seed};
    const oracle::PlainTrace plain =
        oracle::random_trace(random, {.most_processes = 4, .most_events = 12});
    CAPTURE(seed);
    compare(plain, native(oracle::native_text(plain, random)));
    compare(plain,
            read_trace_text(oracle::json_text(plain, random), {.format = Format::JsonLines}));
    if (plain.events.empty()) continue;
    compare(plain,
            read_trace_text(oracle::govector_text(plain, random), {.format = Format::ShiViz}));
  }
}

TEST_CASE("immediate predecessors are the transitive reduction", "[trace][random]") {
  for (std::size_t seed = 1; seed <= ltl_test::scaled(200); ++seed) {
    base::Random random{seed};
    const oracle::PlainTrace plain =
        oracle::random_trace(random, {.most_processes = 4, .most_events = 14, .edge_percent = 35});
    CAPTURE(seed);
    const Reading reading = native(oracle::native_text(plain, random));
    REQUIRE(reading.ok());
    const Order& order = reading.trace.executions.front();
    // By definition: a before b, nothing between.
    const std::vector<Event> events = order.some_order();
    REQUIRE(is_linear_extension(order, events));
    for (const Event b : events) {
      std::vector<Event> expected;
      for (const Event a : events) {
        if (a == b || a.process == b.process || !order.clocks().precedes(a, b)) continue;
        const bool between = std::ranges::any_of(events, [&](const Event c) {
          return c != a && c != b && order.clocks().precedes(a, c) && order.clocks().precedes(c, b);
        });
        if (!between) expected.push_back(a);
      }
      const auto found = order.predecessors(b);
      std::vector<Event> sorted{found.begin(), found.end()};
      std::ranges::sort(sorted);
      std::ranges::sort(expected);
      CHECK(sorted == expected);
    }
  }
}

TEST_CASE("the native form reads what traces.md shows", "[trace]") {
  const Reading reading = native(
      "process P1 P2 P3                  # optional; fixes order\n"
      "init x = 1, mode = \"off\"          # optional\n"
      "P1  x := 3\n"
      "P2  w := 4            after P1#1              # event 1 of P1 comes first\n"
      "P1  y := 1, z := 2.5\n"
      "P3  skip              after P2#1, P1#2        # no assignment\n"
      "P2  {P1:2, P2:2} v := 1                       # a vector clock instead of after\n");
  INFO(render(reading.file, reading.findings));
  REQUIRE(reading.ok());
  const Order& order = reading.trace.executions.front();
  CHECK(order.num_events() == 5);
  CHECK(num_cuts(order) == 8);
  const Vocabulary& words = reading.trace.words;
  CHECK(words.initial(*words.find_variable("mode")) == Value::text("off"));
  CHECK(words.initial(*words.find_variable("w")) == Value::integer(0));
}

TEST_CASE("every error of a native trace names its lines", "[trace]") {
  const std::vector<BadTrace> bad = {
      {"P1 x := 1 after P9#1\n", 1, "unknown process 'P9' in 'after'"},
      {"P1 x := 1\nP2 y := 1 after P1#2\n", 2, "there is no event P1#2 to come after"},
      {"P1 x := 1\nP2 y := 1 after P1#0\n", 2, "there is no event P1#0 to come after"},
      {"P1 x := 1 after P2#1\nP2 x := 2 after P1#1\n", 2,
       "a cycle: P1#1 (line 1) and P2#1 (line 2) come after each other"},
      {"P1 x := 1 after P1#1\n", 1, "P1#1 (line 1) comes after itself"},
      {"P1 x := 1 after P1#2\nP1 x := 2\n", 1,
       "a cycle: P1#1 (line 1) comes after P1#2 (line 2), which comes after it"},
      {"P1 {P1:1} x := 1\nP1 {P1:1} x := 2\n", 2,
       "two events of 'P1' have the number 1: lines 1 and 2"},
      {"P2 y := 1\nP2 y := 2\nP1 {P1:1, P2:2} x := 1\nP1 {P1:2, P2:1} x := 2\n", 4,
       "the clock of 'P1' goes backwards: 'P2' is 2 in P1#1 (line 3) and 1 in P1#2 (line 4)"},
      {"P1 {P1:2} x := 1\nP2 y := 1\nP1 {P1:1} x := 2\n", 3,
       "the clock of 'P1' goes backwards: its own component is 2 on line 1 and 1 on line 3"},
      {"P1 {P2:1} x := 1\n", 1, "the clock has no component for its own process, 'P1'"},
      {"P1 {P1:0} x := 1\n", 1, "the clock says 0 for its own process, 'P1'"},
      {"P1 {P1:1, P1:1} x := 1\n", 1, "the clock has two components for 'P1'"},
      {"process P1\nP2 x := 1\n", 2, "process 'P2' is not declared in the 'process' line"},
      {"process P1 P1\n", 1, "process 'P1' is named twice"},
      {"P1 x := 1\nprocess P1\n", 2, "the 'process' line stands behind others"},
      {"P1 x := 1\ninit x = 1\n", 2, "'init' stands behind the first event"},
      {"init x = 1, x = 2\n", 1, "'x' has an initial value already"},
      {"P1 x := 1, x := 2\n", 1, "the event assigns 'x' twice"},
      {"P1 x := \n", 1, "expected a value, found the end of the line"},
      {"P1 x := on\n", 1, "expected a value, found 'on'"},
      {"P1 x = 1\n", 1, "expected ':=', found '='"},
      {"P1 x := \"on\n", 1, "a string that is not closed on its line"},
      {"P1#1 x := 1\n", 1, "expected a process, found 'P1#1'"},
      {"P1 {P1:1} x := 1 after P1#1\n", 1, "expected the end of the line, found 'after'"},
      {"P1 x := 1 after P1 #1\n", 1, "expected the name of an event, found 'P1'"},
      {"P1 x := 1 ?\n", 1, "unexpected character '?'"},
  };
  for (const BadTrace& trace : bad) {
    CAPTURE(trace.text);
    const Reading reading = native(trace.text);
    const std::vector<Finding> found = reading.findings.sorted();
    REQUIRE_FALSE(reading.ok());
    const auto error = std::ranges::find_if(
        found, [](const Finding& finding) { return finding.severity == Finding::Severity::Error; });
    CHECK(error->message == trace.message);
    CHECK(error->where.line == trace.line);
  }
}

TEST_CASE("all errors are listed, in the order of the lines", "[trace]") {
  const Reading reading = native("P1 x := \nP1 y := 1 after P7#1\nP2 z\nP1 {P1:1} y := 2\n");
  std::vector<std::uint32_t> lines;
  for (const Finding& finding : reading.findings.sorted()) lines.push_back(finding.where.line);
  CHECK(lines == std::vector<std::uint32_t>{1, 2, 3, 4});
}

TEST_CASE("JSON lines have their own errors", "[trace]") {
  const std::vector<BadTrace> bad = {
      {"{\"process\": \"P1\", \"set\": {\"x\": 1}\n", 1,
       "expected ',' or '}': the line is cut off"},
      {"{\"process\": \"P1\", \"afer\": []}\n", 1, "unknown member \"afer\""},
      {"{\"set\": {\"x\": 1}}\n", 1, "expected a \"process\""},
      {"{\"process\": \"P1\", \"set\": {\"x\": true}}\n", 1, "expected a number or a string"},
      {"{\"process\": \"P1\", \"after\": [\"P2\"]}\n", 1, "expected the name of an event"},
      {"{\"process\": \"P1\", \"after\": [\"P2#1\"]}\n", 1, "unknown process 'P2' in 'after'"},
      {"{\"process\": \"P1\"} x\n", 1, "unexpected text behind the object"},
      {"{\"process\": \"P1\", \"set\": {\"x\": 1, \"x\": 2}}\n", 1, "the event assigns 'x' twice"},
  };
  // By their numbers, not by their lines; and a component that is repeated.
  const Reading backwards = read_trace_text(
      "{\"process\": \"P2\"}\n{\"process\": \"P2\"}\n"
      "{\"process\": \"P1\", \"clock\": {\"P1\": 1, \"P2\": 1}}\n"
      "{\"process\": \"P1\", \"clock\": {\"P1\": 3, \"P2\": 1}}\n"
      "{\"process\": \"P1\", \"clock\": {\"P1\": 2, \"P2\": 2}}\n",
      {.format = Format::JsonLines});
  CHECK(backwards.findings.sorted().front().message ==
        "the clock of 'P1' goes backwards: 'P2' is 2 in P1#2 (line 5) and 1 in P1#3 (line 4)");
  for (const BadTrace& trace : bad) {
    CAPTURE(trace.text);
    const Reading reading = read_trace_text(trace.text, {.format = Format::JsonLines});
    REQUIRE_FALSE(reading.ok());
    CHECK(reading.findings.sorted().front().message == trace.message);
    CHECK(reading.findings.sorted().front().where.line == trace.line);
  }
}

TEST_CASE("a log of GoVector may skip numbers, and stand in any order", "[trace]") {
  const std::string text =
      "node b {\"node b\":3, \"a\":2}\n"
      "receive\n"
      "a {\"a\":1}\r\n"
      "start\r\n"
      "\n"
      "a {\"a\":4}\n"
      "{\"x\": 1, \"mode\": \"on\"}\n"
      "a {\"a\":2}\n"
      "send\n";
  ReadOptions options;
  options.format = Format::ShiViz;
  options.regex = GENERATE("", "^(?<host>.*) (?<clock>{.*})\\n(?<event>.*)$");
  const Reading reading = read_trace_text(text, options);
  INFO(render(reading.file, reading.findings));
  REQUIRE(reading.ok());
  const Order& order = reading.trace.executions.front();
  CHECK(order.num_events() == 4);
  CHECK(order.num_processes() == 2);
  CHECK(num_cuts(order) == 6);                   // b after two of a's three events: 4 + 2
  CHECK(reading.findings.sorted().size() == 2);  // both hosts skip numbers
  CHECK(order.line({ProcessId{0}, 1}) == 1);
  const Vocabulary& words = reading.trace.words;
  CHECK(words.find_variable("event"));
  CHECK(words.find_variable("mode"));
  options.strict = true;
  CHECK_FALSE(read_trace_text(text, options).ok());
}

TEST_CASE("a time stamp before the host is none of it", "[trace]") {
  const Reading reading = read_trace_text(
      "1697040000 my node {\"my node\":1}\nstart\n1697040001 b {\"b\":1, \"my node\":1}\nstop\n",
      {.format = Format::ShiViz, .strict = true});
  INFO(render(reading.file, reading.findings));
  REQUIRE(reading.ok());
  const Order& order = reading.trace.executions.front();
  CHECK(order.name(ProcessId{0}) == "my node");
  CHECK(order.name(ProcessId{1}) == "b");
  CHECK(num_cuts(order) == 3);
}

TEST_CASE("groups become variables, lines without a match are counted", "[trace]") {
  ReadOptions options;
  options.format = Format::ShiViz;
  options.regex = R"(\[(?<level>\w+)\] (?<host>\w+) (?<clock>{.*}) (?<event>.*))";
  const std::string text =
      "[INFO] n0 {\"n0\" : 1} go\n"
      "noise\n"
      "[WARN] n1 {\"n0\" : 1, \"n1\" : 1} 12\n"
      "more noise\n";
  const Reading reading = read_trace_text(text, options);
  REQUIRE(reading.ok());
  REQUIRE(reading.findings.sorted().size() == 1);
  CHECK(reading.findings.sorted().front().where.line == 2);
  CHECK(reading.findings.sorted().front().message.starts_with("2 lines do not match"));
  const Vocabulary& words = reading.trace.words;
  CHECK(words.find_variable("level"));
  CHECK_FALSE(words.find_variable("host"));
  const Order& order = reading.trace.executions.front();
  CHECK(order.num_events() == 2);
  CHECK(num_cuts(order) == 3);
}

TEST_CASE("a log may hold several executions", "[trace]") {
  ReadOptions options;
  options.format = Format::ShiViz;
  options.delimiter = "^=== .* ===$";
  const Reading reading = read_trace_text(
      "=== one ===\na {\"a\":1}\nx\nb {\"b\":1}\ny\n=== two ===\na {\"a\":1}\nz\n", options);
  INFO(render(reading.file, reading.findings));
  REQUIRE(reading.ok());
  REQUIRE(reading.trace.executions.size() == 2);
  CHECK(reading.trace.executions[0].num_events() == 2);
  CHECK(reading.trace.executions[1].num_events() == 1);
}

TEST_CASE("a log that ends within an event is truncated", "[trace]") {
  for (const std::string end : {"a {\"a\":2}\n", "a {\"a\":2}", "a {\"a\":"}) {
    CAPTURE(end);
    const Reading reading = read_trace_text("a {\"a\":1}\nx\n" + end, {.format = Format::ShiViz});
    REQUIRE_FALSE(reading.ok());
    CHECK(reading.findings.sorted().front().where.line == 3);
    CHECK(reading.findings.sorted().front().message.starts_with("the file is truncated"));
  }
  CHECK(read_trace_text("a {\"a\":1}\nx\na {\"a\":2}\n\n", {.format = Format::ShiViz}).ok());
}

TEST_CASE("a long log is read through a small window", "[trace]") {
  std::string text;
  for (int i = 1; i <= 40'000; ++i) {
    text += "a {\"a\":" + std::to_string(i) + "}\nevent " + std::to_string(i % 7) + "\n";
  }
  const Reading reading = read_trace_text(text, {.format = Format::ShiViz});
  INFO(render(reading.file, reading.findings));
  REQUIRE(reading.findings.sorted().empty());
  const Order& order = reading.trace.executions.front();
  REQUIRE(order.num_events() == 40'000);
  CHECK(order.line({ProcessId{0}, 40'000}) == 79'999);
}

TEST_CASE("packed traces are read as they are, truncated ones refused", "[trace]") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "P" + std::to_string(i % 3) + " x := 1\n";
  std::string gzip(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(gzip.data());
  stream.avail_out = static_cast<uInt>(gzip.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  gzip.resize(stream.total_out);
  deflateEnd(&stream);
  std::string zstd(ZSTD_compressBound(text.size()), '\0');
  zstd.resize(ZSTD_compress(zstd.data(), zstd.size(), text.data(), text.size(), 3));
  for (const std::string& packed : {gzip, zstd, gzip + gzip, zstd + zstd}) {
    const Reading reading = native(packed);
    INFO(render(reading.file, reading.findings));
    REQUIRE(reading.ok());
    CHECK(reading.trace.executions.front().num_events() % 20'000 == 0);
    const Reading cut = native(packed.substr(0, packed.size() - 9));
    REQUIRE_FALSE(cut.ok());
    CHECK(render(cut.file, cut.findings).find("truncated") != std::string::npos);
    CHECK(cut.findings.sorted().back().where.line > 0);
  }
}

}  // namespace cohort::trace
