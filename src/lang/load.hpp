// From files to a checked program with its properties, with everything that was found on the way.
//
//   const Loaded loaded = load({.model = "models/lock.coh", .specs = {"specs/lock.cctl"}});
//   if (!loaded.ok()) …   // loaded.problems, and the diagnostics of each of loaded.inputs
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "lang/program.hpp"
#include "lang/resolve.hpp"

namespace cohort::lang {

/// What becomes of the formulas in the model's own file.
enum class OwnFormulas {
  ToCheck,  ///< they are wanted, so their free variables need values; those from outside count
  Beside,   ///< others are wanted, or none: one that lacks a value is left out without a word
};

struct LoadRequest {
  std::string model;                ///< a path
  std::vector<std::string> specs;   ///< paths
  std::vector<std::string> cctl;    ///< formulas; they are called cctl1, cctl2, …
  std::vector<std::string> values;  ///< of free variables: `i=3`, `i=client(3)`
  std::vector<Override> overrides;
  OwnFormulas own_formulas = OwnFormulas::ToCheck;
};

/// A text, and what was found in it.
struct Input {
  base::Source source;
  base::Diagnostics diagnostics;
};

/// An error that has no place in a text.
struct Problem {
  std::string where;  ///< a file, or an option
  std::string message;
  std::string hint;
};

/// A value of a free process variable, from the model or from outside.
struct GivenValue {
  std::string variable;
  std::optional<std::string> module;
  std::int64_t id = 0;
};

struct Loaded {
  std::vector<std::unique_ptr<Input>> inputs;  ///< the model first
  std::vector<Problem> problems;
  Program program;
  /// The model's formulas, then those of the specs, then those of the command line.
  std::vector<Formula> formulas;
  /// For formulas of the command line: the model's, then those from outside, which come first.
  std::vector<GivenValue> evaluation;

  /// No errors; without that program and formulas are not to be used.
  [[nodiscard]] bool ok() const;
};

[[nodiscard]] Loaded load(const LoadRequest& request);

/// The same with the text of a model instead of its file.
[[nodiscard]] Loaded load_text(std::string name, const std::string& text,
                               const LoadRequest& request);

}  // namespace cohort::lang
