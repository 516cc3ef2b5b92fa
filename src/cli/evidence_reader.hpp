// Evidence from a JSON report, back to what the program knows: names to instances, values to
// numbers.
//
//   EvidenceReader reader{program};
//   const ReadEvidence read = reader.read(json);
//   if (!read.unreadable.empty()) …       // it is no evidence at all
//   if (!read.objections.empty()) …       // it is none of this program
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cctl/evidence.hpp"
#include "lang/program.hpp"
#include "model/instances.hpp"

namespace cohort::cli {

struct ReadEvidence {
  /// Only to be used if both lists are empty.
  cctl::Evidence evidence;
  std::vector<std::string> unreadable;  ///< members that are missing or of the wrong kind
  std::vector<std::string> objections;  ///< names and values that the program does not have

  [[nodiscard]] bool ok() const { return unreadable.empty() && objections.empty(); }
};

/// Takes any JSON: what is wrong with it is said, in the order of the text, and the first few
/// findings only.
class EvidenceReader {
 public:
  /// Keeps a reference to `program`.
  explicit EvidenceReader(const lang::Program& program) : program_(program), instances_(program) {}

  /// `json` is an object with "initial" and "steps"; "kind" may be missing.
  [[nodiscard]] ReadEvidence read(const nlohmann::json& json) const;

 private:
  const lang::Program& program_;
  model::Instances instances_;
};

}  // namespace cohort::cli
