// cohort check: reads a model and its properties, checks them, and reports.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>

#include "cli/commands.hpp"
#include "cli/linear_options.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "cli/warnings.hpp"
#include "model/program.hpp"
#include "report/diagnostics.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/text.hpp"

namespace cohort::cli {
namespace {

struct Words {
  InputWords input;
  LinearWords linear;
  SearchWords search;
  OutputWords output;
  WarningWords warnings;
};

[[nodiscard]] report::Run empty_run(const Words& words, const lang::Loaded& loaded) {
  report::Run run;
  run.command = "check";
  run.version = COHORT_VERSION;
  run.input = words.input.request.model;
  run.definitions = overrides_of(words.input);
  run.loaded = &loaded;
  return run;
}

/// The formats that are one document.
void write_whole(Format format, const report::Run& run) {
  if (format == Format::Json) report::write_json(std::cout, run);
  if (format == Format::Junit) report::write_junit(std::cout, run);
}

/// Checks one property after the other, and prints what can be printed at once.
class Check {
 public:
  Check(const Words& words, const lang::Loaded& loaded, const std::vector<online::Property>& linear)
      : words_(words),
        loaded_(loaded),
        linear_(linear),
        text_(std::cout, loaded, {.colour = wants_colour()}),
        progress_(words.output, limits_) {
    apply(words.search, limits_);
    run_ = empty_run(words, loaded);
  }

  [[nodiscard]] ExitStatus run() {
    try {
      search();
    } catch (const std::bad_alloc&) {
      give_up();
    }
    progress_.clear();
    write_whole(words_.output.format, run_);
    return status();
  }

 private:
  [[nodiscard]] bool is_text() const { return words_.output.format == Format::Text; }

  void search() {
    const model::Program program{loaded_.program};
    cctl::Options options = words_.search.options;
    options.evidence = !words_.output.no_witness;
    if (has_none()) options.build = cctl::Build::Eager;
    cctl::Checker checker{program, options, limits_};
    checker.on_progress([this](const cctl::Progress& progress) {
      latest_ = progress;
      progress_.show(progress);
    });
    for (const lang::Formula& formula : loaded_.formulas) {
      run_.results.push_back({&formula, ask(checker, formula)});
      tell(run_.results.back());
    }
    check_linear(program, checker, options);
    if (has_none()) explore(checker);
    if (!words_.output.quiet) summarize(checker);
    if (!words_.output.quiet || !words_.warnings.given.empty()) look_for_findings(checker);
  }

  [[nodiscard]] bool has_none() const { return loaded_.formulas.empty() && linear_.empty(); }
  /// Nothing but searches that forget states: then little is known about the graph.
  [[nodiscard]] bool only_bounded() const {
    return words_.linear.heap > 0 && loaded_.formulas.empty() && !linear_.empty() &&
           !words_.linear.settings.fair;
  }

  void check_linear(const model::Program& program, cctl::Checker& checker,
                    const cctl::Options& options) {
    if (linear_.empty()) return;
    if (words_.linear.heap > 0 && words_.linear.settings.fair && !words_.output.quiet) {
      std::fputs("cohort: with --fair all states are remembered: --heap is not looked at\n",
                 stderr);
    }
    online::Checker linear{program, checker.graph(), limits_,
                           options_of(words_.linear, words_.search, options)};
    linear.on_progress([this](const cctl::Progress& progress) {
      latest_ = progress;
      progress_.show(progress);
    });
    std::optional<cctl::Answer> stopped;
    if (options.build == cctl::Build::Eager && !only_bounded()) {
      stopped = ask(checker, truth());
      if (stopped->verdict == base::Verdict::Holds) stopped.reset();
    }
    for (const online::Property& property : linear_) {
      run_.results.push_back({&property.formula, {}, &property});
      run_.results.back().answer = stopped ? *stopped : linear.check(property);
      tell(run_.results.back());
    }
  }

  /// Not even the layout of a state fitted.
  void give_up() {
    limits_.out_of_memory();
    cctl::Answer unknown;
    unknown.reason = limits_.describe();
    if (has_none()) explored_ = base::Verdict::Unknown;
    const std::size_t branching = loaded_.formulas.size();
    while (run_.results.size() < branching + linear_.size()) {
      const std::size_t next = run_.results.size();
      if (next < branching) {
        run_.results.push_back({&loaded_.formulas[next], unknown});
      } else {
        const online::Property& property = linear_[next - branching];
        run_.results.push_back({&property.formula, unknown, &property});
      }
      tell(run_.results.back());
    }
  }

  /// Memory that ends is a limit like any other.
  [[nodiscard]] cctl::Answer ask(cctl::Checker& checker, const lang::Formula& formula) {
    try {
      return checker.check(formula);
    } catch (const std::bad_alloc&) {
      limits_.out_of_memory();
    }
    cctl::Answer answer;
    answer.reason = limits_.describe();
    answer.statistics.states = latest_.states;
    answer.statistics.edges = latest_.edges;
    answer.statistics.depth = latest_.depth;
    answer.statistics.seconds = limits_.seconds();
    answer.statistics.memory_bytes = base::resident_bytes();
    return answer;
  }

  void tell(const report::Result& result) {
    progress_.clear();
    if (is_text()) {
      text_.write(result);
      std::cout.flush();
    }
    if (result.answer.error) tell(*result.answer.error, result.formula);
  }

