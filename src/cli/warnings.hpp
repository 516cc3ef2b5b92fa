// -W: which findings about a model and its properties are errors, warnings, or not looked for.
//
// Some are found in the text before any state is looked at (lang/warning_codes.hpp), others in the
// states (cctl/findings.hpp).
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "cctl/findings.hpp"
#include "lang/load.hpp"
#include "report/results.hpp"

namespace cohort::cli {

struct WarningWords {
  std::vector<std::string> given;  ///< CODE=LEVEL; the last one counts
};

void add_warning_options(CLI::App& command, WarningWords& words);

/// What the words make of the warnings of `loaded`.  `quiet`: those that no -W names are left out.
void weigh(const WarningWords& words, bool quiet, lang::Loaded& loaded);

/// Asks for what is wanted.  What `-W` asks for takes the time that it takes; the rest, a tenth of
/// what the run took so far.  `quiet`: only what -W asks for.
[[nodiscard]] std::vector<report::Finding> find(
    const WarningWords& words, bool quiet, cctl::Checker& checker, const cctl::Summary& summary,
    const lang::Loaded& loaded, const std::vector<report::Result>& results, double seconds);

/// Each at its place, with its code.
[[nodiscard]] std::string text_of(const std::vector<report::Finding>& findings,
                                  const lang::Loaded& loaded);

}  // namespace cohort::cli
