// The automata that a goal is searched with: they accept what must not happen.
#pragma once

#include <optional>

#include "monitor/automaton.hpp"
#include "online/property.hpp"

namespace cohort::online {

struct Automata {
  /// Infinite mode: the bad infinite words.
  std::optional<monitor::Compiled> infinite;
  /// The bad finite words: those of deadlocked paths or, in finite mode, of all prefixes.
  std::optional<monitor::Compiled> finite;
  /// Once an accepting state of `infinite` is reached, every continuation is accepted.
  bool is_terminal = false;
  std::size_t num_states = 0;
};

/// Nothing if an automaton is too large.
[[nodiscard]] std::optional<Automata> make_automata(const Property& property, const Goal& goal);

}  // namespace cohort::online
