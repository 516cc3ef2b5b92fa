// CTL on partial-order traces: does the empty cut satisfy a formula?
//
//   const Answer answer = check(order, words, formula, {}, diagnostics);
//   answer.verdict, answer.evidence, answer.statistics, answer.engine, answer.why
//
// State semantics: a cut gives every variable the value of the last assignment in it.  Runs go from
// a cut to the end of the trace, one event at a time.
//
// A formula is cut into parts that can be decided one by one (boolean operators outside, AG of
// conjunctions); each part is asked over the smallest lattice that shows it the truth (ctl_lattice)
// by the engine that suits it (ctl_engines):
//
//   detection   AG and EF of boolean combinations of atoms, nested: polynomial for each conjunction
//   explicit    few cuts: one sweep over all of them
//   symbolic    everything else: sets of cuts as interval sharing trees
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/verdict.hpp"
#include "trace/ctl_syntax.hpp"
#include "trace/order.hpp"

namespace cohort::trace::ctl {

enum class Engine : std::uint8_t { Auto, Explicit, Symbolic, Detection };

struct Options {
  Engine engine = Engine::Auto;
  std::function<bool()> should_stop;  ///< a limit: true ends the check with Unknown
};

/// A cut, and how to get there.  For AG f that fails: a cut where f fails.  For A[f U g] and the
/// like: the path is the start of a run (up to its end, for AF) that does not satisfy it.
struct Evidence {
  Cut cut;
  std::vector<Event> path;  ///< from the empty cut
};

struct Statistics {
  std::uint64_t events = 0;
  std::uint64_t visible_events = 0;  ///< the most of any part
  std::uint64_t parts = 0;
  std::uint64_t cuts = 0;          ///< looked at one by one
  std::uint64_t nodes = 0;         ///< of trees, at most at once
  std::uint64_t conjunctions = 0;  ///< looked at by detection
};

struct Answer {
  base::Verdict verdict = base::Verdict::Unknown;
  std::string reason;                ///< why Unknown
  std::optional<Evidence> evidence;  ///< a witness if the formula holds, else a counterexample
  Statistics statistics;
  std::string engine;  ///< `detection`, `explicit`, `symbolic`, or several of them with + between
  std::string why;     ///< why this one, in words
};

/// Errors (unordered writes, division by zero) go to `diagnostics`, about the formula's source.
[[nodiscard]] Answer check(const Order& order, const Vocabulary& words, const Formula& formula,
                           const Options& options, base::Diagnostics& diagnostics);

}  // namespace cohort::trace::ctl
