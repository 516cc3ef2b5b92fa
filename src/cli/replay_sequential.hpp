// `cohort replay` on sequential traces.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "trace/replay.hpp"

namespace cohort::cli {

/// Judges one piece of evidence, which has a "position".  `kind` is that of the property, "ltl" or
/// "monitor", `formula` its text or file; `form` is "csv", "jsonl", or empty: the name tells.
[[nodiscard]] trace::Judgement judge_sequential(const std::string& trace, const std::string& form,
                                                const std::string& kind, const std::string& formula,
                                                const nlohmann::json& evidence);

}  // namespace cohort::cli
