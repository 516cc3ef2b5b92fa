// CSV: the header, and records as changes of variables.
//
//   CsvHeader header = …;                              // read_header(text, …)
//   const CsvLayout layout{plan, header};              // which columns anybody asks about
//   const char* p = read_csv(begin, end, …, piece);
//
// Idea.  Short numbers are read eight digits at a time, columns that nobody watches are skipped
// sixteen bytes at a time.  Whatever is not a plain number in plain commas (quotes, blanks, texts,
// long numbers, errors) makes the fast reader step back to the begin of the record; then the slow
// one reads that record, bit by bit and with all rules.
//
// Rules (RFC 4180, and what real files do): cells in quotes may hold commas, line breaks and
// doubled quotes; lines end with LF or CRLF; blanks around a cell without quotes are not part of
// it; a quote inside a cell without quotes is an error; an empty cell, quoted or not, means
// unchanged; a record has as many cells as the header; an empty line is skipped, except that in a
// file of one column it is an empty cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/sequential/piece.hpp"
#include "trace/sequential/plan.hpp"

namespace cohort::trace::sequential {

struct CsvHeader {
  std::vector<std::string> names;
  std::size_t size = 0;     ///< bytes, with a byte-order mark and the line break
  std::uint64_t lines = 1;  ///< a name may hold line breaks
};

/// The header at the begin of a text; the whole file if `complete`.  Nothing, with the reason, if
/// there is none or it is wrong; a reason is empty if only more text could tell.
[[nodiscard]] std::optional<CsvHeader> read_csv_header(std::string_view text, bool complete,
                                                       std::string& reason);

/// Which columns are variables.  Immutable; may be shared by threads.
class CsvLayout {
 public:
  CsvLayout(const Plan& plan, const CsvHeader& header);

  struct Watched {
    std::uint32_t skip = 0;  ///< cells between the watched one before and this one
    std::uint32_t variable = 0;
  };
  static constexpr std::uint32_t nobody = 0xFFFF'FFFFU;

  [[nodiscard]] const std::vector<Watched>& watched() const { return watched_; }
  /// Cells behind the last watched one.
  [[nodiscard]] std::uint32_t rest() const { return rest_; }
  [[nodiscard]] std::size_t num_columns() const { return variables_.size(); }
  /// By column.
  [[nodiscard]] std::uint32_t variable(std::size_t column) const { return variables_[column]; }
  [[nodiscard]] const std::string& name(std::size_t column) const { return names_[column]; }

 private:
  std::vector<std::uint32_t> variables_;
  std::vector<std::string> names_;
  std::vector<Watched> watched_;
  std::uint32_t rest_ = 0;
};

/// Reads the records that begin before `stop` and end before `end`, up to the first that does not;
/// returns where that begins.  After an error, which the piece has, that record's begin.  Behind
/// `end` 64 bytes can be read.  `complete`: nothing follows `end`, so that the last record may lack
/// its line break.
[[nodiscard]] const char* read_csv(const CsvLayout& layout, const char* begin, const char* end,
                                   const char* stop, bool complete, Piece& piece);

/// The value of a cell: a number if it reads like one, else a text.  Digits of long numbers are
/// kept in `scratch`.
[[nodiscard]] Value cell_value(std::string_view cell, std::string& scratch);

}  // namespace cohort::trace::sequential
