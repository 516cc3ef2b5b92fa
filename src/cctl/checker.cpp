#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

#include "cctl/check.hpp"
#include "cctl/counted_checker.hpp"
#include "cctl/evaluator.hpp"
#include "cctl/explain.hpp"
#include "cctl/fault_path.hpp"
#include "cctl/formula.hpp"
#include "cctl/gathered.hpp"
#include "cctl/one_path.hpp"
#include "cctl/position_walk.hpp"
#include "model/program.hpp"
#include "quotient/colouring.hpp"
#include "quotient/graph.hpp"
#include "quotient/reach.hpp"

namespace cohort::cctl {

using quotient::Colouring;
using quotient::Domain;

namespace {

/// AG !deadlock fails from the first initial state that leads to one; others may lead to none.
[[nodiscard]] lang::Formula no_deadlock() {
  lang::Formula ask;
  ask.root.op = lang::Op::Temporal;
  ask.root.path = lang::syntax::Path::A;
  ask.root.temporal = lang::syntax::TemporalOperator::G;
  ask.root.type.kind = lang::ValueType::Kind::Truth;
  lang::Expr deadlock;
  deadlock.op = lang::Op::Deadlock;
  deadlock.type.kind = lang::ValueType::Kind::Truth;
  lang::Expr none;
  none.op = lang::Op::Not;
  none.type.kind = lang::ValueType::Kind::Truth;
  none.args.push_back(deadlock);
  ask.root.args.push_back(none);
  return ask;
}

}  // namespace

class Checker::Implementation {
 public:
  Implementation(const model::Program& program, const Options& options, base::Limits& limits)
      : program_(program), options_(options), limits_(limits), graph_(make_graph()) {}

  [[nodiscard]] Answer check(const lang::Formula& source);
  [[nodiscard]] Summary summary();
  [[nodiscard]] quotient::Graph& graph() { return *graph_; }

  std::function<void(const Progress&)> show_progress;

 private:
  /// A colouring with the spaces over it.
  struct Palette {
    Colouring colouring;
    std::vector<std::unique_ptr<quotient::Space>> spaces;
  };

  [[nodiscard]] std::unique_ptr<quotient::Graph> make_graph() const {
    return cctl::make_graph(program_, options_);
  }
  [[nodiscard]] Palette& palette(const model::Expressions* formula_code);
  [[nodiscard]] quotient::Space& space(Palette& palette, const Domain& domain);
  [[nodiscard]] Domain domain_of(const Formula& formula, FormulaId id) const;
  [[nodiscard]] Domain base_domain() const {
    return {{}, graph_->moves_processes() && program_.has_priorities()};
  }
  [[nodiscard]] quotient::Position real_position(const quotient::InitialState& initial,
                                                 const Palette& palette) const;
  void build_all();
  void build_tree();
  enum class Show : std::uint8_t { Evidence, Nothing };

  [[nodiscard]] Answer ask(const lang::Formula& source, Show show);
  void decide(const Formula& formula, PositionEvaluator& evaluator, const Palette& palette,
              Show show, Answer& answer);
  [[nodiscard]] std::vector<Start> starts(Palette& palette);
  [[nodiscard]] std::vector<std::uint32_t> tracked(const Formula& formula,
                                                   const Palette& palette) const;
  void blame_program(const model::InstanceFault& fault, Answer& answer);
  void blame_formula(const FormulaFault& found, Evaluator& evaluator, Palette& palette,
                     Answer& answer);
  [[nodiscard]] std::vector<Value> range_of(const Formula& formula, std::uint32_t slot) const;
  [[nodiscard]] std::vector<Start> starts_with(const Formula& formula, FormulaId id,
                                               const Domain& domain, const Palette& palette);
  [[nodiscard]] Frame root_frame(const Formula& formula, const quotient::InitialState& initial,
                                 const Palette& palette) const;
  void fill(Statistics& statistics, const Evaluator* evaluator) const;

