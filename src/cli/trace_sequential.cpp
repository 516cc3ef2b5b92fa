#include "cli/trace_sequential.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <utility>
#include <variant>

#include "base/suggest.hpp"
#include "cli/trace_parts.hpp"
#include "cli/trace_plan.hpp"
#include "trace/sequential/figures.hpp"

namespace cohort::cli {

namespace sequential = trace::sequential;

namespace {

/// Adds an error and prints it.
void add_error(report::TraceReport& report, report::TraceError error) {
  std::string where = error.file;
  if (error.line > 0) where += fmt::format(":{}", error.line);
  if (error.line > 0 && error.column > 0) where += fmt::format(":{}", error.column);
  std::string text = fmt::format("{}: error: {}\n", where, error.message);
  if (!error.hint.empty()) text += fmt::format("  hint: {}\n", error.hint);
  std::fputs(text.c_str(), stderr);
  report.errors.push_back(std::move(error));
}

void add_problem(report::TraceReport& report, const std::string& path,
                 const sequential::Problem& problem) {
  add_error(report, {path, static_cast<std::uint32_t>(problem.line), problem.column,
                     problem.message, problem.hint});
}

[[nodiscard]] report::TraceResult result_of(const std::string& path, const NamedProperty& named,
                                            const sequential::Property& property) {
  report::TraceResult result;
  result.sequential = true;
  result.input = path;
  result.name = property.name();
  result.kind = property.kind() == sequential::Property::Kind::Ltl       ? "ltl"
                : property.kind() == sequential::Property::Kind::Monitor ? "monitor"
                                                                         : "automaton";
  result.formula = property.text();
  result.expected = named.expected;
  return result;
}

/// What the letters of a pattern stand for, for people.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> conditions_of(
    const sequential::Plan& plan, const sequential::Property& property,
    const sequential::Pattern& pattern) {
  std::vector<std::pair<std::string, std::string>> made;
  const auto name_of = [&](ltl::Atom atom) {
    return plan.atoms[property.atoms()[static_cast<std::size_t>(atom)]].name;
  };
  const auto add = [&](const char* letter, ltl::Formula f) {
    made.emplace_back(letter, property.formulas().to_string(f, name_of));
  };
  if (pattern.kind == sequential::Pattern::Kind::TimeInterval) {
    made.emplace_back("p", plan.atoms.variables()[pattern.variable].name + " changes");
  } else {
    add("p", pattern.p);
  }
  if (pattern.has_s()) add("s", pattern.s);
  if (pattern.has_q()) add("q", pattern.q);
  if (pattern.has_r()) add("r", pattern.r);
  return made;
}

/// `x?2?T`.
[[nodiscard]] std::string text_of(const sequential::Slot& slot, const sequential::Plan& plan) {
  std::string text = plan.atoms.variables()[slot.variable].name;
  if (slot.ago > 0) text += fmt::format("?{}", slot.ago);
  if (slot.asked == sequential::Asked::Time) text += "?T";
  if (slot.asked == sequential::Asked::Count) text += "?C";
  return text;
}

/// After errors nothing is checked; the properties are there all the same.
void add_unchecked(report::TraceReport& report, const std::string& path, const PlanWords& made) {
  for (std::size_t i = 0; i < made.plan.properties.size(); ++i) {
    const sequential::Property& property = made.plan.properties[i];
    report::TraceResult result = result_of(path, made.named[i], property);
    result.verdict = property.ok() ? base::Verdict::Unknown : base::Verdict::Error;
    if (property.ok()) result.reason = "not checked, because of the errors";
    report.results.push_back(std::move(result));
  }
}

}  // namespace

report::TraceValue shown(const sequential::Held& held, unsigned scale) {
  const trace::Value value = held.value(scale);
  if (value.is_text()) return {std::string{value.characters()}, false};
  return {trace::to_string(value), true};
}

report::TracePlace shown(const sequential::Plan& plan, std::size_t property,
                         const sequential::Place& place, bool has_time, bool waits) {
  report::TracePlace made;
  made.line = place.line;
  made.position = place.position;
  made.waits = waits;
  made.loop = plan.extension == sequential::Extension::Loop;
  const unsigned scale = plan.atoms.scale();
  if (has_time) made.time = shown(place.time, scale);
  for (std::size_t i = 0; i < plan.shown[property].size(); ++i) {
    made.variables.push_back({plan.atoms.variables()[plan.shown[property][i]].name,
                              shown(place.before[i], scale), shown(place.now[i], scale)});
  }
  for (std::size_t i = 0; i < plan.shown_slots[property].size(); ++i) {
    const sequential::Slot& slot = plan.atoms.slots()[plan.shown_slots[property][i]];
    made.past.emplace_back(text_of(slot, plan), shown(place.past[i], scale));
  }
  return made;
}

