// A trace checked in pieces that know nothing of each other: on several machines, at several times.
//
//   const TracePart part = make_part(plan, reader, bytes, begin, 2, 4, limits);   // piece 2 of 4
//   …
//   const Checked checked = merge_parts(plan, reader, lines, begin, parts);
//
// A piece does not know whether its cut lies between quotes, so it holds both readings where they
// differ; when the pieces are put together the one before says which is right.  The first records,
// which ask for what was before the piece, go along as text.  Where those would be many (`x?C`, a
// variable that hardly ever changes) the piece reads what is before it instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "trace/sequential/check.hpp"

namespace cohort::trace::sequential {

/// One reading of a piece.
struct PartReading {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  PieceSummary summary;
  std::string prefix_text;             ///< the records that have to be read again
  std::optional<PieceSummary> prefix;  ///< or what came out of that
};

struct TracePart {
  std::uint32_t piece = 1;  ///< from 1
  std::uint32_t pieces = 1;
  std::uint64_t cut_end = 0;  ///< records that begin from here on are of the next one
  std::vector<PartReading> readings;
  bool complete = true;  ///< no limit ended it
};

[[nodiscard]] TracePart make_part(const Plan& plan, const RecordReader& reader, const Bytes& bytes,
                                  std::uint64_t begin, std::uint32_t piece, std::uint32_t pieces,
                                  base::Limits& limits);

/// All pieces of one trace, by number.  A problem if they do not fit together.
[[nodiscard]] Checked merge_parts(const Plan& plan, const RecordReader& reader,
                                  std::uint64_t header_lines, std::uint64_t begin,
                                  const std::vector<TracePart>& parts);

/// Tells files apart without reading all of one: its size and some of its bytes.
[[nodiscard]] std::string fingerprint(const Bytes& bytes);

}  // namespace cohort::trace::sequential
