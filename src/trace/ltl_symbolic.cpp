// Symbolic composition of a partial order and an automaton of bad words.
//
// Idea.  A configuration (t, w, m) stands for all cuts s with t <= s <= w, each of which can be
// reached with the automaton in m.  An event e is *optional* in m if m is in next(m, e): taking it
// may change nothing, so it only widens w.  A move to another state m' is *mandatory*: from the
// cuts that have all before e and nothing after it, e leads to (t + all up to e, w without what
// comes after e, m').
//
// So a configuration is first *saturated*: every optional event that is enabled joins w, again and
// again.  Then each event of w that is not in t, and each enabled one, makes its moves.  A
// configuration that another one covers (same m, a smaller t, a larger w) can do nothing that the
// other cannot, and is dropped.  Saturation is monotone, so a configuration is covered by a
// saturated one before it is saturated itself if and only if it is so afterwards: what is covered
// is never saturated.
//
// An order of all events is bad if (t, E, m) is met with m accepting.  "Bad" counts at the end:
// after a move w shrinks, and has to grow to E again in the new state.
//
// Traps.  Semantics.md: rule (ii) shrinks w; only moves to other states are mandatory, also for
// automata that may stay and move on one letter; an event on which the automaton has no next state
// is neither optional nor a move, and bars the way.
//
// Source.  Genon, Massart, Meuter 2006, definition 7 and algorithm 1; what is optional, the index
// of coverings and the reduction to watched events are ours.
#include "trace/ltl_symbolic.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trace/covering.hpp"
#include "trace/watched.hpp"

namespace cohort::trace {
namespace {

constexpr std::uint32_t nobody = 0xFFFFFFFFU;

class Search {
 public:
  Search(const Order& order, const monitor::Compiled& automaton, const Letters& letters,
         base::Limits& limits)
      : order_(order),
        automaton_(automaton),
        letters_(letters),
        limits_(limits),
        states_(useful_states(order, automaton, letters)),
        watched_(order, letters, states_),
        width_(watched_.num_processes()),
        covered_(automaton.num_states()),
        movers_(automaton.num_states(), nullptr) {
    for (std::size_t p = 0; p < width_; ++p) everything_.push_back(watched_.num_events(p));
  }

  [[nodiscard]] Answer run() {
    Answer answer;
    answer.engine = Engine::Symbolic;
    const std::uint32_t bad = explore();
    answer.statistics.events = order_.num_events();
    answer.statistics.watched_events = watched_.num_events();
    answer.statistics.configurations = configurations_.size();
    answer.statistics.automaton_states = automaton_.num_states();
    if (bad != nobody) {
      answer.verdict = base::Verdict::Fails;
      answer.evidence = evidence(bad);
    } else if (limits_.reason() != base::Limits::Reason::None) {
      answer.verdict = base::Verdict::Unknown;
      answer.reason = limits_.describe();
    } else {
      answer.verdict = base::Verdict::Holds;
    }
    return answer;
  }

 private:
  struct Configuration {
    StateIndex m = 0;
    std::uint32_t parent = nobody;
    // The mandatory event that led here, of the watched ones.
    std::uint32_t process = 0;
    std::uint32_t position = 0;
  };

  /// Positions, by process, ascending.
  using Movers = std::vector<std::vector<std::uint32_t>>;

  [[nodiscard]] const std::uint32_t* t(std::uint32_t c) const {
    return cuts_.data() + std::size_t{c} * 2 * width_;
  }
  [[nodiscard]] const std::uint32_t* w(std::uint32_t c) const { return t(c) + width_; }

  /// The first configuration found that shows a bad order, or `nobody`.
  [[nodiscard]] std::uint32_t explore() {
    t_.assign(width_, 0);
    w_.assign(width_, 0);
    for (const StateIndex m : states_.initial) {
      t_.assign(width_, 0);
      w_.assign(width_, 0);
      if (add({m, nobody, 0, 0})) return last();
    }
    for (std::uint32_t c = 0; c < configurations_.size(); ++c) {
      if (limits_.exceeded(configurations_.size())) return nobody;
      if (expand(c)) return last();
    }
    return nobody;
  }

  [[nodiscard]] std::uint32_t last() const {
    return static_cast<std::uint32_t>(configurations_.size()) - 1;
  }

  /// Saturates (t_, w_) and keeps it, unless it is covered; true if it shows a bad order.
  [[nodiscard]] bool add(const Configuration& made) {
    std::unique_ptr<CoveringIndex>& index = covered_[made.m];
    if (!index) index = std::make_unique<CoveringIndex>(width_);
    if (index->covers(t_.data(), w_.data())) return false;
    saturate(made.m, w_);
    index->add(t_.data(), w_.data());
    configurations_.push_back(made);
    cuts_.insert(cuts_.end(), t_.begin(), t_.end());
    cuts_.insert(cuts_.end(), w_.begin(), w_.end());
    return automaton_.accepting(made.m) && w_ == everything_;
  }

