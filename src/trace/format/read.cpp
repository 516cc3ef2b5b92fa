#include "trace/format/read.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "trace/format/regex.hpp"

namespace cohort::trace {
namespace {

/// For standard input and names that tell nothing.
[[nodiscard]] Format format_of_text(std::string_view begin, const ReadOptions& options) {
  if (!options.regex.empty() || !options.delimiter.empty()) return Format::ShiViz;
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && begin[first] == '{') return Format::JsonLines;
  const std::string_view line = begin.substr(0, begin.find('\n'));
  const auto clock = line.find(" {\"");
  if (clock != std::string_view::npos &&
      line.substr(0, clock).find(' ') == std::string_view::npos && !line.starts_with('#') &&
      line.ends_with('}')) {
    return Format::ShiViz;
  }
  return Format::Native;
}

void read(Input& input, const ReadOptions& options, Reading& reading) {
  Lines lines{input};
  lines.stop_if(options.should_stop);
  lines.skip_byte_order_mark();
  std::optional<Format> format = options.format;
  if (!format) format = format_of_name(reading.file);
  if (!format) format = format_of_text(lines.peek(4096), options);
  reading.format = *format;
  switch (*format) {
    case Format::Native:
      read_native(lines, reading.trace, reading.findings);
      break;
    case Format::JsonLines:
      read_json_lines(lines, reading.trace, reading.findings);
      break;
    case Format::ShiViz:
      read_shiviz(lines, options, reading.trace, reading.findings);
      break;
  }
  if (lines.stopped()) {
    // What is wrong with a part may be right with the rest.
    reading.stopped = true;
    reading.trace = {};
    reading.findings = {};
    return;
  }
  if (input.failure()) reading.findings.error({lines.number(), 0}, *input.failure());
  if (options.strict) reading.findings.make_strict();
}

}  // namespace

std::optional<Format> format_of_name(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  if (name.ends_with(".trace")) return Format::Native;
  if (name.ends_with(".jsonl")) return Format::JsonLines;
  if (name.ends_with(".log") || name.ends_with(".shiviz")) return Format::ShiViz;
  return std::nullopt;
}

Reading read_trace(const std::string& path, const ReadOptions& options) {
  Reading reading;
  reading.file = path;
  std::variant<Input, base::Unreadable> opened = Input::open(path);
  if (const auto* const unreadable = std::get_if<base::Unreadable>(&opened)) {
    reading.findings.error({}, unreadable->reason);
  } else {
    read(std::get<Input>(opened), options, reading);
  }
  return reading;
}

Reading read_trace(const std::string& path, Input& input, const ReadOptions& options) {
  Reading reading;
  reading.file = path;
  read(input, options, reading);
  return reading;
}

Reading read_trace_text(std::string text, const ReadOptions& options) {
  Reading reading;
  reading.file = "text";
  Input input = Input::from_text(std::move(text));
  read(input, options, reading);
  return reading;
}

}  // namespace cohort::trace
