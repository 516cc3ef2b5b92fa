// What the parsers must survive: any bytes.
//
// libFuzzer calls it with bytes of its own making, seeds_test.cpp with every file of seeds/.
#pragma once

#include <string>

namespace cohort::fuzz {

/// Parses the bytes as a model, as a spec and as a formula, and shows all findings.  Aborts if a
/// place of a finding lies outside the text.
void parse_everything(const std::string& bytes);

}  // namespace cohort::fuzz
