// Findings about the input: what is wrong, where, and what to write instead.
//
//   Diagnostics found;
//   found.error(span, "unknown name 'reqest'", "did you mean 'request'?");
//   std::cerr << render(source, found);
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/finding_code.hpp"
#include "base/source.hpp"

namespace cohort::base {

enum class Severity { Error, Warning };

/// One finding about one place of the input.  A value: making one prints and throws nothing.
struct Diagnostic {
  Severity severity = Severity::Error;
  Span where;           ///< bytes of the source; line and column are computed only when printing
  std::string message;  ///< what is wrong, with the names the user wrote
  std::string hint;     ///< what to write instead; may be empty
  std::string code{};   ///< of a warning, stable; an error has none
};

/// What a user makes of a warning.
enum class Weight { Off, Warning, Error };

/// The findings about one source.
class Diagnostics {
 public:
  /// More errors than this are counted, not kept: nobody reads them, and a hostile file has
  /// millions.
  static constexpr std::size_t most_errors = 1000;

  void error(Span where, std::string message, std::string hint = {});
  void warning(Span where, const FindingCode& code, std::string message, std::string hint = {});
  void add(Diagnostic diagnostic);

  /// Leaves warnings out, or shows them as errors, by their codes.  Nothing is counted anew: what
  /// was right stays right, and has_errors() is about the rest.
  void weigh(const std::function<Weight(const std::string& code)>& weight);
  /// A warning is shown as an error.
  [[nodiscard]] bool has_grave_warnings() const;

  [[nodiscard]] bool has_errors() const { return num_errors_ > 0; }
  [[nodiscard]] std::size_t num_errors() const { return num_errors_; }
  /// True once further errors are no longer kept; a parser may stop then.
  [[nodiscard]] bool full() const { return num_errors_ >= most_errors; }
  /// Errors that were counted but not kept.
  [[nodiscard]] std::size_t num_left_out() const { return num_left_out_; }
  /// In text order; findings about one place stay in the order in which they were made, and what
  /// was said twice in a row about one place is there once.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> found_;
  std::size_t num_errors_ = 0;
  std::size_t num_warnings_ = 0;
  std::size_t num_left_out_ = 0;
};

/// `file:line:column: error: message`, the line, a caret under the place, and the hint.  A long
/// line is shown in part.
[[nodiscard]] std::string render(const Source& source, const Diagnostic& diagnostic);

/// All findings, in text order, each as above.
[[nodiscard]] std::string render(const Source& source, const Diagnostics& diagnostics);

}  // namespace cohort::base
