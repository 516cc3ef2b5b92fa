#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.hpp"
#include "model/fault.hpp"
#include "report/path_text.hpp"

namespace cohort::report {
namespace {

constexpr const char* green = "32";
constexpr const char* red = "31";
constexpr const char* yellow = "33";

[[nodiscard]] std::string verdict_text(const Result& result) {
  const std::string word = word_for(result.answer.verdict);
  switch (result.answer.verdict) {
    case base::Verdict::Unknown:
      return result.answer.reason.empty() ? word
                                          : fmt::format("{} ({})", word, result.answer.reason);
    case base::Verdict::Holds:
      return result.formula->expected ? word : word + " (expected to fail)";
    case base::Verdict::Fails:
      return result.formula->expected ? word : word + " (as expected)";
    case base::Verdict::Error:
      break;
  }
  return word;
}

[[nodiscard]] const char* verdict_colour(const Result& result) {
  if (result.answer.verdict == base::Verdict::Unknown) return yellow;
  return result.as_expected() ? green : red;
}

[[nodiscard]] std::string steps_text(std::size_t count) {
  return fmt::format("{} step{}", count, count == 1 ? "" : "s");
}

}  // namespace

bool Run::has_grave_findings() const {
  return std::ranges::any_of(findings, &Finding::is_error) ||
         std::ranges::any_of(loaded->inputs, [](const auto& text) {
           return text->diagnostics.has_grave_warnings();
         });
}

const char* word_for(base::Verdict verdict) {
  switch (verdict) {
    case base::Verdict::Holds:
      return "holds";
    case base::Verdict::Fails:
      return "fails";
    case base::Verdict::Unknown:
      return "unknown";
    case base::Verdict::Error:
      return "error";
  }
  return "error";
}

std::string text_of_bytes(std::uint64_t bytes) {
  constexpr double kibi = 1024;
  const auto number = static_cast<double>(bytes);
  if (number < kibi) return fmt::format("{} bytes", bytes);
  if (number < kibi * kibi) return fmt::format("{:.1f} KiB", number / kibi);
  if (number < kibi * kibi * kibi) return fmt::format("{:.1f} MiB", number / kibi / kibi);
  return fmt::format("{:.2f} GiB", number / kibi / kibi / kibi);
}

const base::Source& source_of(const cctl::ModelError& error, const lang::Loaded& loaded,
                              const lang::Formula* formula) {
  if (error.in_formula && formula != nullptr && formula->source != nullptr) return *formula->source;
  return loaded.inputs.front()->source;
}

std::string TextReport::coloured(const char* code, const std::string& text) const {
  return options_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

void TextReport::write(const Result& result) {
  out_ << result.formula->name << ": " << coloured(verdict_colour(result), verdict_text(result))
       << '\n';
  const std::optional<cctl::OnlineStatistics>& online = result.answer.statistics.online;
  if (online && online->bounded) {
    out_ << fmt::format("  {} states generated, at most {} remembered at once, {} forgotten\n",
                        online->generated, online->product_states, online->forgotten);
  }
  if (result.answer.evidence) write_evidence(result);
}

void TextReport::write_evidence(const Result& result) {
  const cctl::Evidence& evidence = *result.answer.evidence;
  const bool witness = evidence.kind == cctl::Evidence::Kind::Witness;
  const std::string choices = text_of_choices(names_, evidence);
  out_ << fmt::format("  {}{}{}:\n", witness ? "witness" : "counterexample",
                      choices.empty() ? "" : " for ", choices);
  write_path(out_, names_, evidence, result.formula->source);
}

void TextReport::write(const cctl::ModelError& error, const lang::Formula* formula) {
  const base::Source& source = source_of(error, loaded_, formula);
  const base::Diagnostic found{
      base::Severity::Error, error.fault.where, model::describe(error.fault, loaded_.program), {}};
  out_ << base::render(source, found);
  const bool has_path = !error.path.initial.empty();
  const std::string who =
      error.in_formula ? fmt::format("the formula '{}'", formula == nullptr ? "" : formula->name)
      : has_path       ? names_.label(error.schema, error.processes)
                       : loaded_.program[error.schema].name;
  if (!has_path) {
    out_ << fmt::format("  in {}; a limit ended the search for a path to it\n", who);
    return;
  }
  const std::size_t steps = error.path.steps.size();
  out_ << fmt::format(
      "  in {}, {}:\n", who,
      steps == 0 ? "in this initial state" : fmt::format("after {}", steps_text(steps)));
  write_path(out_, names_, error.path, nullptr);
}

void TextReport::write(const Totals& totals) {
  const cctl::Summary& graph = totals.graph;
  const char* const so_far = graph.complete ? "" : " so far";
  const auto line = [&](const char* name, const std::string& text) {
    out_ << fmt::format("{:<12} {}\n", name, text);
  };
  line("states", fmt::format("{}{}", graph.states,
                             graph.complete ? "" : ", as many as were needed; there may be more"));
  line("edges", fmt::format("{}", graph.edges));
  line("depth", fmt::format("{}", graph.depth));
  line("deadlocks", fmt::format("{}{}", graph.deadlocks, so_far));
  if (graph.deadlock) {
    out_ << fmt::format("  one of them, after {}:\n", steps_text(graph.deadlock->steps.size()));
    write_path(out_, names_, *graph.deadlock, nullptr);
  }
  if (!graph.unfired.empty()) {
    std::string schemas;
    for (const base::SchemaId id : graph.unfired) {
      if (!schemas.empty()) schemas += ", ";
      schemas += loaded_.program[id].name;
    }
    line(graph.complete ? "never fired" : "not fired", schemas + so_far);
  }
  line("time", fmt::format("{:.2f} s", totals.seconds));
  std::string memory = text_of_bytes(totals.memory_bytes);
  if (graph.states > 0 && graph.state_bytes > 0) {
    memory += fmt::format("; {:.1f} bytes for each state", static_cast<double>(graph.state_bytes) /
                                                               static_cast<double>(graph.states));
  }
  if (graph.nodes > 0) memory += fmt::format(", in a tree of {} nodes", graph.nodes);
  line("memory", memory);
}

}  // namespace cohort::report
