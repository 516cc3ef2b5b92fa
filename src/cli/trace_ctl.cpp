#include "cli/trace_ctl.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <utility>

#include "cli/sections.hpp"
#include "report/trace_where.hpp"
#include "trace/ctl.hpp"
#include "trace/ctl_where.hpp"

namespace cohort::cli {
namespace {

[[nodiscard]] trace::ctl::Engine engine_of(const std::string& word) {
  if (word == "symbolic") return trace::ctl::Engine::Symbolic;
  if (word == "explicit") return trace::ctl::Engine::Explicit;
  if (word == "detection") return trace::ctl::Engine::Detection;
  return trace::ctl::Engine::Auto;
}

}  // namespace

void add_ctl_options(CLI::App& command, CtlWords& words) {
  command
      .add_option("--ctl", words.formulas,
                  "a CTL formula that the empty cut has to satisfy (repeatable)")
      ->type_name("FORMULA")
      ->allow_extra_args(false)
      ->group(properties_section);
  command.add_option("--spec", words.specs, "a .cctl file of CTL formulas (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(properties_section);
  command.add_flag("--where", words.where, "for each CTL formula the set of cuts that satisfy it")
      ->group(output_section);
  command
      .add_option("--dot", words.dot,
                  "with --where: writes the tree of the last formula's set as a graph")
      ->type_name("FILE")
      ->group(output_section);
}

CtlProperties::CtlProperties(const CtlWords& words, const trace::Vocabulary& vocabulary,
                             std::vector<report::TraceError>& errors)
    : words_(words), errors_(errors) {
  for (const std::string& text : words.formulas) add_formula(text, vocabulary);
  for (const std::string& path : words.specs) add_spec(path, vocabulary);
}

void CtlProperties::show_errors(const base::Source& source, const base::Diagnostics& diagnostics) {
  std::fputs(base::render(source, diagnostics).c_str(), stderr);
  for (const base::Diagnostic& found : diagnostics.sorted()) {
    if (found.severity != base::Severity::Error) continue;
    const base::Position at = source.position(found.where.begin);
    errors_.push_back({source.name(), at.line, at.column, found.message, found.hint});
  }
}

void CtlProperties::add_formula(const std::string& text, const trace::Vocabulary& vocabulary) {
  Item item;
  item.name = fmt::format("ctl{}", items_.size() + 1);
  item.text = text;
  sources_.push_back(std::make_unique<base::Source>(base::Source::from_text(item.name, text)));
  item.source = sources_.back().get();
  base::Diagnostics diagnostics;
  item.formula = trace::ctl::parse_formula(*item.source, vocabulary, diagnostics);
  show_errors(*item.source, diagnostics);
  items_.push_back(std::move(item));
}

void CtlProperties::add_spec(const std::string& path, const trace::Vocabulary& vocabulary) {
  std::variant<base::Source, base::Unreadable> read = base::read_source(path);
  if (const auto* unreadable = std::get_if<base::Unreadable>(&read)) {
    std::fputs(fmt::format("cohort: {}: {}\n", path, unreadable->reason).c_str(), stderr);
    errors_.push_back({path, 0, 0, unreadable->reason, {}});
    return;
  }
  sources_.push_back(std::make_unique<base::Source>(std::move(std::get<base::Source>(read))));
  const base::Source& source = *sources_.back();
  base::Diagnostics diagnostics;
  std::vector<trace::ctl::Formula> all =
      trace::ctl::parse_properties(source, vocabulary, diagnostics);
  show_errors(source, diagnostics);
  for (trace::ctl::Formula& formula : all) {
    Item item;
    item.source = &source;
    item.name = formula.name;
    item.text = formula.text;
    item.formula.push_back(std::move(formula));
    items_.push_back(std::move(item));
  }
}

std::vector<report::TraceResult> CtlProperties::check(const trace::Reading& reading,
                                                      const trace::Order& order, std::size_t number,
                                                      const std::string& engine,
                                                      base::Limits& limits) {
  std::vector<report::TraceResult> results;
  for (const Item& item : items_) {
    results.push_back(check(reading, order, item, engine, limits));
    results.back().execution = number;
  }
  return results;
}

std::vector<report::TraceResult> CtlProperties::unchecked(const trace::Reading& reading,
                                                          std::size_t number,
                                                          const std::string& reason) const {
  std::vector<report::TraceResult> results;
  for (const Item& item : items_) {
    results.push_back(result_of(reading, item));
    results.back().execution = number;
    if (item.formula.empty()) continue;
    results.back().verdict = base::Verdict::Unknown;
    results.back().reason = reason;
  }
  return results;
}

report::TraceResult CtlProperties::result_of(const trace::Reading& reading, const Item& item) {
  report::TraceResult result;
  result.input = reading.file;
  result.name = item.name;
  result.kind = "ctl";
  result.formula = item.text;
  result.verdict = base::Verdict::Error;
  if (!item.formula.empty()) result.expected = item.formula.front().expected;
  return result;
}

report::TraceResult CtlProperties::check(const trace::Reading& reading, const trace::Order& order,
                                         const Item& item, const std::string& engine,
                                         base::Limits& limits) {
  report::TraceResult result = result_of(reading, item);
  if (item.formula.empty()) return result;
  const trace::ctl::Formula& formula = item.formula.front();
  const auto started = std::chrono::steady_clock::now();
  trace::ctl::Options options;
  options.engine = engine_of(engine);
  options.should_stop = [&limits] { return limits.exceeded(); };
  base::Diagnostics diagnostics;
  const trace::ctl::Answer answer =
      trace::ctl::check(order, reading.trace.words, formula, options, diagnostics);
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  show_errors(*item.source, diagnostics);
  result.verdict = answer.verdict;
  if (answer.verdict == base::Verdict::Error) return result;
  const std::string limit = limits.describe();
  if (answer.verdict == base::Verdict::Unknown) {
    result.reason = limit.empty() ? answer.reason : limit;
  }
  result.engine = answer.engine;
  if (engine == "auto") result.engine_reason = answer.why;
  result.statistics = {
      {"events", answer.statistics.events}, {"visible_events", answer.statistics.visible_events},
      {"parts", answer.statistics.parts},   {"cuts", answer.statistics.cuts},
      {"nodes", answer.statistics.nodes},   {"conjunctions", answer.statistics.conjunctions}};
  if (answer.evidence) {
    report::TraceEvidence shown;
    shown.witness = answer.verdict == base::Verdict::Holds;
    for (std::size_t p = 0; p < answer.evidence->cut.size(); ++p) {
      const trace::ProcessId process{static_cast<std::uint32_t>(p)};
      shown.cut.emplace_back(order.name(process), answer.evidence->cut[p]);
    }
    for (const trace::Event e : answer.evidence->path) shown.path.push_back(order.name(e));
    result.evidence = std::move(shown);
  }
  if (words_.where || !words_.dot.empty()) add_where(reading, order, item, limits, result);
  return result;
}

void CtlProperties::add_where(const trace::Reading& reading, const trace::Order& order,
                              const Item& item, base::Limits& limits, report::TraceResult& result) {
  base::Diagnostics diagnostics;
  const trace::ctl::Where where = trace::ctl::satisfying_cuts(
      order, reading.trace.words, item.formula.front(), [&limits] { return limits.exceeded(); },
      diagnostics);
  if (where.forest == nullptr) {
    const std::string limit = limits.describe();
    errors_.push_back(
        {reading.file, 0, 0, "--where: " + (limit.empty() ? where.reason : limit), {}});
    std::fputs(fmt::format("cohort: {}\n", errors_.back().message).c_str(), stderr);
    return;
  }
  std::vector<std::string> names;
  for (std::uint32_t p = 0; p < order.num_processes(); ++p) {
    names.push_back(order.name(trace::ProcessId{p}));
  }
  result.where = report::where_of(names, where.cuts, where.all);
  if (words_.dot.empty()) return;
  std::ofstream out{words_.dot};
  out << report::dot_of(names, where.cuts);
  out.close();
  if (!out) {
    std::fputs(fmt::format("cohort: cannot write '{}'\n", words_.dot).c_str(), stderr);
    errors_.push_back({words_.dot, 0, 0, "cannot write the file", {}});
  }
}

}  // namespace cohort::cli
