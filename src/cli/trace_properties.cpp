#include "cli/trace_properties.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <utility>

namespace cohort::cli {

void add_trace_input_options(CLI::App& command, TraceInputWords& words) {
  command
      .add_option("--input", words.format, "the traces' format; otherwise the file's name tells")
      ->check(CLI::IsMember({"trace", "jsonl", "shiviz"}));
  command.add_option("--regex", words.regex,
                     "ShiViz: one event, with groups host, clock, event; others become variables");
  command.add_option("--delimiter", words.delimiter,
                     "ShiViz: lines that match stand between two executions");
  command.add_flag("--strict", words.strict, "every warning about a trace is an error");
}

void add_property_options(CLI::App& command, PropertyWords& words) {
  command.add_option("--ltl", words.ltl, "a formula that every order has to satisfy (repeatable)")
      ->allow_extra_args(false);
  command
      .add_option("--monitor", words.monitors,
                  "a .mon file; no order may end in a bad state (repeatable)")
      ->allow_extra_args(false);
  command
      .add_option("--automaton", words.automata,
                  "a .hoa file; it accepts the bad orders (repeatable)")
      ->allow_extra_args(false);
}

trace::ReadOptions options_of(const TraceInputWords& words) {
  trace::ReadOptions options;
  if (words.format == "trace") options.format = trace::Format::Native;
  if (words.format == "jsonl") options.format = trace::Format::JsonLines;
  if (words.format == "shiviz") options.format = trace::Format::ShiViz;
  options.regex = words.regex;
  options.delimiter = words.delimiter;
  options.strict = words.strict;
  return options;
}

std::vector<trace::Property> make_properties(const PropertyWords& words,
                                             const trace::Vocabulary& vocabulary,
                                             std::vector<report::TraceError>& errors) {
  std::vector<trace::Property> properties;
  for (std::size_t i = 0; i < words.ltl.size(); ++i) {
    properties.push_back(
        trace::Property::from_ltl(fmt::format("ltl{}", i + 1), words.ltl[i], vocabulary));
  }
  (void)errors;
  return properties;
}

const char* kind_word(trace::Property::Kind kind) {
  switch (kind) {
    case trace::Property::Kind::Ltl:
      return "ltl";
    case trace::Property::Kind::Monitor:
      return "monitor";
    case trace::Property::Kind::Automaton:
      return "automaton";
  }
  return "";
}

}  // namespace cohort::cli
