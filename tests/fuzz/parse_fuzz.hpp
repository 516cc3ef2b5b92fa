// What the front end must survive: any bytes.
//
// libFuzzer calls it with bytes of its own making, seeds_test.cpp with every file of seeds/.
#pragma once

#include <string>

namespace cohort::fuzz {

/// Parses the bytes as a model, as a spec and as a formula, and shows all findings.  Aborts if a
/// place of a finding lies outside the text.
void parse_everything(const std::string& bytes);

/// Checks the names and types of the bytes as a model, and formats them as a model and as a spec.
/// Aborts if formatting twice differs from formatting once, or changes what is found in a model.
void format_everything(const std::string& bytes);

}  // namespace cohort::fuzz
