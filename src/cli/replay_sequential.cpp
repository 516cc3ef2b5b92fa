#include "cli/replay_sequential.hpp"

#include <fmt/format.h>

#include <optional>
#include <variant>

#include "base/source.hpp"
#include "monitor/hoa.hpp"
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

/// As `cohort trace` sees it, but for --sequential: evidence with a position says that.
[[nodiscard]] sequential::Form form_of(const std::string& trace, const TraceInputWords& input) {
  using sequential::Form;
  if (input.format == "csv") return Form::Csv;
  if (input.format == "sqlite") return Form::Sqlite;
  if (input.format == "trace" || input.format == "shiviz") return Form::Order;
  if (input.format.empty()) {
    if (const auto form = sequential::form_of_name(trace)) return *form;
    const auto known = trace::format_of_name(trace);
    if (known && *known != trace::Format::JsonLines) return Form::Order;
  }
  // JSON lines with processes are events, others are lines; the first bytes tell.
  std::variant<trace::Input, base::Unreadable> opened = trace::Input::open(trace);
  std::string begin(1U << 16U, '\0');
  std::size_t filled = 0;
  if (auto* const bytes = std::get_if<trace::Input>(&opened)) {
    while (const std::size_t count = bytes->read(begin.data() + filled, begin.size() - filled)) {
      filled += count;
    }
  }
  begin.resize(filled);
  return sequential::form_of_text(begin).value_or(Form::Order);
}

}  // namespace

trace::Judgement judge_sequential(const std::string& trace, const TraceInputWords& input,
                                  const std::string& table, const std::string& kind,
                                  const std::string& formula, const Json& evidence) {
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
  std::string reason;
  const std::optional<sequential::PlainTrace> plain = sequential::read_plainly(
      trace, form_of(trace, input), {.table = table, .order = options_of(input)}, reason);
  if (!plain) return object(fmt::format("the trace {}", reason));
  if (kind == "ltl") return sequential::judge_place(*plain, formula, claim);
  const std::variant<base::Source, base::Unreadable> read = base::read_source(formula);
  const auto* const source = std::get_if<base::Source>(&read);
  if (source == nullptr) return object(fmt::format("the {} '{}' cannot be read", kind, formula));
  base::Diagnostics found;
  if (kind == "automaton") {
    if (const auto automaton = monitor::read_hoa(*source, found)) {
      return sequential::judge_place(*plain, *automaton, claim);
    }
  } else {
    const monitor::MonitorFile file = monitor::parse_monitor(*source, found);
    if (!found.has_errors()) return sequential::judge_place(*plain, file, claim);
  }
  return object(fmt::format("the {} '{}' has errors", kind, formula));
}

}  // namespace cohort::cli
