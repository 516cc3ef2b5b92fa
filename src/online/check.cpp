// One property after the other, goal by goal, round by round.
//
// Infinite mode has two searches.  One looks for an accepting cycle in the product with a Büchi
// automaton of the negation; where that automaton is terminal (the formula is a safety property)
// for a way to an accepting state, breadth first.  The other looks for a deadlock whose finite word
// is bad, in the product with the deterministic automaton of the negation; it is left out where the
// first one has seen that there is no deadlock.
#include "online/check.hpp"

#include <algorithm>
#include <new>
#include <optional>

#include "cctl/fault_path.hpp"
#include "online/arena.hpp"
#include "online/automata.hpp"
#include "online/bounded.hpp"
#include "online/product_space.hpp"
#include "online/replay.hpp"
#include "online/search.hpp"
#include "online/unwind.hpp"
#include "quotient/colouring.hpp"

namespace cohort::online {
namespace {

using cctl::Evidence;

/// What came out of a goal.
struct Outcome {
  bool holds = true;
  std::optional<Evidence> evidence;  ///< if it does not; none if it would be too long
};

/// The search for what is wrong with a property; see Checker.
class Run {
 public:
  Run(const model::Program& program, quotient::Graph& graph, base::Limits& limits,
      const Options& options, const Property& property)
      : program_(program), graph_(graph), limits_(limits), options_(options), property_(property) {}

  std::function<void(std::size_t depth)> show_progress;
  cctl::OnlineStatistics statistics;
  std::size_t depth = 0;

  [[nodiscard]] Outcome decide() {
    for (const Goal& goal : property_.goals) {
      Outcome outcome = decide(goal);
      if (!outcome.holds) return outcome;
    }
    return {};
  }

 private:
  [[nodiscard]] Outcome decide(const Goal& goal) {
    Automata automata{property_, goal, limits_};
    struct Counting {
      const Automata& automata;
      std::size_t& count;
      ~Counting() { count += automata.num_states(); }
    } counting{automata, statistics.automaton_states};
    (void)needed(property_.finite ? automata.finite() : automata.infinite());
    if (options_.heap > 0 && !property_.fair) return decide_bounded(goal, automata);
    return decide_remembering(goal, automata);
  }

  [[nodiscard]] Outcome decide_remembering(const Goal& goal, Automata& automata) {
    Arena arena{graph_, property_, goal, limits_,
                options_.engine.quantifier_elimination == cctl::Elimination::On
                    ? Arena::Elimination::On
                    : Arena::Elimination::Off};
    while (arena.next_round()) {
      Outcome outcome =
          property_.finite ? decide_finite(arena, automata) : decide_infinite(arena, automata);
      if (!outcome.holds) return outcome;
    }
    return {};
  }

  [[nodiscard]] const monitor::Compiled& needed(const monitor::Compiled* automaton) const {
    if (automaton != nullptr) return *automaton;
    if (limits_.reason() != base::Limits::Reason::None) throw cctl::LimitReached{};
    throw AutomatonTooLarge{};
  }

  [[nodiscard]] Outcome decide_bounded(const Goal& goal, Automata& automata) {
    BoundedSearch search{program_, limits_, options_, property_, goal, automata};
    search.show_progress = [this](std::size_t at) { show_progress(at); };
    std::optional<BoundedResult> found;
    try {
      found = search.run();
    } catch (const cctl::FormulaFault& fault) {
      throw cctl::FormulaFault{fault.fault, graph_.add(search.words(fault.state)).state,
                               fault.where};
    }
    statistics.product_states = std::max(statistics.product_states, search.most_remembered());
    statistics.bounded = true;
    statistics.generated += search.num_generated();
    statistics.forgotten += search.num_forgotten();
    depth = std::max(depth, search.longest_path());
    if (!found) return {};
    if (found->evidence || !options_.engine.evidence) return {false, std::move(found->evidence)};
    // The path goes through positions that another graph sees otherwise.  Showing one takes the
    // memory of a graph in any case.
    try {
      Outcome shown = decide_remembering(goal, automata);
      if (!shown.holds) return shown;
    } catch (const cctl::LimitReached&) {
    }
    return {false, std::nullopt};
  }

  /// A search on a product that counts.
  class Counted {
   public:
    Counted(Run& run, Arena& arena, const monitor::Compiled& automaton)
        : product(arena, automaton), search(arena, product), run_(run) {
      search.show_progress = [this] { run_.show_progress(search.depth()); };
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() {
      run_.statistics.product_states += product.num_nodes();
      run_.statistics.generated += product.num_nodes();
      run_.depth = std::max(run_.depth, search.depth());
    }

    ProductSpace product;
    Search search;

   private:
    Run& run_;
  };

