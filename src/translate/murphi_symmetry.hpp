// Which modules can be scalarsets in Murphi: those none of whose processes is told from another.
//
// A module of one process is a range: there is nobody to exchange it with, and as a number it can
// be an initial value.
//
// The language lets a schema never name a process.  What can: priorities, Init and initial values,
// and properties with literal processes, classes or values of free variables.
#pragma once

#include <vector>

#include "translate/translation.hpp"

namespace cohort::translate {

/// By module.
[[nodiscard]] std::vector<bool> interchangeable_modules(const Subject& subject);

}  // namespace cohort::translate
