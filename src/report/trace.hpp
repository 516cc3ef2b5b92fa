// What a check of traces found, and how it is shown: text, JSON, JUnit.
//
//   TraceReport report{.version = …, .inputs = {"run.trace"}};
//   report.results.push_back(result);
//   out << json_of(report);
//
// The results carry names and numbers only, so that whatever is checked on traces fits in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/verdict.hpp"
#include "report/trace_where.hpp"

namespace cohort::report {

/// An event where the automaton moves.
struct TraceMove {
  std::string event;        ///< `P1#2`
  std::string assignments;  ///< `x := 1, y := 2`
  std::uint32_t line = 0;
  std::string from;  ///< states of the automaton
  std::string to;
};

/// A value, as text: digits, or a string without quotes.
struct TraceValue {
  std::string text;
  bool number = false;
};

/// A position of a sequential trace.
struct TracePlace {
  struct Variable {
    std::string name;
    TraceValue before;  ///< at the position before
    TraceValue now;
  };

  std::uint64_t line = 0;
  std::uint64_t position = 0;      ///< from 0
  std::optional<TraceValue> time;  ///< none: the trace has no time stamps
  std::vector<Variable> variables;
  std::vector<std::pair<std::string, TraceValue>>
      past;            ///< `x?1`, `x?C`: what the formula asks for
  bool loop = false;   ///< the last line was repeated for ever
  bool waits = false;  ///< what is waited for from here on never comes; otherwise it is lost here
};

/// A figure about a trace, or the end of a counter.
struct TraceFigure {
  std::string name;
  TraceValue value;
};

struct TraceEvidence {
  bool witness = false;               ///< that it holds; otherwise a counterexample
  std::vector<std::string> order;     ///< all events: against LTL and monitors
  std::vector<std::uint32_t> states;  ///< of the automaton: before the first event and after each
  std::vector<TraceMove> moves;       ///< the events that matter, as they stand in the order
  std::vector<std::pair<std::string, std::uint32_t>> cut;  ///< against CTL, with a path to it
  std::vector<std::string> path;
  std::optional<TracePlace> place;  ///< on a sequential trace, and nothing else
};

struct TraceResult {
  std::string input;
  std::size_t execution = 0;  ///< from 1; 0: the file has only one
  std::string name;
  std::string kind;     ///< "ltl", "monitor", "automaton", "ctl"
  std::string formula;  ///< or the file that the property is from
  base::Verdict verdict = base::Verdict::Unknown;
  bool expected = true;
  std::string reason;  ///< of an unknown verdict
  std::string engine;  ///< and in brackets, for people, why it was picked
  std::string engine_reason;
  std::optional<TraceEvidence> evidence;
  std::optional<TraceWhere> where;  ///< of a CTL formula, if asked for
  std::vector<std::pair<std::string, std::uint64_t>> statistics;
  std::string pattern;  ///< of a formula, with --statistics; "none" if it has none
  /// What its p, s, q and r are.
  std::vector<std::pair<std::string, std::string>> conditions;
  std::vector<TraceFigure> figures;  ///< likewise, and counters of a monitor
  bool sequential = false;
  double seconds = 0;

  [[nodiscard]] bool as_expected() const {
    return verdict == (expected ? base::Verdict::Holds : base::Verdict::Fails);
  }
};

/// Something wrong with the input.
struct TraceError {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;
  std::string hint;
};

/// What one file holds.
struct TraceInput {
  std::string file;
  std::size_t executions = 0;
  std::size_t processes = 0;
  std::size_t events = 0;
  double seconds = 0;         ///< reading it
  bool sequential = false;    ///< then `events` are positions
  std::size_t variables = 0;  ///< of a sequential one: those that are watched
};

struct TraceReport {
  std::string version;
  std::vector<TraceInput> inputs;
  std::vector<TraceResult> results;
  std::vector<TraceError> errors;
  std::vector<TraceError> warnings;
  std::uint64_t memory_bytes = 0;
};

[[nodiscard]] std::string text_of(const TraceInput& input);
[[nodiscard]] std::string text_of(const TracePlace& place);
[[nodiscard]] std::string text_of(const TraceResult& result);
[[nodiscard]] std::string json_of(const TraceReport& report);
[[nodiscard]] std::string junit_of(const TraceReport& report);

}  // namespace cohort::report
