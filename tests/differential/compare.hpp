// One model through everything: the plain semantics, the oracle, every engine, every replay.
//
//   const Comparison found = compare(text, {});
//   CHECK(found.complaints.empty());
//
// A complaint is a sentence about one disagreement; a model without any has been checked in all
// ways and every answer was right.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "cctl/check.hpp"

namespace cohort::differential {

/// Every combination of options.
[[nodiscard]] std::vector<cctl::Options> all_options();
/// "quotient, lazy, with elimination".
[[nodiscard]] std::string to_string(const cctl::Options& options);

struct Bounds {
  std::size_t most_states = 2500;
  std::size_t most_initial_states = 200;
  /// Only the checker that counts processes by kinds, and only where there is something to count.
  bool only_counting = false;
};

struct Comparison {
  enum class Outcome { Rejected, TooLarge, Compared };
  Outcome outcome = Outcome::Rejected;
  std::size_t num_states = 0;
  bool is_counted = false;  ///< by kinds, where options allow it
  std::vector<std::string> complaints;
  /// What was met, and how often: verdicts, kinds of evidence.
  std::map<std::string, std::size_t> tally;
};

/// `text` is a model file with formulas.
[[nodiscard]] Comparison compare(const std::string& text, const Bounds& bounds);

}  // namespace cohort::differential
