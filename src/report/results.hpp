// What a run of the checker found, as the reports take it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/verdict.hpp"
#include "cctl/check.hpp"
#include "cctl/evidence.hpp"
#include "cctl/findings.hpp"
#include "lang/load.hpp"
#include "online/property.hpp"

namespace cohort::report {

/// A property and what came out.  `formula` belongs to the `Loaded` of the run.
struct Result {
  const lang::Formula* formula = nullptr;
  cctl::Answer answer;
  const online::Property* linear = nullptr;  ///< if it is one of linear time

  /// It holds, or fails where that is expected.
  [[nodiscard]] bool as_expected() const {
    return answer.verdict == (formula->expected ? base::Verdict::Holds : base::Verdict::Fails);
  }
};

/// What the whole run took, besides what is known of the graph.
struct Totals {
  cctl::Summary graph;
  double seconds = 0;
  std::uint64_t memory_bytes = 0;
};

/// Something that is no verdict, and how much it weighs.
struct Finding {
  cctl::Finding what;
  bool is_error = false;
};

struct Run {
  std::string command;  ///< "check"
  std::string version;
  std::string input;                        ///< the model, as the user named it
  std::vector<lang::Override> definitions;  ///< of -D
  const lang::Loaded* loaded = nullptr;
  std::vector<Result> results;
  std::optional<Totals> totals;
  std::vector<Finding> findings;
  /// Of a run without properties, which explores the model: what it met.
  std::optional<cctl::ModelError> error;
  std::string unknown;  ///< of such a run: the limit that ended it, if one did

  /// A finding, in the text or in the states, that counts as an error.
  [[nodiscard]] bool has_grave_findings() const;
};

}  // namespace cohort::report
