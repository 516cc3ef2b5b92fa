#include "cctl/counted_checker.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "cctl/counted_fault.hpp"
#include "cctl/counted_trail.hpp"
#include "cctl/counted_walk.hpp"
#include "cctl/explain.hpp"
#include "cctl/gathered.hpp"
#include "quotient/colouring.hpp"

namespace cohort::cctl {

using quotient::CountedInitial;
using quotient::Domain;

bool CountedChecker::fits(const model::Program& program, const Options& options) {
  return options.engine == Engine::Quotient && options.store == StateStore::Hash &&
         can_count(program.source(), options.counting);
}

CountedChecker::Palette& CountedChecker::palette(const model::Expressions* formula_code) {
  quotient::Colouring made = quotient::make_colouring(program_, formula_code);
  for (const auto& known : palettes_) {
    if (known->colouring == made) return *known;
  }
  palettes_.push_back(std::make_unique<Palette>(Palette{std::move(made), {}}));
  return *palettes_.back();
}

quotient::CountedSpace& CountedChecker::space(Palette& palette, const Domain& domain) {
  for (const auto& known : palette.spaces) {
    if (known->domain() == domain) return *known;
  }
  palette.spaces.push_back(graph_.space(domain, palette.colouring));
  return *palette.spaces.back();
}

Domain CountedChecker::domain_of(const Formula& formula, FormulaId id) const {
  const FormulaNode& node = formula[id];
  Domain made;
  made.coloured = node.coloured;
  for (const std::uint32_t slot : node.variables) {
    made.variables.push_back(formula.source().slots[slot].module);
  }
  return made;
}

void CountedChecker::tick(std::uint64_t depth) {
  if (limits_.exceeded(graph_.num_states())) throw LimitReached{};
  if (++ticks_ % 4096 == 0 && show_progress) {
    show_progress({graph_.num_states(), graph_.tally().edges, depth});
  }
}

void CountedChecker::build_all() {
  if (built_) return;
  Palette& plain = palette(nullptr);
  quotient::CountedSpace& space = this->space(plain, base_domain());
  std::vector<bool> seen;
  std::vector<NodeId> queue;
  const auto meet = [&](NodeId node) {
    const auto at = static_cast<std::size_t>(node);
    if (seen.size() <= at) seen.resize(std::max(at + 1, 2 * seen.size()));
    if (!seen[at]) queue.push_back(node);
    seen[at] = true;
  };
  const quotient::Colouring* const colours = base_domain().coloured ? &plain.colouring : nullptr;
  model::Crowd crowd;
  std::vector<Value> places;
  for (CountedInitial initial{graph_, colours, {}}; !initial.done(); initial.next()) {
    tick(0);
    initial.fill(crowd, places);
    meet(space.enter(crowd, {}));
  }
  std::size_t level_end = queue.size();
  std::uint64_t level = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    tick(level);
    if (i == level_end) {
      level_end = queue.size();
      depth_ = std::max(depth_, ++level);
    }
    const quotient::Fan& fan = space.fan(queue[i], quotient::Detail::Targets);
    if (fan.fault) throw quotient::StateFault{model::no_state, *fan.fault};
    for (const NodeId target : fan.targets) meet(target);
  }
  built_ = true;
}

/// The property holds when it holds in every initial state.
void CountedChecker::decide(CountedEvaluator& evaluator, Show show, Answer& answer) {
  const Formula& formula = evaluator.formula();
  const bool coloured = formula[formula.root()].coloured;
  const quotient::Colouring* const colours = coloured ? &evaluator.colouring() : nullptr;
  std::optional<CountedInitial> initial;
  initial.emplace(graph_, colours, evaluator.named());
  bool holds = true;
  while (!initial->done()) {
    tick(0);
    Frame frame = evaluator.root_frame(*initial);
    holds = evaluator.holds(formula.root(), frame);
    if (!holds) break;
    initial->next();
  }
  answer.verdict = holds ? base::Verdict::Holds : base::Verdict::Fails;
  if (show == Show::Nothing) return;
  // Of what holds the first initial state is shown.
  if (holds) initial.emplace(graph_, colours, evaluator.named());
  try {
    CountedWalk walk{evaluator, *initial, colours};
    answer.evidence = explain(evaluator, walk, evaluator.root_frame(*initial), holds);
  } catch (const LimitReached&) {
    // The verdict stands without it.
  } catch (const quotient::StateFault&) {
  } catch (const FormulaFault&) {
  }
}

/// A fault of the program itself: the nearest one is the easiest to understand.
void CountedChecker::blame_program(const model::InstanceFault& fault, Answer& answer) {
  answer.verdict = base::Verdict::Error;
  ModelError error;
  error.fault = fault.fault;
  error.schema = program_.instance(fault.instance).schema;
  answer.error = std::move(error);
  if (!shows_evidence()) return;
  Palette& plain = palette(nullptr);
  std::optional<ModelError> nearest =
      nearest_counted_fault(space(plain, base_domain()), plain.colouring, limits_);
  if (nearest) answer.error = std::move(nearest);
}

