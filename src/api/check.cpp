#include "cohort/check.hpp"

#include <new>
#include <utility>

#include "api/published.hpp"
#include "cctl/check.hpp"
#include "lang/load.hpp"
#include "model/fault.hpp"
#include "model/instances.hpp"
#include "model/program.hpp"

namespace cohort {
namespace {

[[nodiscard]] lang::LoadRequest request_of(std::string model, const CheckOptions& options) {
  lang::LoadRequest made;
  made.model = std::move(model);
  made.specs = options.specs;
  made.cctl = options.cctl;
  for (const auto& [name, value] : options.overrides) made.overrides.push_back({name, value});
  for (const auto& [variable, process] : options.evaluation) {
    made.values.push_back(variable + "=" + std::to_string(process));
  }
  return made;
}

[[nodiscard]] Verdict published(base::Verdict verdict) {
  switch (verdict) {
    case base::Verdict::Holds:
      return Verdict::Holds;
    case base::Verdict::Fails:
      return Verdict::Fails;
    case base::Verdict::Unknown:
      return Verdict::Unknown;
    case base::Verdict::Error:
      break;
  }
  return Verdict::Error;
}

[[nodiscard]] Statistics published(const cctl::Statistics& statistics) {
  return {statistics.states, statistics.edges, statistics.marks, statistics.labels,
          statistics.seconds};
}

/// Names for what the checker numbers.
class Publisher {
 public:
  explicit Publisher(const lang::Loaded& loaded)
      : loaded_(loaded), program_(loaded.program), instances_(loaded.program) {}

  [[nodiscard]] Property property(const lang::Formula& formula, const cctl::Answer& answer) const {
    Property made;
    made.name = formula.name;
    made.formula = formula.text;
    made.expected = formula.expected;
    made.verdict = published(answer.verdict);
    made.reason = answer.reason;
    made.statistics = published(answer.statistics);
    if (answer.evidence) made.evidence = evidence(*answer.evidence);
    if (answer.error) {
      made.error = error(*answer.error, formula);
      // Without an initial state a limit ended the search for the path.
      if (!answer.error->path.initial.empty()) made.evidence = evidence(answer.error->path);
    }
    return made;
  }

 private:
  [[nodiscard]] Diagnostic error(const cctl::ModelError& error,
                                 const lang::Formula& formula) const {
    const base::Source& source = error.in_formula && formula.source != nullptr
                                     ? *formula.source
                                     : loaded_.inputs.front()->source;
    return cohort::published(
        source,
        {base::Severity::Error, error.fault.where, model::describe(error.fault, program_), {}});
  }

  [[nodiscard]] Binding binding(std::size_t instance, model::Value value) const {
    return {instances_.name(instance), this->value(instance, value)};
  }

  [[nodiscard]] Value value(std::size_t instance, model::Value value) const {
    const lang::Type& type = program_[instances_.variable_of(instance)].type;
    switch (type.kind) {
      case lang::Type::Kind::Bool:
        return value != 0;
      case lang::Type::Kind::Enum:
        return instances_.value_text(instance, value);
      case lang::Type::Kind::OptionalProcess:
        if (value == lang::none_value) return std::monostate{};
        break;
      case lang::Type::Kind::Integer:
      case lang::Type::Kind::Range:
      case lang::Type::Kind::Process:
        break;
    }
    return value;
  }

  [[nodiscard]] Step step(const cctl::Step& step) const {
    const lang::Schema& schema = program_[step.schema];
    Step made;
    made.label = schema.name;
    for (std::size_t i = 0; i < step.processes.size(); ++i) {
      made.processes.emplace_back(schema.slots[i].name, step.processes[i]);
    }
    for (const cctl::Change& change : step.changes) {
      made.changes.push_back(binding(change.instance, change.value));
    }
    return made;
  }

  [[nodiscard]] Evidence evidence(const cctl::Evidence& evidence) const {
    Evidence made;
    made.kind = evidence.kind == cctl::Evidence::Kind::Witness ? Evidence::Kind::Witness
                                                               : Evidence::Kind::Counterexample;
    for (std::size_t i = 0; i < evidence.initial.size(); ++i) {
      made.initial.push_back(binding(i, evidence.initial[i]));
    }
    for (const cctl::Step& one : evidence.steps) made.steps.push_back(step(one));
    made.loop = evidence.loop;
    for (const cctl::Choice& choice : evidence.choices) {
      made.choices.push_back({choice.variable, program_[choice.module].name, choice.process});
    }
    return made;
  }

  const lang::Loaded& loaded_;
  const lang::Program& program_;
  model::Instances instances_;
};

[[nodiscard]] cctl::Options options_of(const CheckOptions& options) {
  return {.engine = options.engine == Engine::Full ? cctl::Engine::Full : cctl::Engine::Quotient,
          .build = options.build == Build::Eager ? cctl::Build::Eager : cctl::Build::Lazy,
          .quantifier_elimination =
              options.quantifier_elimination ? cctl::Elimination::On : cctl::Elimination::Off,
          .evidence = options.evidence};
}

[[nodiscard]] Checked check(const lang::Loaded& loaded, const CheckOptions& options) {
  Checked result;
  result.diagnostics = published_findings(loaded);
  if (!loaded.ok()) return result;
  base::Limits limits;
  if (options.timeout_seconds > 0) limits.set_timeout(options.timeout_seconds);
  if (options.max_memory_bytes > 0) limits.set_max_memory(options.max_memory_bytes);
  if (options.max_states > 0) limits.set_max_states(options.max_states);
  const model::Program program{loaded.program};
  cctl::Checker checker{program, options_of(options), limits};
  const Publisher publisher{loaded};
  for (const lang::Formula& formula : loaded.formulas) {
    result.properties.push_back(publisher.property(formula, checker.check(formula)));
  }
  return result;
}

}  // namespace

bool Checked::ok() const { return !has_errors(diagnostics); }

Checked check_model(const std::string& path, const CheckOptions& options) {
  return check(lang::load(request_of(path, options)), options);
}

Checked check_model_text(std::string name, std::string text, const CheckOptions& options) {
  const lang::LoadRequest request = request_of(name, options);
  return check(lang::load_text(std::move(name), std::move(text), request), options);
}

}  // namespace cohort
