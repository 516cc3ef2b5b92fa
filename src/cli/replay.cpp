// cohort replay: judges saved evidence, without the code that found it.
//
// The first file says what kind of evidence it is: a model (.coh) or a trace (everything else).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "cli/commands.hpp"
#include "cli/replay_model.hpp"
#include "cli/replay_sequential.hpp"
#include "cli/trace_properties.hpp"
#include "monitor/hoa.hpp"
#include "monitor/monitor_file.hpp"
#include "trace/ctl_replay.hpp"
#include "trace/format/read.hpp"
#include "trace/replay.hpp"

namespace cohort::cli {
namespace {

using Json = nlohmann::json;

struct Words {
  std::string subject;
  std::string evidence;
  TraceInputWords input;
  std::string ltl;
  std::string ctl;
  std::string table;
  bool sequential = false;  ///< said by the evidence as well
};

/// One piece of evidence of a report.
struct Piece {
  std::string name;
  std::string kind;
  std::string formula;
  std::size_t execution = 0;
  Json evidence;
  std::string verdict;  ///< empty: not said
};

[[nodiscard]] std::string text_member(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The evidence of a whole report, of one property of a report, or alone.
[[nodiscard]] std::vector<Piece> pieces_of(const Json& json, const Words& words) {
  std::vector<Piece> pieces;
  const auto add = [&](const Json& property) {
    const auto evidence = property.find("evidence");
    if (evidence == property.end() || !evidence->is_object()) return;
    Piece piece;
    piece.name = text_member(property, "name");
    piece.kind = text_member(property, "kind");
    piece.formula = text_member(property, "formula");
    const auto execution = property.find("execution");
    if (execution != property.end() && execution->is_number_unsigned()) {
      piece.execution = execution->get<std::size_t>();
    }
    piece.evidence = *evidence;
    piece.verdict = text_member(property, "verdict");
    pieces.push_back(std::move(piece));
  };
  if (!json.is_object()) return pieces;
  if (const auto properties = json.find("properties");
      properties != json.end() && properties->is_array()) {
    for (const Json& property : *properties) {
      if (property.is_object()) add(property);
    }
  } else if (json.contains("evidence")) {
    add(json);
  } else if (json.contains("order") || json.contains("position")) {
    pieces.push_back({"evidence", "ltl", "", 0, json, ""});
  } else if (json.contains("cut")) {
    pieces.push_back({"evidence", "ctl", "", 0, json, ""});
  }
  for (Piece& piece : pieces) {
    if (!words.ltl.empty()) {
      piece.kind = "ltl";
      piece.formula = words.ltl;
    }
    if (!words.ctl.empty()) {
      piece.kind = "ctl";
      piece.formula = words.ctl;
    }
    if (piece.kind.empty()) piece.kind = "ltl";
  }
  return pieces;
}

/// The names in a list of events; none if it is no such list.
[[nodiscard]] std::optional<std::vector<std::string>> events_in(const Json& evidence,
                                                                const char* member) {
  const auto list = evidence.find(member);
  if (list == evidence.end() || !list->is_array()) return std::nullopt;
  std::vector<std::string> names;
  for (const Json& name : *list) {
    if (!name.is_string()) return std::nullopt;
    names.push_back(name.get<std::string>());
  }
  return names;
}

/// Evidence about CTL: a cut, and a path to it.
[[nodiscard]] trace::Judgement judge_cut(const Piece& piece, const trace::Trace& trace,
                                         const trace::Order& execution) {
  trace::Judgement judgement;
  const std::optional<std::vector<std::string>> path = events_in(piece.evidence, "path");
  const auto cut = piece.evidence.find("cut");
  bool right = path && cut != piece.evidence.end() && cut->is_object();
  std::vector<std::pair<std::string, std::uint32_t>> numbers;
  if (right) {
    for (const auto& [process, number] : cut->items()) {
      right = right && number.is_number_unsigned() && number.get<std::uint64_t>() < UINT32_MAX;
      if (right) numbers.emplace_back(process, number.get<std::uint32_t>());
    }
  }
  const std::string kind = text_member(piece.evidence, "kind");
  if (!right) {
    judgement.objections.emplace_back(
        "the evidence has no \"cut\", a number for each process, or no \"path\", a list of events");
  } else if (kind != "witness" && kind != "counterexample") {
    judgement.objections.emplace_back("the \"kind\" is neither \"witness\" nor \"counterexample\"");
  } else if (piece.formula.empty()) {
    judgement.objections.emplace_back("the evidence comes without its formula: use --ctl");
  } else {
    return trace::ctl::judge_ctl(trace, execution, piece.formula, kind == "witness", numbers,
                                 *path);
  }
  return judgement;
}

/// A counterexample goes with `fails`, a witness with `holds`.  Evidence alone has no verdict.
[[nodiscard]] bool suits_verdict(const Piece& piece) {
  if (piece.verdict.empty()) return true;
  const std::string kind = text_member(piece.evidence, "kind");
  return (piece.verdict == "fails" && kind == "counterexample") ||
         (piece.verdict == "holds" && kind == "witness" && piece.kind == "ctl");
}

[[nodiscard]] trace::Judgement judge(const Piece& piece, const trace::Trace& trace) {
  trace::Judgement judgement;
  const std::size_t index = piece.execution == 0 ? 0 : piece.execution - 1;
  if (index >= trace.executions.size()) {
    judgement.objections.push_back(fmt::format("the trace has no execution {}", index + 1));
    return judgement;
  }
  const trace::Order& execution = trace.executions[index];
  if (piece.kind == "ctl") return judge_cut(piece, trace, execution);
  const std::optional<std::vector<std::string>> order = events_in(piece.evidence, "order");
  if (!order) {
    judgement.objections.emplace_back("the evidence has no \"order\", a list of events");
    return judgement;
  }
  const std::vector<std::string>& names = *order;
  if (piece.kind == "ltl") {
    if (piece.formula.empty()) {
      judgement.objections.emplace_back("the evidence comes without its formula: use --ltl");
      return judgement;
    }
    return trace::judge_formula(trace, execution, piece.formula, names);
  }
  // The evidence names the file of its monitor or automaton.
  const std::variant<base::Source, base::Unreadable> read = base::read_source(piece.formula);
  if (const auto* const unreadable = std::get_if<base::Unreadable>(&read)) {
    judgement.objections.push_back(
        fmt::format("the {} '{}' {}", piece.kind, piece.formula, unreadable->reason));
    return judgement;
  }
  const auto& source = std::get<base::Source>(read);
  base::Diagnostics found;
  if (piece.kind == "monitor") {
    const monitor::MonitorFile file = monitor::parse_monitor(source, found);
    if (!found.has_errors()) return trace::judge_monitor(trace, execution, file, names);
  } else if (const std::optional<ltl::Automaton> automaton = monitor::read_hoa(source, found)) {
    return trace::judge_automaton(trace, execution, *automaton, names);
  }
  std::fputs(base::render(source, found).c_str(), stderr);
  judgement.objections.push_back(fmt::format("the {} '{}' has errors", piece.kind, piece.formula));
  return judgement;
}

[[nodiscard]] ExitStatus replay_on_trace(const Words& words) {
  std::ifstream file{words.evidence, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  const Json json = Json::parse(text, nullptr, false);
  if (!file.good() && text.empty()) {
    fmt::print(stderr, "{}: error: cannot be read\n", words.evidence);
    return ExitStatus::InputError;
  }
  if (json.is_discarded()) {
    fmt::print(stderr, "{}: error: this is not JSON\n", words.evidence);
    return ExitStatus::InputError;
  }
  const std::vector<Piece> pieces = pieces_of(json, words);
  if (pieces.empty()) {
    fmt::print(stderr, "{}: error: there is no evidence in it\n", words.evidence);
    return ExitStatus::InputError;
  }
  const bool sequential = pieces.front().evidence.contains("position");
  trace::Reading reading;
  if (!sequential) {
    reading = trace::read_trace(words.subject, options_of(words.input));
    std::fputs(trace::render(reading.file, reading.findings).c_str(), stderr);
    if (!reading.ok()) return ExitStatus::InputError;
  }
  bool all = true;
  bool undecided = false;
  for (const Piece& piece : pieces) {
    trace::Judgement judgement = sequential
                                     ? judge_sequential(words.subject, words.input, words.table,
                                                        piece.kind, piece.formula, piece.evidence)
                                     : judge(piece, reading.trace);
    if (!suits_verdict(piece)) {
      judgement.undecided = false;
      judgement.objections.push_back(
          fmt::format("the verdict '{}' needs other evidence than this", piece.verdict));
    }
    fmt::print("{}: {}\n", piece.name,
               judgement.stands()    ? "the evidence stands"
               : judgement.undecided ? "cannot be judged"
                                     : "refuted");
    for (const std::string& objection : judgement.objections) fmt::print("  {}\n", objection);
    all = all && (judgement.stands() || judgement.undecided);
    undecided = undecided || judgement.undecided;
  }
  if (!all) return ExitStatus::NotAsExpected;
  return undecided ? ExitStatus::Unknown : ExitStatus::AsExpected;
}

}  // namespace

void add_replay(CLI::App& app, ExitStatus& status) {
  auto on_model = std::make_shared<ReplayWords>();
  auto words = std::make_shared<Words>();
  CLI::App* const command =
      app.add_subcommand("replay", "check saved evidence step by step, without the search's code");
  add_replay_model_options(*command, *on_model);
  command->add_option("--ltl", words->ltl, "the formula, for evidence that comes without it")
      ->type_name("FORMULA")
      ->group(input_section);
  command->add_option("--ctl", words->ctl, "the same for evidence about CTL on a trace")
      ->type_name("FORMULA")
      ->group(input_section);
  add_trace_input_options(*command, words->input);
  command->add_option("--table", words->table, "SQLite: the table; a time, a name, a value")
      ->type_name("T")
      ->group(input_section);
  command
      ->add_flag("--sequential", words->sequential,
                 "the trace was checked as a sequential one; the evidence says so, too")
      ->group(input_section);
  command->callback([on_model, words, &status] {
    words->subject = on_model->input.request.model;
    words->evidence = on_model->evidence;
    status = words->subject.ends_with(".coh") ? replay_model(*on_model) : replay_on_trace(*words);
  });
}

}  // namespace cohort::cli
