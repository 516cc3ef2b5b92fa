#include "online/bounded.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cctl/trail.hpp"
#include "monitor/online.hpp"
#include "monitor/product.hpp"
#include "online/arena.hpp"
#include "online/replay.hpp"
#include "online/unwind.hpp"

namespace cohort::online {
namespace {

using model::Word;

/// A position by value: the state's words, the processes, the colours.
struct Packed {
  std::vector<Word> words;
  /// Where it was seen last; not part of its value.
  NodeId node = quotient::no_node;
  std::uint32_t epoch = 0;

  friend bool operator==(const Packed& a, const Packed& b) { return a.words == b.words; }
};

}  // namespace
}  // namespace cohort::online

template <>
struct std::hash<cohort::online::Packed> {
  std::size_t operator()(const cohort::online::Packed& state) const {
    std::uint64_t mixed = 0;
    for (const cohort::model::Word word : state.words) {
      mixed = (mixed ^ word ^ (mixed >> 29U)) * 0x9E3779B97F4A7C15ULL;
    }
    return static_cast<std::size_t>(mixed ^ (mixed >> 32U));
  }
};

namespace cohort::online {
namespace {

/// The program as monitor/product.hpp wants systems.
class System {
 public:
  using State = Packed;
  /// Neither an edge's number nor its instance means the same in another graph.
  struct Step {
    std::uint32_t letter = 0;  ///< View::Actions: of letters_
  };

  System(const model::Program& program, base::Limits& limits, const Options& options,
         const Property& property, const Goal& goal)
      : program_(program),
        limits_(limits),
        options_(options),
        property_(property),
        goal_(goal),
        most_states_(std::max<std::size_t>(options.heap, 1024)) {
    renew();
  }

  /// The next choice of processes.
  [[nodiscard]] bool next_round() {
    renew();
    const std::size_t wanted = round_++;
    for (std::size_t i = 0; i <= wanted; ++i) {
      if (!arena_->next_round()) return false;
    }
    chosen_.clear();
    if (!arena_->starts().empty()) chosen_ = arena_->starts().front().chosen;
    return true;
  }
  [[nodiscard]] std::uint64_t num_deadlocks() const { return num_deadlocks_; }
  void forget_deadlocks() { num_deadlocks_ = 0; }
  [[nodiscard]] quotient::Graph& graph() { return *graph_; }

  void initial(std::vector<State>& out) {
    // A search may have renewed the graph.
    if (arena_->starts().empty()) restart();
    for (const Start& start : arena_->starts()) out.push_back(pack(start.node));
  }

  void successors(const State& state, std::vector<monitor::Move<System>>& out) {
    if (graph_->store().size() > most_states_) renew();
    const NodeId node = unpack(state, nullptr);
    const bool actions = property_.view == View::Actions;
    const quotient::Fan& fan = arena_->space().fan(
        node, actions ? quotient::Detail::Permutations : quotient::Detail::Targets);
    if (fan.fault) throw quotient::StateFault{arena_->space().state(node), *fan.fault};
    if (fan.targets.empty()) ++num_deadlocks_;
    for (std::size_t e = 0; e < fan.targets.size(); ++e) {
      const std::uint32_t letter = actions ? kept_letter(arena_->letter(node, fan.codes[e])) : 0;
      out.push_back({{letter}, pack(fan.targets[e])});
    }
  }

  [[nodiscard]] bool is_deadlock(const State& state) {
    const NodeId node = unpack(state, nullptr);
    return arena_->space().fan(node, quotient::Detail::Targets).targets.empty();
  }

  void letter(const State& state, std::uint64_t* bits) {
    std::copy_n(arena_->bits(arena_->letter(unpack(state, nullptr))), letter_width(), bits);
  }
  void letter(const State& /*from*/, const Step& step, std::uint64_t* bits) {
    std::ranges::copy(letters_[step.letter], bits);
  }