  /// Lets every optional event that is enabled join w.
  void saturate(StateIndex m, std::vector<std::uint32_t>& w) const {
    bool grown = true;
    while (grown) {
      grown = false;
      for (std::uint32_t p = 0; p < width_; ++p) {
        const std::span<const Letter> own = watched_.letters(p);
        while (w[p] < own.size() && letters_.optional(own[w[p]], m) &&
               watched_.clocks().enabled(w, ProcessId{p})) {
          ++w[p];
          grown = true;
        }
      }
    }
  }

  /// Makes all moves out of a configuration; true if the last one made shows a bad order.
  [[nodiscard]] bool expand(std::uint32_t c) {
    const Movers& movers = movers_of(configurations_[c].m);
    for (std::uint32_t p = 0; p < width_; ++p) {
      std::uint32_t last = w(c)[p];
      if (watched_.clocks().enabled({w(c), width_}, ProcessId{p})) ++last;
      const std::vector<std::uint32_t>& positions = movers[p];
      auto next = std::upper_bound(positions.begin(), positions.end(), t(c)[p]);
      for (; next != positions.end() && *next <= last; ++next) {
        if (fire(c, p, *next)) return true;
      }
    }
    return false;
  }

  /// The events with a move out of m to a state that matters.  States with the same moving letters
  /// share them.
  [[nodiscard]] const Movers& movers_of(StateIndex m) {
    if (movers_[m] != nullptr) return *movers_[m];
    std::string moves(letters_.num_letters(), 0);  // a string: g++ 12 warns of comparing vectors
    for (Letter letter = 0; letter < moves.size(); ++letter) {
      moves[letter] = std::ranges::any_of(
          letters_.moves(letter, m), [&](StateIndex next) { return states_.useful[next] != 0; });
    }
    const auto [place, is_new] = known_movers_.try_emplace(std::move(moves), width_);
    if (is_new) {
      for (std::size_t p = 0; p < width_; ++p) {
        const std::span<const Letter> own = watched_.letters(p);
        for (std::uint32_t i = 0; i < own.size(); ++i) {
          if (place->first[own[i]] != 0) place->second[p].push_back(i + 1);
        }
      }
    }
    movers_[m] = &place->second;
    return place->second;
  }

  /// Rule (ii) for one event: all its moves.
  [[nodiscard]] bool fire(std::uint32_t c, std::uint32_t p, std::uint32_t position) {
    const Letter letter = watched_.letters(p)[position - 1];
    const StateIndex m = configurations_[c].m;
    for (const StateIndex next : letters_.moves(letter, m)) {
      if (states_.useful[next] == 0) continue;
      t_.assign(t(c), t(c) + width_);
      w_.assign(w(c), w(c) + width_);
      make_mandatory(p, position, t_, w_);
      if (add({next, c, p, position})) return true;
    }
    return false;
  }

  /// Everything up to the event joins t, everything after it leaves w.
  void make_mandatory(std::uint32_t p, std::uint32_t position, std::vector<std::uint32_t>& t,
                      std::vector<std::uint32_t>& w) const {
    const Clocks& clocks = watched_.clocks();
    const Event e{ProcessId{p}, position};
    const auto row = clocks.row(e);
    for (std::size_t q = 0; q < width_; ++q) t[q] = std::max(t[q], row[q]);
    shrink(e, t, w);
    t[p] = position;
  }

  void shrink(Event e, const std::vector<std::uint32_t>& t, std::vector<std::uint32_t>& w) const {
    const Clocks& clocks = watched_.clocks();
    const std::size_t p = base::index_of(e.process);
    // An enabled event has nothing after it in w.
    if (w[p] >= e.position) {
      for (std::uint32_t q = 0; q < width_; ++q) {
        if (q == p || w[q] <= t[q]) continue;
        if (clocks.row({ProcessId{q}, w[q]})[p] < e.position) continue;
        std::uint32_t low = t[q];   // not after e
        std::uint32_t high = w[q];  // after e
        while (high - low > 1) {
          const std::uint32_t middle = low + (high - low) / 2;
          if (clocks.row({ProcessId{q}, middle})[p] >= e.position) {
            high = middle;
          } else {
            low = middle;
          }
        }
        w[q] = low;
      }
    }
    w[p] = e.position;
  }

  // Evidence.

