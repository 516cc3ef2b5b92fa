#include "report/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cohort::report {
namespace {

using Json = nlohmann::ordered_json;

/// Of a long list people see the beginning and the end.
constexpr std::size_t most_moves = 20;
constexpr std::size_t most_names = 200;
constexpr std::size_t line_width = 96;

[[nodiscard]] std::string text_of_moves(const std::vector<TraceMove>& moves) {
  std::size_t event_width = 0;
  std::size_t effect_width = 0;
  for (const TraceMove& move : moves) {
    event_width = std::max(event_width, move.event.size());
    effect_width = std::max(effect_width, std::min<std::size_t>(move.assignments.size(), 40));
  }
  std::string out;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves.size() > most_moves && i == most_moves / 2) {
      const std::size_t left_out = moves.size() - most_moves;
      out += fmt::format("    … {} more\n", left_out);
      i += left_out;
    }
    const TraceMove& move = moves[i];
    out += fmt::format("    {:<{}}  {:<{}}  line {}: {} -> {}\n", move.event, event_width,
                       move.assignments, effect_width, move.line, move.from, move.to);
  }
  return out;
}

[[nodiscard]] std::string wrapped(const std::vector<std::string>& names) {
  std::string out;
  std::string line = "   ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names.size() > most_names && i == most_names / 2) {
      const std::size_t left_out = names.size() - most_names;
      line += fmt::format(" … {} more …", left_out);
      i += left_out;
    }
    if (line.size() + names[i].size() + 1 > line_width) {
      out += line + "\n";
      line = "   ";
    }
    line += " " + names[i];
  }
  return out + line + "\n";
}

[[nodiscard]] std::string text_of(const TraceValue& value) {
  if (value.number) return value.text;
  return Json(value.text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Digits are a number for JSON if its readers get the same number out of them.
[[nodiscard]] Json json_of(const TraceValue& value) {
  if (!value.number) return value.text;
  const Json number = Json::parse(value.text, nullptr, false);
  if (number.is_number() && number.dump() == value.text) return number;
  return value.text;
}

[[nodiscard]] std::string text_of(const TraceEvidence& evidence) {
  if (evidence.place) return text_of(*evidence.place);
  std::string out;
  if (!evidence.cut.empty()) {
    out += "  at the cut";
    for (const auto& [process, number] : evidence.cut)
      out += fmt::format(" {}:{}", process, number);
    out += "\n";
    if (!evidence.path.empty()) out += "  reached by\n" + wrapped(evidence.path);
    return out;
  }
  if (evidence.order.empty()) return "  the trace has no events, and that is an order, too\n";
  if (!evidence.moves.empty()) {
    out += "  the events that matter, in this order:\n" + text_of_moves(evidence.moves);
  }
  return out + "  an order of all events:\n" + wrapped(evidence.order);
}

[[nodiscard]] Json json_of(const TraceEvidence& evidence) {
  Json json;
  json["kind"] = evidence.witness ? "witness" : "counterexample";
  if (evidence.place) {
    const TracePlace& place = *evidence.place;
    json["line"] = place.line;
    json["position"] = place.position;
    if (place.time) json["time"] = json_of(*place.time);
    Json values = Json::object();
    Json before = Json::object();
    for (const TracePlace::Variable& variable : place.variables) {
      values[variable.name] = json_of(variable.now);
      before[variable.name] = json_of(variable.before);
    }
    json["values"] = std::move(values);
    if (place.position > 0) json["before"] = std::move(before);
    for (const auto& [name, value] : place.past) json["past"][name] = json_of(value);
    json["unanswered"] = place.waits;
    if (place.loop) json["extend"] = "loop";
    return json;
  }
  if (!evidence.cut.empty()) {
    Json cut = Json::object();
    for (const auto& [process, number] : evidence.cut) cut[process] = number;
    json["cut"] = std::move(cut);
    json["path"] = evidence.path;
    return json;
  }
  json["order"] = evidence.order;
  json["states"] = evidence.states;
  Json moves = Json::array();
  for (const TraceMove& move : evidence.moves) {
    moves.push_back({{"event", move.event},
                     {"line", move.line},
                     {"set", move.assignments},
                     {"from", move.from},
                     {"to", move.to}});
  }
  json["moves"] = std::move(moves);
  return json;
}

[[nodiscard]] Json json_of(const TraceWhere& where) {
  Json json;
  json["count"] = where.count;  // a string: it may be larger than any number of JSON's readers
  json["cuts"] = where.all;
  json["nodes"] = where.nodes;
  Json boxes = Json::array();
  for (const TraceWhere::Box& box : where.boxes) {
    Json one = Json::object();
    for (std::size_t p = 0; p < box.size(); ++p) {
      one[where.processes[p]] = {box[p].first, box[p].second};
    }
    boxes.push_back(std::move(one));
  }
  json["boxes"] = std::move(boxes);
  if (where.has_more) json["more"] = true;
  return json;
}

[[nodiscard]] Json json_of(const TraceResult& result, const TraceReport& report) {
  Json json;
  json["name"] = result.name;
  json["kind"] = result.kind;
  json["formula"] = result.formula;
  if (report.inputs.size() > 1) json["input"] = result.input;
  if (result.execution > 0) json["execution"] = result.execution;
  json["verdict"] = word_for(result.verdict);
  json["expected"] = result.expected;
  if (!result.reason.empty()) json["reason"] = result.reason;
  if (result.evidence) json["evidence"] = json_of(*result.evidence);
  if (result.where) json["where"] = json_of(*result.where);
  Json statistics = Json::object();
  if (!result.engine.empty()) statistics["engine"] = result.engine;
  if (!result.engine_reason.empty()) statistics["engine_reason"] = result.engine_reason;
  for (const auto& [name, value] : result.statistics) statistics[name] = value;
  if (!result.pattern.empty()) statistics["pattern"] = result.pattern;
  for (const auto& [name, condition] : result.conditions) {
    statistics["conditions"][name] = condition;
  }
  for (const TraceFigure& figure : result.figures) statistics[figure.name] = json_of(figure.value);
  if (result.kind == "monitor") {  // a counter may be called like something else here
    for (const TraceFigure& figure : result.figures) {
      statistics["counters"][figure.name] = json_of(figure.value);
    }
  }
  statistics["seconds"] = result.seconds;
  statistics["memory_bytes"] = report.memory_bytes;
  json["statistics"] = std::move(statistics);
  return json;
}

[[nodiscard]] Json json_of(const std::vector<TraceError>& errors) {
  Json list = Json::array();
  for (const TraceError& error : errors) {
    Json json = {{"file", error.file},
                 {"line", std::max(1U, error.line)},
                 {"column", std::max(1U, error.column)},
                 {"message", error.message}};
    if (!error.hint.empty()) json["hint"] = error.hint;
    list.push_back(std::move(json));
  }
  return list;
}

[[nodiscard]] std::string xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        // XML has no way to write other control characters.
        out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    }
  }
  return out;
}

