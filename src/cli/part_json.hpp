// Summaries of pieces of a trace as JSON, and back.
#pragma once

#include <nlohmann/json.hpp>

#include "trace/sequential/part.hpp"

namespace cohort::cli {

[[nodiscard]] nlohmann::ordered_json json_of(const trace::sequential::TracePart& part,
                                             unsigned scale);
/// Throws nlohmann::json::exception where something is missing or of another type.
[[nodiscard]] trace::sequential::TracePart part_of(const nlohmann::ordered_json& json,
                                                   unsigned scale);

/// Bytes of any kind as text.
[[nodiscard]] std::string to_hex(const std::string& bytes);
[[nodiscard]] std::string from_hex(const std::string& text);

}  // namespace cohort::cli