  /// The path, with real states and processes; nothing if it is too long.
  [[nodiscard]] std::optional<cctl::Evidence> unwind(const std::vector<State>& states,
                                                     const std::vector<Step>& steps,
                                                     std::optional<std::size_t> loop) {
    most_states_ = SIZE_MAX;
    renew();
    restart();
    std::vector<NodeId> nodes;
    for (const State& state : states) {
      Permutation from_node;
      nodes.push_back(unpack(state, &from_node));
    }
    const auto start = std::ranges::find(arena_->starts(), nodes.front(), &Start::node);
    if (start == arena_->starts().end()) return std::nullopt;
    std::vector<std::size_t> edges;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::optional<std::size_t> edge = edge_between(nodes[i], nodes[i + 1], steps[i]);
      if (!edge) return std::nullopt;
      edges.push_back(*edge);
    }
    cctl::Trail trail{*graph_, start->initial};
    trail.reframe(start->from_node);
    const auto walk = [&](std::size_t i) { (void)trail.step(arena_->space(), nodes[i], edges[i]); };
    const std::size_t stem = loop.value_or(steps.size());
    for (std::size_t i = 0; i < stem; ++i) walk(i);
    if (loop) {
      constexpr std::size_t longest = 2'000'000;
      trail.evidence().loop = trail.length();
      const std::vector<Value> begin = trail.real_values();
      do {
        for (std::size_t i = stem; i < steps.size(); ++i) walk(i);
        if (trail.length() > longest) return std::nullopt;
        arena_->tick();
      } while (trail.real_values() != begin);
    }
    trail.evidence().choices = choices_of(goal_, start->chosen);
    return std::move(trail.evidence());
  }

 private:
  void renew() {
    arena_.reset();
    graph_ = cctl::make_graph(program_, options_.engine);
    arena_ = std::make_unique<Arena>(*graph_, property_, goal_, limits_,
                                     options_.engine.quantifier_elimination == cctl::Elimination::On
                                         ? Arena::Elimination::On
                                         : Arena::Elimination::Off);
    if (round_ > 0) arena_->resume(chosen_);
    ++epoch_;
  }

  /// The starts of this round, in the graph of now.
  void restart() {
    arena_ = std::make_unique<Arena>(*graph_, property_, goal_, limits_, Arena::Elimination::On);
    ++epoch_;
    for (std::size_t i = 0; i < round_; ++i) (void)arena_->next_round();
  }

  [[nodiscard]] std::size_t letter_width() const { return monitor::num_words(goal_.atoms.size()); }

  /// The number of a letter among those that outlive the arena.
  [[nodiscard]] std::uint32_t kept_letter(Letter letter) {
    const std::uint64_t* const bits = arena_->bits(letter);
    const auto [place, is_new] =
        letter_numbers_.emplace(std::vector<std::uint64_t>(bits, bits + letter_width()),
                                static_cast<std::uint32_t>(letters_.size()));
    if (is_new) letters_.push_back(place->first);
    return place->second;
  }

  /// An edge of this graph that does what the step did.
  [[nodiscard]] std::optional<std::size_t> edge_between(NodeId from, NodeId to, const Step& step) {
    const bool actions = property_.view == View::Actions;
    const quotient::Fan& fan = arena_->space().fan(from, quotient::Detail::Permutations);
    for (std::size_t e = 0; e < fan.targets.size(); ++e) {
      if (fan.targets[e] != to) continue;
      if (!actions || kept_letter(arena_->letter(from, fan.codes[e])) == step.letter) return e;
    }
    return std::nullopt;
  }

  [[nodiscard]] State pack(NodeId node) {
    arena_->space().read(node, position_);
    State made;
    const std::size_t num_words = program_.layout().num_words();
    const Word* const words = graph_->store()[position_.state];
    made.words.reserve(num_words + position_.processes.size() + (position_.colours.size() + 3) / 4);
    made.words.assign(words, words + num_words);
    for (const Value process : position_.processes) {
      made.words.push_back(static_cast<Word>(process));
    }
    for (std::size_t i = 0; i < position_.colours.size(); ++i) {
      if (i % 4 == 0) made.words.push_back(0);
      made.words.back() |= static_cast<Word>(position_.colours[i]) << (16 * (i % 4));
    }
    made.node = node;
    made.epoch = epoch_;
    return made;
  }