[[nodiscard]] std::string case_name(const TraceResult& result) {
  return result.execution > 0 ? fmt::format("{} (execution {})", result.name, result.execution)
                              : result.name;
}

}  // namespace

std::string text_of(const TracePlace& place) {
  std::string out = place.waits ? "  unanswered from" : "  lost in";
  out +=
      fmt::format(" line {}{}, position {}", place.line, place.waits ? " on" : "", place.position);
  if (place.time) out += fmt::format(", time {}", text_of(*place.time));
  out += "\n";
  std::size_t width = 0;
  for (const TracePlace::Variable& variable : place.variables) {
    width = std::max(width, variable.name.size());
  }
  for (const auto& [name, value] : place.past) width = std::max(width, name.size());
  for (const TracePlace::Variable& variable : place.variables) {
    out += fmt::format("    {:<{}} = {}", variable.name, width, text_of(variable.now));
    if (place.position > 0) out += fmt::format("  (before: {})", text_of(variable.before));
    out += "\n";
  }
  for (const auto& [name, value] : place.past) {
    out += fmt::format("    {:<{}} = {}\n", name, width, text_of(value));
  }
  return out;
}

std::string text_of(const TraceInput& input) {
  const auto count = [](std::size_t number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  if (input.sequential) {
    return fmt::format("{}: {}, {}\n", input.file, count(input.events, "position"),
                       count(input.variables, "watched variable"));
  }
  std::string out = fmt::format("{}: {}, ", input.file, count(input.events, "event"));
  out += input.processes == 1 ? "1 process" : fmt::format("{} processes", input.processes);
  if (input.executions > 1) out += ", " + count(input.executions, "execution");
  return out + "\n";
}

std::string text_of(const TraceResult& result) {
  std::string out = fmt::format("{}: {}", case_name(result), word_for(result.verdict));
  if (!result.reason.empty()) out += fmt::format(" ({})", result.reason);
  out += "\n";
  if (result.evidence) out += text_of(*result.evidence);
  if (result.where) out += text_of(*result.where);
  if (result.verdict == base::Verdict::Error) return out;
  if (result.sequential) {
    if (result.pattern == "none") {
      out += "  no statistics: the formula is none of the patterns\n";
    } else if (!result.pattern.empty()) {
      out += fmt::format("  {}\n", result.pattern);
    }
    for (const auto& [name, condition] : result.conditions) {
      out += fmt::format("    {}: {}\n", name, condition);
    }
    std::size_t width = 0;
    for (const TraceFigure& figure : result.figures) width = std::max(width, figure.name.size());
    for (const TraceFigure& figure : result.figures) {
      out += fmt::format("    {:<{}}  {}\n", figure.name, width, text_of(figure.value));
    }
    return out;  // no time: the same text whatever the number of workers
  }
  out += "  ";
  if (!result.engine.empty()) {
    out += result.engine + " engine";
    if (!result.engine_reason.empty()) out += fmt::format(" ({})", result.engine_reason);
    out += ", ";
  }
  for (const auto& [name, value] : result.statistics) {
    if (name != "configurations" && name != "nodes") continue;
    out += fmt::format("{} {}, ", value, value == 1 ? name.substr(0, name.size() - 1) : name);
  }
  return out + fmt::format("{:.3f} s\n", result.seconds);
}

std::string json_of(const TraceReport& report) {
  Json json;
  json["tool"] = "cohort";
  json["version"] = report.version;
  json["command"] = "trace";
  json["input"] = report.inputs.empty() ? "" : report.inputs.front().file;
  Json inputs = Json::array();
  for (const TraceInput& input : report.inputs) {
    Json one = {{"file", input.file}, {"events", input.events}};
    if (input.sequential) {
      one["sequential"] = true;
      one["variables"] = input.variables;
    } else {
      one["processes"] = input.processes;
      one["executions"] = input.executions;
    }
    one["seconds"] = input.seconds;
    inputs.push_back(std::move(one));
  }
  json["inputs"] = std::move(inputs);
  Json properties = Json::array();
  for (const TraceResult& result : report.results) properties.push_back(json_of(result, report));
  json["properties"] = std::move(properties);
  json["errors"] = json_of(report.errors);
  if (!report.warnings.empty()) json["warnings"] = json_of(report.warnings);
  // Names of processes come from anywhere: what is no UTF-8 is replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string junit_of(const TraceReport& report) {
  std::size_t failures = 0;
  std::size_t skipped = 0;
  std::size_t errors = report.errors.empty() ? 0 : 1;
  double seconds = 0;
  for (const TraceResult& result : report.results) {
    seconds += result.seconds;
    if (result.verdict == base::Verdict::Unknown) {
      ++skipped;
    } else if (result.verdict == base::Verdict::Error) {
      ++errors;
    } else if (!result.as_expected()) {
      ++failures;
    }
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format(
      "<testsuites>\n  <testsuite name=\"cohort trace\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"{}\" time=\"{:.3f}\">\n",
      report.results.size() + (report.errors.empty() ? 0 : 1), failures, errors, skipped, seconds);
  for (const TraceResult& result : report.results) {
    out += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                       xml(result.input), xml(case_name(result)), result.seconds);
    if (result.verdict == base::Verdict::Unknown) {
      out +=
          fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", xml(result.reason));
    } else if (result.verdict == base::Verdict::Error) {
      out += ">\n      <error message=\"the property has an error\"/>\n    </testcase>\n";
    } else if (!result.as_expected()) {
      out += fmt::format(">\n      <failure message=\"{} {}\">{}</failure>\n    </testcase>\n",
                         xml(result.formula), word_for(result.verdict),
                         result.evidence ? xml(text_of(*result.evidence)) : "");
    } else {
      out += "/>\n";
    }
  }
  if (!report.errors.empty()) {
    std::string all;
    for (const TraceError& error : report.errors) {
      all += fmt::format("{}:{}: {}\n", error.file, error.line, error.message);
    }
    out += fmt::format(
        "    <testcase classname=\"{}\" name=\"input\">\n      <error message=\"{}\">{}</error>\n"
        "    </testcase>\n",
        xml(report.errors.front().file), xml(report.errors.front().message), xml(all));
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace cohort::report
