// Explicit composition, a level at a time.
//
// Idea.  All cuts of n events make level n.  Each has the set of states in which the automaton can
// be there, as bits.  A level makes the next one and is forgotten.
//
// A violation is known at the last level, when the way to it is forgotten.  The sweep is then made
// again, keeping every sqrt(n)-th level; between two of these, from the last to the first, it is
// made once more with all levels kept, and the way is followed back.  So the memory is that of
// 2 sqrt(n) levels, and the time three sweeps.
//
// A state that is bad and that no letter ever leaves decides at once.
#include "trace/ltl_explicit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "trace/id_table.hpp"

namespace cohort::trace {
namespace {

/// The cuts of one level with their states.
struct Level {
  std::vector<std::uint32_t> cuts;    // num_processes for each
  std::vector<std::uint64_t> states;  // num_words for each
  std::size_t size = 0;

  void clear() {
    cuts.clear();
    states.clear();
    size = 0;
  }
};

/// Where each cut of a level is; emptied in no time.
class CutTable {
 public:
  void clear() {
    ++epoch_;
    size_ = 0;
  }

  template <typename Same>
  [[nodiscard]] std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t next,
                                          const Same& same) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.epoch != epoch_) {
        slot = {hash, epoch_, next};
        ++size_;
        return next;
      }
      if (slot.hash == hash && same(slot.id)) return slot.id;
    }
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint64_t epoch = 0;
    std::uint32_t id = 0;
  };

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.epoch != epoch_) continue;
      std::size_t at = slot.hash & mask;
      while (slots_[at].epoch == epoch_) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::uint64_t epoch_ = 1;
  std::size_t size_ = 0;
};

class Sweep {
 public:
  Sweep(const Order& order, const monitor::Compiled& automaton, const Letters& letters,
        base::Limits& limits)
      : order_(order),
        automaton_(automaton),
        letters_(letters),
        limits_(limits),
        width_(order.num_processes()),
        num_words_(std::max<std::size_t>(1, (automaton.num_states() + 63) / 64)),
        absorbing_(num_words_, 0) {
    find_absorbing();
  }

  [[nodiscard]] Answer run() {
    Answer answer;
    answer.engine = Engine::Explicit;
    answer.statistics.events = order_.num_events();
    answer.statistics.watched_events = order_.num_events();
    answer.statistics.automaton_states = automaton_.num_states();
    Level level = first();
    std::uint64_t count = num_configurations(level);
    std::size_t number = 0;
    Level next;
    while (number < order_.num_events() && level.size > 0 && !decided(level)) {
      if (!advance(level, next)) break;
      std::swap(level, next);
      ++number;
      count += num_configurations(level);
    }
    answer.statistics.configurations = count;
    if (limits_.reason() != base::Limits::Reason::None) {
      answer.reason = limits_.describe();
      return answer;
    }
    const auto bad = find_bad(level, number);
    answer.verdict = bad ? base::Verdict::Fails : base::Verdict::Holds;
    if (bad) answer.evidence = evidence(number, *bad);
    return answer;
  }

 private:
  struct Place {
    std::uint32_t cut = 0;  // in its level
    StateIndex m = 0;
  };

  [[nodiscard]] bool bit(const std::uint64_t* words, StateIndex m) const {
    return ((words[m / 64] >> (m % 64)) & 1U) != 0;
  }
  static void set_bit(std::uint64_t* words, StateIndex m) {
    words[m / 64] |= std::uint64_t{1} << (m % 64);
  }

  /// Bad states in which every letter can stay.
  void find_absorbing() {
    for (StateIndex m = 0; m < automaton_.num_states(); ++m) {
      bool stays = automaton_.accepting(m);
      for (Letter letter = 0; stays && letter < letters_.num_letters(); ++letter) {
        stays = letters_.optional(letter, m);
      }
      if (stays) set_bit(absorbing_.data(), m);
    }
  }

