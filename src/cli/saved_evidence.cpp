#include "cli/saved_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <variant>

#include "base/source.hpp"
#include "cli/steps.hpp"

namespace cohort::cli {
namespace {

using nlohmann::json;

[[nodiscard]] std::string text_member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

[[nodiscard]] std::vector<std::string> definitions_of(const json& report) {
  std::vector<std::string> made;
  const auto definitions = report.find("definitions");
  if (definitions == report.end() || !definitions->is_object()) return made;
  for (const auto& [name, value] : definitions->items()) {
    if (value.is_number_integer() && !name.empty() && name.find('=') == std::string::npos) {
      made.push_back(fmt::format("{}={}", name, value.get<std::int64_t>()));
    }
  }
  return made;
}

/// What a report holds, by property.
[[nodiscard]] std::vector<SavedEvidence> pieces_of(const json& report) {
  std::vector<SavedEvidence> pieces;
  const auto add = [&](const json& property) {
    if (!property.is_object()) return;
    const auto evidence = property.find("evidence");
    if (evidence == property.end() || !evidence->is_object()) return;
    pieces.push_back(
        {{}, *evidence, text_member(property, "name"), text_member(property, "formula"), {}});
  };
  if (const auto properties = report.find("properties");
      properties != report.end() && properties->is_array()) {
    for (const json& property : *properties) add(property);
    const auto summary = report.find("summary");
    if (summary != report.end() && summary->is_object() && summary->contains("deadlock") &&
        (*summary)["deadlock"].is_object()) {
      pieces.push_back({{}, (*summary)["deadlock"], "deadlock", "EF deadlock", {}});
    }
  } else if (report.contains("evidence")) {
    add(report);
  } else if (report.contains("steps") || is_itf(report)) {
    pieces.push_back({{}, report, "", "", {}});
  }
  return pieces;
}

// ---------------------------------------------------------------------------------------------------
// ITF

/// Values as a report has them: numbers, names, null for none.
[[nodiscard]] std::optional<json> plain_value(const json& value) {
  if (value.is_object()) {
    const auto big = value.find("#bigint");
    if (big == value.end() || !big->is_string()) return std::nullopt;
    const auto& digits = big->get_ref<const std::string&>();
    const json number = json::parse(digits, nullptr, false);
    return number.is_number_integer() ? std::optional(number) : std::nullopt;
  }
  if (value.is_array()) return std::nullopt;
  if (!value.is_string()) return value;
  const auto& text = value.get_ref<const std::string&>();
  if (text == "none") return json(nullptr);
  const std::size_t open = text.find('(');
  if (open == std::string::npos || !text.ends_with(')')) return value;
  const json number = json::parse(text.substr(open + 1, text.size() - open - 2), nullptr, false);
  return number.is_number_integer() ? number : value;
}

[[nodiscard]] std::optional<std::string> subscript_text(const json& key) {
  if (!key.is_object() || !key.contains("#tup")) {
    const std::optional<json> value = plain_value(key);
    return value && value->is_number_integer() ? std::optional(value->dump()) : std::nullopt;
  }
  std::string text;
  if (!key["#tup"].is_array()) return std::nullopt;
  for (const json& part : key["#tup"]) {
    const std::optional<json> value = plain_value(part);
    if (!value || !value->is_number_integer()) return std::nullopt;
    text += (text.empty() ? "" : ",") + value->dump();
  }
  return text;
}

/// By instance: "lk[3]".
using State = std::map<std::string, json>;

[[nodiscard]] std::optional<State> flat_state(const json& state) {
  State made;
  if (!state.is_object()) return std::nullopt;
  for (const auto& [name, value] : state.items()) {
    if (name.starts_with('#') || name.find("::") != std::string::npos) continue;
    if (!value.is_object() || !value.contains("#map")) {
      const std::optional<json> plain = plain_value(value);
      if (!plain) return std::nullopt;
      made[name] = *plain;
      continue;
    }
    if (!value["#map"].is_array()) return std::nullopt;
    for (const json& pair : value["#map"]) {
      if (!pair.is_array() || pair.size() != 2) return std::nullopt;
      const std::optional<std::string> subscripts = subscript_text(pair[0]);
      const std::optional<json> plain = plain_value(pair[1]);
      if (!subscripts || !plain) return std::nullopt;
      made[fmt::format("{}[{}]", name, *subscripts)] = *plain;
    }
  }
  return made;
}

[[nodiscard]] json step_of(const lang::Program& program, const StepWords& words,
                           const State& before, const State& after) {
  json step{{"label", words.label}, {"processes", json::object()}, {"state", json::object()}};
  const auto schema = std::ranges::find(program.schemas, words.label, &lang::Schema::name);
  if (schema != program.schemas.end()) {
    for (std::size_t i = 0; i < schema->num_indices && i < words.processes.size(); ++i) {
      step["processes"][schema->slots[i].name] = words.processes[i];
    }
  }
  for (const auto& [name, value] : after) {
    const auto old = before.find(name);
    if (old == before.end() || old->second != value) step["state"][name] = value;
  }
  return step;
}

}  // namespace

bool is_itf(const json& json) {
  return json.is_object() && json.contains("states") && json.contains("vars");
}

json evidence_of_itf(const json& itf, const lang::Program& program, std::string& error) {
  json made{{"initial", json::object()}, {"steps", json::array()}};
  if (const auto meta = itf.find("#meta"); meta != itf.end() && meta->is_object()) {
    if (text_member(*meta, "kind") == "witness") made["kind"] = "witness";
  }
  const json& states = itf["states"];
  if (!states.is_array() || states.empty()) {
    error = "\"states\" is no array of states";
    return made;
  }
  State before;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::optional<State> state = flat_state(states[i]);
    if (!state) {
      error = fmt::format("state {} has a value that no variable can have", i);
      return made;
    }
    if (i == 0) {
      for (const auto& [name, value] : *state) made["initial"][name] = value;
    } else {
      const std::vector<StepWords> words = parse_steps(text_member(states[i], "mbt::actionTaken"));
      if (words.size() != 1) {
        error = fmt::format("state {} has no \"mbt::actionTaken\" such as \"ask(3)\"", i);
        return made;
      }
      made["steps"].push_back(step_of(program, words.front(), before, *state));
    }
    before = *state;
  }
  if (const auto loop = itf.find("loop"); loop != itf.end()) {
    if (!loop->is_number_unsigned() || *loop == 0) {
      error = "\"loop\" is no state after the first";
      return made;
    }
    made["loop"] = loop->get<std::uint64_t>() - 1;
  }
  return made;
}

