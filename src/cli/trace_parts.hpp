// `cohort trace --piece i/n --out part.json` and `cohort trace --merge part*.json`.
#pragma once

#include <string>
#include <vector>

#include "base/limits.hpp"
#include "cli/trace_plan.hpp"
#include "report/trace.hpp"
#include "trace/sequential/source.hpp"

namespace cohort::cli {

/// Checks one piece of an open trace and writes what came out.  The plan is finished.
void write_part(const std::string& path, const trace::sequential::Source& source,
                const PlanWords& made, const SequentialWords& words, base::Limits& limits,
                report::TraceReport& report);

/// Puts pieces together; the report is that of one run.
void merge_parts(const std::vector<std::string>& paths, report::TraceReport& report);

}  // namespace cohort::cli
