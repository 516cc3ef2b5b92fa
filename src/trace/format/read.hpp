// Reading partial-order traces, whatever their form.
//
//   const Reading reading = read_trace("run.trace.zst", {});
//   if (!reading.ok()) std::cerr << render(reading.file, reading.findings);
//   check(reading.trace.executions.front(), …);
//
// One pass over the bytes; nothing of the text is kept but names and strings.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "trace/finding.hpp"
#include "trace/format/input.hpp"
#include "trace/order.hpp"

namespace cohort::trace {

enum class Format { Native, JsonLines, ShiViz };

struct ReadOptions {
  std::optional<Format> format;  ///< guessed from the name, then from the first bytes
  std::string regex = {};        ///< ShiViz: one event; empty: the two-line form of GoVector
  std::string delimiter = {};    ///< ShiViz: a line between two executions; empty: there is one
  bool strict = false;           ///< every warning is an error
  std::function<bool()> should_stop = {};  ///< asked now and then: true ends reading
};

struct Reading {
  std::string file;
  Format format = Format::Native;
  Trace trace;  ///< meaningless if there are errors
  Findings findings;
  bool stopped = false;  ///< should_stop was true: nothing is known about the trace

  [[nodiscard]] bool ok() const { return !findings.has_errors(); }
};

[[nodiscard]] Reading read_trace(const std::string& path, const ReadOptions& options);
/// The same of an input that is open already.
[[nodiscard]] Reading read_trace(const std::string& path, Input& input, const ReadOptions& options);
/// Reads a text; for tests.
[[nodiscard]] Reading read_trace_text(std::string text, const ReadOptions& options);

/// The format that a file's name tells; `.gz` and `.zst` are looked through.
[[nodiscard]] std::optional<Format> format_of_name(std::string_view name);

/// What grammar/trace.ebnf says about a native trace, and nothing else; for tests.
[[nodiscard]] Findings check_native_syntax(std::string text);

// One reader for each format: each fills `trace` and `findings`.
void read_native(Lines& lines, Trace& trace, Findings& findings);
void read_json_lines(Lines& lines, Trace& trace, Findings& findings);
void read_shiviz(Lines& lines, const ReadOptions& options, Trace& trace, Findings& findings);

}  // namespace cohort::trace