void report_sequential(const std::string& path, const PlanWords& made,
                       const sequential::Checked& checked, const std::string& limit, double seconds,
                       report::TraceReport& report) {
  const sequential::Fold& fold = checked.fold;
  const sequential::Plan& plan = made.plan;
  const bool has_time = fold.changes(*plan.time) > 0;
  for (std::size_t i = 0; i < plan.properties.size(); ++i) {
    const sequential::Property& property = plan.properties[i];
    report::TraceResult result = result_of(path, made.named[i], property);
    result.verdict = checked.complete ? fold.verdict(i) : fold.verdict_so_far(i);
    if (result.verdict == base::Verdict::Unknown) {
      const bool is_too_large = !property.has_automaton() && limit.empty();
      result.reason = is_too_large ? "the automaton of the formula is too large" : limit;
    }
    result.seconds = seconds;
    result.statistics = {{"events", fold.positions()}};
    if (property.has_automaton()) {
      result.statistics.emplace_back("automaton_states", property.compiled().num_states());
    }
    const sequential::Running& running = fold.running(i);
    if (result.verdict == base::Verdict::Fails && running.place()) {
      report::TraceEvidence evidence;
      evidence.place = shown(plan, i, *running.place(), has_time, !running.settled());
      result.evidence = std::move(evidence);
    }
    if (const auto tally = fold.tally(i); tally && checked.complete) {
      const sequential::Pattern& pattern = *plan.patterns[i];
      result.pattern = sequential::describe(pattern);
      result.conditions = conditions_of(plan, property, pattern);
      sequential::Figures figures = sequential::figures_of(pattern, *tally, has_time);
      for (auto& [name, value] : figures) {
        result.figures.push_back({std::move(name), {std::move(value), true}});
      }
    }
    if (plan.statistics && !plan.patterns[i] &&
        property.kind() == sequential::Property::Kind::Ltl) {
      result.pattern = "none";
    }
    if (checked.complete) {
      const std::vector<std::string> counters = fold.counters(i);
      for (std::size_t c = 0; c < counters.size(); ++c) {
        const std::string& value = counters[c];
        const bool fraction = value.find('/') != std::string::npos;
        result.figures.push_back({property.counters().names[c], {value, !fraction}});
      }
    }
    report.results.push_back(std::move(result));
  }
}

void add_sequential_options(CLI::App& command, SequentialWords& words) {
  command
      .add_flag("--sequential", words.sequential,
                "read a native or JSON-lines trace, whose events are totally ordered, as a "
                "sequential one")
      ->group(input_section);
  command.add_option("--table", words.table, "SQLite: the table; a time, a name, a value")
      ->type_name("T")
      ->group(input_section);
  add_word_option(command, "--extend", words.extend, {"loop"},
                  "sequential: what comes behind the last line; loop repeats it for ever")
      ->group(checking_section);
  command.add_option("--jobs", words.jobs, "sequential: how many threads may work at once")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U).description(""))
      ->group(checking_section);
  command
      .add_option(
          "--piece-size", words.piece_size,
          "sequential: with --jobs the least size of what one thread takes; 1M unless given")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(CLI::PositiveNumber.description(""))
      ->group(checking_section);
  command.add_option("--piece", words.piece, "check piece i of n only, and write its summary")
      ->type_name("i/n")
      ->group(pieces_section);
  command.add_option("--out", words.out, "where the summary goes, if not to standard output")
      ->type_name("FILE")
      ->group(pieces_section);
  command
      .add_flag("--merge", words.merge, "the files are summaries of all pieces: puts them together")
      ->group(pieces_section);
  command
      .add_flag("--statistics", words.statistics,
                "sequential: occurrences, answers, distances for Dwyer's patterns")
      ->group(output_section);
}

