#include "cli/trace_properties.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>
#include <variant>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "monitor/hoa.hpp"

namespace cohort::cli {
namespace {

void add_errors(const base::Source& source, const base::Diagnostics& found,
                std::vector<report::TraceError>& errors) {
  std::fputs(base::render(source, found).c_str(), stderr);
  for (const base::Diagnostic& diagnostic : found.sorted()) {
    const base::Position at = source.position(diagnostic.where.begin);
    errors.push_back({source.name(), at.line, at.column, diagnostic.message, diagnostic.hint});
  }
}

/// An automaton without a name is called after its number among the automata.
void add_automaton(base::Source source, const trace::Vocabulary& vocabulary,
                   std::vector<trace::Property>& properties,
                   std::vector<report::TraceError>& errors) {
  base::Diagnostics found;
  std::optional<ltl::Automaton> automaton = monitor::read_hoa(source, found);
  if (!automaton) {
    add_errors(source, found, errors);
    return;
  }
  const auto before = std::ranges::count(properties, trace::Property::Kind::Automaton,
                                         [](const trace::Property& p) { return p.kind(); });
  const std::string name =
      automaton->name.empty() ? fmt::format("automaton{}", before + 1) : automaton->name;
  // On a finite word an automaton for infinite ones is read as one that ends in such a state.
  automaton->acceptance = ltl::Acceptance::Finite;
  properties.push_back(
      trace::Property::from_automaton(name, std::move(source), std::move(*automaton), vocabulary));
}

}  // namespace

void add_trace_input_options(CLI::App& command, TraceInputWords& words) {
  add_word_option(command, "--input", words.format, {"trace", "jsonl", "csv", "shiviz", "sqlite"},
                  "the traces' format; otherwise the file's name tells")
      ->group(input_section);
  command
      .add_option("--regex", words.regex,
                  "ShiViz: one event, with groups host, clock, event; others become variables")
      ->type_name("R")
      ->group(input_section);
  command
      .add_option("--delimiter", words.delimiter,
                  "ShiViz: lines that match stand between two executions")
      ->type_name("R")
      ->group(input_section);
  command.add_flag("--strict", words.strict, "every warning about a trace is an error")
      ->group(input_section);
}

void add_property_options(CLI::App& command, PropertyWords& words) {
  command
      .add_option("--ltl", words.ltl,
                  "a formula of linear time that every order has to satisfy (repeatable)")
      ->type_name("FORMULA")
      ->allow_extra_args(false)
      ->group(properties_section);
  command
      .add_option("--monitor", words.monitors,
                  "a .mon file: no order may end in a bad state; or a .hoa file, as --automaton "
                  "(repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(properties_section);
  command
      .add_option("--automaton", words.automata,
                  "a .hoa file; it accepts the bad orders (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(properties_section);
}

CLI::Option* add_word_option(CLI::App& command, const std::string& name, std::string& word,
                             const std::vector<std::string>& words, const std::string& text) {
  return command.add_option(name, word, text)
      ->type_name(fmt::format("{}", fmt::join(words, "|")))
      ->check(CLI::IsMember(words).description(""));
}

std::optional<base::Source> read_property_file(const std::string& path,
                                               std::vector<report::TraceError>& errors) {
  std::variant<base::Source, base::Unreadable> result = base::read_source(path);
  if (auto* const source = std::get_if<base::Source>(&result)) return std::move(*source);
  const std::string& reason = std::get<base::Unreadable>(result).reason;
  fmt::print(stderr, "{}: error: {}\n", path, reason);
  errors.push_back({path, 0, 0, reason, ""});
  return std::nullopt;
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
                                             base::Limits& limits,
                                             std::vector<report::TraceError>& errors) {
  std::vector<trace::Property> properties;
  for (std::size_t i = 0; i < words.ltl.size(); ++i) {
    properties.push_back(
        trace::Property::from_ltl(fmt::format("ltl{}", i + 1), words.ltl[i], vocabulary, &limits));
  }
  for (const std::string& path : words.monitors) {
    std::optional<base::Source> source = read_property_file(path, errors);
    if (!source) continue;
    if (monitor::looks_like_hoa(source->text())) {
      add_automaton(std::move(*source), vocabulary, properties, errors);
    } else {
      properties.push_back(trace::Property::from_monitor(std::move(*source), vocabulary));
    }
  }
  for (const std::string& path : words.automata) {
    std::optional<base::Source> source = read_property_file(path, errors);
    if (source) add_automaton(std::move(*source), vocabulary, properties, errors);
  }
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