  const model::Program& program_;
  Options options_;
  base::Limits& limits_;
  std::unique_ptr<quotient::Graph> graph_;
  std::vector<std::unique_ptr<Palette>> palettes_;
  bool built_ = false;
  std::uint64_t depth_ = 0;
};

Checker::Implementation::Palette& Checker::Implementation::palette(
    const model::Expressions* formula_code) {
  Colouring made = quotient::make_colouring(program_, formula_code);
  for (const auto& known : palettes_) {
    if (known->colouring == made) return *known;
  }
  palettes_.push_back(std::make_unique<Palette>(Palette{std::move(made), {}}));
  return *palettes_.back();
}

quotient::Space& Checker::Implementation::space(Palette& palette, const Domain& domain) {
  for (const auto& known : palette.spaces) {
    if (known->domain() == domain) return *known;
  }
  palette.spaces.push_back(graph_->space(domain, palette.colouring));
  return *palette.spaces.back();
}

Domain Checker::Implementation::domain_of(const Formula& formula, FormulaId id) const {
  const FormulaNode& node = formula[id];
  Domain made;
  made.coloured = node.coloured && graph_->moves_processes();
  if (node.kind == Kind::Enabled || node.kind == Kind::Deadlock) return made;
  for (const std::uint32_t slot : node.variables) {
    made.variables.push_back(formula.source().slots[slot].module);
  }
  return made;
}

/// Colours as an initial state's representative sees them.
quotient::Position Checker::Implementation::real_position(const quotient::InitialState& initial,
                                                          const Palette& palette) const {
  quotient::Position made;
  made.state = initial.state;
  if (!graph_->moves_processes()) return made;
  made.colours = palette.colouring.initial;
  for (std::size_t p = 0; p < initial.to_real.size(); ++p) {
    made.colours[p] = palette.colouring.initial[initial.to_real[p]];
  }
  return made;
}

/// Every initial position, in the smallest domain.
std::vector<Start> Checker::Implementation::starts(Palette& palette) {
  std::vector<Start> made;
  const Colouring& colouring = palette.colouring;
  const std::unique_ptr<quotient::InitialSource> initial =
      graph_->initial_states({colouring.initial.begin(), colouring.initial.end()});
  while (const model::Word* const words = initial->next()) {
    if (limits_.exceeded(graph_->store().size())) throw LimitReached{};
    const quotient::InitialState at = graph_->add(words);
    quotient::Position position = real_position(at, palette);
    if (!base_domain().coloured) position.colours.clear();
    made.push_back({at, std::move(position)});
  }
  return made;
}

void Checker::Implementation::build_all() {
  if (built_) return;
  if (options_.store == StateStore::Ist) return build_tree();
  Palette& plain = palette(nullptr);
  quotient::Space& space = this->space(plain, base_domain());
  std::vector<bool> seen;
  std::vector<NodeId> queue;
  const auto meet = [&](NodeId node) {
    const auto at = static_cast<std::size_t>(node);
    if (seen.size() <= at) seen.resize(std::max(at + 1, 2 * seen.size()));
    if (!seen[at]) queue.push_back(node);
    seen[at] = true;
  };
  for (const Start& start : starts(plain)) meet(space.enter(start.position));
  std::size_t level_end = queue.size();
  std::uint64_t level = 0;
  std::uint32_t since_report = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (limits_.exceeded(graph_->store().size())) throw LimitReached{};
    if (i == level_end) {
      level_end = queue.size();
      depth_ = std::max(depth_, ++level);
    }
    for (const NodeId target : space.successors(queue[i])) meet(target);
    if (++since_report % 4096 == 0 && show_progress) {
      show_progress({graph_->store().size(), graph_->tally().edges, level});
    }
  }
  built_ = true;
}

/// The same with the states in an interval sharing tree.
void Checker::Implementation::build_tree() {
  const Palette& plain = palette(nullptr);
  std::uint32_t since_report = 0;
  quotient::Reached reached = quotient::reach({
      .program = program_,
      .make = [this] { return make_graph(); },
      .domain = base_domain(),
      .colouring = plain.colouring,
      .position =
          [&](const quotient::InitialState& initial) {
            quotient::Position position = real_position(initial, plain);
            if (!base_domain().coloured) position.colours.clear();
            return position;
          },
      .look =
          [&](const quotient::ReachProgress& at) {
            if (limits_.exceeded(at.states)) throw LimitReached{};
            if (++since_report % 4096 == 0 && show_progress) {
              show_progress({at.states, at.edges, at.depth});
            }
          },
  });
  depth_ = std::max(depth_, reached.depth);
  graph_->adopt(std::move(reached));
  built_ = true;
}

void Checker::Implementation::fill(Statistics& statistics, const Evaluator* evaluator) const {
  statistics.states = graph_->store().size();
  statistics.edges = graph_->tally().edges;
  if (evaluator != nullptr) {
    statistics.marks = evaluator->num_marks();
    statistics.labels = evaluator->num_labels();
    statistics.depth = evaluator->depth();
  }
  statistics.depth = std::max(statistics.depth, depth_);
  statistics.memory_bytes = base::resident_bytes();
  statistics.state_bytes = graph_->store().bytes();
  statistics.nodes = graph_->store().num_nodes();
}