  [[nodiscard]] Level first() const {
    Level level;
    level.cuts.assign(width_, 0);
    level.states.assign(num_words_, 0);
    level.size = automaton_.initial().empty() ? 0 : 1;
    for (const StateIndex m : automaton_.initial()) set_bit(level.states.data(), m);
    return level;
  }

  [[nodiscard]] std::uint64_t num_configurations(const Level& level) const {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < level.size * num_words_; ++i) {
      count += static_cast<std::uint64_t>(__builtin_popcountll(level.states[i]));
    }
    return count;
  }

  [[nodiscard]] bool decided(const Level& level) const {
    for (std::size_t i = 0; i < level.size * num_words_; ++i) {
      if ((level.states[i] & absorbing_[i % num_words_]) != 0) return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<Place> find_bad(const Level& level, std::size_t number) const {
    const bool is_last = number == order_.num_events();
    for (std::uint32_t c = 0; c < level.size; ++c) {
      const std::uint64_t* const states = level.states.data() + c * num_words_;
      for (StateIndex m = 0; m < automaton_.num_states(); ++m) {
        if (!bit(states, m) || !automaton_.accepting(m)) continue;
        if (is_last || bit(absorbing_.data(), m)) return Place{c, m};
      }
    }
    return std::nullopt;
  }

  /// Makes the next level; false when a limit was hit.
  [[nodiscard]] bool advance(const Level& level, Level& next) {
    next.clear();
    table_.clear();
    for (std::size_t c = 0; c < level.size; ++c) {
      if (limits_.exceeded()) return false;
      const std::uint32_t* const cut = level.cuts.data() + c * width_;
      const std::uint64_t* const states = level.states.data() + c * num_words_;
      for (std::uint32_t p = 0; p < width_; ++p) {
        if (!order_.clocks().enabled({cut, width_}, ProcessId{p})) continue;
        const Letter letter = letters_.of(order_.effect({ProcessId{p}, cut[p] + 1}));
        next_states_.assign(num_words_, 0);
        bool any = false;
        for (std::size_t word = 0; word < num_words_; ++word) {
          for (std::uint64_t rest = states[word]; rest != 0; rest &= rest - 1) {
            const auto m =
                static_cast<StateIndex>(word * 64) + static_cast<StateIndex>(__builtin_ctzll(rest));
            if (letters_.optional(letter, m)) {
              set_bit(next_states_.data(), m);
              any = true;
            }
            for (const StateIndex to : letters_.moves(letter, m)) {
              set_bit(next_states_.data(), to);
              any = true;
            }
          }
        }
        if (!any) continue;
        std::uint64_t* const to = place(cut, p, next);
        for (std::size_t word = 0; word < num_words_; ++word) to[word] |= next_states_[word];
      }
    }
    return true;
  }

  /// The states of `cut` with one more event of p, in `next`.
  [[nodiscard]] std::uint64_t* place(const std::uint32_t* cut, std::uint32_t p, Level& next) {
    std::uint64_t hash = 0;
    for (std::size_t q = 0; q < width_; ++q) hash = mix(hash, cut[q] + (q == p ? 1U : 0U));
    const std::uint32_t id =
        table_.find_or_add(hash, static_cast<std::uint32_t>(next.size), [&](std::uint32_t i) {
          const std::uint32_t* const other = next.cuts.data() + std::size_t{i} * width_;
          for (std::size_t q = 0; q < width_; ++q) {
            if (other[q] != cut[q] + (q == p ? 1U : 0U)) return false;
          }
          return true;
        });
    if (id == next.size) {
      next.cuts.insert(next.cuts.end(), cut, cut + width_);
      ++next.cuts[next.size * width_ + p];
      next.states.resize(next.states.size() + num_words_, 0);
      ++next.size;
    }
    return next.states.data() + std::size_t{id} * num_words_;
  }

  // Evidence.

  /// The way to a place on level `number`, then any order of the rest, on which the state stays.
  [[nodiscard]] std::optional<Evidence> evidence(std::size_t number, Place bad) {
    const auto stride =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(static_cast<double>(number))));
    std::vector<Level> kept;
    Level level = first();
    for (std::size_t i = 0; i < number; ++i) {
      if (i % stride == 0) kept.push_back(level);
      Level next;
      if (!advance(level, next)) return std::nullopt;
      std::swap(level, next);
    }
    // `back` is the way in reverse: event, and the state after it.
    std::vector<std::pair<Event, StateIndex>> back;
    std::vector<std::uint32_t> cut{
        level.cuts.begin() + static_cast<std::ptrdiff_t>(bad.cut * width_),
        level.cuts.begin() + static_cast<std::ptrdiff_t>((bad.cut + 1) * width_)};
    Cut done = cut;
    StateIndex m = bad.m;
    std::size_t end = number;
    while (!kept.empty()) {
      const std::size_t begin = (kept.size() - 1) * stride;
      std::vector<Level> levels;
      levels.push_back(std::move(kept.back()));
      kept.pop_back();
      for (std::size_t i = begin + 1; i < end; ++i) {
        Level next;
        if (!advance(levels.back(), next)) return std::nullopt;
        levels.push_back(std::move(next));
      }
      for (std::size_t i = levels.size(); i-- > 0;) step_back(levels[i], cut, m, back);
      end = begin;
    }
    Evidence evidence;
    evidence.states.push_back(m);
    for (std::size_t i = back.size(); i-- > 0;) {
      evidence.order.push_back(back[i].first);
      evidence.states.push_back(back[i].second);
    }
    bool grown = true;
    while (grown) {
      grown = false;
      for (std::uint32_t p = 0; p < width_; ++p) {
        while (order_.clocks().enabled(done, ProcessId{p})) {
          evidence.order.push_back({ProcessId{p}, ++done[p]});
          evidence.states.push_back(bad.m);
          grown = true;
        }
      }
    }
    return evidence;
  }

  /// Finds a cut of `level` and a state there that lead to (cut, m), and goes there.
  void step_back(const Level& level, std::vector<std::uint32_t>& cut, StateIndex& m,
                 std::vector<std::pair<Event, StateIndex>>& back) const {
    for (std::size_t c = 0; c < level.size; ++c) {
      const std::uint32_t* const before = level.cuts.data() + c * width_;
      std::size_t p = width_;
      bool fits = true;
      for (std::size_t q = 0; q < width_ && fits; ++q) {
        if (before[q] == cut[q]) continue;
        fits = before[q] + 1 == cut[q] && p == width_;
        p = q;
      }
      if (!fits || p == width_) continue;
      const ProcessId process{static_cast<std::uint32_t>(p)};
      const Letter letter = letters_.of(order_.effect({process, cut[p]}));
      const std::uint64_t* const states = level.states.data() + c * num_words_;
      for (StateIndex from = 0; from < automaton_.num_states(); ++from) {
        if (!bit(states, from)) continue;
        const bool leads = from == m ? letters_.optional(letter, m)
                                     : std::ranges::count(letters_.moves(letter, from), m) > 0;
        if (!leads) continue;
        back.push_back({{process, cut[p]}, m});
        --cut[p];
        m = from;
        return;
      }
    }
  }

  const Order& order_;
  const monitor::Compiled& automaton_;
  const Letters& letters_;
  base::Limits& limits_;
  const std::size_t width_;
  const std::size_t num_words_;
  std::vector<std::uint64_t> absorbing_;
  std::vector<std::uint64_t> next_states_;
  CutTable table_;
};

}  // namespace

Answer check_explicitly(const Order& order, const monitor::Compiled& automaton,
                        const Letters& letters, base::Limits& limits) {
  return Sweep{order, automaton, letters, limits}.run();
}

}  // namespace cohort::trace
