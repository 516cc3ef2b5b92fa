// cohort replay on a model: judges saved evidence.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/exit_status.hpp"
#include "cli/options.hpp"

namespace cohort::cli {

struct ReplayWords {
  InputWords input;  ///< the model; formulas are for evidence that comes without its own
  std::string evidence;
  Format format = Format::Text;
  std::string target;  ///< itf, shiviz, or empty: nothing is to be written
  std::string out;     ///< where; empty: standard output
};

/// Writes the evidence in the form that `target` names.
[[nodiscard]] ExitStatus convert_evidence(const ReplayWords& words);

/// Reads the evidence of a whole report, of one property of a report, or alone, and steps through
/// it.  Prints what was checked.  AsExpected: all of it stands; NotAsExpected: some does not;
/// InputError: it cannot be read.
[[nodiscard]] ExitStatus replay_model(const ReplayWords& words);

/// The words of the command line for that.
void add_replay_model_options(CLI::App& command, ReplayWords& words);

}  // namespace cohort::cli
