// cohort explain: why each schema of each process can or cannot fire in a state.
//
// The state is the end of saved evidence, the end of given steps, or else the first of these that
// there is: a model error, a deadlock, the initial state.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "base/suggest.hpp"
#include "cctl/check.hpp"
#include "cctl/replay.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/saved_evidence.hpp"
#include "cli/steps.hpp"
#include "cli/terminal.hpp"
#include "model/program.hpp"
#include "model/why.hpp"
#include "report/diagnostics.hpp"
#include "report/explanation.hpp"
#include "report/names.hpp"

namespace cohort::cli {
namespace {

struct Words {
  InputWords input;
  SearchWords search;
  std::string evidence;
  std::optional<std::string> steps;
  Format format = Format::Text;
};

/// A search for a deadlock that takes longer than this was not meant.
constexpr double default_timeout = 60;
constexpr std::size_t most_initial_states = 100'000;
constexpr const char* not_fireable = "is not fireable there";

class Explain {
 public:
  explicit Explain(const Words& words) : words_(words) {}

  [[nodiscard]] ExitStatus run() {
    InputWords input = words_.input;
    SavedEvidence saved;
    if (!words_.evidence.empty()) {
      saved = read_saved_evidence(words_.evidence, words_.input.properties);
      if (!saved.error.empty()) fail(words_.evidence, saved.error);
      use_definitions(input, saved.definitions);
      input.properties.clear();  // its properties are the file's
    }
    loaded_ = load_model(input);
    std::fputs(report::text_of_findings(loaded_, report::Findings::Errors).c_str(), stderr);
    if (loaded_.ok() && !failed_) {
      semantics_.emplace(loaded_.program);
      if (!words_.evidence.empty()) {
        use(saved);
      } else if (words_.steps) {
        use_steps();
      } else {
        search();
      }
    }
    const bool explained = loaded_.ok() && !failed_;
    if (explained) finish();
    print(input, explained);
    return explained ? ExitStatus::AsExpected : ExitStatus::InputError;
  }

 private:
  void fail(const std::string& where, const std::string& what, std::string hint = {}) {
    failed_ = true;
    fmt::print(stderr, "{}: error: {}\n", where, what);
    if (!hint.empty()) fmt::print(stderr, "  hint: {}\n", hint);
    problems_.push_back({where, what, std::move(hint)});
  }

  void use(const SavedEvidence& saved) {
    const ReadEvidence read = saved.read(loaded_.program);
    for (const std::string& what : read.unreadable) fail(words_.evidence, what);
    for (const std::string& what : read.objections) fail(words_.evidence, what);
    if (failed_) return;
    const cctl::Judgement judgement = cctl::replay_path(loaded_.program, read.evidence);
    for (const std::string& what : judgement.objections) fail(words_.evidence, what);
    made_.place = report::Explanation::Place::Evidence;
    made_.path = read.evidence;
    if (made_.path.loop) {
      made_.note = fmt::format("the path goes on with step {} for ever", *made_.path.loop + 1);
    }
  }

  // -------------------------------------------------------------------------------------------------
  // Given steps

  void use_steps() {
    const std::vector<StepWords> steps = parse_steps(*words_.steps);
    if (steps.empty() && words_.steps->find_first_not_of(" ;") != std::string::npos) {
      fail("--steps", "is no list of steps", "write 'ask(3); grant(0, 3)'");
      return;
    }
    const auto initial = semantics_->initial_states(most_initial_states);
    if (!initial) {
      fail("--steps", "the model has too many initial states to try them");
      return;
    }
    // The first initial state from which all steps can be taken; else the one that goes farthest is
    // the one to complain about.
    std::string complaint;
    std::size_t farthest = 0;
    for (const model::plain::State& state : *initial) {
      cctl::Evidence path;
      path.initial = state;
      std::string wrong;
      const std::size_t taken = take(steps, path, wrong);
      if (wrong.empty()) {
        made_.place = report::Explanation::Place::Steps;
        made_.path = std::move(path);
        if (initial->size() > 1) made_.note = "from the first initial state that allows the steps";
        return;
      }
      if (complaint.empty() || taken > farthest) {
        complaint = wrong;
        farthest = taken;
      }
    }
    fail("--steps", complaint,
         complaint.ends_with(not_fireable) ? "cohort explain with the steps before it says why"
                                           : "");
  }

