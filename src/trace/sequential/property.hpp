// Properties of sequential traces, made from text.
//
//   Atoms atoms;
//   const Property property = Property::from_ltl(atoms, 0, "ltl1", "G(a = 1 -> F b = 1)",
//   Extension::None); if (!property.ok()) std::cerr << base::render(property.source(),
//   property.diagnostics());
//
// Whatever it is made from, a property is a deterministic automaton with a judgement about ending
// here: whether the trace is good if this was its last position.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "ltl/formula.hpp"
#include "monitor/automaton.hpp"
#include "monitor/monitor_file.hpp"
#include "trace/sequential/atoms.hpp"
#include "trace/sequential/value_checks.hpp"

namespace cohort::trace::sequential {

using ltl::StateIndex;

/// What comes behind the last position.
enum class Extension : std::uint8_t {
  None,  ///< nothing: finite words
  Loop,  ///< the last state, for ever
};

/// A transition of a monitor that updates counters.
struct CounterUpdate {
  std::uint32_t counter = 0;
  Term value;  ///< over slots, and behind them counters: see Counters::first_counter
};
struct CounterMove {
  StateIndex from = 0;
  ltl::Decision letter{};
  std::vector<CounterUpdate> updates;
};
/// What a statistical automaton counts.
struct Counters {
  std::vector<std::string> names;
  std::vector<Value> initial;  ///< long ones are in `texts`
  std::vector<std::string> texts;
  std::vector<CounterMove> moves;
  /// In terms, variable numbers from here on are counters.
  static constexpr std::uint32_t first_counter = 0x8000'0000U;
  std::vector<std::uint32_t> slots;  ///< that updates read
};

class Property {
 public:
  enum class Kind : std::uint8_t { Ltl, Monitor, Automaton };

  /// `number` is the property's place among all; `atoms` is shared by all.  `limits` are those of
  /// the run: a translation that exceeds them ends without an automaton.
  [[nodiscard]] static Property from_ltl(Atoms& atoms, std::size_t number, const std::string& name,
                                         const std::string& formula, Extension extension,
                                         base::Limits* limits = nullptr);
  /// The text of a `.mon` file; it is called what the file calls it.
  [[nodiscard]] static Property from_monitor(Atoms& atoms, std::size_t number, base::Source source);
  /// The text of a `.hoa` file, which accepts the bad words; its atoms' names are comparisons.
  [[nodiscard]] static Property from_automaton(Atoms& atoms, std::size_t number,
                                               base::Source source, Extension extension);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool ok() const { return !diagnostics_->has_errors(); }
  [[nodiscard]] base::Diagnostics& diagnostics() const { return *diagnostics_; }
  [[nodiscard]] const base::Source& source() const { return *source_; }

  /// Nothing if the automaton would be too large, or took too long: the verdict is then unknown.
  [[nodiscard]] bool has_automaton() const { return compiled_ != nullptr; }
  [[nodiscard]] const monitor::Compiled& compiled() const { return *compiled_; }
  /// By the automaton's numbers: which atoms of the table they are.
  [[nodiscard]] const std::vector<std::uint32_t>& atoms() const { return own_; }
  /// Whether the trace is good if it ends with a position with these atoms, in this state.
  [[nodiscard]] bool good(StateIndex state, const std::uint64_t* bits) const;
  /// Whether nothing that follows can change what good() says.
  [[nodiscard]] bool settled(StateIndex state) const;
  [[nodiscard]] bool looks_at_letter() const { return loop_ != nullptr; }

  /// What has to have a value.
  [[nodiscard]] const ValueChecks& value_checks() const { return value_checks_; }

  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] bool has_counters() const { return !counters_.names.empty(); }
  /// The letters of the counters' moves.
  [[nodiscard]] const ltl::Decisions& letters() const { return *letters_; }

  /// The formula itself, for finding its pattern; of Kind::Ltl.
  [[nodiscard]] ltl::Formulas& formulas() const { return *formulas_; }
  [[nodiscard]] ltl::Formula formula() const { return formula_; }

 private:
  /// Sets of states of a Büchi automaton of bad words, and what they accept when the last letter
  /// repeats.
  struct LoopEnd {
    std::unique_ptr<monitor::Compiled> automaton;
    std::vector<std::vector<StateIndex>> subsets;
  };

  Property(Kind kind, std::string name, base::Source source);
  /// Of an automaton over finite words that accepts the bad ones.
  void finish_bad(ltl::Automaton automaton);
  /// Of a Büchi automaton that accepts the bad ones.
  void finish_loop(ltl::Automaton automaton);
  void read_counters(const monitor::MonitorFile& file, monitor::Monitor& made, AtomReader& reader);

  Kind kind_;
  std::string name_;
  std::string text_;
  // On the heap: a property may be moved while others point to these.
  std::unique_ptr<base::Source> source_;
  std::unique_ptr<base::Diagnostics> diagnostics_;
  std::unique_ptr<ltl::Formulas> formulas_;
  ltl::Formula formula_{};
  std::vector<std::uint32_t> own_;
  std::unique_ptr<monitor::Compiled> compiled_;
  std::unique_ptr<LoopEnd> loop_;
  std::unique_ptr<ltl::Decisions> letters_;
  Counters counters_;
  ValueChecks value_checks_;
};

}  // namespace cohort::trace::sequential
