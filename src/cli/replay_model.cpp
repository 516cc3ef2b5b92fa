#include "cli/replay_model.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "base/source.hpp"
#include "cctl/replay.hpp"
#include "cli/commands.hpp"
#include "cli/evidence_reader.hpp"
#include "cli/saved_evidence.hpp"
#include "cli/sections.hpp"
#include "online/property.hpp"
#include "online/replay.hpp"
#include "report/diagnostics.hpp"
#include "report/json_writer.hpp"
#include "report/results.hpp"

namespace cohort::cli {
namespace {

using nlohmann::json;

/// A piece of evidence, and what it is said to show.
struct Claim {
  std::string name;
  std::optional<std::string> formula;  ///< none: it is only said to be a path
  std::vector<std::string> values;     ///< of its free variables: `i=client(3)`
  std::optional<base::Verdict> verdict;
  const json* evidence = nullptr;  ///< null: there is none
  /// A property of linear time, with its settings; the formula may be an automaton.
  std::optional<online::Settings> linear{};
  std::optional<std::string> automaton{};
};

struct Verdict {
  std::string name;
  std::string text;  ///< what was checked
  bool stands = false;
  std::vector<std::string> objections;
};

[[nodiscard]] const json* member(const json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

[[nodiscard]] std::optional<std::string> text_member(const json& object, const char* name) {
  const json* const found = member(object, name);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

[[nodiscard]] std::string steps_text(const cctl::Evidence& evidence) {
  const std::size_t count = evidence.steps.size();
  return fmt::format("{} step{}{}", count, count == 1 ? "" : "s",
                     evidence.loop ? " with a loop" : "");
}

class Replay {
 public:
  explicit Replay(const ReplayWords& words) : words_(words) {}

  [[nodiscard]] ExitStatus run() {
    const bool was_read = read_report() && read_model() && read_claims();
    if (was_read) {
      for (const Claim& claim : claims_) judge(claim);
    }
    print();
    if (!errors_.empty()) return ExitStatus::InputError;
    const bool all_stand = std::ranges::all_of(verdicts_, &Verdict::stands);
    return all_stand ? ExitStatus::AsExpected : ExitStatus::NotAsExpected;
  }

 private:
  void fail(std::string what) {
    fmt::print(stderr, "{}: error: {}\n", words_.evidence, what);
    errors_.push_back(std::move(what));
  }

  [[nodiscard]] bool read_report() {
    const std::variant<base::Source, base::Unreadable> read = base::read_source(words_.evidence);
    if (const auto* const unreadable = std::get_if<base::Unreadable>(&read)) {
      fail(unreadable->reason);
      return false;
    }
    const std::string_view text = std::get<base::Source>(read).text();
    try {
      report_ = json::parse(text);
    } catch (const json::parse_error& error) {
      const auto byte =
          static_cast<std::uint32_t>(std::min(error.byte > 0 ? error.byte - 1 : 0, text.size()));
      const base::Position at = std::get<base::Source>(read).position(byte);
      fail(fmt::format("is no JSON: see line {}, column {}", at.line, at.column));
      return false;
    }
    if (!report_.is_object()) {
      fail("is no JSON object");
      return false;
    }
    return true;
  }

  [[nodiscard]] bool read_model() {
    std::variant<base::Source, base::Unreadable> read =
        base::read_source(words_.input.request.model);
    if (const auto* const unreadable = std::get_if<base::Unreadable>(&read)) {
      fmt::print(stderr, "{}: error: {}\n", words_.input.request.model, unreadable->reason);
      errors_.push_back(unreadable->reason);
      return false;
    }
    model_ = std::get<base::Source>(read).text();
    input_ = words_.input;
    if (!is_bare()) {
      // Its properties are the report's, not the model's.
      input_.properties.clear();
      input_.request.cctl.clear();
      input_.request.own_formulas = lang::OwnFormulas::Beside;
    }
    use_definitions_of_report();
    loaded_ = load_text(input_, model_);
    if (loaded_.ok()) return read_itf();
    std::fputs(report::text_of_findings(loaded_, report::Findings::Errors).c_str(), stderr);
    errors_.emplace_back("the model has errors");
    return false;
  }

  /// A trace of Apalache's kind is evidence alone.
  [[nodiscard]] bool read_itf() {
    if (!is_itf(report_)) return true;
    std::string wrong;
    report_ = evidence_of_itf(report_, loaded_.program, wrong);
    if (!wrong.empty()) fail(wrong);
    return wrong.empty();
  }

  [[nodiscard]] bool is_bare() const {
    return member(report_, "properties") == nullptr && member(report_, "evidence") == nullptr;
  }

  /// Those of the command line count.
  void use_definitions_of_report() {
    const json* const definitions = member(report_, "definitions");
    if (definitions == nullptr || !definitions->is_object()) return;
    std::vector<std::string> made;
    for (const auto& [name, value] : definitions->items()) {
      const bool given = std::ranges::any_of(
          words_.input.definitions,
          [&name = name](const std::string& text) { return text.starts_with(name + "="); });
      const bool is_name = !name.empty() && name.find('=') == std::string::npos;
      if (value.is_number_integer() && is_name && !given) {
        made.push_back(fmt::format("{}={}", name, value.get<std::int64_t>()));
      }
    }
    input_.definitions.insert(input_.definitions.begin(), made.begin(), made.end());
  }

  [[nodiscard]] bool is_wanted(const std::string& name) const {
    const std::vector<std::string>& names = words_.input.properties;
    return names.empty() || std::ranges::find(names, name) != names.end();
  }

  [[nodiscard]] bool read_claims() {
    if (text_member(report_, "command") == "trace") {
      fail("is about a trace, not about a model");
      return false;
    }
    if (const json* const properties = member(report_, "properties")) {
      read_whole(*properties);
    } else if (!is_bare()) {
      read_property(report_, "property");
    } else if (member(report_, "steps") != nullptr) {
      read_bare();
    } else {
      fail("has no \"properties\", no \"evidence\" and no \"steps\"");
    }
    return errors_.empty();
  }

  void read_whole(const json& properties) {
    if (!properties.is_array()) {
      fail("\"properties\" is no array");
      return;
    }
    for (std::size_t i = 0; i < properties.size(); ++i) {
      read_property(properties[i], fmt::format("property {}", i + 1));
    }
    const json* const summary = member(report_, "summary");
    const json* const deadlock = summary == nullptr ? nullptr : member(*summary, "deadlock");
    if (deadlock != nullptr && words_.input.properties.empty()) {
      // From one initial state there may be a way to a deadlock and from another none, so that
      // EF deadlock need not hold.
      claims_.push_back({"deadlock", "AG !deadlock", {}, base::Verdict::Fails, deadlock});
    }
  }

  void read_property(const json& property, const std::string& place) {
    const std::optional<std::string> formula = text_member(property, "formula");
    const std::optional<std::string> verdict = text_member(property, "verdict");
    const std::string name = text_member(property, "name").value_or(place);
    if (!formula || !verdict) {
      fail(fmt::format("{} has no \"formula\" and \"verdict\"", place));
      return;
    }
    const json* const evidence = member(property, "evidence");
    if (!is_wanted(name)) return;
    if (evidence == nullptr) {
      claims_.push_back({name, std::nullopt, {}, std::nullopt, nullptr});
      return;
    }
    Claim claim{name, formula, {}, std::nullopt, evidence};
    if (verdict == "holds") claim.verdict = base::Verdict::Holds;
    if (verdict == "fails") claim.verdict = base::Verdict::Fails;
    if (!claim.verdict) {
      fail(fmt::format("{} has evidence, but its \"verdict\" is neither \"holds\" nor \"fails\"",
                       place));
      return;
    }
    read_values(property, claim, place);
    if (text_member(property, "logic") == "ltl") read_linear(property, claim);
    claims_.push_back(std::move(claim));
  }

  static void read_linear(const json& property, Claim& claim) {
    const auto is_set = [&](const char* name) {
      const json* const flag = member(property, name);
      return flag != nullptr && flag->is_boolean() && flag->get<bool>();
    };
    claim.linear.emplace();
    claim.linear->finite = is_set("finite");
    claim.linear->fair = is_set("fair");
    const bool actions = text_member(property, "view") == "actions";
    claim.linear->view = actions ? online::View::Actions : online::View::States;
    claim.automaton = text_member(property, "automaton");
  }

  void read_values(const json& property, Claim& claim, const std::string& place) {
    const json* const evaluation = member(property, "evaluation");
    if (evaluation == nullptr) return;
    if (!evaluation->is_array()) {
      fail(place + " has an \"evaluation\" that is no array");
      return;
    }
    for (const json& value : *evaluation) {
      const std::optional<std::string> variable = text_member(value, "variable");
      const std::optional<std::string> module = text_member(value, "module");
      const json* const process = member(value, "process");
      if (!variable || !module || process == nullptr || !process->is_number_integer()) {
        fail(place + " has an \"evaluation\" without \"variable\", \"module\" and \"process\"");
        return;
      }
      claim.values.push_back(
          fmt::format("{}={}({})", *variable, *module, process->get<std::int64_t>()));
    }
  }

  /// Evidence without its property: the command line may name one.
  void read_bare() {
    Claim claim{"evidence", std::nullopt, {}, std::nullopt, &report_};
    const bool chosen = !words_.input.properties.empty() || !words_.input.request.cctl.empty();
    if (!chosen) {
      claims_.push_back(std::move(claim));
      return;
    }
    if (loaded_.formulas.size() != 1 && words_.input.properties.empty()) {
      loaded_.formulas.erase(
          loaded_.formulas.begin(),
          loaded_.formulas.end() - static_cast<std::ptrdiff_t>(words_.input.request.cctl.size()));
    }
    if (loaded_.formulas.size() != 1) {
      fail("is evidence for one property: name it with --property or --cctl");
      return;
    }
    bare_ = true;
    const bool witness = text_member(report_, "kind") == "witness";
    claim.name = loaded_.formulas.front().name;
    claim.verdict = witness ? base::Verdict::Holds : base::Verdict::Fails;
    claims_.push_back(std::move(claim));
  }

  void judge(const Claim& claim) {
    if (claim.evidence == nullptr) {
      verdicts_.push_back({claim.name, "no evidence to replay", true, {}});
      return;
    }
    const ReadEvidence read = EvidenceReader(loaded_.program).read(*claim.evidence);
    for (const std::string& what : read.unreadable) fail(fmt::format("{}: {}", claim.name, what));
    if (!read.unreadable.empty()) return;
    Verdict verdict{claim.name, steps_text(read.evidence), false, read.objections};
    if (read.ok()) judge(claim, read.evidence, verdict);
    verdicts_.push_back(std::move(verdict));
  }

  void judge(const Claim& claim, const cctl::Evidence& evidence, Verdict& verdict) {
    const bool witness = evidence.kind == cctl::Evidence::Kind::Witness;
    verdict.text = fmt::format("{} of {}", witness ? "witness" : "counterexample", verdict.text);
    if (claim.formula && claim.verdict == base::Verdict::Holds && !witness) {
      verdict.objections.emplace_back("a counterexample cannot show that a property holds");
    }
    if (claim.formula && claim.verdict == base::Verdict::Fails && witness) {
      verdict.objections.emplace_back("a witness cannot show that a property fails");
    }
    if (!verdict.objections.empty()) return;
    if (!claim.formula && !bare_) {
      finish(verdict, cctl::replay_path(loaded_.program, evidence), std::nullopt);
      return;
    }
    if (bare_) {
      finish(verdict,
             cctl::replay(loaded_.program, loaded_.formulas.front(), evidence, *claim.verdict),
             claim.verdict);
      return;
    }
    lang::Loaded with_formula = load_claim(claim);
    std::vector<online::Property> linear;
    if (claim.linear) {
      online::Request request{claim.name, claim.automaton.value_or(*claim.formula),
                              claim.automaton.has_value(), *claim.formula};
      linear = online::load_properties(with_formula, {request}, *claim.linear);
    }
    if (!with_formula.ok()) {
      fail(fmt::format("the formula of '{}' does not go with the model:", claim.name));
      std::fputs(report::text_of_findings(with_formula, report::Findings::Errors).c_str(), stderr);
      return;
    }
    if (claim.linear) {
      finish(verdict, online::replay(with_formula.program, linear.front(), evidence),
             claim.verdict);
      return;
    }
    finish(
        verdict,
        cctl::replay(with_formula.program, with_formula.formulas.back(), evidence, *claim.verdict),
        claim.verdict);
  }

  [[nodiscard]] lang::Loaded load_claim(const Claim& claim) const {
    InputWords input = input_;
    input.request.specs.clear();
    input.properties.clear();
    input.request.cctl.clear();
    input.request.own_formulas = lang::OwnFormulas::Beside;
    if (!claim.linear) input.request.cctl.push_back(*claim.formula);
    input.request.values = claim.values;
    // Those of the command line come later, and count.
    input.request.values.insert(input.request.values.end(), words_.input.request.values.begin(),
                                words_.input.request.values.end());
    return load_text(input, model_);
  }

  static void finish(Verdict& verdict, const cctl::Judgement& judgement,
                     std::optional<base::Verdict> shown) {
    verdict.objections = judgement.objections;
    verdict.stands = judgement.ok();
    if (!judgement.objections.empty()) return;
    verdict.text += ": a path of the program";
    if (!shown) return;
    const char* const word = base::word_for(*shown);
    switch (judgement.support) {
      case cctl::Judgement::Support::Shown:
        verdict.text += fmt::format(", which shows that the property {}", word);
        break;
      case cctl::Judgement::Support::Undecided:
        verdict.text += fmt::format("; no single path can show that the property {}", word);
        break;
      case cctl::Judgement::Support::Refuted:
        verdict.objections.emplace_back(fmt::format("it does not show that the property {}", word));
        break;
    }
  }

  void print() const {
    // Standard output is the converted evidence's.
    if (!words_.target.empty() && words_.out.empty()) {
      for (const Verdict& verdict : verdicts_) {
        for (const std::string& objection : verdict.objections) {
          fmt::print(stderr, "{}: {}\n", verdict.name, objection);
        }
      }
      return;
    }
    if (words_.format == Format::Json) {
      print_json();
      return;
    }
    for (const Verdict& verdict : verdicts_) {
      fmt::print("{}: {}{}\n", verdict.name, verdict.text,
                 verdict.stands ? "" : " -- does not stand");
      for (const std::string& objection : verdict.objections) fmt::print("  {}\n", objection);
    }
    if (verdicts_.empty() && errors_.empty()) fmt::print("nothing to replay\n");
  }

  void print_json() const {
    report::JsonWriter out{std::cout};
    out.begin_object();
    out.member("tool", "cohort");
    out.member("version", COHORT_VERSION);
    out.member("command", "replay");
    out.member("input", words_.input.request.model);
    out.key("properties");
    out.begin_array();
    for (const Verdict& verdict : verdicts_) {
      out.begin_object();
      out.member("name", verdict.name);
      out.member("stands", verdict.stands);
      out.member("checked", verdict.text);
      out.key("objections");
      out.begin_array();
      for (const std::string& objection : verdict.objections) out.value(objection);
      out.end();
      out.end();
    }
    out.end();
    out.key("errors");
    out.begin_array();
    for (const std::string& error : errors_) {
      out.begin_object(report::JsonWriter::Layout::Line);
      out.member("file", words_.evidence);
      out.member("line", 1);
      out.member("column", 1);
      out.member("message", error);
      out.end();
    }
    out.end();
    out.end();
    std::cout.flush();
  }

  const ReplayWords& words_;
  json report_;
  std::string model_;
  InputWords input_;
  lang::Loaded loaded_;
  bool bare_ = false;  // the formula of the claim is that of `loaded_`
  std::vector<Claim> claims_;
  std::vector<Verdict> verdicts_;
  std::vector<std::string> errors_;
};

}  // namespace

ExitStatus replay_model(const ReplayWords& words) {
  const ExitStatus status = Replay(words).run();
  // What does not stand is not handed on.
  if (words.target.empty() || status != ExitStatus::AsExpected) return status;
  return convert_evidence(words);
}

void add_replay_model_options(CLI::App& command, ReplayWords& words) {
  add_model_options(command, words.input);
  command
      .add_option("EVIDENCE", words.evidence,
                  "the JSON report of check or trace, or a property or evidence of it")
      ->required();
  command
      .add_option("--spec", words.input.request.specs,
                  "where --property looks, besides the model, if the evidence comes alone")
      ->allow_extra_args(false)
      ->type_name("FILE");
  add_formula_options(command, words.input);
  add_format_option(command, words.format, {Format::Text, Format::Json});
  CLI::Option* const target =
      command
          .add_option(
              "--to", words.target,
              "also write the evidence, if it stands, for other tools: itf for Apalache's and "
              "Quint's viewers, shiviz for ShiViz and cohort trace")
          ->check(CLI::IsMember({"itf", "shiviz"}).description(""))
          ->type_name("itf|shiviz")
          ->take_last()
          ->group(output_section);
  command.add_option("--out,-o", words.out, "where --to writes; without it standard output, alone")
      ->type_name("FILE")
      ->take_last()
      ->needs(target)
      ->group(output_section);
}

}  // namespace cohort::cli
