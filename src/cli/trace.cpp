// cohort trace: checks traces against formulas and monitors.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_ctl.hpp"
#include "cli/trace_parts.hpp"
#include "cli/trace_properties.hpp"
#include "cli/trace_sequential.hpp"
#include "report/trace.hpp"
#include "trace/check.hpp"
#include "trace/format/read.hpp"

namespace cohort::cli {
namespace {

struct Words {
  std::vector<std::string> traces;
  PropertyWords properties;
  CtlWords ctl;
  TraceInputWords input;
  SequentialWords sequential;
  std::string engine = "auto";
  std::string format = "text";
  double timeout = 0;
  std::uint64_t max_memory = 0;
  bool no_witness = false;
  bool quiet = false;
};

constexpr const char* because_of_errors = "not checked, because of the errors";

class Run {
 public:
  explicit Run(const Words& words) : words_(words) {
    report_.version = COHORT_VERSION;
    if (words.timeout > 0) limits_.set_timeout(words.timeout);
    if (words.max_memory > 0) limits_.set_max_memory(words.max_memory);
  }

  [[nodiscard]] ExitStatus run() {
    const InterruptGuard guard;
    if (words_.sequential.merge) {
      merge_parts(words_.traces, report_);
      if (report_.errors.empty()) show_sequential(0);
    } else {
      for (const std::string& path : words_.traces) {
        check_file(path);
        if (base::Limits::interrupted()) break;
      }
    }
    report_.memory_bytes = base::resident_bytes();
    // The summary of a piece stands alone on standard output, so that it can be stored.
    const bool wrote_part = !words_.sequential.piece.empty() && words_.sequential.out.empty() &&
                            report_.errors.empty() && report_.results.empty();
    if (!wrote_part && words_.format == "json")
      std::fputs(report::json_of(report_).c_str(), stdout);
    if (!wrote_part && words_.format == "junit")
      std::fputs(report::junit_of(report_).c_str(), stdout);
    if (std::fflush(stdout) != 0) {
      std::fputs("cohort: cannot write to standard output\n", stderr);
      return ExitStatus::InputError;
    }
    return status();
  }

 private:
  [[nodiscard]] bool is_text() const { return words_.format == "text"; }

  /// Prints the last input, and the results from `first` on.
  void show_sequential(std::size_t first) {
    if (is_text() && !words_.quiet && !report_.inputs.empty() && words_.sequential.piece.empty()) {
      std::fputs(report::text_of(report_.inputs.back()).c_str(), stdout);
    }
    for (std::size_t i = first; i < report_.results.size(); ++i) {
      if (words_.no_witness) report_.results[i].evidence.reset();
      if (is_text()) std::fputs(report::text_of(report_.results[i]).c_str(), stdout);
    }
  }

  /// True if the file is a sequential trace, which is then checked.
  [[nodiscard]] bool check_as_sequential(const std::string& path,
                                         std::optional<trace::Input>& stream) {
    auto found = find_sequential(path, words_.input, words_.sequential, stream);
    if (!found) return false;
    const std::size_t before = report_.results.size();
    const std::size_t errors_before = report_.errors.size();
    check_sequential(path, std::move(*found), words_.input,
                     {words_.properties, words_.ctl.specs, !words_.ctl.formulas.empty()},
                     words_.sequential, limits_, report_);
    if (report_.errors.size() == errors_before) show_sequential(before);
    return true;
  }

