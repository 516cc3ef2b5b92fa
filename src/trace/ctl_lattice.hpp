// The cuts of a trace, as far as some atoms can see them.
//
//   const Writes writes{order, words, formula, diagnostics};   // refuses unordered writes
//   const Lattice lattice{writes, atoms, {}};
//   lattice.num_components();  lattice.clock({c, v});  lattice.truth(atom, cut);
//
// Idea.  A formula without X cannot count events, and an event that changes the truth of no atom is
// invisible to it.  Dropping the invisible events and keeping the order of the others gives a
// smaller partial order; a cut of the trace corresponds to the visible events in it.  From a cut
// that can reach, in the small order, one with a further visible event e, the trace can fire the
// invisible events below e first, which changes nothing that an atom sees, and then e.  So every
// run of one is, up to repetitions, a run of the other, and since runs are finite a cut and its
// image satisfy the same formulas without X.  A process without visible events is gone altogether:
// a property of two philosophers out of ten is about two processes.
//
// What an atom sees is a *signal*: a chain of events, each with the value that holds from it on. An
// atom whose variables are assigned on one chain (by one process, or by several in order) is
// *local* and has a signal of its own with the values false and true; any other atom is a function
// of the signals of its variables.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.hpp"
#include "trace/ctl_atom.hpp"
#include "trace/ctl_syntax.hpp"
#include "trace/order.hpp"

namespace cohort::trace::ctl {

/// All assignments to the variables of a formula, in their order.
class Writes {
 public:
  struct Write {
    Event event;
    Value value;
  };

  /// An error, at the variable's place in the formula, for each variable with two unordered
  /// assignments; it names both.  `order` and `words` must outlive this object.
  Writes(const Order& order, const Vocabulary& words, const Formula& formula,
         base::Diagnostics& diagnostics);

  [[nodiscard]] const Order& order() const { return order_; }
  [[nodiscard]] const Vocabulary& words() const { return words_; }
  [[nodiscard]] std::span<const Write> of(VariableId variable) const {
    return writes_[slots_.at(variable)];
  }
  /// How many events are at or below this one.
  [[nodiscard]] std::uint64_t depth(Event e) const;

 private:
  const Order& order_;
  const Vocabulary& words_;
  std::unordered_map<VariableId, std::size_t> slots_;
  std::vector<std::vector<Write>> writes_;
};

/// Visible event `position` (from 1) of a component.
struct Step {
  std::uint32_t component = 0;
  std::uint32_t position = 0;
};

/// A chain of visible events and the value after each of them.
struct Signal {
  struct Place {
    std::uint32_t component = 0;
    std::vector<std::uint32_t>
        index;  ///< by position of the component: the last event of the chain
  };

  std::vector<Step> events;          ///< number i + 1 of the chain is events[i]
  std::vector<std::uint32_t> value;  ///< value[0] before the first event
  std::vector<Place> places;         ///< the components of its events, each once

  /// How many events of the chain are in the cut.
  [[nodiscard]] std::uint32_t index_in(std::span<const std::uint32_t> cut) const {
    std::uint32_t index = 0;
    for (const Place& place : places) {
      index = std::max(index, place.index[cut[place.component]]);
    }
    return index;
  }
};

class Lattice {
 public:
  struct Options {
    bool every_event = false;    ///< X occurs: nothing may be dropped
    bool process_order = false;  ///< components in the order of processes, not in a clever one
  };

  /// What an atom sees: one signal whose values are its truth, or the signals of its variables.
  struct View {
    bool local = false;
    std::vector<std::uint32_t> signals;
  };

  /// `atoms` are numbers of atoms of the formula.  Keeps references to both.
  Lattice(const Writes& writes, const std::vector<Atom>& all_atoms,
          std::span<const std::uint32_t> atoms, Options options);

  [[nodiscard]] const Order& order() const { return order_; }
  [[nodiscard]] std::size_t num_components() const { return components_.size(); }
  [[nodiscard]] std::uint32_t num_events(std::size_t component) const {
    return static_cast<std::uint32_t>(components_[component].positions.size());
  }
  [[nodiscard]] std::size_t num_events() const { return num_events_; }
  [[nodiscard]] std::vector<std::uint32_t> top() const;

  /// The least cut with this event.
  [[nodiscard]] std::span<const std::uint32_t> clock(Step step) const {
    return {clocks_.data() + row(step), num_components()};
  }
  /// The greatest cut without this event.
  [[nodiscard]] std::span<const std::uint32_t> without(Step step) const {
    return {withouts_.data() + row(step), num_components()};
  }
  /// The events that come after `step` and need nothing later of its component, one for each other
  /// component at most: `step`, if it is the last of its component in a cut, can be taken out of it
  /// exactly if none of these is in.
  [[nodiscard]] std::span<const Step> holders(Step step) const {
    const std::size_t at = components_[step.component].first_event + step.position - 1;
    return {holders_.data() + holder_begins_[at], holder_begins_[at + 1] - holder_begins_[at]};
  }

  [[nodiscard]] const View& view(std::uint32_t atom) const { return views_.at(atom); }
  [[nodiscard]] const Signal& signal(std::uint32_t number) const { return signals_[number]; }
  /// The truth of an atom when the signals that it sees have these values.
  [[nodiscard]] bool truth_of_values(std::uint32_t atom,
                                     std::span<const std::uint32_t> values) const;
  [[nodiscard]] bool truth(std::uint32_t atom, std::span<const std::uint32_t> cut) const;
  /// Number of different values of a signal.
  [[nodiscard]] std::size_t num_values(std::uint32_t signal) const;

  /// The process of a component, and where in it a visible event stands (0: at the start).
  [[nodiscard]] ProcessId process(std::size_t component) const {
    return components_[component].process;
  }
  [[nodiscard]] std::uint32_t position(Step step) const {
    if (step.position == 0) return 0;
    return components_[step.component].positions[step.position - 1];
  }
  /// Events of the trace that lead along the visible `steps` from the empty cut, every event after
  /// those below it.  With `to_the_end` all other events follow.
  [[nodiscard]] std::vector<Event> path(std::span<const Step> steps, bool to_the_end) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Component {
    ProcessId process{};
    std::vector<std::uint32_t> positions;  ///< of its visible events in the process
    std::size_t first_event = 0;
  };
  struct RawSignal {
    std::vector<Event> events;
    std::vector<std::uint32_t> value;
  };

  [[nodiscard]] std::size_t row(Step step) const {
    return (components_[step.component].first_event + step.position - 1) * num_components();
  }
  [[nodiscard]] RawSignal local_signal(const Writes& writes, const Atom& atom,
                                       std::span<const Event> chain) const;
  [[nodiscard]] std::uint32_t variable_signal(const Writes& writes, VariableId variable);
  void choose_components(bool every_event, bool process_order);
  void arrange_components();
  void compute_clocks();
  void compute_signals();

  const Order& order_;
  const std::vector<Atom>& atoms_;
  std::vector<RawSignal> raw_;
  std::unordered_map<VariableId, std::uint32_t> variable_signals_;
  std::vector<std::vector<Value>> signal_values_;  ///< by signal of a variable
  std::unordered_map<std::uint32_t, View> views_;
  std::vector<Signal> signals_;
  std::vector<Component> components_;
  std::size_t num_events_ = 0;
  std::vector<std::uint32_t> clocks_;
  std::vector<std::uint32_t> withouts_;
  std::vector<Step> holders_;
  std::vector<std::uint32_t> holder_begins_;
  mutable std::unordered_map<std::uint64_t, bool> truths_;  ///< of atoms that are not local
};

}  // namespace cohort::trace::ctl