std::optional<SequentialFile> find_sequential(const std::string& path, const TraceInputWords& input,
                                              const SequentialWords& words,
                                              std::optional<trace::Input>& stream) {
  using sequential::Form;
  if (input.format == "csv") return SequentialFile{Form::Csv, std::nullopt};
  if (input.format == "sqlite") return SequentialFile{Form::Sqlite, std::nullopt};
  if (input.format == "shiviz" || input.format == "trace" || !input.regex.empty() ||
      !input.delimiter.empty()) {
    if (words.sequential) return SequentialFile{Form::Order, std::nullopt};
    return std::nullopt;
  }
  if (const auto form = sequential::form_of_name(path); form && input.format.empty()) {
    return SequentialFile{*form, std::nullopt};
  }
  if (const auto known = trace::format_of_name(path);
      input.format.empty() && known && *known != trace::Format::JsonLines) {
    if (words.sequential) return SequentialFile{Form::Order, std::nullopt};
    return std::nullopt;
  }
  // JSON lines, and names that tell nothing: the first bytes tell.
  std::variant<trace::Input, base::Unreadable> opened = trace::Input::open(path);
  if (std::holds_alternative<base::Unreadable>(opened)) return std::nullopt;
  trace::Input& bytes = std::get<trace::Input>(opened);
  std::string begin(1U << 16U, '\0');
  std::size_t filled = 0;
  while (filled < begin.size()) {
    const std::size_t count = bytes.read(begin.data() + filled, begin.size() - filled);
    if (count == 0) break;
    filled += count;
  }
  begin.resize(filled);
  const std::optional<Form> told = sequential::form_of_text(begin);
  const bool as_json = input.format == "jsonl";
  bytes.put_back(std::move(begin));
  SequentialFile file;
  if (path == "-") file.input = std::move(bytes);
  const bool is_sequential = told.has_value() && (!as_json || told == Form::JsonLines);
  file.form = is_sequential ? told.value_or(Form::Csv) : Form::Order;
  if (is_sequential || words.sequential) return file;
  stream = std::move(file.input);
  return std::nullopt;
}

void check_sequential(const std::string& path, SequentialFile file, const TraceInputWords& input,
                      const SequentialProperties& properties, const SequentialWords& words,
                      base::Limits& limits, report::TraceReport& report) {
  const auto started = std::chrono::steady_clock::now();
  report::TraceInput shown_input;
  shown_input.file = path;
  shown_input.sequential = true;
  const auto give_up = [&] { report.inputs.push_back(shown_input); };
  if (properties.has_ctl) {
    add_error(report,
              {path, 0, 0, "CTL on a sequential trace", "it has one order only: use --ltl"});
    give_up();
    return;
  }
  PlanWords made = make_plan(properties, words, limits, report.errors);
  sequential::Source::Options options;
  options.table = words.table;
  options.order = options_of(input);
  options.order.should_stop = [&limits] { return limits.exceeded_now(); };
  std::variant<sequential::Source, sequential::Problem> opened =
      sequential::Source::open(path, file.form, options, std::move(file.input));
  if (const auto* const problem = std::get_if<sequential::Problem>(&opened)) {
    add_problem(report, path, *problem);
    add_unchecked(report, path, made);
    give_up();
    return;
  }
  auto& source = std::get<sequential::Source>(opened);
  if (made.plan.ok() && source.names()) mention(made.plan, *source.names(), {});
  const std::size_t errors_before = report.errors.size();
  report_errors(made.plan, report.errors);
  if (!made.plan.ok() || made.failed || report.errors.size() > errors_before) {
    add_unchecked(report, path, made);
    give_up();
    return;
  }
  made.plan.finish(source.scale(made.plan.atoms));
  source.set_initial(made.plan);
  if (!words.piece.empty()) {
    write_part(path, source, made, words, limits, report);
    report.inputs.push_back(shown_input);
    return;
  }
  const sequential::Checked checked =
      source.check(made.plan, {.jobs = words.jobs, .least_piece = words.piece_size}, limits);
  shown_input.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  finish_sequential(path, made, checked, source.names().has_value(), limits.describe(), shown_input,
                    report);
}

void finish_sequential(const std::string& path, PlanWords& made, const sequential::Checked& checked,
                       bool names_known, const std::string& limit, report::TraceInput input,
                       report::TraceReport& report) {
  const sequential::Fold& fold = checked.fold;
  if (!fold.problems().empty()) {
    for (const sequential::Problem& problem : fold.problems()) add_problem(report, path, problem);
    report.inputs.push_back(input);
    add_unchecked(report, path, made);
    return;
  }
  if (checked.complete && !names_known) {
    // Only now is it known which variables there are.
    std::vector<std::uint64_t> changes;
    for (std::uint32_t v = 0; v < made.plan.atoms.variables().size(); ++v) {
      changes.push_back(fold.changes(v));
    }
    mention(made.plan, {}, changes);
    report_errors(made.plan, report.errors);
    if (!made.plan.ok()) {
      report.inputs.push_back(input);
      add_unchecked(report, path, made);
      return;
    }
  }
  if (checked.complete && fold.positions() == 0 &&
      made.plan.extension == sequential::Extension::Loop) {
    add_error(report, {path, 0, 0, "--extend loop repeats the last line, and there is none", ""});
    report.inputs.push_back(input);
    add_unchecked(report, path, made);
    return;
  }
  input.events = fold.positions();
  input.executions = 1;
  for (const sequential::Variable& variable : made.plan.atoms.variables()) {
    if (variable.required) ++input.variables;
  }
  report.inputs.push_back(input);
  report_sequential(path, made, checked, limit, input.seconds, report);
}

}  // namespace cohort::cli
