// cohort export: the model and its properties for other model checkers.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include "base/diagnostic.hpp"
#include "cli/commands.hpp"
#include "cli/linear_options.hpp"
#include "cli/options.hpp"
#include "cli/sections.hpp"
#include "model/program.hpp"
#include "report/diagnostics.hpp"
#include "translate/translation.hpp"

namespace cohort::cli {
namespace {

struct Words {
  InputWords input;
  LinearWords linear;
  std::string target;
  std::string out;
  bool partial = false;
  bool quiet = false;
};

/// What the target cannot say, each at its place.
[[nodiscard]] std::string text_of(const translate::Translation& made, const lang::Loaded& loaded,
                                  base::Severity severity) {
  std::string text;
  for (const translate::Finding& finding : made.findings) {
    const base::Source& source =
        finding.formula == nullptr ? loaded.inputs.front()->source : *finding.formula->source;
    const std::string about =
        finding.formula == nullptr ? "" : fmt::format("property '{}': ", finding.formula->name);
    text += base::render(source, {severity, finding.where, about + finding.message, finding.hint});
  }
  return text;
}

[[nodiscard]] ExitStatus write(const Words& words, const std::string& text) {
  if (words.out.empty()) {
    std::cout << text << std::flush;
    if (std::cout) return ExitStatus::AsExpected;
    std::fputs("cohort: cannot write to standard output\n", stderr);
    return ExitStatus::InputError;
  }
  std::ofstream file(words.out, std::ios::binary);
  file << text << std::flush;
  if (file) return ExitStatus::AsExpected;
  fmt::print(stderr, "cohort: cannot write to '{}'\n", words.out);
  return ExitStatus::InputError;
}

[[nodiscard]] ExitStatus run(const Words& words) {
  lang::Loaded loaded = load(words.input);
  const std::vector<online::Property> linear = load_linear(words.linear, words.input, loaded);
  std::fputs(report::text_of_findings(
                 loaded, words.quiet ? report::Findings::Errors : report::Findings::All)
                 .c_str(),
             stderr);
  if (!loaded.ok()) return ExitStatus::InputError;
  const model::Program program{loaded.program};
  translate::Subject subject{program, {}, {}, words.input.request.model, COHORT_VERSION};
  for (const lang::Formula& formula : loaded.formulas) subject.formulas.push_back(&formula);
  for (const online::Property& property : linear) subject.linear.push_back(&property);
  const translate::Translation made =
      words.target == "promela" ? translate::to_promela(subject) : translate::to_murphi(subject);
  const bool model_fails = std::ranges::any_of(
      made.findings, [](const translate::Finding& finding) { return finding.formula == nullptr; });
  const bool fails = model_fails || (!words.partial && !made.findings.empty());
  if (fails || !words.quiet) {
    std::fputs(
        text_of(made, loaded, fails ? base::Severity::Error : base::Severity::Warning).c_str(),
        stderr);
  }
  return fails ? ExitStatus::InputError : write(words, made.text);
}

}  // namespace

void add_export(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command =
      app.add_subcommand("export", "write a model and its properties for spin or rumur");
  add_input_options(*command, words->input);
  add_ltl_options(*command, words->linear);
  command->add_option("--to", words->target, "the language: Promela for spin, Murphi for rumur")
      ->required()
      ->check(CLI::IsMember({"promela", "murphi"}).description(""))
      ->type_name("promela|murphi")
      ->take_last()
      ->group(output_section);
  command->add_option("--out,-o", words->out, "a file, instead of standard output")
      ->type_name("FILE")
      ->take_last()
      ->group(output_section);
  command
      ->add_flag("--partial", words->partial,
                 "leave out the properties that the language cannot express, with a warning")
      ->group(output_section);
  command->add_flag("--quiet,-q", words->quiet, "no warnings")->group(output_section);
  command->footer(
      "Examples:\n"
      "  cohort export models/german.coh specs/german.cctl --to murphi --partial --out german.m\n"
      "  cohort export models/barrier.coh --to promela --fair\n"
      "    --ltl 'forall w in worker . G(phase[w] = arrived -> F phase[w] = working)'");
  command->callback([words, &status] {
    words->input.elsewhere = words->linear.names();
    status = run(*words);
  });
}

}  // namespace cohort::cli
