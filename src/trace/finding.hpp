// What is wrong with a trace file, by lines: a stream has no text to point into afterwards.
//
//   findings.error({.line = 7, .column = 4}, "expected ':=' …", "hint");
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cohort::trace {

/// A place in a stream.  `column` counts code points from 1; 0: the whole line.  `line` 0: the
/// file.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Finding {
  enum class Severity { Error, Warning };

  Severity severity = Severity::Error;
  Place where;
  std::string message;
  std::string hint;     ///< may be empty
  std::string excerpt;  ///< the line's text, if it was at hand
};

/// The findings about one file.  Errors beyond the thousandth are counted, not kept.
class Findings {
 public:
  static constexpr std::size_t most_errors = 1000;

  void error(Place where, std::string message, std::string hint = {}, std::string excerpt = {});
  void warning(Place where, std::string message, std::string hint = {});

  [[nodiscard]] bool has_errors() const { return num_errors_ > 0; }
  /// True once further errors are no longer kept; a reader may stop then.
  [[nodiscard]] bool full() const { return num_errors_ >= most_errors; }
  [[nodiscard]] std::size_t num_left_out() const { return num_left_out_; }
  /// By line; those about one line stay in the order in which they were made.
  [[nodiscard]] std::vector<Finding> sorted() const;
  /// Every warning becomes an error (`--strict`).
  void make_strict();

 private:
  std::vector<Finding> found_;
  std::size_t num_errors_ = 0;
  std::size_t num_left_out_ = 0;
};

/// `file:line:column: error: message`, the line with a caret where its text is known, the hint.
[[nodiscard]] std::string render(const std::string& file, const Findings& findings);

}  // namespace cohort::trace
