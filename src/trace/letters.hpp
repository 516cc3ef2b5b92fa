// A trace as an automaton sees it: letters instead of effects.
//
//   const Letters letters{compiled, trace.words, [&](ltl::Atom a, EffectId e) { … }};
//   letters.of(order.effect(e))                 // two events with one letter are the same to it
//   letters.optional(letter, m)                 // the automaton may stay in m: m is in next(m, e)
//   letters.moves(letter, m)                    // the other states of next(m, e)
//
// Atoms are evaluated once for each effect, and the automaton is asked once for each letter: what
// runs over events afterwards only looks up.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ltl/formula.hpp"
#include "monitor/automaton.hpp"
#include "trace/vocabulary.hpp"

namespace cohort::trace {

using monitor::StateIndex;
using Letter = std::uint32_t;
/// Whether an atom holds at an event with this effect.
using AtomTruth = std::function<bool(ltl::Atom, EffectId)>;

/// Immutable; a const object may be shared by threads.
class Letters {
 public:
  Letters(const monitor::Compiled& automaton, const Vocabulary& words, const AtomTruth& truth);

  [[nodiscard]] std::size_t num_letters() const { return num_letters_; }
  [[nodiscard]] std::size_t num_states() const { return num_states_; }
  [[nodiscard]] Letter of(EffectId effect) const { return letters_[base::index_of(effect)]; }
  [[nodiscard]] bool optional(Letter letter, StateIndex m) const {
    return optional_[letter * num_states_ + m];
  }
  /// next(m, letter) without m, ascending.
  [[nodiscard]] std::span<const StateIndex> moves(Letter letter, StateIndex m) const {
    const std::size_t i = letter * num_states_ + m;
    return {moves_.data() + move_begins_[i], move_begins_[i + 1] - move_begins_[i]};
  }

 private:
  std::size_t num_letters_ = 0;
  std::size_t num_states_;
  std::vector<Letter> letters_;  // by effect
  std::vector<std::uint8_t> optional_;
  std::vector<std::uint32_t> move_begins_;
  std::vector<StateIndex> moves_;
};

}  // namespace cohort::trace
