#include "report/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "base/utf8.hpp"
#include "model/fault.hpp"
#include "report/diagnostics.hpp"
#include "report/text.hpp"

namespace cohort::report {
namespace {

/// XML 1.0 cannot carry every byte, not even escaped.
[[nodiscard]] std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = base::utf8_length(text, at);
    const auto first = static_cast<unsigned char>(text[at]);
    const std::string_view piece = text.substr(at, length);
    if (length == 0 || (first < 0x20 && first != '\n' && first != '\t') || piece == "\uFFFE" ||
        piece == "\uFFFF") {
      out += "\uFFFD";
    } else if (first == '&') {
      out += "&amp;";
    } else if (first == '<') {
      out += "&lt;";
    } else if (first == '>') {
      out += "&gt;";
    } else if (first == '"') {
      out += "&quot;";
    } else {
      out += piece;
    }
    at += length == 0 ? 1 : length;
  }
  return out;
}

/// A case without a finding is closed at once.
struct Case {
  std::string name;
  double seconds = 0;
  const char* element = nullptr;  ///< "failure", "error" or "skipped"; none: it passed
  std::string message;
  std::string text;
};

[[nodiscard]] Case case_of(const Run& run, const Result& result) {
  Case made{result.formula->name, result.answer.statistics.seconds, nullptr, {}, {}};
  std::ostringstream text;
  TextReport report{text, *run.loaded, {}};
  switch (result.answer.verdict) {
    case base::Verdict::Unknown:
      made.element = "skipped";
      made.message = fmt::format("unknown: {}", result.answer.reason);
      return made;
    case base::Verdict::Error:
      made.element = "error";
      if (result.answer.error) {
        made.message = model::describe(result.answer.error->fault, run.loaded->program);
        report.write(*result.answer.error, result.formula);
      }
      break;
    case base::Verdict::Holds:
    case base::Verdict::Fails:
      if (result.as_expected()) return made;
      made.element = "failure";
      made.message = fmt::format("{}: {}", word_for(result.answer.verdict), result.formula->text);
      report.write(result);
      break;
  }
  made.text = text.str();
  return made;
}

[[nodiscard]] std::vector<Case> cases_of(const Run& run) {
  std::vector<Case> cases;
  if (!run.loaded->ok()) {
    cases.push_back({"input", 0, "error", "the input has errors", text_of_findings(*run.loaded)});
    return cases;
  }
  for (const Result& result : run.results) cases.push_back(case_of(run, result));
  if (run.error) {
    std::ostringstream text;
    TextReport(text, *run.loaded, {}).write(*run.error, nullptr);
    cases.push_back({"exploration", 0, "error",
                     model::describe(run.error->fault, run.loaded->program), text.str()});
  }
  if (run.has_grave_findings()) {
    cases.push_back({"findings", 0, "error", "-W makes errors of what was found", {}});
  }
  if (!run.unknown.empty()) {
    cases.push_back({"exploration", 0, "skipped", "unknown: " + run.unknown, {}});
  }
  return cases;
}

void write_case(std::ostream& out, const Case& test, const std::string& input) {
  out << fmt::format(R"(    <testcase name="{}" classname="{}" time="{:.3f}")", escaped(test.name),
                     escaped(input), test.seconds);
  if (test.element == nullptr) {
    out << "/>\n";
    return;
  }
  out << fmt::format(">\n      <{} message=\"{}\"", test.element, escaped(test.message));
  if (test.text.empty()) {
    out << "/>\n";
  } else {
    out << ">" << escaped(test.text) << fmt::format("</{}>\n", test.element);
  }
  out << "    </testcase>\n";
}

[[nodiscard]] std::string counts_of(const std::vector<Case>& cases) {
  const auto count = [&](std::string_view element) {
    return std::ranges::count_if(cases, [&](const Case& test) {
      return test.element != nullptr && test.element == element;
    });
  };
  double seconds = 0;
  for (const Case& test : cases) seconds += test.seconds;
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")",
                     cases.size(), count("failure"), count("error"), count("skipped"), seconds);
}

}  // namespace

void write_junit(std::ostream& out, const std::vector<const Run*>& runs) {
  std::vector<std::vector<Case>> suites;
  std::vector<Case> all;
  for (const Run* const run : runs) {
    suites.push_back(cases_of(*run));
    all.insert(all.end(), suites.back().begin(), suites.back().end());
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out << fmt::format("<testsuites name=\"cohort\" {}>\n", counts_of(all));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    out << fmt::format("  <testsuite name=\"{}\" {}>\n", escaped(runs[i]->input),
                       counts_of(suites[i]));
    for (const Case& test : suites[i]) write_case(out, test, runs[i]->input);
    out << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

void write_junit(std::ostream& out, const Run& run) { write_junit(out, std::vector{&run}); }

}  // namespace cohort::report
