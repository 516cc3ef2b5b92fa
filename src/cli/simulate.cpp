// cohort simulate: a random run of a model, as a path for people or programs and as a trace.
#include "model/simulate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/sections.hpp"
#include "cli/terminal.hpp"
#include "cli/whole_number.hpp"
#include "report/diagnostics.hpp"
#include "report/json.hpp"
#include "report/path_text.hpp"
#include "report/run_trace.hpp"
#include "report/text.hpp"

namespace cohort::cli {
namespace {

using model::Run;

struct Words {
  InputWords input;
  std::uint64_t steps = 100;
  std::uint64_t seed = 0;
  std::string trace;  ///< a file; empty: none
  Format format = Format::Text;
  bool quiet = false;

  [[nodiscard]] bool trace_to_output() const { return trace == "-"; }
};

/// The run in the shape of evidence: of each step only what is different afterwards.
[[nodiscard]] cctl::Evidence path_of(const Run& run) {
  cctl::Evidence path;
  path.kind = cctl::Evidence::Kind::Witness;
  path.initial = run.initial;
  model::plain::State state = run.initial;
  for (const Run::Step& step : run.steps) {
    cctl::Step made{step.instance.schema, step.instance.processes, {}};
    for (const auto& [instance, value] : step.footprint.writes) {
      if (state[instance] == value) continue;
      state[instance] = value;
      made.changes.push_back({static_cast<std::uint32_t>(instance), value});
    }
    path.steps.push_back(std::move(made));
  }
  return path;
}

[[nodiscard]] const char* word_for(Run::End end) {
  switch (end) {
    case Run::End::Steps:
      return "steps";
    case Run::End::Deadlock:
      return "deadlock";
    case Run::End::Fault:
      return "error";
    case Run::End::Stopped:
      return "interrupted";
  }
  return "";
}

[[nodiscard]] std::string summary_of(const Run& run, std::uint64_t seed) {
  const std::string length = fmt::format("{} step{} with seed {}", run.steps.size(),
                                         run.steps.size() == 1 ? "" : "s", seed);
  switch (run.end) {
    case Run::End::Steps:
      return length;
    case Run::End::Deadlock:
      return length + "; then a deadlock: nothing is fireable";
    case Run::End::Fault:
      return length + "; then a model error";
    case Run::End::Stopped:
      return length + "; then interrupted";
  }
  return length;
}

void write_json(const Words& words, const lang::Loaded& loaded, const Run* run,
                const report::Run& head) {
  report::JsonWriter json{std::cout};
  json.begin_object();
  report::write_json_head(json, head);
  json.member("seed", words.seed);
  if (run != nullptr) {
    json.member("end", word_for(run->end));
    json.key("evidence");
    report::write_json_evidence(json, report::Names{loaded.program}, path_of(*run), nullptr);
  }
  report::write_json_errors(json, head);
  json.end();
}

/// Returns what went wrong, if something did.
[[nodiscard]] std::string save_trace(const std::string& path, const lang::Program& program,
                                     const Run& run) {
  std::ofstream file{path};
  if (file) report::write_trace(file, program, run);
  file.close();
  return file ? std::string{} : fmt::format("{}: {}", path, std::strerror(errno));
}

[[nodiscard]] ExitStatus run(const Words& words) {
  const lang::Loaded loaded = load_model(words.input);
  std::fputs(report::text_of_findings(
                 loaded, words.quiet ? report::Findings::Errors : report::Findings::All)
                 .c_str(),
             stderr);
  report::Run head;
  head.command = "simulate";
  head.version = COHORT_VERSION;
  head.input = words.input.request.model;
  head.definitions = overrides_of(words.input);
  head.loaded = &loaded;
  const bool as_json = words.format == Format::Json && !words.trace_to_output();
  if (!loaded.ok()) {
    if (as_json) write_json(words, loaded, nullptr, head);
    return ExitStatus::InputError;
  }

  const InterruptGuard guard;
  const model::plain::Semantics semantics{loaded.program};
  const Run run = model::simulate(semantics, {.steps = words.steps, .seed = words.seed, .stop = [] {
                                                return base::Limits::interrupted();
                                              }});
  if (run.fault) {
    head.error = cctl::ModelError{run.fault->fault, run.fault->instance.schema,
                                  run.fault->instance.processes, false, path_of(run)};
  }
  if (words.trace_to_output()) {
    report::write_trace(std::cout, loaded.program, run);
  } else if (as_json) {
    write_json(words, loaded, &run, head);
  } else if (!words.quiet || words.trace.empty()) {
    report::write_path(std::cout, report::Names{loaded.program}, path_of(run), nullptr);
    if (!words.quiet) std::cout << '\n' << summary_of(run, words.seed) << '\n';
  }
  std::cout.flush();
  if (head.error) {
    std::ostringstream text;
    report::TextReport(text, loaded, {}).write(*head.error, nullptr);
    std::fputs(text.str().c_str(), stderr);
  }
  if (!std::cout) {
    std::fputs("cohort: cannot write to standard output\n", stderr);
    return ExitStatus::InputError;
  }
  if (!words.trace.empty() && !words.trace_to_output()) {
    const std::string problem = save_trace(words.trace, loaded.program, run);
    if (!problem.empty()) {
      fmt::print(stderr, "cohort: cannot write {}\n", problem);
      return ExitStatus::InputError;
    }
  }
  if (run.end == Run::End::Stopped) return ExitStatus::Interrupted;
  return run.end == Run::End::Fault ? ExitStatus::InputError : ExitStatus::AsExpected;
}

}  // namespace

void add_simulate(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command =
      app.add_subcommand("simulate", "a random run of a model, also as a partial-order trace");
  add_model_options(*command, words->input);
  command->add_option("--steps", words->steps, "how many at most; 100 unless given")
      ->check(check_whole_number)
      ->type_name("N")
      ->take_last()
      ->group("Simulating");
  command->add_option("--seed", words->seed, "another seed, another run; 0 unless given")
      ->check(check_whole_number)
      ->type_name("S")
      ->take_last()
      ->group("Simulating");
  command
      ->add_option("--trace", words->trace,
                   "write the run as a partial-order trace; - is standard output, which then gets "
                   "nothing else")
      ->type_name("FILE")
      ->take_last()
      ->group(output_section);
  add_format_option(*command, words->format, {Format::Text, Format::Json});
  command
      ->add_flag("--quiet,-q", words->quiet,
                 "no summary, no warnings; with --trace not the run either")
      ->group(output_section);
  command->callback([words, &status] { status = run(*words); });
}

}  // namespace cohort::cli
