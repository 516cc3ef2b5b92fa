#include "cli/linear_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <variant>

#include "base/source.hpp"

namespace cohort::cli {

std::vector<std::string> LinearWords::names() const {
  std::vector<std::string> made;
  for (std::size_t i = 0; i < ltl.size(); ++i) made.push_back(fmt::format("ltl{}", i + 1));
  for (std::size_t i = 0; i < automata.size(); ++i) {
    made.push_back(fmt::format("automaton{}", i + 1));
  }
  return made;
}

namespace {

constexpr const char* section = "Linear time";

}  // namespace

void add_ltl_options(CLI::App& command, LinearWords& words) {
  command
      .add_option("--ltl", words.ltl,
                  "a formula of linear time that every run has to satisfy; the first is ltl1 "
                  "(repeatable)")
      ->allow_extra_args(false)
      ->type_name("FORMULA")
      ->group(section);
  command.add_flag("--fair", words.settings.fair, "weakly fair runs only")->group(section);
}

void add_linear_options(CLI::App& command, LinearWords& words) {
  add_ltl_options(command, words);
  command
      .add_option("--automaton", words.automata,
                  "a .hoa file in place of a formula: it accepts the bad runs, as the automaton "
                  "of a negated formula does (repeatable)")
      ->allow_extra_args(false)
      ->type_name("FILE")
      ->group(section);
  command
      .add_flag("--finite", words.settings.finite,
                "every prefix of every run, as a finite word, instead of every maximal run")
      ->group(section);
  command
      .add_option_function<std::string>(
          "--view",
          [&words](const std::string& text) {
            words.settings.view = text == "actions" ? online::View::Actions : online::View::States;
          },
          "what the positions of a run are: its states, or the actions between them (the default "
          "if a label occurs)")
      ->check(CLI::Validator(
          [](const std::string& text) -> std::string {
            if (text == "actions" || text == "states") return {};
            return fmt::format("'{}' is none of actions|states", text);
          },
          std::string{}))
      ->type_name("actions|states")
      ->take_last()
      ->group(section);
  add_positive_option(command, "--heap", words.heap,
                      "remember at most N states besides the current path; --seed chooses which")
      ->group(section);
}

std::vector<online::Property> load_linear(const LinearWords& words, const InputWords& input,
                                          lang::Loaded& loaded) {
  const bool is_idle = words.ltl.empty() && words.automata.empty();
  const bool is_set =
      words.settings.fair || words.settings.finite || words.settings.view || words.heap > 0;
  if (is_idle && is_set) {
    std::fputs("cohort: --fair, --finite, --view and --heap say nothing without --ltl\n", stderr);
  }
  const bool is_model_read = std::ranges::none_of(
      loaded.problems,
      [&](const lang::Problem& problem) { return problem.where == input.request.model; });
  if (!is_model_read) return {};
  std::vector<online::Request> requests;
  const std::vector<std::string> names = words.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_wanted = input.properties.empty() ||
                           std::ranges::find(input.properties, names[i]) != input.properties.end();
    if (!is_wanted) continue;
    online::Request& request = requests.emplace_back();
    request.name = names[i];
    if (i < words.ltl.size()) {
      request.text = words.ltl[i];
      continue;
    }
    request.is_automaton = true;
    request.file = words.automata[i - words.ltl.size()];
    std::variant<base::Source, base::Unreadable> read = base::read_source(request.file);
    if (const auto* const unreadable = std::get_if<base::Unreadable>(&read)) {
      loaded.problems.push_back({request.file, unreadable->reason, {}});
      requests.pop_back();
      continue;
    }
    request.text = std::get<base::Source>(read).text();
  }
  return online::load_properties(loaded, requests, words.settings);
}

online::Options options_of(const LinearWords& words, const SearchWords& search,
                           const cctl::Options& engine) {
  return {.engine = engine, .heap = words.heap, .seed = search.seed};
}

}  // namespace cohort::cli
