// A sequential trace in memory, as plain as it can be: for the judge of evidence.
//
//   std::string reason;
//   const std::optional<PlainTrace> trace = read_plainly("log.csv", Form::Csv, {}, reason);
//
// CSV and JSON lines are read a character at a time, with no code of the readers for checks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/sequential/source.hpp"

namespace cohort::trace::sequential {

/// What a line assigns, as text: cells and numbers as they are written.
struct PlainRow {
  std::uint64_t line = 0;
  struct Change {
    std::string name;
    std::string value;
    bool text = false;  ///< a string, whatever it looks like
  };
  std::vector<Change> changes;
};

struct PlainTrace {
  std::vector<PlainRow::Change> initial;  ///< of variables that do not start with 0
  std::vector<PlainRow> rows;
};

/// Nothing, with the reason, if it cannot be read.
[[nodiscard]] std::optional<PlainTrace> read_plainly(const std::string& path, Form form,
                                                     const Source::Options& options,
                                                     std::string& reason);

}  // namespace cohort::trace::sequential
