// Findings, from how they are kept to how they are published.
#pragma once

#include <vector>

#include "base/diagnostic.hpp"
#include "cohort/diagnostic.hpp"
#include "lang/load.hpp"

namespace cohort {

[[nodiscard]] Diagnostic published(const base::Source& source, const base::Diagnostic& found);
/// All of them, in text order.
[[nodiscard]] std::vector<Diagnostic> published_findings(const lang::Loaded& loaded);
[[nodiscard]] bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace cohort
