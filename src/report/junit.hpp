// JUnit XML, as test runners and build servers read it: a property is a test case.
#pragma once

#include <ostream>
#include <vector>

#include "report/results.hpp"

namespace cohort::report {

/// A property that did not come out as expected is a failure, a model error an error, and one that
/// a limit left unknown is skipped.  What is wrong with the input is the error of a case "input".
void write_junit(std::ostream& out, const Run& run);
/// A suite for each run.
void write_junit(std::ostream& out, const std::vector<const Run*>& runs);

}  // namespace cohort::report
