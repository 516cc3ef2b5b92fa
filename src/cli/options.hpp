// Words of the command line that several commands share.
//
//   InputWords input;
//   SearchWords search;
//   add_input_options(*command, input);
//   add_search_options(*command, search);
//   …                                       // the command line is parsed
//   const lang::Loaded loaded = load(input);
//
// Every `add_…_options` keeps references to its words, which must live as long as the command.
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "cctl/check.hpp"
#include "lang/load.hpp"

namespace cohort::cli {

/// A model, where its properties come from, and what is changed in it.
struct InputWords {
  lang::LoadRequest request;
  std::vector<std::string> definitions;  ///< NAME=VALUE
  std::vector<std::string> properties;   ///< names; all of them without any
  std::vector<std::string> elsewhere{};  ///< names of properties that come from other words
};

/// MODEL and -D.
void add_model_options(CLI::App& command, InputWords& words);
/// --property, --cctl, --evaluate.
void add_formula_options(CLI::App& command, InputWords& words);
/// All of these, and SPEC….
void add_input_options(CLI::App& command, InputWords& words);

/// What -D says; of several values for a name the last one.
[[nodiscard]] std::vector<lang::Override> overrides_of(const InputWords& words);

/// Reads what the words name.  A --property that names nothing is one of its problems; the formulas
/// that were not asked for are left out.
[[nodiscard]] lang::Loaded load(const InputWords& words);
/// For commands that check no formula: those of the model need no values for their free variables.
[[nodiscard]] lang::Loaded load_model(InputWords words);
/// The same as `load` with the model's text instead of its file.
[[nodiscard]] lang::Loaded load_text(const InputWords& words, std::string text);

/// How a search is done, and what it may take.
struct SearchWords {
  cctl::Options options;
  double timeout = 0;            ///< in seconds; 0: no limit
  std::uint64_t max_memory = 0;  ///< in bytes; 0: no limit
  std::uint64_t max_states = 0;  ///< 0: no limit
  std::uint32_t jobs = 1;
  std::uint64_t seed = 0;
};

/// --engine.
void add_engine_option(CLI::App& command, SearchWords& words);
/// --engine, --quantifier-elimination, --build.
void add_engine_options(CLI::App& command, SearchWords& words);
/// --store; goes with --build eager.
void add_store_option(CLI::App& command, SearchWords& words);
/// --timeout, --max-memory.
void add_resource_options(CLI::App& command, SearchWords& words);
/// Those, --jobs, --seed, --max-states.
void add_limit_options(CLI::App& command, SearchWords& words);

/// For one search, which starts now.
void apply(const SearchWords& words, base::Limits& limits);

enum class Format : std::uint8_t { Text, Json, Junit };
enum class ShowProgress : std::uint8_t { Auto, Always, Never };

struct OutputWords {
  Format format = Format::Text;
  bool no_witness = false;
  bool quiet = false;
  ShowProgress progress = ShowProgress::Auto;
};

/// --format, of these.
void add_format_option(CLI::App& command, Format& format, const std::vector<Format>& formats);
/// --quiet, --progress.
void add_progress_options(CLI::App& command, OutputWords& words);
/// --format, --no-witness, --quiet, --progress.
void add_output_options(CLI::App& command, OutputWords& words);

/// An option whose value is a whole number above 0.
CLI::Option* add_positive_option(CLI::App& command, const std::string& name, std::size_t& value,
                                 const std::string& help);

/// NAME=NUMBER, as -D takes it.
[[nodiscard]] bool is_definition(const std::string& text);

/// `4G`, `512M`, `1.5GiB`, `4096`: bytes.  None if it is no size, or more than 64 bits.
[[nodiscard]] std::optional<std::uint64_t> parse_size(const std::string& text);

}  // namespace cohort::cli