/// The evaluation and the colours as the representative of an initial state sees them.
Frame Checker::Implementation::root_frame(const Formula& formula,
                                          const quotient::InitialState& initial,
                                          const Palette& palette) const {
  const lang::Formula& source = formula.source();
  Frame frame;
  frame.state = initial.state;
  frame.slots.assign(std::max<std::size_t>(source.slots.size(), 1), 0);
  if (formula[formula.root()].coloured) {
    frame.colours = std::move(real_position(initial, palette).colours);
  }
  const symmetry::Permutation from_real = symmetry::inverse(initial.to_real);
  for (std::size_t i = 0; i < source.num_free; ++i) {
    const lang::ModuleId module = source.slots[i].module;
    const std::size_t number = program_.process_number(module, source.values[i]);
    frame.slots[i] =
        from_real.empty()
            ? source.values[i]
            : static_cast<Value>(from_real[number] - program_.process_number(module, 0));
  }
  return frame;
}

/// What a formula says of each process by itself: its colour, and whether it has a name.
std::vector<std::uint32_t> Checker::Implementation::tracked(const Formula& formula,
                                                            const Palette& palette) const {
  const FormulaNode& root = formula[formula.root()];
  std::vector<std::uint32_t> marks(program_.num_processes(), 0);
  if (root.coloured) {
    marks.assign(palette.colouring.initial.begin(), palette.colouring.initial.end());
  }
  std::uint32_t next = std::numeric_limits<Colour>::max();
  const lang::Formula& source = formula.source();
  for (const std::uint32_t slot : root.variables) {
    marks[program_.process_number(source.slots[slot].module, source.values[slot])] = ++next;
  }
  return marks;
}

/// The property holds when it holds in every initial state.
void Checker::Implementation::decide(const Formula& formula, PositionEvaluator& evaluator,
                                     const Palette& palette, Show show, Answer& answer) {
  std::optional<quotient::InitialState> shown;
  answer.verdict = base::Verdict::Unknown;
  bool holds = true;
  const std::unique_ptr<quotient::InitialSource> initial =
      graph_->initial_states(tracked(formula, palette));
  while (holds) {
    if (limits_.exceeded(graph_->store().size())) throw LimitReached{};
    const model::Word* const words = initial->next();
    if (words == nullptr) break;
    const quotient::InitialState at = graph_->add(words);
    Frame frame = root_frame(formula, at, palette);
    holds = evaluator.holds(formula.root(), frame);
    if (!shown || !holds) shown = at;
  }
  answer.verdict = holds ? base::Verdict::Holds : base::Verdict::Fails;
  if (show == Show::Nothing || !shown) return;
  try {
    PositionWalk walk{evaluator, *shown};
    answer.evidence = explain(evaluator, walk, root_frame(formula, *shown, palette), holds);
  } catch (const LimitReached&) {
    // The verdict stands without it.
  } catch (const quotient::StateFault&) {
  } catch (const FormulaFault&) {
  }
}

/// A fault of the program itself: the nearest one is the easiest to understand.
void Checker::Implementation::blame_program(const model::InstanceFault& fault, Answer& answer) {
  answer.verdict = base::Verdict::Error;
  ModelError error;
  error.fault = fault.fault;
  error.schema = program_.instance(fault.instance).schema;
  answer.error = std::move(error);
  try {
    Palette& plain = palette(nullptr);
    std::optional<ModelError> nearest =
        nearest_fault(*graph_, space(plain, base_domain()), starts(plain), limits_);
    if (nearest) answer.error = std::move(nearest);
  } catch (const LimitReached&) {
    // The fault stands without a path to it.
  }
}

/// The real processes that a variable of a formula can stand for.
std::vector<Value> Checker::Implementation::range_of(const Formula& formula,
                                                     std::uint32_t slot) const {
  const lang::Formula& source = formula.source();
  if (slot < source.num_free) return {source.values[slot]};
  for (FormulaId id = 0; id < formula.size(); ++id) {
    const FormulaNode& node = formula[id];
    const bool binds =
        node.kind == Kind::Forall || node.kind == Kind::Exists || node.kind == Kind::Count;
    if (binds && node.slot == slot && node.set != FormulaNode::whole_module) {
      return formula.code().sets()[node.set];
    }
  }
  std::vector<Value> all(
      static_cast<std::size_t>(program_.source()[source.slots[slot].module].size));
  std::iota(all.begin(), all.end(), Value{0});
  return all;
}