  [[nodiscard]] std::size_t take(const std::vector<StepWords>& steps, cctl::Evidence& path,
                                 std::string& wrong) const {
    model::plain::State state = path.initial;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::optional<model::plain::Instance> instance = find(steps[i], state, wrong);
      if (!instance) {
        wrong = fmt::format("step {}: {}", i + 1, wrong);
        return i;
      }
      model::plain::Outcome outcome = semantics_->apply(*instance, state);
      if (!outcome.after) {
        wrong = fmt::format("step {}: model error: {}", i + 1,
                            model::describe(outcome.faults.front(), loaded_.program));
        return i;
      }
      cctl::Step step{instance->schema, instance->processes, {}};
      for (std::size_t at = 0; at < state.size(); ++at) {
        if (state[at] != (*outcome.after)[at]) {
          step.changes.push_back({static_cast<std::uint32_t>(at), (*outcome.after)[at]});
        }
      }
      path.steps.push_back(std::move(step));
      state = std::move(*outcome.after);
    }
    return steps.size();
  }

  /// The instance that is meant: with fewer processes than index variables the only fireable one.
  [[nodiscard]] std::optional<model::plain::Instance> find(const StepWords& words,
                                                           const model::plain::State& state,
                                                           std::string& wrong) const {
    const std::vector<lang::Schema>& schemas = loaded_.program.schemas;
    const auto schema = std::ranges::find(schemas, words.label, &lang::Schema::name);
    if (schema == schemas.end()) {
      std::vector<std::string_view> known;
      for (const lang::Schema& other : schemas) known.push_back(other.name);
      const std::optional<std::string_view> near = base::nearest(words.label, known);
      wrong = fmt::format("there is no schema '{}'{}", words.label,
                          near ? fmt::format("; did you mean '{}'?", *near) : "");
      return std::nullopt;
    }
    if (words.processes.size() > schema->num_indices) {
      wrong = fmt::format("'{}' has {} index variables, not {}", words.label, schema->num_indices,
                          words.processes.size());
      return std::nullopt;
    }
    for (std::size_t i = 0; i < words.processes.size(); ++i) {
      const lang::Module& module = loaded_.program[schema->slots[i].module];
      if (words.processes[i] >= 0 && words.processes[i] < module.size) continue;
      wrong = fmt::format("'{}' has no process {}", module.name, words.processes[i]);
      return std::nullopt;
    }
    const base::SchemaId id{static_cast<std::uint32_t>(schema - schemas.begin())};
    std::vector<model::plain::Instance> found;
    semantics_->any_instance(id, std::nullopt, [&](const model::plain::Instance& instance) {
      const bool meant =
          std::equal(words.processes.begin(), words.processes.end(), instance.processes.begin());
      if (meant && semantics_->is_fireable(instance, state)) found.push_back(instance);
      return found.size() > 1;
    });
    if (found.size() == 1) return found.front();
    const std::string text =
        words.processes.empty()
            ? fmt::format("'{}'", words.label)
            : fmt::format("{}({})", words.label, fmt::join(words.processes, ", "));
    wrong = found.empty() ? fmt::format("{} {}", text, not_fireable)
                          : fmt::format("{} may be several instances: name all processes", text);
    return std::nullopt;
  }

  // -------------------------------------------------------------------------------------------------
  // A search

