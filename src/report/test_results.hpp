// What `cohort test` found: many runs, told like a test runner does.
//
//   write_lines(std::cout, run);          // a line for each property of a model
//   write_summary(std::cout, totals);     // "41 passed, 0 failed in 1.2 s"
//   write_json(std::cout, runs, totals);  // or all at once
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "report/results.hpp"

namespace cohort::report {

struct TestTotals {
  std::size_t passed = 0;
  std::size_t failed = 0;   ///< came out otherwise than expected
  std::size_t unknown = 0;  ///< a limit was hit
  std::size_t errors = 0;   ///< of models and of their texts
  double seconds = 0;

  /// Counts the properties of a run; a model without any counts as one.
  void add(const Run& run);
};

/// "models/chain.coh -D LENGTH=1000": what was run, as a title.
[[nodiscard]] std::string title_of(const Run& run);

/// The title, and a line for each property.
void write_lines(std::ostream& out, const Run& run);
void write_summary(std::ostream& out, const TestTotals& totals);

/// One object: "tests" has an object like that of `check` for each run.
void write_json(std::ostream& out, const std::string& version, const std::vector<const Run*>& runs,
                const TestTotals& totals);

}  // namespace cohort::report