  /// `from_node`, if wanted, maps processes as the node sees them to those of the packed position.
  [[nodiscard]] NodeId unpack(const State& state, Permutation* from_node) {
    if (from_node == nullptr && state.epoch == epoch_) return state.node;
    const std::size_t num_words = program_.layout().num_words();
    const quotient::InitialState at = graph_->add(state.words.data());
    const Permutation from_given = symmetry::inverse(at.to_real);
    const quotient::Domain& domain = arena_->space().domain();
    position_.state = at.state;
    position_.processes.clear();
    std::size_t next = num_words;
    for (const lang::ModuleId module : domain.variables) {
      const std::size_t first = program_.process_number(module, 0);
      const auto process = static_cast<std::size_t>(state.words[next++]);
      position_.processes.push_back(
          static_cast<Value>(from_given.empty() ? process : from_given[first + process] - first));
    }
    position_.colours.clear();
    if (domain.coloured) {
      position_.colours.resize(program_.num_processes());
      for (std::size_t p = 0; p < position_.colours.size(); ++p) {
        const auto given =
            static_cast<quotient::Colour>(state.words[next + p / 4] >> (16 * (p % 4)));
        position_.colours[from_given.empty() ? p : from_given[p]] = given;
      }
    }
    Permutation change;
    const NodeId node = arena_->space().enter(position_, change);
    if (from_node != nullptr) {
      *from_node = at.to_real.empty() ? change
                   : change.empty()   ? at.to_real
                                      : symmetry::compose(at.to_real, change);
    }
    return node;
  }

  const model::Program& program_;
  base::Limits& limits_;
  const Options& options_;
  const Property& property_;
  const Goal& goal_;
  std::size_t most_states_;
  std::unique_ptr<quotient::Graph> graph_;
  std::unique_ptr<Arena> arena_;
  std::size_t round_ = 0;
  std::vector<Value> chosen_;
  std::uint32_t epoch_ = 0;
  std::uint64_t num_deadlocks_ = 0;
  std::vector<std::vector<std::uint64_t>> letters_;  // by number
  std::map<std::vector<std::uint64_t>, std::uint32_t> letter_numbers_;
  Position position_;
};

/// Accepting at deadlocks only.
template <monitor::View view>
class DeadlockProduct {
 public:
  using Inner = monitor::Product<System, view>;
  using State = typename Inner::State;
  using Step = typename Inner::Step;

  DeadlockProduct(System& system, const monitor::Compiled& automaton)
      : system_(system), inner_(system, automaton), automaton_(automaton) {}

  void initial(std::vector<State>& out) { inner_.initial(out); }
  void successors(const State& state, std::vector<monitor::Move<DeadlockProduct>>& out) {
    moves_.clear();
    inner_.successors(state, moves_);
    for (auto& move : moves_) out.push_back({move.step, std::move(move.state)});
  }
  /// The empty word counts: a program may end before its first step.
  [[nodiscard]] bool accepting(const State& state) {
    const ltl::StateIndex before = automaton_.dead() + 1;
    const ltl::StateIndex at =
        state.automaton < before ? state.automaton : state.automaton - before;
    return automaton_.accepting(at) && system_.is_deadlock(state.system);
  }

 private:
  System& system_;
  Inner inner_;
  const monitor::Compiled& automaton_;
  std::vector<monitor::Move<Inner>> moves_;
};

}  // namespace

class BoundedSearch::Implementation {
 public:
  Implementation(const model::Program& program, base::Limits& limits, const Options& options,
                 const Property& property, const Goal& goal, Automata& automata)
      : program_(program),
        limits_(limits),
        options_(options),
        property_(property),
        automata_(automata),
        system_(program, limits, options, property, goal) {}

  [[nodiscard]] std::optional<BoundedResult> run() {
    while (system_.next_round()) {
      std::optional<BoundedResult> found = property_.view == View::States
                                               ? round<monitor::View::States>()
                                               : round<monitor::View::Actions>();
      if (found) return found;
    }
    return std::nullopt;
  }

  monitor::OnlineStatistics statistics;
  const std::function<void(std::size_t)>* show_progress = nullptr;
  [[nodiscard]] quotient::Graph& graph() { return system_.graph(); }

