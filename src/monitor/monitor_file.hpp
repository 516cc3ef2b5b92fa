// Monitors written by hand, `.mon` files: grammar/monitor.ebnf.
//
//   const MonitorFile file = parse_monitor(source, diagnostics);
//   if (!diagnostics.has_errors()) {
//     const Monitor monitor = automaton_of(file, Trigger::OnAssignment);
//     …                                      // monitor.automaton accepts the words that end badly
//   }
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "ltl/automaton.hpp"
#include "ltl/syntax.hpp"

namespace cohort::monitor {

/// `n = -2.5`, in a `counter` line.
struct Counter {
  ltl::syntax::Name name;
  bool negative = false;
  std::string_view value;  ///< the numeral, without sign
};

/// `n = n + 1`, behind `do`.
struct Update {
  ltl::syntax::Name counter;
  ltl::syntax::Expr value;
};

struct Transition {
  ltl::syntax::Name from;
  ltl::syntax::Name to;
  ltl::syntax::Expr guard;
  std::vector<Update> updates;
};

/// A monitor as it was written.  Views into the Source, which must outlive it.
struct MonitorFile {
  ltl::syntax::Name name;
  std::vector<base::Span> initial_lines;  ///< where the word `initial` stands
  std::vector<ltl::syntax::Name> initial;
  std::vector<ltl::syntax::Name> bad;
  std::vector<Counter> counters;
  std::vector<Transition> transitions;
};

/// Reports everything that is wrong, line by line; then the parts of a wrong file mean nothing.
/// Beyond the grammar: there is one `initial` line; what `initial` and `bad` name is mentioned
/// elsewhere, too; guards name no counter, updates name counters.
[[nodiscard]] MonitorFile parse_monitor(const base::Source& source, base::Diagnostics& diagnostics);

/// The grammar only.
[[nodiscard]] MonitorFile parse_monitor_syntax(const base::Source& source,
                                               base::Diagnostics& diagnostics);

/// The variables of a guard or an update, each once, by canonical text without history, in the
/// order of the text.
[[nodiscard]] std::vector<const ltl::syntax::Expr*> variables_of(const ltl::syntax::Expr& expr);

/// When a transition is triggered.
enum class Trigger : std::uint8_t {
  OnAssignment,  ///< the guard holds, and the event assigns a variable that the guard names
  Always,        ///< the guard holds
};

/// What is to be known of a position.
struct MonitorAtom {
  enum class Kind : std::uint8_t {
    Comparison,  ///< expr, a Compare, is true
    Assigns,     ///< the event assigns expr, a Variable (whose history does not matter)
  };
  Kind kind = Kind::Comparison;
  const ltl::syntax::Expr* expr = nullptr;  ///< in the MonitorFile
};

struct Monitor {
  /// Over finite words.  Accepting states are the bad ones: accepted is what is wrong.  Complete: a
  /// state stays where it is when nothing is triggered.  Not deterministic in general.  State names
  /// are those of the file.
  ltl::Automaton automaton;
  std::vector<MonitorAtom> atoms;  ///< by number
  /// The transitions of the file, by number, as edges: from, to, letter.
  struct Move {
    ltl::StateIndex from;
    ltl::StateIndex to;
    ltl::Decision letter;
  };
  std::vector<Move> moves;
};

/// The file must outlive the monitor.
[[nodiscard]] Monitor automaton_of(const MonitorFile& file, Trigger trigger);

}  // namespace cohort::monitor
