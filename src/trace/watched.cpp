#include "trace/watched.hpp"

#include <algorithm>

namespace cohort::trace {
namespace {

/// The letters of the events of an execution.
[[nodiscard]] std::vector<std::uint8_t> occurring_letters(const Order& order,
                                                          const Letters& letters) {
  std::vector<std::uint8_t> occurs(letters.num_letters(), 0);
  for (std::uint32_t p = 0; p < order.num_processes(); ++p) {
    for (const EffectId effect : order.effects(ProcessId{p})) occurs[letters.of(effect)] = 1;
  }
  return occurs;
}

/// A letter that leaves every state that matters as it is.
[[nodiscard]] std::vector<std::uint8_t> neutral_letters(const Letters& letters,
                                                        const UsefulStates& states) {
  std::vector<std::uint8_t> neutral(letters.num_letters(), 1);
  for (Letter letter = 0; letter < neutral.size(); ++letter) {
    for (StateIndex m = 0; m < letters.num_states(); ++m) {
      if (states.useful[m] == 0) continue;
      const bool moves = std::ranges::any_of(
          letters.moves(letter, m), [&](StateIndex next) { return states.useful[next] != 0; });
      if (moves || !letters.optional(letter, m)) neutral[letter] = 0;
    }
  }
  return neutral;
}

}  // namespace

UsefulStates useful_states(const Order& order, const monitor::Compiled& automaton,
                           const Letters& letters) {
  const std::size_t size = automaton.num_states();
  const std::vector<std::uint8_t> occurs = occurring_letters(order, letters);
  // Forwards, keeping the edges to go back.
  std::vector<std::uint8_t> reached(size, 0);
  std::vector<std::vector<StateIndex>> sources(size);
  std::vector<StateIndex> open;
  for (const StateIndex m : automaton.initial()) {
    reached[m] = 1;
    open.push_back(m);
  }
  while (!open.empty()) {
    const StateIndex m = open.back();
    open.pop_back();
    for (Letter letter = 0; letter < occurs.size(); ++letter) {
      if (occurs[letter] == 0) continue;
      for (const StateIndex next : letters.moves(letter, m)) {
        sources[next].push_back(m);
        if (reached[next] != 0) continue;
        reached[next] = 1;
        open.push_back(next);
      }
    }
  }
  UsefulStates states;
  states.useful.assign(size, 0);
  for (StateIndex m = 0; m < size; ++m) {
    if (reached[m] == 0 || !automaton.accepting(m)) continue;
    states.useful[m] = 1;
    open.push_back(m);
  }
  while (!open.empty()) {
    const StateIndex m = open.back();
    open.pop_back();
    for (const StateIndex before : sources[m]) {
      if (states.useful[before] != 0) continue;
      states.useful[before] = 1;
      open.push_back(before);
    }
  }
  for (const StateIndex m : automaton.initial()) {
    if (states.useful[m] != 0) states.initial.push_back(m);
  }
  return states;
}

Watched::Watched(const Order& order, const Letters& letters, const UsefulStates& states)
    : clocks_(0) {
  const std::vector<std::uint8_t> neutral = neutral_letters(letters, states);
  constexpr std::uint32_t none = 0xFFFFFFFFU;
  std::vector<std::uint32_t> lane_of(order.num_processes(), none);
  for (std::uint32_t p = 0; p < order.num_processes(); ++p) {
    const std::span<const EffectId> effects = order.effects(ProcessId{p});
    std::vector<std::uint32_t> positions;
    std::vector<Letter> own;
    for (std::uint32_t i = 0; i < effects.size(); ++i) {
      const Letter letter = letters.of(effects[i]);
      if (neutral[letter] != 0) continue;
      positions.push_back(i + 1);
      own.push_back(letter);
    }
    if (positions.empty()) continue;
    lane_of[p] = static_cast<std::uint32_t>(processes_.size());
    processes_.push_back(ProcessId{p});
    positions_.push_back(std::move(positions));
    letters_.push_back(std::move(own));
  }
  const std::size_t size = processes_.size();
  clocks_ = Clocks{size};
  std::vector<std::uint32_t> row(size);
  for (std::uint32_t p = 0; p < size; ++p) {
    // Components only grow along a process, so each is counted once.
    std::ranges::fill(row, 0);
    std::size_t last_row = 0;
    clocks_.reserve(ProcessId{p}, positions_[p].size());
    for (const std::uint32_t position : positions_[p]) {
      const Event e{processes_[p], position};
      const std::size_t own_row = order.clocks().row_index(e);
      bool changed = false;
      if (own_row != last_row) {
        last_row = own_row;
        const auto clock = order.clocks().row(e);
        for (std::uint32_t q = 0; q < size; ++q) {
          if (q == p) continue;
          const std::uint32_t bound = clock[base::index_of(processes_[q])];
          const std::vector<std::uint32_t>& others = positions_[q];
          while (row[q] < others.size() && others[row[q]] <= bound) {
            ++row[q];
            changed = true;
          }
        }
      }
      if (changed) {
        clocks_.add(ProcessId{p}, row);
      } else {
        clocks_.add(ProcessId{p});
      }
    }
  }
}

std::size_t Watched::num_events() const {
  std::size_t sum = 0;
  for (const auto& own : letters_) sum += own.size();
  return sum;
}

}  // namespace cohort::trace