  void tell(const cctl::ModelError& error, const lang::Formula* formula) const {
    std::ostringstream text;
    report::TextReport(text, loaded_, {}).write(error, formula);
    std::fputs(text.str().c_str(), stderr);
  }

  /// For looking at every state.
  [[nodiscard]] static const lang::Formula& truth() {
    static const lang::Formula made = [] {
      lang::Formula formula;
      formula.text = "true";
      formula.root.value = 1;
      formula.root.type.kind = lang::ValueType::Kind::Number;
      return formula;
    }();
    return made;
  }

  /// Without properties every state is looked at; what goes wrong there is told all the same.
  void explore(cctl::Checker& checker) {
    cctl::Answer answer = ask(checker, truth());
    progress_.clear();
    explored_ = answer.verdict;
    if (answer.verdict == base::Verdict::Unknown && is_text()) {
      std::cout << fmt::format("not all states were looked at: {}\n", answer.reason);
    }
    if (!answer.error) return;
    tell(*answer.error, nullptr);
    run_.error = std::move(answer.error);
  }

  void summarize(cctl::Checker& checker) {
    if (only_bounded()) return;
    try {
      run_.totals = report::Totals{checker.summary(), limits_.seconds(), base::resident_bytes()};
    } catch (const std::bad_alloc&) {
      return;  // the verdicts are there
    }
    for (const report::Result& result : run_.results) {
      if (result.linear == nullptr) continue;
      run_.totals->graph.depth = std::max(run_.totals->graph.depth, result.answer.statistics.depth);
    }
    progress_.clear();
    if (!is_text()) return;
    if (!run_.results.empty()) std::cout << '\n';
    text_.write(*run_.totals);
  }

  /// What never happens and what does not matter.
  void look_for_findings(cctl::Checker& checker) {
    const bool answered = std::ranges::none_of(run_.results, [](const report::Result& result) {
      return result.answer.verdict == base::Verdict::Unknown ||
             result.answer.verdict == base::Verdict::Error;
    });
    if (!answered || explored_ != base::Verdict::Holds) return;
    try {
      const cctl::Summary summary = run_.totals ? run_.totals->graph : checker.summary();
      run_.findings = find(words_.warnings, words_.output.quiet, checker, summary, loaded_,
                           run_.results, limits_.seconds());
    } catch (const std::bad_alloc&) {
      return;
    }
    progress_.clear();
    std::fputs(text_of(run_.findings, loaded_).c_str(), stderr);
  }

  [[nodiscard]] ExitStatus status() const {
    const auto any = [&](base::Verdict verdict) {
      return explored_ == verdict || std::ranges::any_of(run_.results, [&](const auto& result) {
               return result.answer.verdict == verdict;
             });
    };
    const bool unknown = any(base::Verdict::Unknown);
    if (unknown && base::Limits::interrupted()) return ExitStatus::Interrupted;
    if (any(base::Verdict::Error)) return ExitStatus::InputError;
    if (run_.has_grave_findings()) return ExitStatus::InputError;
    const bool unexpected = std::ranges::any_of(run_.results, [](const report::Result& result) {
      return result.answer.verdict != base::Verdict::Unknown && !result.as_expected();
    });
    if (unexpected) return ExitStatus::NotAsExpected;
    return unknown ? ExitStatus::Unknown : ExitStatus::AsExpected;
  }

  const Words& words_;
  const lang::Loaded& loaded_;
  const std::vector<online::Property>& linear_;
  base::Limits limits_;
  report::TextReport text_;
  ProgressLine progress_;
  cctl::Progress latest_;
  report::Run run_;
  base::Verdict explored_ = base::Verdict::Holds;
};

[[nodiscard]] ExitStatus run(const Words& words) {
  // Whoever waits for standard input can be stopped at once; everything else ends with a report.
  std::optional<InterruptGuard> guard;
  if (words.input.request.model != "-") guard.emplace();
  lang::Loaded loaded = load(words.input);
  if (!guard) guard.emplace();
  const std::vector<online::Property> linear = load_linear(words.linear, words.input, loaded);
  weigh(words.warnings, words.output.quiet, loaded);
  std::fputs(report::text_of_findings(loaded).c_str(), stderr);
  ExitStatus status = ExitStatus::InputError;
  if (base::Limits::interrupted()) {
    write_whole(words.output.format, empty_run(words, loaded));
    status = ExitStatus::Interrupted;
  } else if (loaded.ok()) {
    status = Check(words, loaded, linear).run();
  } else {
    write_whole(words.output.format, empty_run(words, loaded));
  }
  std::cout.flush();
  if (!std::cout) {
    std::fputs("cohort: cannot write to standard output\n", stderr);
    return ExitStatus::InputError;
  }
  return status;
}

}  // namespace

void add_check(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command =
      app.add_subcommand("check", "check a model's properties, or explore it if it has none");
  add_input_options(*command, words->input);
  add_linear_options(*command, words->linear);
  add_engine_options(*command, words->search);
  add_store_option(*command, words->search);
  add_limit_options(*command, words->search);
  add_output_options(*command, words->output);
  add_warning_options(*command, words->warnings);
  command->callback([words, &status] {
    const cctl::Options& options = words->search.options;
    if (options.store == cctl::StateStore::Ist && options.build == cctl::Build::Lazy) {
      throw CLI::ValidationError("--store ist", "needs --build eager");
    }
    words->input.elsewhere = words->linear.names();
    status = run(*words);
  });
}

}  // namespace cohort::cli
