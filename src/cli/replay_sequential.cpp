#include "cli/replay_sequential.hpp"

#include <fmt/format.h>

#include <optional>
#include <variant>

#include "base/source.hpp"
#include "monitor/monitor_file.hpp"
#include "trace/sequential/judge.hpp"
#include "trace/sequential/source.hpp"
#include "trace/value.hpp"

namespace cohort::cli {

namespace sequential = trace::sequential;
using Json = nlohmann::json;

namespace {

/// As the native form writes it.  Numbers that JSON cannot hold are digits in a string.
[[nodiscard]] std::string native(const Json& json) {
  if (!json.is_string()) return json.dump();
  const auto text = json.get<std::string>();
  std::string digits;
  const auto number = trace::parse_number(text, digits);
  return number ? trace::to_string(*number) : trace::quoted(text);
}

}  // namespace

trace::Judgement judge_sequential(const std::string& trace, const std::string& form,
                                  const std::string& kind, const std::string& formula,
                                  const Json& evidence) {
  trace::Judgement judgement;
  const auto object = [&](std::string text) {
    judgement.objections.push_back(std::move(text));
    return judgement;
  };
  sequential::Claim claim;
  const auto position = evidence.find("position");
  if (position == evidence.end() || !position->is_number_unsigned()) {
    return object("the evidence has no \"position\"");
  }
  claim.position = position->get<std::uint64_t>();
  if (const auto line = evidence.find("line");
      line != evidence.end() && line->is_number_unsigned()) {
    claim.line = line->get<std::uint64_t>();
  }
  if (const auto time = evidence.find("time"); time != evidence.end()) claim.time = native(*time);
  if (const auto values = evidence.find("values");
      values != evidence.end() && values->is_object()) {
    for (const auto& [name, value] : values->items()) {
      claim.values.emplace_back(name, native(value));
    }
  }
  claim.waits = evidence.value("unanswered", false);
  claim.loop = evidence.value("extend", std::string{}) == "loop";
  std::string how = form;
  if (how.empty()) {
    how = sequential::form_of_name(trace) == sequential::Form::Csv ? "csv" : "jsonl";
  }
  if (how != "csv" && how != "jsonl") {
    return object("only CSV and JSON lines are judged as sequential traces");
  }
  std::string reason;
  const std::optional<sequential::PlainTrace> plain = sequential::read_plainly(trace, how, reason);
  if (!plain) return object(fmt::format("the trace {}", reason));
  if (kind == "ltl") return sequential::judge_place(*plain, formula, claim);
  if (kind != "monitor") return object("evidence against an automaton is not judged here");
  const std::variant<base::Source, base::Unreadable> read = base::read_source(formula);
  const auto* const source = std::get_if<base::Source>(&read);
  if (source == nullptr) return object(fmt::format("the monitor '{}' cannot be read", formula));
  base::Diagnostics found;
  const monitor::MonitorFile file = monitor::parse_monitor(*source, found);
  if (found.has_errors()) return object(fmt::format("the monitor '{}' has errors", formula));
  return sequential::judge_place(*plain, file, claim);
}

}  // namespace cohort::cli