/// Every initial position with every choice of processes for the variables of a sub-formula.
std::vector<Start> Checker::Implementation::starts_with(const Formula& formula, FormulaId id,
                                                        const Domain& domain,
                                                        const Palette& palette) {
  std::vector<std::vector<Value>> ranges;
  for (const std::uint32_t slot : formula[id].variables) ranges.push_back(range_of(formula, slot));
  std::vector<Start> made;
  if (std::ranges::any_of(ranges, [](const auto& range) { return range.empty(); })) return made;
  const std::unique_ptr<quotient::InitialSource> initial =
      graph_->initial_states(tracked(formula, palette));
  while (const model::Word* const words = initial->next()) {
    const quotient::InitialState at = graph_->add(words);
    const symmetry::Permutation from_real = symmetry::inverse(at.to_real);
    Start start{at, real_position(at, palette)};
    if (!domain.coloured) start.position.colours.clear();
    start.position.processes.resize(ranges.size());
    std::vector<std::size_t> chosen(ranges.size(), 0);
    for (bool more = true; more;) {
      if (limits_.exceeded(graph_->store().size())) throw LimitReached{};
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        const std::size_t first = program_.process_number(domain.variables[i], 0);
        const Value real = ranges[i][chosen[i]];
        start.position.processes[i] =
            from_real.empty()
                ? real
                : static_cast<Value>(from_real[first + static_cast<std::size_t>(real)] - first);
      }
      made.push_back(start);
      more = false;
      for (std::size_t i = 0; i < ranges.size() && !more; ++i) {
        more = ++chosen[i] < ranges[i].size();
        if (!more) chosen[i] = 0;
      }
    }
  }
  return made;
}

/// The path leads to a state where it is the real processes that meet the fault: on the quotient
/// they have to be followed on the way.
void Checker::Implementation::blame_formula(const FormulaFault& found, Evaluator& evaluator,
                                            Palette& palette, Answer& answer) {
  answer.verdict = base::Verdict::Error;
  ModelError error;
  error.fault = found.fault;
  error.in_formula = true;
  const Formula& formula = evaluator.formula();
  const FormulaNode& node = formula[found.where];
  Domain domain;
  domain.coloured = graph_->moves_processes() && (program_.has_priorities() || node.coloured);
  for (const std::uint32_t slot : node.variables) {
    domain.variables.push_back(formula.source().slots[slot].module);
  }
  try {
    quotient::Space& space = this->space(palette, domain);
    Frame frame;
    frame.slots.resize(std::max<std::size_t>(formula.source().slots.size(), 1));
    const auto is_there = [&](NodeId at) {
      if (space.state(at) != found.state) return false;
      quotient::Position position;
      space.read(at, position);
      frame.state = position.state;
      frame.colours = position.colours;
      for (std::size_t i = 0; i < position.processes.size(); ++i) {
        frame.slots[node.variables[i]] = position.processes[i];
      }
      return evaluator.is_fault(found.where, frame);
    };
    std::optional<Evidence> path = path_to(
        *graph_, space, starts_with(formula, found.where, domain, palette), is_there, limits_);
    if (path) error.path = std::move(*path);
  } catch (const LimitReached&) {
    // The fault stands without a path to it.
  } catch (const quotient::StateFault&) {
  }
  answer.error = std::move(error);
}

/// Where quantifiers can be asked of states instead of one process after the other, that comes
/// first: nodes are then states, not states with processes.  `--counting off` stays with the
/// thesis.
Answer Checker::Implementation::check(const lang::Formula& source) {
  const bool gathers =
      options_.counting != Counting::Off && options_.quantifier_elimination == Elimination::On;
  const std::optional<Gathered> gathered = gathers ? gather_quantifiers(source) : std::nullopt;
  if (gathered) {
    Answer answer = ask(gathered->formula, Show::Nothing);
    // Otherwise one process has to be shown.
    const bool is_final = answer.verdict == gathered->exhaustive;
    if (is_final || answer.verdict == base::Verdict::Unknown) return answer;
  }
  return ask(source, options_.evidence ? Show::Evidence : Show::Nothing);
}

