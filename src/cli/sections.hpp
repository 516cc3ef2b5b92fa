// The headings under which `--help` lists the options of a command, in this order.
#pragma once

namespace cohort::cli {

inline constexpr const char* input_section = "Input";
inline constexpr const char* properties_section = "Properties";
inline constexpr const char* checking_section = "Checking";
inline constexpr const char* pieces_section = "Pieces of sequential traces";
inline constexpr const char* output_section = "Output";

}  // namespace cohort::cli
