#include "report/json.hpp"

#include <algorithm>
#include <sstream>

#include "lang/one_line.hpp"
#include "model/fault.hpp"
#include "report/text.hpp"

namespace cohort::report {
namespace {

using Layout = JsonWriter::Layout;

void write_processes(JsonWriter& json, const Names& names, base::SchemaId schema,
                     const std::vector<cctl::Value>& processes) {
  json.begin_object(Layout::Line);
  const std::vector<lang::Slot>& slots = names.program()[schema].slots;
  for (std::size_t i = 0; i < processes.size(); ++i) json.member(slots.at(i).name, processes[i]);
  json.end();
}

void write_initial(JsonWriter& json, const Names& names, const std::vector<cctl::Value>& values) {
  json.begin_object(Layout::Line);
  for (std::size_t i = 0; i < values.size(); ++i) {
    json.key(names.instances().name(i));
    names.write_value(json, i, values[i]);
  }
  json.end();
}

void write_steps(JsonWriter& json, const Names& names, const std::vector<cctl::Step>& steps) {
  json.begin_array();
  for (const cctl::Step& step : steps) {
    json.begin_object(Layout::Line);
    json.member("label", names.program()[step.schema].name);
    json.key("processes");
    write_processes(json, names, step.schema, step.processes);
    json.key("state");
    json.begin_object(Layout::Line);
    for (const cctl::Change& change : step.changes) {
      json.key(names.instances().name(change.instance));
      names.write_value(json, change.instance, change.value);
    }
    json.end();
    json.end();
  }
  json.end();
}

void write_choices(JsonWriter& json, const Names& names, const char* key,
                   const std::vector<cctl::Choice>& choices) {
  if (choices.empty()) return;
  json.key(key);
  json.begin_array();
  for (const cctl::Choice& choice : choices) {
    json.begin_object(Layout::Line);
    json.member("variable", choice.variable);
    json.member("module", names.program()[choice.module].name);
    json.member("process", choice.process);
    json.end();
  }
  json.end();
}

void write_notes(JsonWriter& json, const std::vector<cctl::Note>& notes,
                 const base::Source& source) {
  if (notes.empty()) return;
  json.key("notes");
  json.begin_array();
  for (const cctl::Note& note : notes) {
    json.begin_object(Layout::Line);
    json.member("position", note.position);
    json.member("formula", lang::on_one_line(source.text(note.where)));
    json.member("holds", note.holds);
    json.end();
  }
  json.end();
}

/// What was given to the free variables; literal processes stand in the formula itself.
void write_evaluation(JsonWriter& json, const Names& names, const lang::Formula& formula) {
  std::vector<cctl::Choice> values;
  for (std::size_t i = 0; i < formula.num_free; ++i) {
    const lang::Slot& slot = formula.slots[i];
    const bool is_literal = slot.name.find('(') != std::string::npos;
    if (!is_literal) values.push_back({slot.name, slot.module, formula.values[i]});
  }
  write_choices(json, names, "evaluation", values);
}

/// What the formula is about, so that the evidence can be judged.
void write_linear(JsonWriter& json, const online::Property& property) {
  json.member("logic", "ltl");
  json.member("view", property.view == online::View::Actions ? "actions" : "states");
  json.member("finite", property.finite);
  json.member("fair", property.fair);
  if (property.automaton) json.member("automaton", property.automaton_text);
}

void write_result(JsonWriter& json, const Names& names, const Result& result) {
  const lang::Formula& formula = *result.formula;
  const cctl::Answer& answer = result.answer;
  json.begin_object();
  json.member("name", formula.name);
  json.member("formula", formula.text);
  write_evaluation(json, names, formula);
  if (result.linear != nullptr) write_linear(json, *result.linear);
  json.member("verdict", word_for(answer.verdict));
  json.member("expected", formula.expected);
  if (answer.verdict == base::Verdict::Unknown) json.member("reason", answer.reason);
  if (answer.evidence) {
    json.key("evidence");
    write_json_evidence(json, names, *answer.evidence, formula.source);
  }
  json.key("statistics");
  write_json_statistics(json, answer.statistics);
  json.end();
}

void write_model_error(JsonWriter& json, const Names& names, const lang::Loaded& loaded,
                       const cctl::ModelError& error, const lang::Formula* formula,
                       Layout layout = Layout::Lines) {
  const base::Source& source = source_of(error, loaded, formula);
  const base::Position at = source.position(error.fault.where.begin);
  json.begin_object(layout);
  json.member("file", source.name());
  json.member("line", at.line);
  json.member("column", at.column);
  json.member("message", model::describe(error.fault, loaded.program));
  if (formula != nullptr) json.member("property", formula->name);
  if (!error.in_formula) {
    json.member("label", loaded.program[error.schema].name);
    if (!error.processes.empty()) {
      json.key("processes");
      write_processes(json, names, error.schema, error.processes);
    }
  }
  if (names.is_state(error.path.initial)) {
    json.key("path");
    json.begin_object();
    json.key("initial");
    write_initial(json, names, error.path.initial);
    json.key("steps");
    write_steps(json, names, error.path.steps);
    json.end();
  }
  json.end();
}

void write_error(JsonWriter& json, const std::string& file, base::Position at,
                 const std::string& message, const std::string& hint) {
  json.begin_object();
  json.member("file", file);
  json.member("line", at.line);
  json.member("column", at.column);
  json.member("message", message);
  if (!hint.empty()) json.member("hint", hint);
  json.end();
}

void write_findings(JsonWriter& json, const lang::Loaded& loaded) {
  for (const lang::Problem& problem : loaded.problems) {
    write_error(json, problem.where, {}, problem.message, problem.hint);
  }
  for (const auto& input : loaded.inputs) {
    for (const base::Diagnostic& found : input->diagnostics.sorted()) {
      if (found.severity != base::Severity::Error || !found.code.empty()) continue;
      write_error(json, input->source.name(), input->source.position(found.where.begin),
                  found.message, found.hint);
    }
  }
}

void write_totals(JsonWriter& json, const Names& names, const Totals& totals) {
  const cctl::Summary& graph = totals.graph;
  json.begin_object();
  json.member("states", graph.states);
  json.member("edges", graph.edges);
  json.member("complete", graph.complete);
  json.member("depth", graph.depth);
  json.member("deadlocks", graph.deadlocks);
  if (graph.deadlock) {
    json.key("deadlock");
    write_json_evidence(json, names, *graph.deadlock, nullptr);
  }
  json.key("unfired");
  json.begin_array(Layout::Line);
  for (const base::SchemaId id : graph.unfired) json.value(names.program()[id].name);
  json.end();
  json.member("seconds", totals.seconds);
  json.member("memory_bytes", totals.memory_bytes);
  json.member("state_bytes", graph.state_bytes);
  if (graph.nodes > 0) json.member("nodes", graph.nodes);
  json.end();
}

void begin_finding(JsonWriter& json, const base::Source& source, std::uint32_t where,
                   const std::string& code, bool is_error, const std::string& message) {
  const base::Position at = source.position(where);
  json.begin_object(Layout::Line);
  json.member("code", code);
  json.member("severity", is_error ? "error" : "warning");
  json.member("file", source.name());
  json.member("line", at.line);
  json.member("column", at.column);
  json.member("message", message);
}

/// What is no verdict: each with its code.
void write_findings(JsonWriter& json, const Run& run) {
  json.key("findings");
  json.begin_array();
  for (const auto& input : run.loaded->inputs) {
    for (const base::Diagnostic& found : input->diagnostics.sorted()) {
      if (found.code.empty()) continue;
      begin_finding(json, input->source, found.where.begin, found.code,
                    found.severity == base::Severity::Error, found.message);
      json.end();
    }
  }
  for (const Finding& finding : run.findings) {
    const lang::Formula* const formula = finding.what.formula;
    const base::Source& source =
        formula == nullptr ? run.loaded->inputs.front()->source : *formula->source;
    begin_finding(json, source, finding.what.where.begin, finding.what.code, finding.is_error,
                  finding.what.message);
    if (formula != nullptr) json.member("property", formula->name);
    json.end();
  }
  json.end();
}

[[nodiscard]] bool has_findings(const Run& run) {
  return !run.findings.empty() || std::ranges::any_of(run.loaded->inputs, [](const auto& input) {
    return std::ranges::any_of(input->diagnostics.sorted(),
                               [](const base::Diagnostic& found) { return !found.code.empty(); });
  });
}

}  // namespace

void write_json_evidence(JsonWriter& json, const Names& names, const cctl::Evidence& evidence,
                         const base::Source* source) {
  const bool witness = evidence.kind == cctl::Evidence::Kind::Witness;
  json.begin_object();
  json.member("kind", witness ? "witness" : "counterexample");
  write_choices(json, names, "choices", evidence.choices);
  json.key("initial");
  write_initial(json, names, evidence.initial);
  json.key("steps");
  write_steps(json, names, evidence.steps);
  if (evidence.loop) json.member("loop", *evidence.loop);
  if (source != nullptr) write_notes(json, evidence.notes, *source);
  json.end();
}

void write_json_statistics(JsonWriter& json, const cctl::Statistics& statistics) {
  json.begin_object(Layout::Line);
  json.member("states", statistics.states);
  json.member("edges", statistics.edges);
  json.member("marks", statistics.marks);
  json.member("labels", statistics.labels);
  json.member("depth", statistics.depth);
  json.member("seconds", statistics.seconds);
  json.member("memory_bytes", statistics.memory_bytes);
  if (statistics.nodes > 0) json.member("nodes", statistics.nodes);
  if (statistics.online) {
    json.member("automaton_states", statistics.online->automaton_states);
    json.member("product_states", statistics.online->product_states);
    json.member("generated", statistics.online->generated);
    json.member("forgotten", statistics.online->forgotten);
  }
  json.end();
}

void write_json_head(JsonWriter& json, const Run& run) {
  json.member("tool", "cohort");
  json.member("version", run.version);
  json.member("command", run.command);
  json.member("input", run.input);
  if (run.definitions.empty()) return;
  json.key("definitions");
  json.begin_object(Layout::Line);
  for (const lang::Override& definition : run.definitions) {
    json.member(definition.name, definition.value);
  }
  json.end();
}

void write_json_errors(JsonWriter& json, const Run& run, const std::vector<std::string>& more) {
  json.key("errors");
  json.begin_array();
  write_findings(json, *run.loaded);
  if (run.loaded->ok()) {
    const Names names{run.loaded->program};
    for (const Result& result : run.results) {
      if (!result.answer.error) continue;
      write_model_error(json, names, *run.loaded, *result.answer.error, result.formula);
    }
    if (run.error) write_model_error(json, names, *run.loaded, *run.error, nullptr);
  }
  for (const std::string& error : more) json.written(error);
  json.end();
}

std::string json_of_error(const lang::Loaded& loaded, const cctl::ModelError& error,
                          const lang::Formula& formula) {
  std::ostringstream out;
  JsonWriter json{out};
  write_model_error(json, Names{loaded.program}, loaded, error, &formula, Layout::Line);
  std::string made = out.str();
  made.pop_back();  // the line break
  return made;
}

void write_json_body(JsonWriter& json, const Run& run) {
  write_json_head(json, run);
  json.key("properties");
  json.begin_array();
  if (run.loaded->ok()) {
    const Names names{run.loaded->program};
    for (const Result& result : run.results) write_result(json, names, result);
  }
  json.end();
  if (run.totals) {
    json.key("summary");
    write_totals(json, Names{run.loaded->program}, *run.totals);
  }
  if (has_findings(run)) write_findings(json, run);
  write_json_errors(json, run);
}

void write_json(std::ostream& out, const Run& run) {
  JsonWriter json{out};
  json.begin_object();
  write_json_body(json, run);
  json.end();
}

}  // namespace cohort::report
