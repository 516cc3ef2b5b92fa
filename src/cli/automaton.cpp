// cohort automaton: prints the automaton of an LTL formula.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.hpp"
#include "base/limits.hpp"
#include "base/source.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "ltl/buchi.hpp"
#include "ltl/finite_word.hpp"
#include "ltl/lower.hpp"
#include "ltl/parse.hpp"
#include "monitor/hoa.hpp"

namespace cohort::cli {
namespace {

struct Words {
  std::string formula;
  std::string format = "hoa";
  bool finite = false;
  bool infinite = false;
  bool negate = false;
  SearchWords search;
};

[[nodiscard]] ExitStatus run(const Words& words) {
  const InterruptGuard guard;
  const base::Source source = base::Source::from_text("formula", words.formula);
  base::Diagnostics diagnostics;
  const ltl::syntax::Expr tree = ltl::parse_formula(source, diagnostics);
  ltl::Formulas formulas;
  ltl::NamedAtoms atoms;
  ltl::Formula formula = formulas.constant(true);
  if (!diagnostics.has_errors()) formula = lower(tree, formulas, atoms, diagnostics);
  std::fputs(base::render(source, diagnostics).c_str(), stderr);
  if (diagnostics.has_errors()) return ExitStatus::InputError;
  if (words.negate) formula = formulas.negation(formula);
  base::Limits limits;
  apply(words.search, limits);
  ltl::TranslationLimits bounds;
  bounds.limits = &limits;
  std::optional<ltl::Automaton> automaton =
      words.finite ? ltl::finite_automaton(formulas, formula, atoms.names(), bounds)
                   : ltl::buchi_automaton(formulas, formula, atoms.names(), bounds);
  if (!automaton) {
    const std::string reason = limits.describe();
    fmt::print(stderr, "formula: unknown: {}\n",
               reason.empty() ? "the automaton is too large" : reason);
    return base::Limits::interrupted() ? ExitStatus::Interrupted : ExitStatus::Unknown;
  }
  automaton->name = words.negate ? "!(" + words.formula + ")" : words.formula;
  fmt::print("{}",
             words.format == "dot" ? monitor::to_dot(*automaton) : monitor::to_hoa(*automaton));
  return ExitStatus::AsExpected;
}

}  // namespace

void add_automaton(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command =
      app.add_subcommand("automaton", "print the automaton of an LTL formula");
  command->add_option("FORMULA", words->formula, "the formula, for instance 'G(a -> F b)'")
      ->required();
  auto* const finite =
      command->add_flag("--finite", words->finite, "for finite words: deterministic, minimal");
  command->add_flag("--infinite", words->infinite, "for infinite words: Büchi (the default)")
      ->excludes(finite);
  command->add_flag("--negate", words->negate, "the automaton of the negated formula");
  command->add_option("--format", words->format, "how to print the automaton")
      ->type_name("hoa|dot")
      ->check(CLI::IsMember({"hoa", "dot"}).description(""));
  add_resource_options(*command, words->search);
  command->callback([words, &status] { status = run(*words); });
}

}  // namespace cohort::cli
