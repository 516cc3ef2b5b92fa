#include "report/test_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/utf8.hpp"
#include "model/fault.hpp"
#include "report/json.hpp"

namespace cohort::report {
namespace {

constexpr const char* passed = "ok";
constexpr const char* failed = "FAILED";
constexpr const char* unknown = "unknown";
constexpr const char* error = "ERROR";

void write_line(std::ostream& out, std::string_view status, const std::string& rest) {
  out << fmt::format("  {:<7}  {}\n", status, rest);
}

void write_result(std::ostream& out, const Run& run, const Result& result, std::size_t width) {
  const cctl::Answer& answer = result.answer;
  const std::string& name = result.formula->name;
  const std::string padding(width - base::count_code_points(name), ' ');
  const std::string start = fmt::format("{}{}  {:<7}  {:.3f} s", name, padding,
                                        word_for(answer.verdict), answer.statistics.seconds);
  if (answer.verdict == base::Verdict::Unknown) {
    write_line(out, unknown, fmt::format("{}  {}", start, answer.reason));
  } else if (answer.verdict == base::Verdict::Error) {
    const std::string what =
        answer.error ? model::describe(answer.error->fault, run.loaded->program) : std::string{};
    write_line(out, error, fmt::format("{}  {}", start, what));
  } else if (result.as_expected()) {
    write_line(out, passed, start);
  } else {
    write_line(
        out, failed,
        fmt::format("{}  was expected to {}", start, result.formula->expected ? "hold" : "fail"));
  }
}

}  // namespace

void TestTotals::add(const Run& run) {
  if (!run.loaded->ok() || run.error) {
    ++errors;
    return;
  }
  if (run.has_grave_findings()) ++errors;
  if (run.results.empty()) ++(run.unknown.empty() ? passed : unknown);
  for (const Result& result : run.results) {
    switch (result.answer.verdict) {
      case base::Verdict::Error:
        ++errors;
        break;
      case base::Verdict::Unknown:
        ++unknown;
        break;
      case base::Verdict::Holds:
      case base::Verdict::Fails:
        ++(result.as_expected() ? passed : failed);
        break;
    }
  }
}

std::string title_of(const Run& run) {
  std::string title = run.input;
  for (const lang::Override& definition : run.definitions) {
    title += fmt::format(" -D {}={}", definition.name, definition.value);
  }
  return title;
}

void write_lines(std::ostream& out, const Run& run) {
  out << title_of(run) << '\n';
  if (!run.loaded->ok()) {
    write_line(out, error, "the input has errors");
    return;
  }
  if (run.error) {
    write_line(out, error, model::describe(run.error->fault, run.loaded->program));
    return;
  }
  if (run.results.empty()) {
    write_line(
        out, run.unknown.empty() ? passed : unknown,
        "no properties: explored" + (run.unknown.empty() ? std::string{} : "; " + run.unknown));
  }
  std::size_t width = 0;
  for (const Result& result : run.results) {
    width = std::max(width, base::count_code_points(result.formula->name));
  }
  for (const Result& result : run.results) write_result(out, run, result, width);
  if (run.has_grave_findings()) write_line(out, error, "-W makes errors of what was found");
}

void write_summary(std::ostream& out, const TestTotals& totals) {
  std::string text = fmt::format("{} passed, {} failed", totals.passed, totals.failed);
  if (totals.unknown > 0) text += fmt::format(", {} unknown", totals.unknown);
  if (totals.errors > 0) {
    text += fmt::format(", {} error{}", totals.errors, totals.errors == 1 ? "" : "s");
  }
  out << fmt::format("{} in {:.1f} s\n", text, totals.seconds);
}

void write_json(std::ostream& out, const std::string& version, const std::vector<const Run*>& runs,
                const TestTotals& totals) {
  JsonWriter json{out};
  json.begin_object();
  json.member("tool", "cohort");
  json.member("version", version);
  json.member("command", "test");
  json.key("tests");
  json.begin_array();
  for (const Run* const run : runs) {
    json.begin_object();
    write_json_body(json, *run);
    json.end();
  }
  json.end();
  json.member("passed", std::uint64_t{totals.passed});
  json.member("failed", std::uint64_t{totals.failed});
  json.member("unknown", std::uint64_t{totals.unknown});
  json.member("errors", std::uint64_t{totals.errors});
  json.member("seconds", totals.seconds);
  json.end();
}

}  // namespace cohort::report