  /// An order of all events that ends in the state of configuration `bad`.
  ///
  /// Backwards along the mandatory events, with the cut s that the order has reached: what
  /// saturation added at a configuration comes after its mandatory event, in its state; the rest
  /// came before.
  [[nodiscard]] Evidence evidence(std::uint32_t bad) const {
    struct Stage {
      StateIndex m = 0;
      std::vector<std::uint32_t> from;  // just behind the mandatory event
      Event fired;                      // of the whole order; position 0 at the first stage
    };
    std::vector<Stage> stages;
    std::vector<std::uint32_t> s = everything_;
    for (std::uint32_t c = bad; c != nobody; c = configurations_[c].parent) {
      const Configuration& at = configurations_[c];
      Stage stage;
      stage.m = at.m;
      if (at.parent == nobody) {
        stage.from.assign(width_, 0);
      } else {
        std::vector<std::uint32_t> parent_t(t(at.parent), t(at.parent) + width_);
        std::vector<std::uint32_t> before(w(at.parent), w(at.parent) + width_);
        make_mandatory(at.process, at.position, parent_t, before);
        for (std::size_t p = 0; p < width_; ++p) before[p] = std::min(before[p], s[p]);
        stage.from = before;
        stage.fired = watched_.original(at.process, at.position);
        s = std::move(before);
        --s[at.process];
      }
      stages.push_back(std::move(stage));
    }
    std::ranges::reverse(stages);
    return order_of(stages);
  }

  template <typename Stages>
  [[nodiscard]] Evidence order_of(const Stages& stages) const {
    // Lifts cuts of the watched events to cuts of the whole order: each watched event takes along
    // all that comes before it, and the last stage everything.
    Evidence evidence;
    evidence.order.reserve(order_.num_events());
    evidence.states.reserve(order_.num_events() + 1);
    evidence.states.push_back(stages.front().m);
    Cut cut(order_.num_processes(), 0);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      if (stages[i].fired.position > 0) {
        // Those before it are watched ones, which are there, and some that nobody watches.
        Cut target = below(stages[i].fired);
        run_to(target, stages[i - 1].m, cut, evidence);
        take(stages[i].fired, stages[i].m, cut, evidence);
      }
      const bool is_last = i + 1 == stages.size();
      Cut target(order_.num_processes(), 0);
      if (is_last) {
        target = order_.everything();
      } else {
        // What this stage executes: up to the next mandatory event, without it.
        std::vector<std::uint32_t> until = stages[i + 1].from;
        for (std::size_t p = 0; p < width_; ++p) {
          if (until[p] == 0) continue;
          Event e = watched_.original(p, until[p]);
          if (e == stages[i + 1].fired) {
            if (until[p] == 1) continue;
            e = watched_.original(p, until[p] - 1);
          }
          const Cut up_to = below(e);
          for (std::size_t q = 0; q < target.size(); ++q) {
            target[q] = std::max(target[q], up_to[q]);
          }
          target[base::index_of(e.process)] =
              std::max(target[base::index_of(e.process)], e.position);
        }
      }
      run_to(target, stages[i].m, cut, evidence);
    }
    return evidence;
  }

  /// The events strictly before e.
  [[nodiscard]] Cut below(Event e) const {
    const auto row = order_.clocks().row(e);
    Cut cut{row.begin(), row.end()};
    cut[base::index_of(e.process)] = e.position - 1;
    return cut;
  }

  /// Executes what `target` has and `cut` has not, in state m.
  void run_to(const Cut& target, StateIndex m, Cut& cut, Evidence& evidence) const {
    bool grown = true;
    while (grown) {
      grown = false;
      for (std::uint32_t p = 0; p < cut.size(); ++p) {
        while (cut[p] < target[p] && order_.clocks().enabled(cut, ProcessId{p})) {
          take({ProcessId{p}, cut[p] + 1}, m, cut, evidence);
          grown = true;
        }
      }
    }
  }

  static void take(Event e, StateIndex m, Cut& cut, Evidence& evidence) {
    cut[base::index_of(e.process)] = e.position;
    evidence.order.push_back(e);
    evidence.states.push_back(m);
  }

  const Order& order_;
  const monitor::Compiled& automaton_;
  const Letters& letters_;
  base::Limits& limits_;
  const UsefulStates states_;
  const Watched watched_;
  const std::size_t width_;
  std::vector<std::uint32_t> everything_;

  std::vector<Configuration> configurations_;
  std::vector<std::uint32_t> cuts_;                      // t and w of each configuration
  std::vector<std::unique_ptr<CoveringIndex>> covered_;  // by state
  std::map<std::string, Movers> known_movers_;           // by letters
  std::vector<const Movers*> movers_;                    // by state; made when it is needed
  std::vector<std::uint32_t> t_;
  std::vector<std::uint32_t> w_;
};

}  // namespace

Answer check_symbolically(const Order& order, const monitor::Compiled& automaton,
                          const Letters& letters, base::Limits& limits) {
  return Search{order, automaton, letters, limits}.run();
}

}  // namespace cohort::trace
