// cohort replay --to: evidence that stands, for the tools of others.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/replay_model.hpp"
#include "cli/saved_evidence.hpp"
#include "model/plain.hpp"
#include "model/simulate.hpp"
#include "report/itf.hpp"
#include "report/run_trace.hpp"

namespace cohort::cli {
namespace {

/// The path as a run, with what each step read and wrote.  A loop is gone through once.
[[nodiscard]] model::Run run_of(const lang::Program& program, const cctl::Evidence& evidence) {
  const model::plain::Semantics semantics{program};
  model::Run run;
  run.initial = evidence.initial;
  run.last = evidence.initial;
  for (const cctl::Step& step : evidence.steps) {
    const model::plain::Instance instance{step.schema, step.processes};
    run.steps.push_back({instance, semantics.footprint(instance, run.last)});
    for (const cctl::Change& change : step.changes) run.last[change.instance] = change.value;
  }
  return run;
}

}  // namespace

ExitStatus convert_evidence(const ReplayWords& words) {
  const SavedEvidence saved = read_saved_evidence(words.evidence, words.input.properties);
  if (!saved.error.empty()) {
    fmt::print(stderr, "{}: error: {}\n", words.evidence, saved.error);
    return ExitStatus::InputError;
  }
  InputWords input = words.input;
  input.properties.clear();
  input.request.cctl.clear();
  use_definitions(input, saved.definitions);
  const lang::Loaded loaded = load(input);
  if (!loaded.ok()) return ExitStatus::InputError;  // the replay has said why
  const ReadEvidence read = saved.read(loaded.program);
  if (!read.ok()) return ExitStatus::InputError;
  std::ostringstream text;
  if (words.target == "itf") {
    report::write_itf(text, loaded.program, read.evidence,
                      {words.input.request.model, saved.property, saved.formula});
  } else {
    report::write_shiviz(text, loaded.program, run_of(loaded.program, read.evidence));
  }
  if (words.out.empty()) {
    std::cout << text.str() << std::flush;
    return std::cout ? ExitStatus::AsExpected : ExitStatus::InputError;
  }
  std::ofstream file(words.out, std::ios::binary);
  file << text.str() << std::flush;
  if (file) return ExitStatus::AsExpected;
  fmt::print(stderr, "cohort: cannot write to '{}'\n", words.out);
  return ExitStatus::InputError;
}

}  // namespace cohort::cli