  [[nodiscard]] Outcome shown(Counted& in, Arena& arena, const Path& path) const {
    if (!options_.engine.evidence) return {false, std::nullopt};
    return {false, unwind(arena, in.product, path)};
  }

  [[nodiscard]] Outcome decide_finite(Arena& arena, Automata& automata) {
    Counted in{*this, arena, needed(automata.finite())};
    const std::optional<Path> found = in.search.reach(
        [&](NodeId vertex) { return in.product.accepting(vertex); },
        property_.view == View::Actions ? Search::Empty::DoesNotCount : Search::Empty::Counts);
    return found ? shown(in, arena, *found) : Outcome{};
  }

  [[nodiscard]] Outcome decide_infinite(Arena& arena, Automata& automata) {
    bool searched = false;
    if (automata.is_terminal()) {
      std::optional<Outcome> early = decide_terminal(arena, automata, searched);
      if (early) return std::move(*early);
    }
    if (!searched) {
      Counted in{*this, arena, needed(automata.infinite())};
      const std::optional<Cycle> cycle = in.search.accepting_cycle(
          property_.fair ? Search::Fairness::Fair : Search::Fairness::Any);
      if (cycle) {
        if (!options_.engine.evidence) return {false, std::nullopt};
        return {false, unwind(arena, in.product, *cycle)};
      }
    }
    if (has_no_deadlock(arena)) return {};
    if (automata.finite() == nullptr && !finds_deadlock(arena)) return {};
    Counted in{*this, arena, needed(automata.finite())};
    const std::optional<Path> found = in.search.reach(
        [&](NodeId vertex) {
          return in.product.accepting(vertex) && in.product.is_deadlock(vertex);
        },
        Search::Empty::Counts);
    return found ? shown(in, arena, *found) : Outcome{};
  }

  /// A beginning that no continuation makes good is enough, if the judge sees that as well: what
  /// happens at the end of a finite word may be beyond an automaton for infinite ones.  `searched`:
  /// there is no accepting cycle.
  [[nodiscard]] std::optional<Outcome> decide_terminal(Arena& arena, Automata& automata,
                                                       bool& searched) {
    Counted in{*this, arena, needed(automata.infinite())};
    const std::optional<Path> found = in.search.reach(
        [&](NodeId vertex) { return in.product.accepting(vertex); }, Search::Empty::Counts);
    searched = !found;
    if (!found || !is_bad_for_ever(in, arena, *found, automata)) return std::nullopt;
    Evidence evidence = unwind(arena, in.product, *found);
    if (!replay(program_.source(), property_, evidence).ok()) return std::nullopt;
    if (!options_.engine.evidence) return Outcome{false, std::nullopt};
    return Outcome{false, std::move(evidence)};
  }

  /// Whether the word is bad and stays so also where the path ends.
  [[nodiscard]] bool is_bad_for_ever(Counted& in, Arena& arena, const Path& path,
                                     Automata& automata) {
    if (property_.automaton) return true;
    if (automata.finite() == nullptr) return false;
    const monitor::Compiled& automaton = *automata.finite();
    ltl::StateIndex at = automaton.start();
    for (std::size_t i = 0; i < path.vertices.size(); ++i) {
      if (property_.view == View::States) {
        at = automaton.step(at, arena.bits(arena.letter(in.product.node(path.vertices[i]))));
      } else if (i > 0) {
        at = step_action(in, arena, path.vertices[i - 1], path.vertices[i], automaton, at);
      }
    }
    return automaton.accepting(at) && automaton.settled(at);
  }

  [[nodiscard]] static ltl::StateIndex step_action(Counted& in, Arena& arena, NodeId from,
                                                   NodeId to, const monitor::Compiled& automaton,
                                                   ltl::StateIndex at) {
    const std::vector<NodeId> targets = in.product.targets(from);
    const auto edge = static_cast<std::size_t>(std::ranges::find(targets, to) - targets.begin());
    const model::InstanceCode code =
        in.product.fan(from, quotient::Detail::Permutations).codes[edge];
    return automaton.step(at, arena.bits(arena.letter(in.product.node(from), code)));
  }

  /// Every state was expanded, and none is a deadlock.  With ranks as colours a state may have been
  /// expanded for some of them only.
  [[nodiscard]] bool has_no_deadlock(Arena& arena) const {
    const quotient::Tally& tally = graph_.tally();
    return !arena.space().domain().coloured && tally.deadlocks == 0 &&
           tally.expanded == graph_.store().size();
  }

