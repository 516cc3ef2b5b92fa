// The words for traces that `trace` and `replay` share: how a file is read, and what is checked.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "cli/sections.hpp"
#include "report/trace.hpp"
#include "trace/check.hpp"
#include "trace/format/read.hpp"

namespace cohort::cli {

struct TraceInputWords {
  std::string format;  ///< empty: guessed
  std::string regex;
  std::string delimiter;
  bool strict = false;
};

struct PropertyWords {
  std::vector<std::string> ltl;
  std::vector<std::string> monitors;
  std::vector<std::string> automata;
};

/// An option whose value is one of `words`; a section is still to be given.
CLI::Option* add_word_option(CLI::App& command, const std::string& name, std::string& word,
                             const std::vector<std::string>& words, const std::string& text);

/// --input, --regex, --delimiter, --strict.
void add_trace_input_options(CLI::App& command, TraceInputWords& words);
/// --ltl, --monitor, --automaton.
void add_property_options(CLI::App& command, PropertyWords& words);

/// The text of a file with a property; what cannot be read is said and becomes an error.
[[nodiscard]] std::optional<base::Source> read_property_file(
    const std::string& path, std::vector<report::TraceError>& errors);

[[nodiscard]] trace::ReadOptions options_of(const TraceInputWords& words);

/// The properties in the order formulas, monitors, automata.  Files that cannot be read become
/// errors; what is wrong with a property it says itself.
[[nodiscard]] std::vector<trace::Property> make_properties(const PropertyWords& words,
                                                           const trace::Vocabulary& vocabulary,
                                                           base::Limits& limits,
                                                           std::vector<report::TraceError>& errors);

/// "ltl", "monitor", "automaton".
[[nodiscard]] const char* kind_word(trace::Property::Kind kind);

}  // namespace cohort::cli
