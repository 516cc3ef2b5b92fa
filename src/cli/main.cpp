#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggest.hpp"
#include "cli/commands.hpp"

namespace cohort::cli {
namespace {

constexpr const char* footer = R"(Exit status:
  0    every property came out as expected
  1    some property did not
  2    the input or the model has an error
  3    no error and no unexpected verdict, but a limit left a property unknown
  130  interrupted

Examples:
  cohort check models/resource_controller.coh specs/resource_controller.cctl
  cohort fmt --in-place models/resource_controller.coh)";

/// The first word is a command, or something that CLI11 has a message for.
[[nodiscard]] bool knows_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  if (word.starts_with('-') || std::ranges::find(names, word) != names.end()) return true;
  const std::vector<std::string_view> candidates{names.begin(), names.end()};
  const std::optional<std::string_view> near = base::nearest(word, candidates);
  fmt::print(stderr, "cohort: there is no command '{}'{}\nRun with --help for more information.\n",
             word, near ? fmt::format("; did you mean '{}'?", *near) : "");
  return false;
}

/// A command that could not write what it was asked for did not do its work.
[[nodiscard]] ExitStatus written(ExitStatus status) {
  std::cout.flush();
  const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout;
  if (is_written || status == ExitStatus::InputError) return status;
  std::fputs("cohort: cannot write to standard output\n", stderr);
  return ExitStatus::InputError;
}

int run(int argc, char** argv) {
  CLI::App app{"Cohort checks models of concurrent programs, and traces of distributed ones.",
               "cohort"};
  app.set_version_flag("--version", std::string("cohort ") + COHORT_VERSION);
  app.require_subcommand(1);
  app.footer(footer);
  ExitStatus status = ExitStatus::AsExpected;
  add_check(app, status);
  add_compare(app, status);
  add_test(app, status);
  add_trace(app, status);
  add_graph(app, status);
  add_replay(app, status);
  add_explain(app, status);
  add_export(app, status);
  add_fmt(app, status);
  add_simulate(app, status);
  add_automaton(app, status);
  if (argc > 1 && !knows_command(app, argv[1])) return static_cast<int>(ExitStatus::InputError);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are "errors" with status 0; every other one is a wrong command line.
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitStatus::InputError);
  }
  return static_cast<int>(written(status));
}

}  // namespace
}  // namespace cohort::cli

int main(int argc, char** argv) {
  try {
    return cohort::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("cohort: out of memory\n", stderr);
    return static_cast<int>(cohort::cli::ExitStatus::Unknown);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cohort: internal error: %s\n", error.what());
    return static_cast<int>(cohort::cli::ExitStatus::InputError);
  }
}
