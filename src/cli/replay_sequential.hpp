// `cohort replay` on sequential traces.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/trace_properties.hpp"
#include "trace/replay.hpp"

namespace cohort::cli {

/// Judges one piece of evidence, which has a "position".  `kind` is that of the property, "ltl",
/// "monitor" or "automaton", `formula` its text or file.
[[nodiscard]] trace::Judgement judge_sequential(const std::string& trace,
                                                const TraceInputWords& input,
                                                const std::string& table, const std::string& kind,
                                                const std::string& formula,
                                                const nlohmann::json& evidence);

}  // namespace cohort::cli
