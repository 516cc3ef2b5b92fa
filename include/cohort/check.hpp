// Checking the properties of a model.
//
//   const cohort::Checked lock = cohort::check_model("models/lock.coh", {.specs = {"lock.cctl"}});
//   for (const cohort::Property& property : lock.properties) {
//     if (!property.as_expected()) …       // property.verdict, property.evidence
//   }
//
// Verdicts are exact and do not depend on the engine.  Two threads may check at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cohort/diagnostic.hpp"
#include "cohort/evidence.hpp"
#include "cohort/program.hpp"

namespace cohort {

enum class Verdict {
  Holds,
  Fails,
  Unknown,  ///< a limit was hit
  Error,  ///< the model did what no model may do: divided by zero, left the type of a variable, …
};

enum class Engine {
  Quotient,  ///< with symmetry
  Full,      ///< without
};

enum class Build {
  Lazy,   ///< states on demand
  Eager,  ///< the whole structure first
};

struct CheckOptions {
  Overrides overrides{};             ///< as load_model takes them
  std::vector<std::string> specs{};  ///< files with more properties
  std::vector<std::string> cctl{};   ///< more formulas; they are called cctl1, cctl2, …
  /// Values of free process variables.
  std::vector<std::pair<std::string, std::int64_t>> evaluation{};
  Engine engine = Engine::Quotient;
  Build build = Build::Lazy;
  bool quantifier_elimination = true;
  bool evidence = true;
  // Limits of the whole run; 0: none.
  double timeout_seconds = 0;
  std::uint64_t max_memory_bytes = 0;
  std::uint64_t max_states = 0;
};

struct Statistics {
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  std::uint64_t marks = 0;
  std::uint64_t labels = 0;
  double seconds = 0;
};

/// A property and what came out.
struct Property {
  std::string name;
  std::string formula;
  bool expected = true;  ///< the expected verdict: true for Holds
  Verdict verdict = Verdict::Unknown;
  std::string reason;                ///< with Verdict::Unknown: which limit was hit
  std::optional<Diagnostic> error;   ///< with Verdict::Error
  std::optional<Evidence> evidence;  ///< with Verdict::Error: the path that leads there

  Statistics statistics;

  [[nodiscard]] bool as_expected() const {
    return verdict == (expected ? Verdict::Holds : Verdict::Fails);
  }
};

struct Checked {
  std::vector<Diagnostic> diagnostics;  ///< of the model and the specs, in text order
  std::vector<Property> properties;     ///< none if the input has errors

  /// The input has no errors; warnings may be there.
  [[nodiscard]] bool ok() const;
};

/// Checks the model's own properties, those of the specs and those of the options.
[[nodiscard]] Checked check_model(const std::string& path, const CheckOptions& options = {});
/// `name` is what diagnostics call the text.
[[nodiscard]] Checked check_model_text(std::string name, std::string text,
                                       const CheckOptions& options = {});

}  // namespace cohort
