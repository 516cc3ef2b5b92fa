// Properties of partial-order traces, made from text.
//
//   const Property property = Property::from_ltl("ltl1", "G(a = 1 -> F b = 1)", trace.words);
//   if (!property.ok()) std::cerr << base::render(property.source(), property.diagnostics());
//
// Whatever it is made from, a property is an automaton that accepts the bad orders.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/limits.hpp"
#include "base/source.hpp"
#include "ltl/automaton.hpp"
#include "ltl/formula.hpp"
#include "monitor/automaton.hpp"
#include "trace/event_atoms.hpp"
#include "trace/letters.hpp"
#include "trace/vocabulary.hpp"

namespace cohort::trace {

/// An automaton of bad words, over atoms that are resolved against a trace's variables.
class Property {
 public:
  enum class Kind { Ltl, Monitor, Automaton };

  /// Whoever makes a property keeps `words` alive as long as it.
  /// `limits` are those of the run: a translation that exceeds them ends without an automaton.
  [[nodiscard]] static Property from_ltl(const std::string& name, const std::string& formula,
                                         const Vocabulary& words, base::Limits* limits = nullptr);
  /// A monitor, the text of a `.mon` file; it is called what the file calls it.
  [[nodiscard]] static Property from_monitor(base::Source source, const Vocabulary& words);
  /// Any automaton; its atoms' names are comparisons.
  [[nodiscard]] static Property from_automaton(const std::string& name, base::Source source,
                                               ltl::Automaton automaton, const Vocabulary& words);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The formula, or where the automaton comes from.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// What is wrong with it, and the text that this is about.
  [[nodiscard]] bool ok() const { return !diagnostics_->has_errors(); }
  [[nodiscard]] const base::Diagnostics& diagnostics() const { return *diagnostics_; }
  [[nodiscard]] const base::Source& source() const { return *source_; }

  /// Nothing if the automaton would be too large, or took too long: the verdict is then unknown.
  [[nodiscard]] bool has_automaton() const { return compiled_ != nullptr; }
  [[nodiscard]] const monitor::Compiled& compiled() const { return *compiled_; }
  [[nodiscard]] const Letters& letters() const { return *letters_; }
  /// A state's name, for people.
  [[nodiscard]] std::string state_name(ltl::StateIndex m) const;

 private:
  Property(Kind kind, std::string name, base::Source source, const Vocabulary& words);
  /// What the automaton's next atom means: a formula without temporal operators, or a function.
  void add_condition(ltl::Formula condition);
  void add_meaning(std::function<bool(EffectId)> meaning);
  void finish(ltl::Automaton automaton, const Vocabulary& words);

  Kind kind_;
  std::string name_;
  std::string text_;
  // On the heap: a property may be moved while others point to these.
  std::unique_ptr<base::Source> source_;
  std::unique_ptr<base::Diagnostics> diagnostics_;
  std::unique_ptr<EventAtoms> atoms_;
  std::unique_ptr<ltl::Formulas> formulas_;
  std::vector<std::function<bool(EffectId)>> meanings_;
  std::vector<std::string> state_names_;
  std::unique_ptr<monitor::Compiled> compiled_;
  std::unique_ptr<Letters> letters_;
};

}  // namespace cohort::trace
