// The automata that a goal is searched with: they accept what must not happen.
//
//   Automata automata{property, goal, limits};
//   if (const monitor::Compiled* const bad = automata.infinite()) …
//
// Each is made when it is asked for first: that for finite words can be far larger than that for
// infinite ones, and is needed where a run can end only.
#pragma once

#include <optional>

#include "base/limits.hpp"
#include "monitor/automaton.hpp"
#include "online/property.hpp"

namespace cohort::online {

/// Thrown where an automaton does not fit into its limits.
struct AutomatonTooLarge {};

class Automata {
 public:
  /// Keeps references to everything.
  Automata(const Property& property, const Goal& goal, base::Limits& limits)
      : property_(property), goal_(goal), limits_(limits) {}

  /// The bad infinite words.  Nothing if it is too large, or `limits` are exceeded.
  [[nodiscard]] const monitor::Compiled* infinite();
  /// The bad finite words: those of deadlocked paths or, in finite mode, of all prefixes.  Nothing
  /// if it is too large, or `limits` are exceeded.
  [[nodiscard]] const monitor::Compiled* finite();
  /// Once an accepting state of infinite() is reached, every continuation is accepted.
  [[nodiscard]] bool is_terminal() const { return is_terminal_; }
  /// Of those that have been made.
  [[nodiscard]] std::size_t num_states() const { return num_states_; }

 private:
  struct Made {
    bool tried = false;
    std::optional<monitor::Compiled> automaton;

    [[nodiscard]] const monitor::Compiled* get() const { return automaton ? &*automaton : nullptr; }
  };
  [[nodiscard]] std::optional<ltl::Automaton> make(ltl::Acceptance acceptance);

  const Property& property_;
  const Goal& goal_;
  base::Limits& limits_;
  Made infinite_;
  Made finite_;
  bool is_terminal_ = false;
  std::size_t num_states_ = 0;
};

}  // namespace cohort::online
