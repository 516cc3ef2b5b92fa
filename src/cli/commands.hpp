// The commands of the program.  Each adds its words to the command line and runs when it is chosen.
#pragma once

#include <CLI/App.hpp>

#include "cli/exit_status.hpp"

namespace cohort::cli {

/// `status` is set when the command runs; it must outlive `app`.
void add_automaton(CLI::App& app, ExitStatus& status);
void add_check(CLI::App& app, ExitStatus& status);
void add_compare(CLI::App& app, ExitStatus& status);
void add_explain(CLI::App& app, ExitStatus& status);
void add_export(CLI::App& app, ExitStatus& status);
void add_fmt(CLI::App& app, ExitStatus& status);
void add_graph(CLI::App& app, ExitStatus& status);
void add_replay(CLI::App& app, ExitStatus& status);
void add_simulate(CLI::App& app, ExitStatus& status);
void add_test(CLI::App& app, ExitStatus& status);
void add_trace(CLI::App& app, ExitStatus& status);

}  // namespace cohort::cli
