// Checks a sequential trace, in pieces and in parallel.
//
//   const Checked checked = check_bytes(plan, CsvReader{layout}, bytes, header.size, header.lines,
//                                       {.jobs = 4}, limits);
//
// Idea.  The bytes are cut anywhere; a piece begins with the first record that begins behind its
// cut and ends with the last one that begins before the next.  Whether a cut lies between quotes
// nobody knows without reading all before it: a worker guesses that it does not (or that it does,
// where the first guess makes no sense), and the pieces are put together from the first on: one
// that ends where the next begins has shown that the guess was right.  A wrong guess costs that
// piece a second reading.
//
// What comes out does not depend on the number of workers, on cuts, or on timing.
#pragma once

#include <cstdint>
#include <functional>

#include "base/limits.hpp"
#include "trace/format/input.hpp"
#include "trace/sequential/bytes.hpp"
#include "trace/sequential/fold.hpp"
#include "trace/sequential/records.hpp"

namespace cohort::trace::sequential {

struct CheckOptions {
  unsigned jobs = 1;
  /// Pieces for each job; more even out what is unequal.
  unsigned pieces_per_job = 8;
  /// Pieces are not made smaller than this.
  std::uint64_t least_piece = std::uint64_t{1} << 20U;
};

struct Checked {
  Fold fold;
  bool complete = true;  ///< no limit ended it
};

/// Of bytes from `begin` on; `lines` stand before that.
[[nodiscard]] Checked check_bytes(const Plan& plan, const RecordReader& reader, const Bytes& bytes,
                                  std::uint64_t begin, std::uint64_t lines,
                                  const CheckOptions& options, base::Limits& limits);

/// Of an input that can only be read once.  `begin` is what of its records was read already.
[[nodiscard]] Checked check_stream(const Plan& plan, const RecordReader& reader, Input& input,
                                   std::string begin, std::uint64_t lines,
                                   const CheckOptions& options, base::Limits& limits);

/// Where the first record begins that does not begin before `cut`, if the cut lies between quotes
/// or not.  The end if there is none.
[[nodiscard]] std::uint64_t record_after(const Bytes& bytes, std::uint64_t first, std::uint64_t cut,
                                         bool has_quotes, bool inside);

/// Reads the records that begin in [begin, stop) into a piece; returns where the last one ends.
[[nodiscard]] std::uint64_t read_range(const RecordReader& reader, const Bytes& bytes,
                                       std::uint64_t begin, std::uint64_t stop,
                                       const std::function<bool()>& should_stop, Piece& piece);

}  // namespace cohort::trace::sequential
