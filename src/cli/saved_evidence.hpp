// One piece of evidence from a file: a JSON report, a property of one, evidence alone, or ITF.
//
//   const SavedEvidence saved = read_saved_evidence("report.json", {"mutex"});
//   if (!saved.error.empty()) …
//   …                                        // the model is loaded, with saved.definitions
//   const ReadEvidence read = saved.read(program);
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/evidence_reader.hpp"
#include "cli/options.hpp"

namespace cohort::cli {

struct SavedEvidence {
  std::string error;  ///< not empty: there is none to be had
  nlohmann::json json;
  std::string property;  ///< its name; may be empty
  std::string formula;   ///< likewise
  std::vector<std::string> definitions;

  [[nodiscard]] ReadEvidence read(const lang::Program& program) const;
};

/// Of several pieces of evidence the one of the property that `names` has; `deadlock` is that of a
/// report's summary.
[[nodiscard]] SavedEvidence read_saved_evidence(const std::string& path,
                                                const std::vector<std::string>& names);

/// Definitions of a saved report go before those of the command line, which count.
void use_definitions(InputWords& words, const std::vector<std::string>& saved);

/// Whether it is a trace in the format of Apalache and Quint.
[[nodiscard]] bool is_itf(const nlohmann::json& json);
/// Such a trace as evidence of a JSON report has it; throws nothing: what is wrong with it becomes
/// `error`.
[[nodiscard]] nlohmann::json evidence_of_itf(const nlohmann::json& itf,
                                             const lang::Program& program, std::string& error);

}  // namespace cohort::cli