void CountedChecker::blame_formula(const FormulaFault& found, CountedEvaluator& evaluator,
                                   Palette& palette, Answer& answer) {
  answer.verdict = base::Verdict::Error;
  answer.error.emplace();
  answer.error->fault = found.fault;
  answer.error->in_formula = true;
  if (!shows_evidence()) return;
  const FormulaNode& node = evaluator.formula()[found.where];
  Domain domain = domain_of(evaluator.formula(), found.where);
  domain.coloured = node.coloured || program_.has_priorities();
  try {
    std::optional<Evidence> path =
        path_to_counted_fault(evaluator, found.where, space(palette, domain), limits_);
    if (path) answer.error->path = *std::move(path);
  } catch (const LimitReached&) {
    // The fault stands without a path to it.
  } catch (const quotient::StateFault&) {
  }
}

void CountedChecker::fill(const Evaluator& evaluator, Answer& answer) {
  Statistics& statistics = answer.statistics;
  depth_ = std::max(depth_, evaluator.depth());
  statistics.states = graph_.num_states();
  statistics.edges = graph_.tally().edges;
  statistics.marks = evaluator.num_marks();
  statistics.labels = evaluator.num_labels();
  statistics.depth = depth_;
  statistics.memory_bytes = base::resident_bytes();
  statistics.state_bytes = graph_.state_bytes();
}

bool CountedChecker::fits(const Formula& formula) const {
  if (!quotient::CountedGraph::fits(formula.source().root, program_.source())) return false;
  for (FormulaId id = 0; id < formula.size(); ++id) {
    if (formula[id].variables.size() > quotient::most_names) return false;
  }
  return true;
}

std::optional<Answer> CountedChecker::check(const lang::Formula& source) {
  // Quantifiers over states are expressions: they run over kinds by themselves.
  constexpr double any_number = std::numeric_limits<double>::infinity();
  const Formula formula{graph_.placed(), source, any_number};
  if (!fits(formula) || !CountedInitial(graph_, nullptr, {}).is_listable()) return std::nullopt;
  if (options_.quantifier_elimination == Elimination::On) {
    const std::optional<Gathered> gathered = gather_quantifiers(source);
    if (gathered) {
      Answer answer = ask({graph_.placed(), gathered->formula, any_number}, Show::Nothing);
      // Otherwise one process has to be shown.
      const bool is_final = answer.verdict == gathered->exhaustive;
      if (is_final || answer.verdict == base::Verdict::Unknown) return answer;
    }
  }
  const bool shows = options_.evidence && shows_evidence();
  return ask(formula, shows ? Show::Evidence : Show::Nothing);
}

Answer CountedChecker::ask(const Formula& formula, Show show) {
  const base::Limits clock;
  Palette& colours = palette(&formula.code());
  std::vector<quotient::CountedSpace*> spaces(formula.size(), nullptr);
  for (FormulaId id = 0; id < formula.size(); ++id) {
    const Kind kind = formula[id].kind;
    const bool is_asked_at_nodes = kind == Kind::Next || kind == Kind::Until ||
                                   kind == Kind::Globally || kind == Kind::FairGlobally;
    if (is_asked_at_nodes) spaces[id] = &space(colours, domain_of(formula, id));
  }
  const bool eliminate = options_.quantifier_elimination == Elimination::On;
  CountedEvaluator evaluator{
      {formula, graph_, colours.colouring, std::move(spaces), limits_, eliminate}};
  evaluator.on_progress([&] {
    if (show_progress) {
      show_progress({graph_.num_states(), graph_.tally().edges, evaluator.depth()});
    }
  });
  Answer answer;
  try {
    if (options_.build == Build::Eager) build_all();
    decide(evaluator, show, answer);
  } catch (const LimitReached&) {
    answer.reason = limits_.describe();
  } catch (const std::bad_alloc&) {
    limits_.out_of_memory();
    answer.reason = limits_.describe();
  } catch (const quotient::StateFault& found) {
    blame_program(found.fault, answer);
  } catch (const FormulaFault& found) {
    blame_formula(found, evaluator, colours, answer);
  }
  fill(evaluator, answer);
  answer.statistics.seconds = clock.seconds();
  return answer;
}

Summary CountedChecker::summary() const {
  Summary made;
  const quotient::Tally& tally = graph_.tally();
  made.states = graph_.num_states();
  made.edges = tally.edges;
  made.complete = tally.expanded == made.states && made.states > 0;
  made.deadlocks = tally.deadlocks;
  made.depth = depth_;
  made.state_bytes = graph_.state_bytes();
  for (std::uint32_t s = 0; s < graph_.fired().size(); ++s) {
    if (!graph_.fired()[s]) made.unfired.push_back(base::SchemaId{s});
  }
  return made;
}

}  // namespace cohort::cctl
