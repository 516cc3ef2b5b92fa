// Words about LTL on models, and the properties that they name.
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "lang/load.hpp"
#include "online/check.hpp"
#include "online/property.hpp"

namespace cohort::cli {

struct LinearWords {
  std::vector<std::string> ltl;
  std::vector<std::string> automata;  ///< files
  online::Settings settings;
  std::size_t heap = 0;  ///< 0: no limit

  /// ltl1, ltl2, …, automaton1, …
  [[nodiscard]] std::vector<std::string> names() const;
};

/// --ltl, --fair.
void add_ltl_options(CLI::App& command, LinearWords& words);
/// These, --automaton, --finite, --view, --heap.
void add_linear_options(CLI::App& command, LinearWords& words);

/// Those of the properties that `input` asks for.  What is wrong with them is added to `loaded`.
[[nodiscard]] std::vector<online::Property> load_linear(const LinearWords& words,
                                                        const InputWords& input,
                                                        lang::Loaded& loaded);

[[nodiscard]] online::Options options_of(const LinearWords& words, const SearchWords& search,
                                         const cctl::Options& engine);

}  // namespace cohort::cli
