// cohort compare: every property with every engine, as one table.
//
// Each search runs in a process of its own, so that its memory is measured alone, and so that the
// table comes even if one of them ends badly.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/in_child.hpp"
#include "cli/linear_options.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "model/program.hpp"
#include "report/comparison.hpp"
#include "report/diagnostics.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace cohort::cli {
namespace {

using base::Verdict;
using nlohmann::json;

struct Words {
  InputWords input;
  LinearWords linear;
  SearchWords search;
  OutputWords output;
  // Of the options that say how to search those that were given: they leave fewer ways.
  bool engine = false;
  bool elimination = false;
  bool counting = false;
  bool build = false;
};

[[nodiscard]] std::vector<cctl::Options> ways(const Words& words, bool can_count) {
  std::vector<cctl::Options> made;
  const auto add = [&](cctl::Engine engine, cctl::Elimination elimination,
                       cctl::Counting counting) {
    for (const cctl::Build build : {cctl::Build::Lazy, cctl::Build::Eager}) {
      made.push_back({.engine = engine,
                      .build = build,
                      .quantifier_elimination = elimination,
                      .evidence = false,
                      .counting = counting});
    }
  };
  const cctl::Options& given = words.search.options;
  add(cctl::Engine::Full, cctl::Elimination::On,
      words.counting ? given.counting : cctl::Counting::On);
  add(cctl::Engine::Quotient, cctl::Elimination::Off, cctl::Counting::Off);
  if (can_count) {
    add(cctl::Engine::Quotient, cctl::Elimination::On, cctl::Counting::Off);
    add(cctl::Engine::Quotient, cctl::Elimination::On, cctl::Counting::On);
  } else {
    // Nothing is counted in any case; what else the option says is as cohort check would have it.
    add(cctl::Engine::Quotient, cctl::Elimination::On,
        words.counting ? given.counting : cctl::Counting::On);
  }
  std::erase_if(made, [&](const cctl::Options& way) {
    const bool has_elimination = way.engine == cctl::Engine::Quotient;
    return (words.engine && way.engine != given.engine) ||
           (words.build && way.build != given.build) ||
           (words.counting && can_count && way.engine == cctl::Engine::Quotient &&
            way.counting != given.counting) ||
           (words.elimination && has_elimination &&
            way.quantifier_elimination != given.quantifier_elimination);
  });
  return made;
}

[[nodiscard]] std::string to_text(const cctl::Answer& answer, const std::string& error,
                                  const std::string& json_error) {
  const cctl::Statistics& s = answer.statistics;
  return json{{"verdict", static_cast<int>(answer.verdict)},
              {"reason", answer.reason},
              {"error", error},
              {"json_error", json_error},
              {"statistics",
               {s.states, s.edges, s.marks, s.labels, s.depth, s.memory_bytes, s.state_bytes}},
              {"seconds", s.seconds}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

class Compare {
 public:
  Compare(const Words& words, const lang::Loaded& loaded,
          const std::vector<online::Property>& linear)
      : words_(words), loaded_(loaded), linear_(linear) {}

  void search() {
    const InterruptGuard guard;
    const bool can_count = cctl::can_count(loaded_.program);
    for (const lang::Formula& formula : loaded_.formulas) {
      comparisons_.push_back({&formula, {}});
      for (const cctl::Options& way : ways(words_, can_count)) {
        comparisons_.back().attempts.push_back(attempt(formula, nullptr, way));
        comparisons_.back().attempts.back().can_count = can_count;
      }
    }
    for (const online::Property& property : linear_) {
      comparisons_.push_back({&property.formula, {}});
      for (const cctl::Options& way : ways(words_, false)) {
        comparisons_.back().attempts.push_back(attempt(property.formula, &property, way));
        comparisons_.back().attempts.back().can_count = false;
      }
    }
  }

  [[nodiscard]] const std::vector<report::Comparison>& comparisons() const { return comparisons_; }

  [[nodiscard]] ExitStatus status() const {
    ExitStatus worst = ExitStatus::AsExpected;
    bool unknown = false;
    for (const report::Comparison& comparison : comparisons_) {
      const Verdict verdict = comparison.verdict();
      const bool error =
          comparison.disagrees() ||
          std::ranges::any_of(comparison.attempts, [](const report::Attempt& attempt) {
            return attempt.verdict == Verdict::Error;
          });
      const Verdict expected = comparison.formula->expected ? Verdict::Holds : Verdict::Fails;
      unknown = unknown || verdict == Verdict::Unknown;
      if (error) worst = ExitStatus::InputError;
      if (worst == ExitStatus::AsExpected && verdict != Verdict::Unknown && verdict != expected) {
        worst = ExitStatus::NotAsExpected;
      }
    }
    if (base::Limits::interrupted()) return ExitStatus::Interrupted;
    return worst == ExitStatus::AsExpected && unknown ? ExitStatus::Unknown : worst;
  }

 private:
  /// `linear` is null for a property of branching time.
  [[nodiscard]] report::Attempt attempt(const lang::Formula& formula,
                                        const online::Property* linear, const cctl::Options& way) {
    report::Attempt made;
    made.options = way;
    if (base::Limits::interrupted()) {
      made.reason = "interrupted";
      return made;
    }
    std::cout.flush();
    const ChildResult result = in_child([&] { return search_once(formula, linear, way); });
    if (!result.finished) {
      made.reason = result.signal != 0 ? fmt::format("ended by signal {}", result.signal)
                                       : std::string("ended with an internal error");
      return made;
    }
    const json found = json::parse(result.text);
    made.verdict = static_cast<Verdict>(found["verdict"].get<int>());
    made.reason = found["reason"];
    const json& numbers = found["statistics"];
    made.statistics = {.states = numbers[0],
                       .edges = numbers[1],
                       .marks = numbers[2],
                       .labels = numbers[3],
                       .depth = numbers[4],
                       .seconds = found["seconds"],
                       .memory_bytes = numbers[5],
                       .state_bytes = numbers[6]};
    if (made.verdict == Verdict::Error) {
      made.error = found["json_error"];
      tell_once(found["error"]);
    }
    return made;
  }

  /// In the child.
  [[nodiscard]] std::string search_once(const lang::Formula& formula,
                                        const online::Property* linear,
                                        const cctl::Options& way) const {
    base::Limits limits;
    apply(words_.search, limits);
    ProgressLine progress{words_.output, limits};
    cctl::Progress latest;
    cctl::Answer answer;
    try {
      const model::Program program{loaded_.program};
      cctl::Checker checker{program, way, limits};
      const auto show = [&](const cctl::Progress& now) {
        latest = now;
        progress.show(now);
      };
      checker.on_progress(show);
      if (linear == nullptr) {
        answer = checker.check(formula);
      } else {
        online::Checker search{program, checker.graph(), limits,
                               options_of(words_.linear, words_.search, way)};
        search.on_progress(show);
        if (way.build == cctl::Build::Eager) answer = checker.check(everything());
        const bool stopped = answer.verdict == Verdict::Error || !answer.reason.empty();
        if (!stopped) answer = search.check(*linear);
      }
      answer.statistics.seconds = limits.seconds();
    } catch (const std::bad_alloc&) {
      limits.out_of_memory();
      answer.reason = limits.describe();
      answer.statistics.states = latest.states;
      answer.statistics.edges = latest.edges;
      answer.statistics.seconds = limits.seconds();
    }
    std::ostringstream error;
    if (!answer.error) return to_text(answer, {}, {});
    report::TextReport(error, loaded_, {}).write(*answer.error, &formula);
    return to_text(answer, error.str(), report::json_of_error(loaded_, *answer.error, formula));
  }

  /// True everywhere: for looking at every state.
  [[nodiscard]] static lang::Formula everything() {
    lang::Formula made;
    made.root.value = 1;
    made.root.type.kind = lang::ValueType::Kind::Number;
    return made;
  }

  /// Several ways meet the same model error.
  void tell_once(const std::string& error) {
    if (std::ranges::find(told_, error) != told_.end()) return;
    std::fputs(error.c_str(), stderr);
    told_.push_back(error);
  }

  const Words& words_;
  const lang::Loaded& loaded_;
  const std::vector<online::Property>& linear_;
  std::vector<report::Comparison> comparisons_;
  std::vector<std::string> told_;
};

[[nodiscard]] ExitStatus run(const Words& words) {
  lang::Loaded loaded = load(words.input);
  const std::vector<online::Property> linear = load_linear(words.linear, words.input, loaded);
  const auto which = words.output.quiet ? report::Findings::Errors : report::Findings::All;
  std::fputs(report::text_of_findings(loaded, which).c_str(), stderr);
  report::Run head;
  head.command = "compare";
  head.version = COHORT_VERSION;
  head.input = words.input.request.model;
  head.definitions = overrides_of(words.input);
  head.loaded = &loaded;
  Compare compare{words, loaded, linear};
  if (loaded.ok()) compare.search();
  if (words.output.format == Format::Json) {
    report::write_json(std::cout, head, compare.comparisons());
  } else if (loaded.ok()) {
    report::write_table(std::cout, compare.comparisons());
  }
  std::cout.flush();
  if (!loaded.ok()) return ExitStatus::InputError;
  std::fputs(report::text_of_disagreements(compare.comparisons()).c_str(), stderr);
  return compare.status();
}

}  // namespace

void add_compare(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command =
      app.add_subcommand("compare", "check with every engine, and show what each one took");
  add_input_options(*command, words->input);
  add_linear_options(*command, words->linear);
  add_engine_options(*command, words->search);
  add_limit_options(*command, words->search);
  add_format_option(*command, words->output.format, {Format::Text, Format::Json});
  add_progress_options(*command, words->output);
  command->callback([words, command, &status] {
    words->input.elsewhere = words->linear.names();
    words->engine = command->count("--engine") > 0;
    words->elimination = command->count("--quantifier-elimination") > 0;
    words->counting = command->count("--counting") > 0;
    words->build = command->count("--build") > 0;
    status = run(*words);
  });
}

}  // namespace cohort::cli
