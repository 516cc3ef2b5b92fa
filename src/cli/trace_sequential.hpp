// The words of `cohort trace` about sequential traces: --sequential, --extend, --table, --jobs,
// --statistics, --piece, --out, --merge.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "cli/trace_properties.hpp"
#include "report/trace.hpp"
#include "trace/format/input.hpp"
#include "trace/sequential/source.hpp"

namespace cohort::cli {

struct SequentialWords {
  bool sequential = false;
  std::string extend;
  std::string table;
  unsigned jobs = 1;
  std::uint64_t piece_size = 1U << 20U;
  bool statistics = false;
  std::string piece;
  std::string out;
  bool merge = false;
};

void add_sequential_options(CLI::App& command, SequentialWords& words);

/// A file that is a sequential trace; of a stream what was opened to see that.
struct SequentialFile {
  trace::sequential::Form form = trace::sequential::Form::Csv;
  std::optional<trace::Input> input;
};

/// Nothing if the file is a partial order; then `stream` is standard input, if that was looked at.
[[nodiscard]] std::optional<SequentialFile> find_sequential(const std::string& path,
                                                            const TraceInputWords& input,
                                                            const SequentialWords& words,
                                                            std::optional<trace::Input>& stream);

/// What is checked.
struct SequentialProperties {
  PropertyWords properties;
  std::vector<std::string> specs;
  bool has_ctl = false;
};

/// Checks one file and adds what came out to the report.
void check_sequential(const std::string& path, SequentialFile file, const TraceInputWords& input,
                      const SequentialProperties& properties, const SequentialWords& words,
                      base::Limits& limits, report::TraceReport& report);

}  // namespace cohort::cli
