// Properties of partial-order traces: made from text, checked on one execution.
//
//   Property property = Property::from_ltl("ltl1", "G(a = 1 -> F b = 1)", reading.trace.words);
//   if (!property.ok()) std::cerr << render(property.source(), property.diagnostics());
//   const Answer answer = check(order, property, {.engine = Engine::Auto}, limits);
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.hpp"
#include "base/limits.hpp"
#include "base/source.hpp"
#include "ltl/automaton.hpp"
#include "monitor/automaton.hpp"
#include "trace/answer.hpp"
#include "trace/event_atoms.hpp"
#include "trace/letters.hpp"
#include "trace/order.hpp"

namespace cohort::trace {

/// An automaton of bad words, over atoms that are resolved against a trace's variables.
class Property {
 public:
  enum class Kind { Ltl, Monitor, Automaton };

  /// Whoever makes a property keeps `words` alive as long as it.
  [[nodiscard]] static Property from_ltl(std::string name, const std::string& formula,
                                         const Vocabulary& words);
  /// Any automaton; its atoms' names are comparisons.
  [[nodiscard]] static Property from_automaton(std::string name, base::Source source,
                                               ltl::Automaton automaton, const Vocabulary& words);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The formula, or where the automaton comes from.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// What is wrong with it, and the text that this is about.
  [[nodiscard]] bool ok() const { return !diagnostics_->has_errors(); }
  [[nodiscard]] const base::Diagnostics& diagnostics() const { return *diagnostics_; }
  [[nodiscard]] const base::Source& source() const { return *source_; }

  /// Nothing if the automaton would be too large: the verdict is then unknown.
  [[nodiscard]] bool has_automaton() const { return compiled_ != nullptr; }
  [[nodiscard]] const monitor::Compiled& compiled() const { return *compiled_; }
  [[nodiscard]] const Letters& letters() const { return *letters_; }
  /// A state's name, for people.
  [[nodiscard]] std::string state_name(ltl::StateIndex m) const;

 private:
  Property() = default;
  void finish(ltl::Automaton automaton, const Vocabulary& words);
  [[nodiscard]] bool holds_at(ltl::Formula condition, EffectId effect) const;

  Kind kind_ = Kind::Ltl;
  std::string name_;
  std::string text_;
  std::unique_ptr<base::Source> source_;
  std::unique_ptr<base::Diagnostics> diagnostics_;
  std::unique_ptr<EventAtoms> atoms_;
  // Of a foreign automaton: what its atoms mean.
  std::unique_ptr<ltl::Formulas> formulas_;
  std::vector<ltl::Formula> conditions_;
  std::vector<std::string> state_names_;
  std::unique_ptr<monitor::Compiled> compiled_;
  std::unique_ptr<Letters> letters_;
};

struct CheckOptions {
  Engine engine = Engine::Auto;
};

/// Whether every order of the execution avoids the bad words.  `property` is ok().
[[nodiscard]] Answer check(const Order& order, const Property& property,
                           const CheckOptions& options, base::Limits& limits);

/// The engine that Engine::Auto stands for: explicit where all events are ordered, for there it
/// only runs the automaton once; symbolic everywhere else.
[[nodiscard]] Engine pick_engine(const Order& order);

/// Whether any two events are ordered: the trace has width 1.
[[nodiscard]] bool is_total(const Order& order);

}  // namespace cohort::trace
