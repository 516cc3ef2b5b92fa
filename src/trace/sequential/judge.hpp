// The judge of evidence on sequential traces.
//
//   const std::optional<PlainTrace> trace = read_plainly(path, Form::Csv, {}, reason);
//   const Judgement judgement = judge_place(*trace, "G x <= 10", claim);
//
// Shares no code with the search: it has the trace in memory, evaluates atoms one by one, and
// formulas from the last position to the first by the definition.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ltl/automaton.hpp"
#include "monitor/monitor_file.hpp"
#include "trace/replay.hpp"
#include "trace/sequential/plain_trace.hpp"

namespace cohort::trace::sequential {

/// What the evidence says.  Values are as the native form writes them: digits, or "text".
struct Claim {
  std::uint64_t position = 0;
  std::optional<std::uint64_t> line;
  std::optional<std::string> time;
  std::vector<std::pair<std::string, std::string>> values;
  bool waits = false;
  bool loop = false;
};

/// Whether the formula fails on the trace, already fails on the part up to the position, and, for
/// what waits from there on, not before.
[[nodiscard]] Judgement judge_place(const PlainTrace& trace, const std::string& formula,
                                    const Claim& claim);
/// Whether some run of the monitor ends in a bad state.
[[nodiscard]] Judgement judge_place(const PlainTrace& trace, const monitor::MonitorFile& file,
                                    const Claim& claim);

/// Whether the automaton, whose atoms are named by comparisons, accepts the trace.
[[nodiscard]] Judgement judge_place(const PlainTrace& trace, const ltl::Automaton& automaton,
                                    const Claim& claim);

}  // namespace cohort::trace::sequential
