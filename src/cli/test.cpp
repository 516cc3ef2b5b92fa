// cohort test: many models with their specs, told like a test runner does.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/sections.hpp"
#include "cli/terminal.hpp"
#include "cli/test_plan.hpp"
#include "cli/warnings.hpp"
#include "model/program.hpp"
#include "report/diagnostics.hpp"
#include "report/junit.hpp"
#include "report/test_results.hpp"

namespace cohort::cli {
namespace {

struct Words {
  std::vector<std::string> paths;
  SearchWords search;
  OutputWords output;
  WarningWords warnings;
};

/// A model with its specs and what came out.
struct Test {
  lang::Loaded loaded;
  report::Run run;
};

/// Checks the properties of one model; each has the limits for itself.
class Tester {
 public:
  Tester(const Words& words, Test& test, ProgressLine& progress)
      : words_(words), test_(test), progress_(progress) {
    options_ = words.search.options;
    options_.evidence = false;
  }

  void run() {
    for (const lang::Formula& formula : test_.loaded.formulas) {
      test_.run.results.push_back({&formula, ask(formula)});
    }
    if (test_.loaded.formulas.empty()) explore();
    if (!words_.warnings.given.empty()) look_for_findings();
  }

 private:
  [[nodiscard]] cctl::Answer ask(const lang::Formula& formula) {
    limits_ = base::Limits{};
    apply(words_.search, limits_);
    cctl::Answer answer;
    try {
      if (!program_) program_ = std::make_unique<model::Program>(test_.loaded.program);
      if (!checker_) {
        checker_ = std::make_unique<cctl::Checker>(*program_, options_, limits_);
        checker_->on_progress([this](const cctl::Progress& p) { progress_.show(p); });
      }
      answer = checker_->check(formula);
    } catch (const std::bad_alloc&) {
      limits_.out_of_memory();
      answer.reason = limits_.describe();
      answer.statistics.seconds = limits_.seconds();
    }
    progress_.clear();
    // What a search left behind that was stopped is nothing to go on with.
    if (answer.verdict == base::Verdict::Unknown) checker_.reset();
    return answer;
  }

  void explore() {
    options_.build = cctl::Build::Eager;
    lang::Formula truth;
    truth.text = "true";
    truth.root.value = 1;
    truth.root.type.kind = lang::ValueType::Kind::Number;
    cctl::Answer answer = ask(truth);
    test_.run.unknown = answer.reason;
    test_.run.error = std::move(answer.error);
  }

  /// Only what -W names: a test says what is wrong, and no more.
  void look_for_findings() {
    const bool answered = std::ranges::all_of(test_.run.results, [](const report::Result& result) {
      return result.answer.verdict == base::Verdict::Holds ||
             result.answer.verdict == base::Verdict::Fails;
    });
    if (!answered || !checker_ || test_.run.error) return;
    limits_ = base::Limits{};
    apply(words_.search, limits_);
    try {
      test_.run.findings = find(words_.warnings, true, *checker_, checker_->summary(), test_.loaded,
                                test_.run.results, 0);
    } catch (const std::bad_alloc&) {
      return;
    }
    progress_.clear();
    std::fputs(text_of(test_.run.findings, test_.loaded).c_str(), stderr);
  }

  const Words& words_;
  Test& test_;
  ProgressLine& progress_;
  cctl::Options options_;
  base::Limits limits_;
  std::unique_ptr<model::Program> program_;
  std::unique_ptr<cctl::Checker> checker_;
};

[[nodiscard]] ExitStatus status_of(const report::TestTotals& totals, bool problems) {
  if (base::Limits::interrupted()) return ExitStatus::Interrupted;
  if (problems || totals.errors > 0) return ExitStatus::InputError;
  if (totals.failed > 0) return ExitStatus::NotAsExpected;
  return totals.unknown > 0 ? ExitStatus::Unknown : ExitStatus::AsExpected;
}

[[nodiscard]] std::unique_ptr<Test> run_one(const Words& words, const PlannedTest& planned,
                                            ProgressLine& progress) {
  auto test = std::make_unique<Test>();
  InputWords input;
  input.request.model = planned.model;
  input.request.specs = planned.specs;
  input.definitions = planned.definitions;
  test->loaded = load(input);
  test->run.command = "test";
  test->run.version = COHORT_VERSION;
  test->run.input = planned.model;
  test->run.definitions = overrides_of(input);
  test->run.loaded = &test->loaded;
  weigh(words.warnings, true, test->loaded);
  std::fputs(report::text_of_findings(test->loaded).c_str(), stderr);
  if (test->loaded.ok()) Tester(words, *test, progress).run();
  return test;
}

[[nodiscard]] ExitStatus run(const Words& words) {
  const TestPlan plan = plan_tests(words.paths);
  for (const std::string& problem : plan.problems) std::cerr << "cohort: " << problem << '\n';
  const InterruptGuard guard;
  const base::Limits clock;
  ProgressLine progress{words.output, clock};
  std::vector<std::unique_ptr<Test>> tests;
  report::TestTotals totals;
  totals.errors = plan.problems.size();
  const bool is_text = words.output.format == Format::Text;
  for (const PlannedTest& planned : plan.tests) {
    if (base::Limits::interrupted()) break;
    tests.push_back(run_one(words, planned, progress));
    const report::Run& run = tests.back()->run;
    report::TestTotals alone;
    alone.add(run);
    totals.add(run);
    const bool all_well = alone.failed + alone.unknown + alone.errors == 0;
    if (is_text && !(words.output.quiet && all_well)) {
      report::write_lines(std::cout, run);
      std::cout.flush();
    }
  }
  totals.seconds = clock.seconds();
  std::vector<const report::Run*> runs;
  for (const auto& test : tests) runs.push_back(&test->run);
  if (is_text) report::write_summary(std::cout, totals);
  if (words.output.format == Format::Json) {
    report::write_json(std::cout, COHORT_VERSION, runs, totals);
  }
  if (words.output.format == Format::Junit) report::write_junit(std::cout, runs);
  std::cout.flush();
  if (!std::cout) {
    std::fputs("cohort: cannot write to standard output\n", stderr);
    return ExitStatus::InputError;
  }
  return status_of(totals, !plan.problems.empty());
}

}  // namespace

void add_test(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command =
      app.add_subcommand("test", "check many models with their specs, and count what passes");
  command
      ->add_option("PATH", words->paths,
                   "folders with models and specs, .coh and .cctl files; a model goes with the "
                   "specs of its name")
      ->required()
      ->type_name("FOLDER|FILE")
      ->group(input_section);
  add_engine_options(*command, words->search);
  add_limit_options(*command, words->search);
  add_format_option(*command, words->output.format, {Format::Text, Format::Json, Format::Junit});
  add_progress_options(*command, words->output);
  add_warning_options(*command, words->warnings);
  command->footer(
      "Limits are for each property alone.  --quiet leaves out the models of which all passes.\n"
      "Findings are looked for where -W asks for them; one that is an error counts as an error of "
      "its model.\n"
      "Lines '//! test: -D NAME=VALUE' at the head of a model or spec give the sizes to test.");
  command->callback([words, &status] { status = run(*words); });
}

}  // namespace cohort::cli