  void search() {
    const InterruptGuard guard;
    base::Limits limits;
    SearchWords words = words_.search;
    if (words.timeout == 0) words.timeout = default_timeout;
    apply(words, limits);
    const model::Program program{loaded_.program};
    cctl::Options options = words.options;
    options.build = cctl::Build::Eager;
    cctl::Checker checker{program, options, limits};
    lang::Formula truth;
    truth.text = "true";
    truth.root.value = 1;
    truth.root.type.kind = lang::ValueType::Kind::Number;
    const cctl::Answer answer = checker.check(truth);
    const bool has_path = answer.error && !answer.error->path.initial.empty();
    if (has_path) {
      made_.place = report::Explanation::Place::Fault;
      made_.path = answer.error->path;
      return;
    }
    const cctl::Summary summary = checker.summary();
    if (summary.deadlock) {
      made_.place = report::Explanation::Place::Deadlock;
      made_.path = *summary.deadlock;
      return;
    }
    model::InitialStates initial{program};
    made_.path.initial = semantics_->initial_states(most_initial_states)
                             .value_or(std::vector<model::plain::State>{first_values()})
                             .front();
    made_.note = answer.error ? "a limit ended the search for a path to a model error"
                 : answer.verdict == base::Verdict::Unknown
                     ? "no deadlock was found before the limit: " + answer.reason
                     : "the model has no deadlock";
    if (initial.count() > 1) made_.note += "; of several initial states this is the first";
  }

  [[nodiscard]] model::plain::State first_values() const {
    model::plain::State state;
    for (std::size_t i = 0; i < semantics_->variables().size(); ++i) {
      state.push_back(semantics_->initial_values(i).front().first);
    }
    return state;
  }

  // -------------------------------------------------------------------------------------------------

  void finish() {
    made_.state = made_.path.initial;
    for (const cctl::Step& step : made_.path.steps) {
      for (const cctl::Change& change : step.changes) made_.state[change.instance] = change.value;
    }
    made_.processes = model::why(*semantics_, made_.state);
  }

  void print(const InputWords& input, bool explained) {
    if (words_.format == Format::Json) {
      report::Run run;
      run.command = "explain";
      run.version = COHORT_VERSION;
      run.input = input.request.model;
      run.definitions = overrides_of(input);
      std::ranges::move(problems_, std::back_inserter(loaded_.problems));
      run.loaded = &loaded_;
      report::write_json(std::cout, run, explained ? &made_ : nullptr);
    } else if (explained) {
      report::write_text(std::cout, loaded_, made_);
    }
    std::cout.flush();
  }

  const Words& words_;
  lang::Loaded loaded_;
  std::vector<lang::Problem> problems_;
  std::optional<model::plain::Semantics> semantics_;
  report::Explanation made_;
  bool failed_ = false;
};

[[nodiscard]] ExitStatus run_explain(const Words& words) { return Explain(words).run(); }

}  // namespace

void add_explain(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command = app.add_subcommand(
      "explain",
      "why each schema of each process can or cannot fire: at the end of evidence, after given "
      "steps, "
      "or at a model error or deadlock if there is one, else in the initial state");
  add_model_options(*command, words->input);
  CLI::Option* const evidence =
      command
          ->add_option("--evidence", words->evidence,
                       "at the end of this path: a JSON report of check, evidence of it, or ITF")
          ->type_name("FILE")
          ->take_last()
          ->group("Input");
  command
      ->add_option("--property", words->input.properties,
                   "whose evidence, if the report has that of several")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->needs(evidence)
      ->group("Input");
  command->add_option("--steps", words->steps, "after these: 'ask(3); grant(0, 3)'; '' for none")
      ->type_name("STEPS")
      ->take_last()
      ->excludes(evidence)
      ->group("Input");
  add_engine_option(*command, words->search);
  add_limit_options(*command, words->search);
  add_format_option(*command, words->format, {Format::Text, Format::Json});
  command->footer(
      "The search for a model error or a deadlock ends after 60 seconds, unless --timeout says "
      "other.\n\n"
      "Examples:\n"
      "  cohort explain models/dining_philosophers.coh\n"
      "  cohort explain models/resource_controller.coh --steps 'ask(3); grant(0, 3)'");
  command->callback([words, &status] { status = run_explain(*words); });
}

}  // namespace cohort::cli
