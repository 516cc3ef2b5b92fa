// Models and specs in their canonical form, for `cohort fmt` and for reports.
//
//   base::Diagnostics diagnostics;
//   if (const auto text = format(source, FileKind::Model, diagnostics)) …
//
//   format_formula("AG(x[i]≠2)") == "AG(x[i] != 2)"
//
// The formatter moves tokens and comments apart and together; it adds none and drops none.
// Formatting a formatted text changes nothing.  Time is linear in the length of the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace cohort::lang {

enum class FileKind : std::uint8_t { Model, Spec };

/// The text in canonical form; nullopt if the source has syntax errors, which are then in
/// `diagnostics`.
[[nodiscard]] std::optional<std::string> format(const base::Source& source, FileKind kind,
                                                base::Diagnostics& diagnostics);

/// A formula, or an expression of a model, on one line in canonical spelling, without its comments.
/// `text` is the source text of an expression that has been parsed.
[[nodiscard]] std::string format_formula(std::string_view text);

}  // namespace cohort::lang