Answer Checker::Implementation::ask(const lang::Formula& source, Show show) {
  const base::Limits clock;
  // A few dozen tries are quicker than finding out which processes are alike.
  constexpr double few_tries = 64;
  const bool eliminate =
      graph_->moves_processes() && options_.quantifier_elimination == Elimination::On;
  const Formula formula{program_, source,
                        eliminate ? few_tries : std::numeric_limits<double>::infinity()};
  Palette& colours = palette(&formula.code());
  std::vector<quotient::Space*> spaces(formula.size(), nullptr);
  for (FormulaId id = 0; id < formula.size(); ++id) {
    const Kind kind = formula[id].kind;
    const bool is_asked_at_nodes = kind == Kind::Next || kind == Kind::Until ||
                                   kind == Kind::Globally || kind == Kind::FairGlobally ||
                                   kind == Kind::Enabled || kind == Kind::Deadlock;
    if (is_asked_at_nodes) spaces[id] = &space(colours, domain_of(formula, id));
  }
  Answer answer;
  PositionEvaluator evaluator{
      {formula, *graph_, colours.colouring, std::move(spaces), limits_, eliminate}};
  evaluator.on_progress([&] {
    if (show_progress) {
      show_progress({graph_->store().size(), graph_->tally().edges, evaluator.depth()});
    }
  });
  try {
    if (options_.build == Build::Eager) build_all();
    decide(formula, evaluator, colours, show, answer);
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
  depth_ = std::max(depth_, evaluator.depth());
  fill(answer.statistics, &evaluator);
  answer.statistics.seconds = clock.seconds();
  return answer;
}

Summary Checker::Implementation::summary() {
  Summary made;
  const quotient::Tally& tally = graph_->tally();
  made.states = graph_->store().size();
  made.edges = tally.edges;
  made.complete = tally.expanded == made.states && made.states > 0;
  made.deadlocks = tally.deadlocks;
  made.depth = depth_;
  made.state_bytes = graph_->store().bytes();
  made.nodes = graph_->store().num_nodes();
  for (std::uint32_t s = 0; s < graph_->fired().size(); ++s) {
    if (!graph_->fired()[s]) made.unfired.push_back(base::SchemaId{s});
  }
  if (made.deadlocks > 0) {
    made.deadlock = check(no_deadlock()).evidence;
  }
  return made;
}

bool can_count(const lang::Program& program, Counting counting) {
  if (counting == Counting::Off) return false;
  return counting == Counting::Always ? quotient::CountedGraph::fits(program)
                                      : quotient::CountedGraph::pays(program);
}

Checker::Checker(const model::Program& program, const Options& options, base::Limits& limits)
    : program_(program), options_(options), limits_(limits) {
  if (CountedChecker::fits(program, options)) {
    counted_ = std::make_unique<CountedChecker>(program, options, limits);
  }
}
Checker::~Checker() = default;

Checker::Implementation& Checker::general() {
  if (!implementation_) {
    implementation_ = std::make_unique<Implementation>(program_, options_, limits_);
    implementation_->show_progress = show_progress_;
  }
  return *implementation_;
}

void Checker::on_progress(std::function<void(const Progress&)> show) {
  show_progress_ = std::move(show);
  if (implementation_) implementation_->show_progress = show_progress_;
  if (counted_) counted_->show_progress = show_progress_;
}

/// Where counted nodes cannot be walked with real processes, paths come from the general quotient:
/// for a few processes always, for more only where one path can show the verdict, and for very many
/// not at all.
bool Checker::is_worth_showing(const lang::Formula& formula, const Answer& counted) const {
  constexpr std::size_t few_processes = 64;
  constexpr std::size_t many_processes = 1000;
  if (counted_->shows_evidence() || counted.verdict == base::Verdict::Unknown) return false;
  if (counted.verdict != base::Verdict::Error && !options_.evidence) return false;
  if (program_.num_processes() <= few_processes) return true;
  if (program_.num_processes() > many_processes) return false;
  return counted.verdict == base::Verdict::Error ||
         one_path_can_show(formula.root, counted.verdict == base::Verdict::Holds);
}

Answer Checker::check(const lang::Formula& formula) {
  if (!counted_) return general().check(formula);
  std::optional<Answer> counted = counted_->check(formula);
  if (!counted) return general().check(formula);
  if (is_worth_showing(formula, *counted)) {
    Answer shown = general().check(formula);
    if (shown.verdict == counted->verdict) {
      counted->evidence = std::move(shown.evidence);
      if (shown.error) counted->error = std::move(shown.error);
    } else if (shown.verdict != base::Verdict::Unknown) {
      return shown;  // a fault that only one of the two lazy searches meets
    }
  }
  return *std::move(counted);
}

Summary Checker::summary() {
  if (!counted_) return general().summary();
  Summary made = counted_->summary();
  if (made.deadlocks > 0) made.deadlock = check(no_deadlock()).evidence;
  return made;
}
quotient::Graph& Checker::graph() { return general().graph(); }

std::unique_ptr<quotient::Graph> make_graph(const model::Program& program, const Options& options) {
  return options.engine == Engine::Full ? quotient::make_full_graph(program)
                                        : quotient::make_quotient(program);
}

}  // namespace cohort::cctl
