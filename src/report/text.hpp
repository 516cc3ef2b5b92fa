// Verdicts, evidence and statistics for people.
//
//   TextReport text{std::cout, loaded, {.colour = true}};
//   text.write(result);    // "mutex: fails", and the counterexample
//   text.write(totals);    // states, edges, depth, …
#pragma once

#include <ostream>

#include "report/names.hpp"
#include "report/results.hpp"

namespace cohort::report {

struct TextOptions {
  bool colour = false;
};

class TextReport {
 public:
  /// Keeps references to `out` and `loaded`.
  TextReport(std::ostream& out, const lang::Loaded& loaded, const TextOptions& options)
      : out_(out), loaded_(loaded), options_(options), names_(loaded.program) {}

  /// `name: verdict`, then the evidence.
  void write(const Result& result);
  void write(const Totals& totals);
  /// A model error: its place with a caret, who did it, and the path.  `formula` is the property
  /// that was checked, if there is one.
  void write(const cctl::ModelError& error, const lang::Formula* formula);

 private:
  void write_evidence(const Result& result);
  [[nodiscard]] std::string coloured(const char* code, const std::string& text) const;

  std::ostream& out_;
  const lang::Loaded& loaded_;
  TextOptions options_;
  Names names_;
};

/// Where a model error stands: the text that its place is of.
[[nodiscard]] const base::Source& source_of(const cctl::ModelError& error,
                                            const lang::Loaded& loaded,
                                            const lang::Formula* formula);

/// `12.5 MiB`.
[[nodiscard]] std::string text_of_bytes(std::uint64_t bytes);

}  // namespace cohort::report
