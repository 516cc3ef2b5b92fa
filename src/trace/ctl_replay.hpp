// Judges evidence about CTL on traces, without the engines: nothing here knows their formulas,
// lattices or trees.
//
//   const Judgement judgement = replay(order, words, source, holds, cut, path);
//   if (judgement.outcome != Judgement::Outcome::Confirmed) std::cerr << judgement.reason;
//
// The path is walked event by event; every event must come after all that comes before it, and the
// path must end in the cut.  Then the path has to show what it claims: a cut that violates f for AG
// f, a run without f for AF f, and so on.  What has no temporal operator is evaluated on the spot;
// what has one, by listing all cuts above, up to a limit.  In a boolean combination the path is
// about one part that the verdict rests on; about the others the list decides, and about all where
// no part is such that a path could show it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/source.hpp"
#include "trace/order.hpp"
#include "trace/replay.hpp"

namespace cohort::trace::ctl {

struct Judgement {
  enum class Outcome : std::uint8_t { Confirmed, Refuted, Undecided };
  Outcome outcome = Outcome::Refuted;
  std::string reason;  ///< empty if confirmed
};

/// `formula` is the formula's text, `holds` the verdict that the evidence is for.
[[nodiscard]] Judgement replay(const Order& order, const Vocabulary& words,
                               const base::Source& formula, bool holds,
                               std::span<const std::uint32_t> cut, std::span<const Event> path);

/// The same in the words of a report: processes and events by their names.  A cut may leave out
/// processes of which no event has happened.
[[nodiscard]] trace::Judgement judge_ctl(const Trace& trace, const Order& order,
                                         const std::string& formula, bool holds,
                                         std::span<const std::pair<std::string, std::uint32_t>> cut,
                                         std::span<const std::string> path);

}  // namespace cohort::trace::ctl
