// Warnings about programs that are right but hardly meant.
#pragma once

#include "base/diagnostic.hpp"
#include "lang/program.hpp"

namespace cohort::lang {

/// Warns of schemas that never fire or change nothing when they do.
void warn_of_idle_schemas(const Program& program, base::Diagnostics& diagnostics);

}  // namespace cohort::lang
