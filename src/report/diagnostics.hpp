// Findings about the input, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lang/load.hpp"

namespace cohort::report {

/// Every finding with its line and a caret.
[[nodiscard]] std::string text_of_findings(const lang::Loaded& loaded);

/// The "errors" of the JSON output: file, line, column, message, and the hint if there is one.
[[nodiscard]] nlohmann::json json_of_errors(const lang::Loaded& loaded);

}  // namespace cohort::report