SavedEvidence read_saved_evidence(const std::string& path, const std::vector<std::string>& names) {
  SavedEvidence made;
  const std::variant<base::Source, base::Unreadable> read = base::read_source(path);
  if (const auto* const unreadable = std::get_if<base::Unreadable>(&read)) {
    made.error = unreadable->reason;
    return made;
  }
  const json report = json::parse(std::get<base::Source>(read).text(), nullptr, false);
  if (!report.is_object()) {
    made.error = report.is_discarded() ? "is no JSON" : "is no JSON object";
    return made;
  }
  std::vector<SavedEvidence> pieces = pieces_of(report);
  const bool choose = pieces.size() > 1 || !(pieces.empty() || pieces.front().property.empty());
  if (!names.empty() && choose) {
    std::erase_if(pieces, [&](const SavedEvidence& piece) {
      return std::ranges::find(names, piece.property) == names.end();
    });
  }
  if (pieces.empty()) {
    made.error = names.empty() ? "has no evidence in it" : "has no evidence for that property";
    return made;
  }
  if (pieces.size() > 1) {
    std::vector<std::string> known;
    for (const SavedEvidence& piece : pieces) known.push_back(piece.property);
    made.error = fmt::format("has evidence for {}: choose with --property", fmt::join(known, ", "));
    return made;
  }
  made = std::move(pieces.front());
  made.definitions = definitions_of(report);
  return made;
}

ReadEvidence SavedEvidence::read(const lang::Program& program) const {
  if (!is_itf(json)) return EvidenceReader(program).read(json);
  std::string wrong;
  const nlohmann::json evidence = evidence_of_itf(json, program, wrong);
  if (wrong.empty()) return EvidenceReader(program).read(evidence);
  ReadEvidence read;
  read.unreadable.push_back(std::move(wrong));
  return read;
}

void use_definitions(InputWords& words, const std::vector<std::string>& saved) {
  words.definitions.insert(words.definitions.begin(), saved.begin(), saved.end());
}

}  // namespace cohort::cli