  /// Looks at all states.
  [[nodiscard]] bool finds_deadlock(Arena& arena) const {
    std::vector<NodeId> open;
    std::vector<bool> met;
    const auto meet = [&](NodeId node) {
      const auto at = static_cast<std::size_t>(node);
      if (met.size() <= at) met.resize(std::max(at + 1, 2 * met.size()));
      if (!met[at]) open.push_back(node);
      met[at] = true;
    };
    for (const Start& start : arena.starts()) meet(start.node);
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      arena.tick();
      const quotient::Fan& fan = arena.space().fan(node, quotient::Detail::Targets);
      if (fan.fault) throw quotient::StateFault{arena.space().state(node), *fan.fault};
      if (fan.targets.empty()) return true;
      for (const NodeId target : fan.targets) meet(target);
    }
    return false;
  }

  const model::Program& program_;
  quotient::Graph& graph_;
  base::Limits& limits_;
  const Options& options_;
  const Property& property_;
};

/// How the program gets to faults.
class Blame {
 public:
  Blame(const model::Program& program, quotient::Graph& graph, base::Limits& limits)
      : program_(program),
        graph_(graph),
        limits_(limits),
        colouring_(quotient::make_colouring(program, nullptr)),
        space_(graph.space({{}, graph.moves_processes() && program.has_priorities()}, colouring_)) {
  }

  void program_fault(const model::InstanceFault& fault, cctl::Answer& answer) {
    cctl::ModelError error;
    error.fault = fault.fault;
    error.schema = program_.instance(fault.instance).schema;
    answer.error = std::move(error);
    std::optional<cctl::ModelError> nearest =
        cctl::nearest_fault(graph_, *space_, starts(), limits_);
    if (nearest) answer.error = std::move(nearest);
  }

  void formula_fault(const cctl::FormulaFault& found, cctl::Answer& answer) {
    cctl::ModelError error;
    error.fault = found.fault;
    error.in_formula = true;
    std::optional<Evidence> path = cctl::path_to(
        graph_, *space_, starts(), [&](NodeId node) { return space_->state(node) == found.state; },
        limits_);
    if (path) error.path = std::move(*path);
    answer.error = std::move(error);
  }

 private:
  [[nodiscard]] std::vector<cctl::Start> starts() {
    std::vector<cctl::Start> made;
    for (model::InitialStates initial{program_}; !initial.done(); initial.next()) {
      if (limits_.exceeded()) break;
      cctl::Start start;
      start.initial = graph_.add(initial.words());
      start.position.state = start.initial.state;
      if (space_->domain().coloured) {
        for (const std::uint32_t real : start.initial.to_real) {
          start.position.colours.push_back(colouring_.initial[real]);
        }
      }
      made.push_back(std::move(start));
    }
    return made;
  }

  const model::Program& program_;
  quotient::Graph& graph_;
  base::Limits& limits_;
  quotient::Colouring colouring_;
  std::unique_ptr<quotient::Space> space_;
};

}  // namespace

cctl::Answer Checker::check(const Property& property) {
  const base::Limits clock;
  cctl::Answer answer;
  Run run{program_, graph_, limits_, options_, property};
  run.show_progress = [&](std::size_t depth) {
    if (show_progress_) show_progress_({graph_.store().size(), graph_.tally().edges, depth});
  };
  try {
    Outcome outcome = run.decide();
    answer.verdict = outcome.holds ? base::Verdict::Holds : base::Verdict::Fails;
    answer.evidence = std::move(outcome.evidence);
  } catch (const cctl::LimitReached&) {
    answer.reason = limits_.describe();
  } catch (const AutomatonTooLarge&) {
    answer.reason = "the automaton of the formula is too large";
  } catch (const std::bad_alloc&) {
    limits_.out_of_memory();
    answer.reason = limits_.describe();
  } catch (const quotient::StateFault& found) {
    answer.verdict = base::Verdict::Error;
    Blame(program_, graph_, limits_).program_fault(found.fault, answer);
  } catch (const cctl::FormulaFault& found) {
    answer.verdict = base::Verdict::Error;
    Blame(program_, graph_, limits_).formula_fault(found, answer);
  }
  cctl::Statistics& statistics = answer.statistics;
  statistics.states = graph_.store().size();
  statistics.edges = graph_.tally().edges;
  statistics.marks = run.statistics.product_states;
  statistics.depth = run.depth;
  statistics.memory_bytes = base::resident_bytes();
  statistics.state_bytes = graph_.store().bytes();
  statistics.online = run.statistics;
  statistics.seconds = clock.seconds();
  return answer;
}

}  // namespace cohort::online
