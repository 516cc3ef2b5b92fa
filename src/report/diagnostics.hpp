// Findings about the input, for people; report/json.hpp has them for programs.
#pragma once

#include <cstdint>
#include <string>

#include "lang/load.hpp"

namespace cohort::report {

enum class Findings : std::uint8_t { All, Errors };

/// Every finding with its line and a caret.
[[nodiscard]] std::string text_of_findings(const lang::Loaded& loaded,
                                           Findings which = Findings::All);

}  // namespace cohort::report
