// The same properties, checked in several ways: one table.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/verdict.hpp"
#include "cctl/check.hpp"
#include "report/results.hpp"

namespace cohort::report {

/// A way to check, and what came out for one property.
struct Attempt {
  cctl::Options options;
  bool can_count = true;  ///< whether processes of the model can be counted at all
  base::Verdict verdict = base::Verdict::Unknown;
  std::string reason;  ///< with Verdict::Unknown
  std::string error;   ///< with Verdict::Error: the model error, as JSON
  cctl::Statistics statistics;
};

struct Comparison {
  const lang::Formula* formula = nullptr;
  std::vector<Attempt> attempts;  ///< ratios are to the first

  /// Some attempt says that the property holds, another that it fails: one of them is wrong.
  [[nodiscard]] bool disagrees() const;
  /// Holds or Fails if an attempt could tell; otherwise Error, or Unknown.
  [[nodiscard]] base::Verdict verdict() const;
};

/// What has to be said, loudly, when attempts disagree; empty if none do.
[[nodiscard]] std::string text_of_disagreements(const std::vector<Comparison>& comparisons);

/// A line for each attempt.
void write_table(std::ostream& out, const std::vector<Comparison>& comparisons);

/// The head of `run` and its errors, with these as its properties; of the model errors that were
/// met for a property the first.
void write_json(std::ostream& out, const Run& run, const std::vector<Comparison>& comparisons);

}  // namespace cohort::report
