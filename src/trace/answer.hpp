// What a check of a trace says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/verdict.hpp"
#include "trace/evidence.hpp"

namespace cohort::trace {

enum class Engine : std::uint8_t { Auto, Symbolic, Explicit };

struct Statistics {
  std::uint64_t events = 0;
  std::uint64_t watched_events = 0;  ///< those that the automaton can notice
  std::uint64_t configurations = 0;
  std::uint64_t automaton_states = 0;
  double seconds = 0;
};

struct Answer {
  base::Verdict verdict = base::Verdict::Unknown;
  Engine engine = Engine::Symbolic;  ///< the one that was used
  std::string reason;                ///< of an unknown verdict
  std::optional<Evidence> evidence;  ///< of a violation
  Statistics statistics;
};

}  // namespace cohort::trace