  void check_file(const std::string& path) {
    const auto started = std::chrono::steady_clock::now();
    std::optional<trace::Input> stream;
    if (check_as_sequential(path, stream)) return;
    if (!words_.sequential.extend.empty()) {
      const report::TraceError& error = report_.errors.emplace_back(report::TraceError{
          path, 0, 0, "--extend is for sequential traces, and this is a partial order",
          "--sequential reads one whose events are totally ordered"});
      std::fputs(
          fmt::format("{}: error: {}\n  hint: {}\n", path, error.message, error.hint).c_str(),
          stderr);
      return;
    }
    trace::ReadOptions options = options_of(words_.input);
    options.should_stop = [this] { return limits_.exceeded_now(); };
    const trace::Reading reading =
        stream ? trace::read_trace(path, *stream, options) : trace::read_trace(path, options);
    if (reading.stopped) {
      report_unread(path);
      return;
    }
    std::fputs(trace::render(reading.file, reading.findings).c_str(), stderr);
    for (const trace::Finding& finding : reading.findings.sorted()) {
      auto& list =
          finding.severity == trace::Finding::Severity::Error ? report_.errors : report_.warnings;
      list.push_back(
          {reading.file, finding.where.line, finding.where.column, finding.message, finding.hint});
    }
    if (!reading.ok()) {
      report_.inputs.push_back({path, 0, 0, 0, 0});
      return;
    }
    report::TraceInput input{path, reading.trace.executions.size(), 0, 0, 0};
    for (const trace::Order& order : reading.trace.executions) {
      input.events += order.num_events();
      input.processes = std::max(input.processes, order.num_processes());
    }
    input.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    report_.inputs.push_back(input);
    if (is_text() && !words_.quiet) std::fputs(report::text_of(input).c_str(), stdout);

    const std::size_t errors_before = report_.errors.size();
    std::vector<trace::Property> properties =
        make_properties(words_.properties, reading.trace.words, limits_, report_.errors);
    for (const trace::Property& property : properties) report_errors(property);
    CtlProperties ctl{words_.ctl, reading.trace.words, report_.errors};
    // With an error anywhere nothing is checked.
    skip_checks_ = report_.errors.size() > errors_before;
    for (std::size_t i = 0; i < reading.trace.executions.size(); ++i) {
      const std::size_t execution = reading.trace.executions.size() > 1 ? i + 1 : 0;
      for (const trace::Property& property : properties) {
        check_property(reading, i, execution, property);
      }
      std::vector<report::TraceResult> results =
          skip_checks_
              ? ctl.unchecked(reading, execution, because_of_errors)
              : ctl.check(reading, reading.trace.executions[i], execution, words_.engine, limits_);
      for (report::TraceResult& result : results) {
        if (words_.no_witness) result.evidence.reset();
        if (is_text() && !skip_checks_) std::fputs(report::text_of(result).c_str(), stdout);
        report_.results.push_back(std::move(result));
      }
    }
  }

  /// A limit was hit before the trace was read: all that is known of a property is that it was
  /// asked.
  void report_unread(const std::string& path) {
    report_.inputs.push_back({path, 0, 0, 0, 0});
    const auto add = [&](const std::string& name, const char* kind, const std::string& formula) {
      report::TraceResult result;
      result.input = path;
      result.name = name;
      result.kind = kind;
      result.formula = formula;
      result.reason = limits_.describe();
      if (is_text()) std::fputs(report::text_of(result).c_str(), stdout);
      report_.results.push_back(std::move(result));
    };
    std::vector<report::TraceError> unheard;
    const trace::Vocabulary no_words;
    for (const auto& property : make_properties(words_.properties, no_words, limits_, unheard)) {
      add(property.name(), kind_word(property.kind()), property.text());
    }
    for (std::size_t i = 0; i < words_.ctl.formulas.size(); ++i) {
      add(fmt::format("ctl{}", i + 1), "ctl", words_.ctl.formulas[i]);
    }
    for (const std::string& spec : words_.ctl.specs) add(spec, "ctl", spec);
  }

  void report_errors(const trace::Property& property) {
    std::fputs(base::render(property.source(), property.diagnostics()).c_str(), stderr);
    for (const base::Diagnostic& found : property.diagnostics().sorted()) {
      if (found.severity != base::Severity::Error) continue;
      const base::Position at = property.source().position(found.where.begin);
      report_.errors.push_back(
          {property.source().name(), at.line, at.column, found.message, found.hint});
    }
  }

  void check_property(const trace::Reading& reading, std::size_t index, std::size_t execution,
                      const trace::Property& property) {
    const trace::Order& order = reading.trace.executions[index];
    report::TraceResult result;
    result.input = reading.file;
    result.execution = execution;
    result.name = property.name();
    result.kind = kind_word(property.kind());
    result.formula = property.text();
    if (!property.ok()) {
      result.verdict = base::Verdict::Error;
    } else if (skip_checks_) {
      result.reason = because_of_errors;
    } else {
      trace::CheckOptions options;
      options.engine = words_.engine == "symbolic"   ? trace::Engine::Symbolic
                       : words_.engine == "explicit" ? trace::Engine::Explicit
                                                     : trace::Engine::Auto;
      trace::Answer answer = trace::check(order, property, options, limits_);
      result.verdict = answer.verdict;
      result.reason = answer.reason;
      result.engine = answer.engine == trace::Engine::Explicit ? "explicit" : "symbolic";
      if (words_.engine == "auto") {
        result.engine_reason = answer.engine == trace::Engine::Explicit
                                   ? "all events are ordered"
                                   : "some events are not ordered";
      }
      result.seconds = answer.statistics.seconds;
      result.statistics = {{"events", answer.statistics.events},
                           {"watched_events", answer.statistics.watched_events},
                           {"configurations", answer.statistics.configurations},
                           {"automaton_states", answer.statistics.automaton_states}};
      if (answer.evidence && !words_.no_witness) {
        result.evidence = evidence_of(reading.trace, order, property, *answer.evidence);
      }
    }
    if (is_text() && !skip_checks_) std::fputs(report::text_of(result).c_str(), stdout);
    report_.results.push_back(std::move(result));
  }

