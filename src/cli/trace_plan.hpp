// From the words of a command line to the plan of a sequential check, and its errors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/trace_sequential.hpp"
#include "report/trace.hpp"
#include "trace/sequential/check.hpp"
#include "trace/sequential/plan.hpp"

namespace cohort::cli {

/// What a property is called, and what is expected of it.
struct NamedProperty {
  bool expected = true;
};

struct PlanWords {
  trace::sequential::Plan plan;
  std::vector<NamedProperty> named;  ///< by property
  bool failed = false;               ///< a file could not be read; the errors say so
};

/// Formulas, those of spec files, monitors, automata; in this order.
[[nodiscard]] PlanWords make_plan(const SequentialProperties& properties,
                                  const SequentialWords& words, base::Limits& limits,
                                  std::vector<report::TraceError>& errors);

/// Reports, with the properties, the variables that the trace never mentions: those that are not
/// among `names`, or, where there are no names, those that never changed.
void mention(trace::sequential::Plan& plan, const std::vector<std::string>& names,
             const std::vector<std::uint64_t>& changes);

/// Prints what is wrong with the properties, and adds it.
void report_errors(const trace::sequential::Plan& plan, std::vector<report::TraceError>& errors);

/// Turns a finished check into results, or into errors.
void finish_sequential(const std::string& path, PlanWords& made,
                       const trace::sequential::Checked& checked, bool names_known,
                       const std::string& limit, report::TraceInput input,
                       report::TraceReport& report);

}  // namespace cohort::cli
