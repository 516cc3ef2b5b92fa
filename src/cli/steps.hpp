// Steps as a user writes them: `ask(3); grant(0, 3)`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::cli {

struct StepWords {
  std::string label;
  std::vector<std::int64_t> processes;
};

/// Empty if something in the text is no step.
[[nodiscard]] std::vector<StepWords> parse_steps(std::string_view text);

}  // namespace cohort::cli
