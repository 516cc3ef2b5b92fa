// Traces of small distributed programs, as long as one likes: those of the paper's Table 1, and the
// family of its figure 4.
//
//   const std::string text = support::peterson_trace({.events = 10'000, .faulty = false, .seed =
//   1});
//
// Each is a random run.  An event comes after the events whose writes it read or overwrote and
// whose reads it overwrites.  The text is the native form, in an order in which the run may have
// been.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cohort::support {

struct TraceRequest {
  std::size_t events = 100;
  bool faulty = false;
  std::uint64_t seed = 1;
  std::size_t processes = 2;  ///< of the philosophers and of figure 4
};

/// Peterson's lock: five assignments a round.  Faulty: a process gives itself the turn.
[[nodiscard]] std::string peterson_trace(const TraceRequest& request);
/// crit0 and crit1 are never 1 together.
[[nodiscard]] std::string mutex_formula();
[[nodiscard]] std::string mutex_monitor();

/// The alternating bit protocol over channels that lose messages.  Faulty: the sender goes on after
/// a while without an acknowledgement.
[[nodiscard]] std::string alternating_bit_trace(const TraceRequest& request);
/// Every message that is put is got before the next one is put.
[[nodiscard]] std::string received_formula();

/// Dining philosophers, the last of whom is left-handed.  Faulty: a philosopher may forget to look
/// whether the fork on his right is free.
[[nodiscard]] std::string philosophers_trace(const TraceRequest& request);
/// Once philosopher 0 has his left fork, his left neighbour does not eat until he has eaten.
[[nodiscard]] std::string fork_formula(std::size_t processes);

/// Figure 4: process i sets x_i to 1 and to 2, nothing else is ordered.
[[nodiscard]] std::string figure4_trace(std::size_t processes);
/// A chain that watches x1 = 1, x1 = 2, x2 = 1, …: its last state is bad.
[[nodiscard]] std::string figure4_monitor(std::size_t processes);

}  // namespace cohort::support
