// A source text, and places in it.
//
//   const Source source = Source::from_text("lock.coh", "Program\n  Module client = 2;\n");
//   const Position at = source.position(span.begin);   // line and column, both from 1
//
// Places are kept as bytes everywhere; lines and columns are computed only when one is shown.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cohort::base {

/// Bytes [begin, end) of a source text.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend auto operator<=>(const Span&, const Span&) = default;
};

/// From the first byte of `first` to the last byte of `last`.
[[nodiscard]] constexpr Span join(Span first, Span last) { return {first.begin, last.end}; }

/// A line and a column, both counted from 1; columns count code points.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend auto operator<=>(const Position&, const Position&) = default;
};

/// A named text.  Immutable; spans and string views into it are valid as long as it lives, and stay
/// valid when it is moved.
class Source {
 public:
  /// Keeps a text as it is; bytes that are no UTF-8 are the lexer's to report.
  [[nodiscard]] static Source from_text(std::string name, std::string_view text);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string_view text() const { return {text_.data(), text_.size()}; }
  [[nodiscard]] std::string_view text(Span span) const {
    return text().substr(span.begin, span.end - span.begin);
  }
  /// Where a byte stands.  Costs a binary search, however long the line is.
  [[nodiscard]] Position position(std::uint32_t byte) const;
  /// A whole line, counted from 1, without its line break.
  [[nodiscard]] std::string_view line(std::uint32_t number) const;

 private:
  [[nodiscard]] std::size_t code_points_before(std::uint32_t byte) const;

  Source(std::string name, std::string_view text);

  std::string name_;
  std::vector<char> text_;  // not a string: moving a short string would move its bytes
  std::vector<std::uint32_t> line_starts_;
  std::vector<std::uint32_t> code_points_before_;  // before each block of the text
};

/// Why a file cannot be read, in words for the user.
struct Unreadable {
  std::string reason;
};

/// Reads a file; "-" is standard input.  Directories, missing files and files of 2 GiB or more are
/// refused with a reason.
[[nodiscard]] std::variant<Source, Unreadable> read_source(const std::string& path);

}  // namespace cohort::base
