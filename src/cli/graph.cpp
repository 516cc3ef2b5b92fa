// cohort graph: the quotient structure, or the full graph, written out.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/sections.hpp"
#include "cli/terminal.hpp"
#include "model/program.hpp"
#include "quotient/listing.hpp"
#include "report/diagnostics.hpp"
#include "report/graph.hpp"

namespace cohort::cli {
namespace {

using Edges = quotient::GuardedQuotient::Edges;

struct Words {
  InputWords input;
  SearchWords search;
  bool json = false;
  bool thin = false;
};

/// More than this nobody reads, and graphviz does not draw.
constexpr std::uint64_t most_states_by_default = 1000;
constexpr std::uint64_t most_edges_by_state = 20;

[[nodiscard]] quotient::Listing list(const Words& words, const lang::Loaded& loaded,
                                     const quotient::ListingOptions& options,
                                     base::Limits& limits) {
  SearchWords search = words.search;
  search.max_states = 0;  // the cap of the listing, and no limit that leaves something unknown
  apply(search, limits);
  const InterruptGuard guard;
  const model::Program program{loaded.program};
  return quotient::list_graph(program, options, limits);
}

[[nodiscard]] ExitStatus status_of(const quotient::Listing& listing, const lang::Loaded& loaded,
                                   bool symmetry, const base::Limits& limits) {
  if (limits.reason() == base::Limits::Reason::Interrupt) return ExitStatus::Interrupted;
  const bool has_priorities =
      std::ranges::any_of(loaded.program.schemas,
                          [](const lang::Schema& schema) { return schema.priority.has_value(); });
  const bool fault = std::ranges::any_of(
      listing.states, [](const quotient::ListedState& state) { return state.fault.has_value(); });
  // Without its priorities a program may reach states that it does not reach with them.
  if (fault && !(symmetry && has_priorities)) return ExitStatus::InputError;
  return limits.reason() == base::Limits::Reason::None ? ExitStatus::AsExpected
                                                       : ExitStatus::Unknown;
}

[[nodiscard]] ExitStatus run(const Words& words) {
  const lang::Loaded loaded = load_model(words.input);
  std::fputs(report::text_of_findings(loaded, report::Findings::Errors).c_str(), stderr);
  const bool symmetry = words.search.options.engine == cctl::Engine::Quotient;
  const std::uint64_t most =
      words.search.max_states > 0 ? words.search.max_states : most_states_by_default;
  const report::GraphHead head{symmetry ? "quotient" : "full", most, most_edges_by_state * most};
  base::Limits limits;
  quotient::Listing listing;
  listing.complete = false;
  if (loaded.ok()) {
    listing = list(words, loaded,
                   {.symmetry = symmetry,
                    .edges = words.thin ? Edges::Thinned : Edges::All,
                    .most_states = head.most_states,
                    .most_edges = head.most_edges},
                   limits);
  }
  if (words.json) {
    report::Run run;
    run.command = "graph";
    run.version = COHORT_VERSION;
    run.input = words.input.request.model;
    run.definitions = overrides_of(words.input);
    run.loaded = &loaded;
    report::write_json(std::cout, run, listing, head);
  } else if (loaded.ok()) {
    report::write_dot(std::cout, report::Names{loaded.program}, listing, head);
  }
  std::cout.flush();
  if (!std::cout) {
    std::fputs("cohort: cannot write to standard output\n", stderr);
    return ExitStatus::InputError;
  }
  return loaded.ok() ? status_of(listing, loaded, symmetry, limits) : ExitStatus::InputError;
}

}  // namespace

void add_graph(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command = app.add_subcommand(
      "graph", "write the quotient structure, or the full graph; --max-states is 1000 by default");
  add_model_options(*command, words->input);
  add_engine_option(*command, words->search);
  add_limit_options(*command, words->search);
  command
      ->add_option_function<std::string>(
          "--format", [words](const std::string& word) { words->json = word == "json"; },
          "how to write it")
      ->check(CLI::IsMember({"dot", "json"}).description(""))
      ->type_name("dot|json")
      ->take_last()
      ->group(output_section);
  command
      ->add_flag("--thin", words->thin,
                 "of the edges that a symmetry of their state maps to each other only one")
      ->group(output_section);
  command->callback([words, &status] { status = run(*words); });
}

}  // namespace cohort::cli
