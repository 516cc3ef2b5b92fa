#include "cli/evidence_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>

namespace cohort::cli {
namespace {

using nlohmann::json;

/// As evidence writes a value, shortened: the text may be anything.
[[nodiscard]] std::string shown(const json& value) {
  if (value.is_structured()) return value.is_array() ? "an array" : "an object";
  constexpr std::size_t most = 40;
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > most) text = text.substr(0, most) + "…";
  return text;
}

[[nodiscard]] std::optional<cctl::Value> integer(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<cctl::Value>::max());
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > most) return std::nullopt;
  return value.get<cctl::Value>();
}

/// The member of that name; null if there is none.
[[nodiscard]] const json* member(const json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

class Reading {
 public:
  Reading(const lang::Program& program, const model::Instances& instances)
      : program_(program), instances_(instances) {
    for (std::size_t i = 0; i < program.schemas.size(); ++i) {
      schemas_.emplace(program.schemas[i].name, base::SchemaId{static_cast<std::uint32_t>(i)});
    }
  }

  [[nodiscard]] ReadEvidence run(const json& evidence) {
    if (!evidence.is_object()) {
      unreadable("the evidence is no object");
      return std::move(read_);
    }
    read_kind(evidence);
    read_initial(evidence);
    read_choices(evidence);
    read_steps(evidence);
    read_loop(evidence);
    return std::move(read_);
  }

 private:
  static constexpr std::size_t most_findings = 20;

  void unreadable(std::string what) {
    if (read_.unreadable.size() < most_findings) read_.unreadable.push_back(std::move(what));
  }
  void object(std::string what) {
    if (read_.objections.size() < most_findings) read_.objections.push_back(std::move(what));
  }

  void read_kind(const json& evidence) {
    const json* const kind = member(evidence, "kind");
    if (kind == nullptr) return;
    if (*kind == "witness") {
      read_.evidence.kind = cctl::Evidence::Kind::Witness;
    } else if (*kind != "counterexample") {
      unreadable(
          fmt::format("\"kind\" is {}, not \"counterexample\" or \"witness\"", shown(*kind)));
    }
  }

  void read_initial(const json& evidence) {
    const json* const initial = member(evidence, "initial");
    if (initial == nullptr || !initial->is_object()) {
      unreadable("\"initial\" is missing or no object");
      return;
    }
    const std::vector<cctl::Change> values = assignments(*initial, "initially");
    read_.evidence.initial.assign(instances_.size(), 0);
    std::size_t expected = 0;
    for (const cctl::Change& value : values) {
      if (expected < value.instance) no_initial_value(expected);
      read_.evidence.initial[value.instance] = value.value;
      expected = value.instance + std::size_t{1};
    }
    if (expected < instances_.size()) no_initial_value(expected);
  }

  void no_initial_value(std::size_t instance) {
    object(fmt::format("\"initial\" gives '{}' no value", instances_.name(instance)));
  }

  /// Values of variable instances, ascending by instance.
  [[nodiscard]] std::vector<cctl::Change> assignments(const json& values, std::string_view when) {
    std::vector<cctl::Change> made;
    made.reserve(values.size());
    for (const auto& [name, value] : values.items()) {
      const std::optional<std::size_t> instance = instances_.find(name);
      if (!instance) {
        object(fmt::format("{}: the program has no variable '{}'", when, printable(name)));
        continue;
      }
      const std::optional<cctl::Value> number = value_of(*instance, value);
      if (!number) object(fmt::format("{}: {} is no value of '{}'", when, shown(value), name));
      made.push_back({static_cast<std::uint32_t>(*instance), number.value_or(0)});
    }
    std::ranges::sort(made, {}, &cctl::Change::instance);
    return made;
  }

  [[nodiscard]] static std::string printable(const std::string& text) {
    const std::string quoted = shown(json(text));
    return quoted.size() >= 2 && quoted.back() == '"' ? quoted.substr(1, quoted.size() - 2)
                                                      : quoted.substr(1);
  }

  /// Whether a number lies in its type is for the replay to judge.
  [[nodiscard]] std::optional<cctl::Value> value_of(std::size_t instance, const json& value) const {
    const lang::Type& type = program_[instances_.variable_of(instance)].type;
    switch (type.kind) {
      case lang::Type::Kind::Bool:
        if (!value.is_boolean()) return std::nullopt;
        return value.get<bool>() ? 1 : 0;
      case lang::Type::Kind::Enum: {
        const auto& constants = program_.enums[base::index_of(type.enumeration)].constants;
        if (!value.is_string()) return std::nullopt;
        const auto found = std::ranges::find(constants, value.get_ref<const std::string&>());
        if (found == constants.end()) return std::nullopt;
        return found - constants.begin();
      }
      case lang::Type::Kind::OptionalProcess:
        if (value.is_null()) return lang::none_value;
        break;
      case lang::Type::Kind::Integer:
      case lang::Type::Kind::Range:
      case lang::Type::Kind::Process:
        break;
    }
    const std::optional<cctl::Value> number = integer(value);
    // -1 is how none is kept inside, and no process.
    if (type.is_process() && number && *number < 0) return std::nullopt;
    return number;
  }

  void read_choices(const json& evidence) {
    const json* const choices = member(evidence, "choices");
    if (choices == nullptr) return;
    if (!choices->is_array()) {
      unreadable("\"choices\" is no array");
      return;
    }
    for (const json& choice : *choices) read_choice(choice);
  }

  void read_choice(const json& choice) {
    const json* const variable = member(choice, "variable");
    const json* const module = member(choice, "module");
    const json* const process = member(choice, "process");
    if (variable == nullptr || !variable->is_string() || module == nullptr ||
        !module->is_string() || process == nullptr || !integer(*process)) {
      unreadable("one of \"choices\" has no \"variable\", \"module\" and \"process\"");
      return;
    }
    const auto& name = module->get_ref<const std::string&>();
    const auto found = std::ranges::find(program_.modules, name, &lang::Module::name);
    if (found == program_.modules.end()) {
      object(fmt::format("\"choices\": the program has no module '{}'", printable(name)));
      return;
    }
    const auto id = static_cast<std::uint32_t>(found - program_.modules.begin());
    read_.evidence.choices.push_back(
        {variable->get<std::string>(), lang::ModuleId{id}, *integer(*process)});
  }

  void read_steps(const json& evidence) {
    const json* const steps = member(evidence, "steps");
    if (steps == nullptr || !steps->is_array()) {
      unreadable("\"steps\" is missing or no array");
      return;
    }
    read_.evidence.steps.reserve(steps->size());
    for (std::size_t i = 0; i < steps->size(); ++i) {
      read_step((*steps)[i], fmt::format("step {}", i));
    }
  }

  void read_step(const json& step, const std::string& when) {
    const json* const label = member(step, "label");
    const json* const processes = member(step, "processes");
    const json* const state = member(step, "state");
    if (label == nullptr || !label->is_string() || processes == nullptr ||
        !processes->is_object() || state == nullptr || !state->is_object()) {
      unreadable(when + " has no \"label\", \"processes\" and \"state\"");
      return;
    }
    const auto found = schemas_.find(label->get_ref<const std::string&>());
    if (found == schemas_.end()) {
      object(fmt::format("{}: the program has no schema {}", when, shown(*label)));
      return;
    }
    read_.evidence.steps.push_back(
        {found->second, processes_of(found->second, *processes, when), assignments(*state, when)});
  }

  [[nodiscard]] std::vector<cctl::Value> processes_of(base::SchemaId id, const json& processes,
                                                      const std::string& when) {
    const lang::Schema& schema = program_[id];
    std::vector<cctl::Value> made;
    for (std::size_t i = 0; i < schema.num_indices; ++i) {
      const json* const process = member(processes, schema.slots[i].name.c_str());
      const std::optional<cctl::Value> value =
          process == nullptr ? std::nullopt : integer(*process);
      if (!value || *value < 0 || *value >= program_[schema.slots[i].module].size) {
        object(fmt::format("{}: '{}' of '{}' is given no process of '{}'", when,
                           schema.slots[i].name, schema.name,
                           program_[schema.slots[i].module].name));
        continue;
      }
      made.push_back(*value);
    }
    if (processes.size() > schema.num_indices) {
      object(fmt::format("{}: '{}' has {} index variables, not {}", when, schema.name,
                         schema.num_indices, processes.size()));
    }
    return made;
  }

  void read_loop(const json& evidence) {
    const json* const loop = member(evidence, "loop");
    if (loop == nullptr) return;
    const std::optional<cctl::Value> value = integer(*loop);
    if (!value) {
      unreadable("\"loop\" is no whole number");
    } else if (*value < 0 || static_cast<std::size_t>(*value) >= read_.evidence.steps.size()) {
      object(fmt::format("\"loop\" is {}, which is no step of the path", *value));
    } else {
      read_.evidence.loop = static_cast<std::size_t>(*value);
    }
  }

  const lang::Program& program_;
  const model::Instances& instances_;
  std::unordered_map<std::string, base::SchemaId> schemas_;
  ReadEvidence read_;
};

}  // namespace

ReadEvidence EvidenceReader::read(const json& evidence) const {
  return Reading(program_, instances_).run(evidence);
}

}  // namespace cohort::cli