  [[nodiscard]] static report::TraceEvidence evidence_of(const trace::Trace& trace,
                                                         const trace::Order& order,
                                                         const trace::Property& property,
                                                         const trace::Evidence& evidence) {
    report::TraceEvidence shown;
    shown.states = evidence.states;
    shown.order.reserve(evidence.order.size());
    for (std::size_t i = 0; i < evidence.order.size(); ++i) {
      const trace::Event e = evidence.order[i];
      shown.order.push_back(order.name(e));
      if (evidence.states[i] == evidence.states[i + 1]) continue;
      shown.moves.push_back({order.name(e), effect_text(trace.words, order.effect(e)),
                             order.line(e), property.state_name(evidence.states[i]),
                             property.state_name(evidence.states[i + 1])});
    }
    return shown;
  }

  [[nodiscard]] static std::string effect_text(const trace::Vocabulary& words,
                                               trace::EffectId effect) {
    std::string text;
    for (const trace::Assignment& assignment : words.assignments(effect)) {
      if (!text.empty()) text += ", ";
      text += fmt::format("{} := {}", words.name(assignment.variable),
                          trace::to_string(words.value(assignment.value)));
    }
    return text.empty() ? "skip" : text;
  }

  [[nodiscard]] ExitStatus status() const {
    if (base::Limits::interrupted()) return ExitStatus::Interrupted;
    if (!report_.errors.empty()) return ExitStatus::InputError;
    bool unknown = false;
    for (const report::TraceResult& result : report_.results) {
      if (result.verdict == base::Verdict::Error) return ExitStatus::InputError;
      unknown |= result.verdict == base::Verdict::Unknown;
    }
    for (const report::TraceResult& result : report_.results) {
      if (result.verdict != base::Verdict::Unknown && !result.as_expected()) {
        return ExitStatus::NotAsExpected;
      }
    }
    return unknown ? ExitStatus::Unknown : ExitStatus::AsExpected;
  }

  const Words& words_;
  base::Limits limits_;
  report::TraceReport report_;
  bool skip_checks_ = false;
};

}  // namespace

void add_trace(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command =
      app.add_subcommand("trace", "check recorded runs: partial orders and long sequential ones");
  command
      ->add_option(
          "TRACE", words->traces,
          ".trace, .jsonl and .log files; .csv, .jsonl and .db for sequential traces; packed "
          "with gzip or zstd or not; - is standard input")
      ->type_name("FILE")
      ->required()
      ->group(input_section);
  add_trace_input_options(*command, words->input);
  add_property_options(*command, words->properties);
  add_word_option(*command, "--engine", words->engine,
                  {"auto", "symbolic", "explicit", "detection"},
                  "partial orders: auto picks by the width of the trace")
      ->group(checking_section);
  add_sequential_options(*command, words->sequential);
  add_ctl_options(*command, words->ctl);
  command->add_option("--timeout", words->timeout, "give up after this time")
      ->type_name("SECONDS")
      ->group(checking_section);
  command
      ->add_option("--max-memory", words->max_memory,
                   "give up at this size of the process, for instance 4G or 512M")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->group(checking_section);
  add_word_option(*command, "--format", words->format, {"text", "json", "junit"},
                  "how to print the result")
      ->group(output_section);
  command->add_flag("--no-witness", words->no_witness, "verdicts only, without evidence")
      ->group(output_section);
  command->add_flag("--quiet,-q", words->quiet, "verdicts and evidence only")
      ->group(output_section);
  command->callback([words, &status] { status = Run{*words}.run(); });
}

}  // namespace cohort::cli
