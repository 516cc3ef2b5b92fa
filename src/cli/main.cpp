#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
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
#include "report/json_writer.hpp"

namespace cohort::cli {
namespace {

constexpr const char* exit_status = R"(Exit status:
  0    every property came out as expected
  1    some property did not
  2    the input or the model has an error
  3    no error and no unexpected verdict, but a limit left a property unknown
  130  interrupted

Examples:
)";

struct Examples {
  const char* command;
  const char* lines;
};
constexpr std::array<Examples, 8> examples{{
    {"check",
     "  cohort check models/resource_controller.coh specs/resource_controller.cctl\n"
     "  cohort check models/german.coh -D cache=4 --cctl 'AG COUNT(i in cache : "
     "state[i] = exclusive) <= 1'\n"
     "  cohort check models/barrier.coh --ltl 'forall w in worker . "
     "G(phase[w] = arrived -> F phase[w] = working)' --fair"},
    {"compare",
     "  cohort compare models/resource_controller.coh specs/resource_controller.cctl "
     "-D client=6"},
    {"graph",
     "  cohort graph models/mutual_exclusion.coh | dot -Tsvg > graph.svg\n"
     "  cohort graph models/mutual_exclusion.coh --engine full --format json"},
    {"simulate",
     "  cohort simulate models/peterson_two.coh --steps 60 --seed 1\n"
     "  cohort simulate models/peterson_two.coh --trace run.trace --quiet"},
    {"trace",
     "  cohort trace run.trace --ctl 'AG(crit[0] = 0 | crit[1] = 0)'\n"
     "  cohort trace log.csv --ltl 'G(req = 1 -> F ack = 1)' --statistics --jobs 2"},
    {"replay",
     "  cohort check models/german.coh specs/german.cctl --format json > report.json\n"
     "  cohort replay models/german.coh report.json"},
    {"fmt",
     "  cohort fmt models/german.coh\n"
     "  cohort fmt --in-place models/german.coh specs/german.cctl"},
    {"automaton",
     "  cohort automaton 'G(a -> F b)' --format dot | dot -Tsvg > automaton.svg\n"
     "  cohort automaton --finite --negate 'G(a -> X b)'"},
}};

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

/// Whether the report should be a JSON object, as far as a wrong command line tells.
[[nodiscard]] bool wants_json(int argc, char** argv) {
  bool wanted = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--format=")) wanted = word == "--format=json";
    if (word == "--format" && i + 1 < argc) wanted = std::string_view(argv[i + 1]) == "json";
  }
  return wanted;
}

/// What is wrong with the command line, for programs: cohort's standard output is theirs.
void write_json_problem(const std::string& command, const std::string& message) {
  report::JsonWriter json{std::cout};
  json.begin_object();
  json.member("tool", "cohort");
  json.member("version", COHORT_VERSION);
  json.member("command", command);
  json.member("input", "");
  for (const char* const empty : {"inputs", "properties"}) {
    if (command != "trace" && std::string_view(empty) == "inputs") continue;
    json.key(empty);
    json.begin_array();
    json.end();
  }
  json.key("errors");
  json.begin_array();
  json.begin_object();
  json.member("file", "command line");
  json.member("line", 1);
  json.member("column", 1);
  json.member("message", message);
  json.end();
  json.end();
  json.end();
  std::cout.flush();
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
  app.footer(std::string(exit_status) +
             "  cohort check models/resource_controller.coh specs/resource_controller.cctl\n"
             "  cohort fmt --in-place models/resource_controller.coh");
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
  for (const Examples& of : examples) {
    app.get_subcommand(of.command)->footer(std::string(exit_status) + of.lines);
  }
  if (argc > 1 && !knows_command(app, argv[1])) return static_cast<int>(ExitStatus::InputError);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are "errors" with status 0; every other one is a wrong command line.
    if (app.exit(error) == 0) return 0;
    if (wants_json(argc, argv)) write_json_problem(argv[1], error.what());
    return static_cast<int>(ExitStatus::InputError);
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