 private:
  template <monitor::View view>
  [[nodiscard]] std::optional<BoundedResult> round() {
    system_.forget_deadlocks();
    if (property_.finite) {
      monitor::Product<System, view> product{system_, needed(automata_.finite()),
                                             monitor::Stuck::Stays};
      return result(monitor::find_accepting(product, online_options()));
    }
    bool may_cycle = true;
    if (automata_.is_terminal()) {
      // A beginning that nothing makes good again is enough, if the judge sees that as well.
      monitor::Product<System, view> product{system_, needed(automata_.infinite()),
                                             monitor::Stuck::Stays};
      const auto found = result(monitor::find_accepting(product, online_options()), true);
      if (found && found->evidence && replay(program_.source(), property_, *found->evidence).ok()) {
        return found;
      }
      may_cycle = found.has_value();
    }
    if (may_cycle) {
      monitor::Product<System, view> product{system_, needed(automata_.infinite()),
                                             monitor::Stuck::Stays};
      auto found = result(monitor::find_accepting_cycle(product, online_options()));
      if (found) return found;
    }
    if (system_.num_deadlocks() == 0) return std::nullopt;
    const monitor::Compiled& finite = needed(automata_.finite());
    const bool has_no_bad_word = finite.deterministic() && finite.settled(finite.start()) &&
                                 !finite.accepting(finite.start());
    if (has_no_bad_word) return std::nullopt;
    DeadlockProduct<view> product{system_, finite};
    return result(monitor::find_accepting(product, online_options()));
  }

  [[nodiscard]] const monitor::Compiled& needed(const monitor::Compiled* automaton) const {
    if (automaton != nullptr) return *automaton;
    if (limits_.reason() != base::Limits::Reason::None) throw cctl::LimitReached{};
    throw AutomatonTooLarge{};
  }

  [[nodiscard]] monitor::OnlineOptions online_options() {
    return {.heap = options_.heap, .seed = options_.seed, .interrupted = [this] {
              if (show_progress != nullptr && *show_progress) {
                (*show_progress)(statistics.longest_path);
              }
              // Asked seldom: every answer is worth a look at the clock.
              for (int i = 0; i < 256; ++i) {
                if (limits_.exceeded()) return true;
              }
              return false;
            }};
  }

  template <typename Graph>
  [[nodiscard]] std::optional<BoundedResult> result(monitor::OnlineResult<Graph> found,
                                                    bool always_shown = false) {
    statistics.generated += found.statistics.generated;
    statistics.forgotten += found.statistics.forgotten;
    statistics.most_remembered =
        std::max(statistics.most_remembered, found.statistics.most_remembered);
    statistics.longest_path = std::max(statistics.longest_path, found.statistics.longest_path);
    if (found.verdict == monitor::Search::Interrupted) throw cctl::LimitReached{};
    if (found.verdict == monitor::Search::None) return std::nullopt;
    BoundedResult made;
    if (!options_.engine.evidence && !always_shown) return made;
    std::vector<Packed> states;
    for (auto& state : found.path.states) states.push_back(std::move(state.system));
    made.evidence = system_.unwind(states, found.path.steps, found.path.loop);
    return made;
  }

  const model::Program& program_;
  base::Limits& limits_;
  const Options& options_;
  const Property& property_;
  Automata& automata_;
  System system_;
};

BoundedSearch::BoundedSearch(const model::Program& program, base::Limits& limits,
                             const Options& options, const Property& property, const Goal& goal,
                             Automata& automata)
    : implementation_(
          std::make_unique<Implementation>(program, limits, options, property, goal, automata)) {}
BoundedSearch::~BoundedSearch() = default;

std::optional<BoundedResult> BoundedSearch::run() {
  implementation_->show_progress = &show_progress;
  return implementation_->run();
}
std::uint64_t BoundedSearch::num_generated() const { return implementation_->statistics.generated; }
std::uint64_t BoundedSearch::num_forgotten() const { return implementation_->statistics.forgotten; }
std::uint64_t BoundedSearch::most_remembered() const {
  return implementation_->statistics.most_remembered;
}
std::size_t BoundedSearch::longest_path() const { return implementation_->statistics.longest_path; }
const Word* BoundedSearch::words(model::StateId state) const {
  return implementation_->graph().store()[state];
}

}  // namespace cohort::online
