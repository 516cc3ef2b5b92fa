// Names and types: from a syntax tree to a checked program.
//
//   base::Diagnostics diagnostics;
//   const syntax::ModelFile file = parse_model(source, diagnostics);
//   const Resolved resolved = resolve_model(file, source, {}, diagnostics);
//   if (diagnostics.has_errors()) …   // all of them; the program is not to be used
//   const auto formulas = resolve_properties(file.properties, …);
//   warn_of_unused(resolved.program, formulas, diagnostics);
//
// All errors are found in one run; what follows from an error that has been reported is not
// reported.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "lang/program.hpp"
#include "lang/syntax.hpp"

namespace cohort::lang {

/// `-D client=40`: another size for a module, another value for a constant.
struct Override {
  std::string name;
  std::int64_t value = 0;
};

struct Resolved {
  Program program;
  std::vector<std::string> unknown_overrides;  ///< names that are no module and no constant
  /// Names whose declaration is wrong or could not be read: not knowing them is no further error.
  std::vector<std::string_view> excused_names;
};

[[nodiscard]] Resolved resolve_model(const syntax::ModelFile& file, const base::Source& source,
                                     const std::vector<Override>& overrides,
                                     base::Diagnostics& diagnostics);

/// What a free process variable without a value is.
enum class MissingValues {
  Error,
  LeaveOut,  ///< its formula is not among the results; what else is wrong with it is an error still
};

/// Where properties come from, and what is known about their free variables.
struct PropertyContext {
  const Program& program;
  const base::Source& source;  ///< of the properties
  /// Values for all of them, besides those that a property has itself.
  std::vector<syntax::Value> evaluation;
  /// Values from the command line, which come before all others.
  std::vector<syntax::Value> commanded;
  std::vector<std::string_view> excused_names;  ///< see Resolved
  MissingValues missing_values = MissingValues::Error;
};

[[nodiscard]] std::vector<Formula> resolve_properties(
    const std::vector<syntax::Property>& properties, const PropertyContext& context,
    base::Diagnostics& diagnostics);

/// Warns of variables, index variables and priority classes that no schema and no formula mentions.
void warn_of_unused(const Program& program, const std::vector<Formula>& formulas,
                    base::Diagnostics& diagnostics);

}  // namespace cohort::lang
