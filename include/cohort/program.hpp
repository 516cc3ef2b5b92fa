// Models: from a file or a text to a checked program.
//
//   const cohort::Loaded lock = cohort::load_model("models/lock.coh");
//   if (!lock.ok()) for (const cohort::Diagnostic& found : lock.diagnostics) …
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cohort/diagnostic.hpp"

namespace cohort {

/// What is known about a model after its names and types were checked.
struct Loaded {
  std::vector<Diagnostic> diagnostics;                        ///< in text order
  std::vector<std::pair<std::string, std::int64_t>> modules;  ///< names and sizes
  std::vector<std::string> properties;                        ///< names of the model's formulas

  /// No errors; warnings may be there.
  [[nodiscard]] bool ok() const;
};

/// Other sizes for modules, other values for constants.
using Overrides = std::vector<std::pair<std::string, std::int64_t>>;

[[nodiscard]] Loaded load_model(const std::string& path, const Overrides& overrides = {});
/// `name` is what diagnostics call the text.
[[nodiscard]] Loaded load_model_text(std::string name, const std::string& text,
                                     const Overrides& overrides = {});

}  // namespace cohort
