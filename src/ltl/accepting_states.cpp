// Marks on edges become accepting states.
//
// Idea.  A copy of a state knows how many marks, in some fixed order, have been seen since the last
// accepting one; an edge may bring several at once.  Only inside an accepting component copies are
// needed at all, only for the marks that tell cycles of this component apart, and who comes from
// outside may enter any copy.
#include <algorithm>
#include <map>
#include <utility>

#include "ltl/generalized.hpp"

namespace cohort::ltl {
namespace {

class Copies {
 public:
  Copies(const Generalized& from, std::size_t first_mark, std::vector<std::string> atoms)
      : from_(from), found_(components(from.graph())), first_mark_(first_mark) {
    made_.acceptance = Acceptance::Buchi;
    made_.atoms = std::move(atoms);
    made_.letters = from.letters;
    order_marks();
    entry_.assign(from.num_states(), none);
  }

  [[nodiscard]] Automaton run() {
    for (const StateIndex s : from_.initial) made_.initial.push_back(enter(s));
    for (std::size_t i = 0; i < copies_.size(); ++i) expand(static_cast<StateIndex>(i));
    std::ranges::sort(made_.initial);
    return std::move(made_);
  }

 private:
  struct Copy {
    StateIndex state;
    std::size_t seen;  // of the component's marks; all: accepting
  };

  /// The marks of each component in the order in which they are counted.  Nothing: not accepting.
  void order_marks() {
    const std::size_t count = found_.count();
    std::vector<std::vector<const MarkedEdge*>> inside(count);
    for (StateIndex s = 0; s < from_.num_states(); ++s) {
      for (const MarkedEdge& edge : from_.states[s]) {
        if (found_.of[s] == found_.of[edge.target]) inside[found_.of[s]].push_back(&edge);
      }
    }
    orders_.resize(count);
    accepting_.assign(count, false);
    for (std::size_t c = 0; c < count; ++c) {
      Marks seen;
      for (const MarkedEdge* edge : inside[c]) seen |= edge->marks;
      accepting_[c] = found_.has_cycle[c] && seen == from_.all_marks();
      if (accepting_[c]) orders_[c] = needed_marks(inside[c]);
    }
  }

  [[nodiscard]] std::vector<std::size_t> needed_marks(
      const std::vector<const MarkedEdge*>& edges) const {
    std::vector<std::size_t> needed;
    for (std::size_t i = 0; i < from_.num_marks; ++i) {
      needed.push_back((i + first_mark_) % from_.num_marks);
    }
    const auto comes_with = [&](std::size_t mark, std::size_t other) {
      return std::ranges::all_of(edges, [&](const MarkedEdge* edge) {
        return !edge->marks.test(other) || edge->marks.test(mark);
      });
    };
    for (std::size_t i = 0; i < needed.size();) {
      const bool everywhere = std::ranges::all_of(
          edges, [&](const MarkedEdge* edge) { return edge->marks.test(needed[i]); });
      const bool superfluous = everywhere || std::ranges::any_of(needed, [&](std::size_t other) {
                                 return other != needed[i] && comes_with(needed[i], other);
                               });
      if (superfluous) {
        needed.erase(needed.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    return needed;
  }

  [[nodiscard]] StateIndex copy_of(StateIndex s, std::size_t seen) {
    const auto number = static_cast<StateIndex>(copies_.size());
    const auto [place, is_new] = numbers_.emplace(std::pair(s, seen), number);
    if (is_new) {
      copies_.push_back({s, seen});
      const std::uint32_t c = found_.of[s];
      made_.states.emplace_back().accepting = accepting_[c] && seen == orders_[c].size();
      if (entry_[s] == none) entry_[s] = number;
    }
    return place->second;
  }

  /// From another component, or at the start: a copy that is there already is as good as any.
  [[nodiscard]] StateIndex enter(StateIndex s) {
    return entry_[s] != none ? entry_[s] : copy_of(s, 0);
  }

  void expand(StateIndex number) {
    const Copy copy = copies_[number];
    const std::uint32_t c = found_.of[copy.state];
    const std::vector<std::size_t>& order = orders_[c];
    for (const MarkedEdge& edge : from_.states[copy.state]) {
      if (found_.of[edge.target] != c) {
        made_.add_edge(number, edge.letter, enter(edge.target));
        continue;
      }
      std::size_t seen = copy.seen == order.size() ? 0 : copy.seen;
      while (seen < order.size() && edge.marks.test(order[seen])) ++seen;
      made_.add_edge(number, edge.letter, copy_of(edge.target, seen));
    }
  }

  static constexpr StateIndex none = ~StateIndex{0};

  const Generalized& from_;
  Components found_;
  std::size_t first_mark_;
  std::vector<std::vector<std::size_t>> orders_;  // by component
  std::vector<bool> accepting_;                   // by component
  std::vector<StateIndex> entry_;                 // by state: some copy
  std::vector<Copy> copies_;
  std::map<std::pair<StateIndex, std::size_t>, StateIndex> numbers_;
  Automaton made_;
};

}  // namespace

Automaton with_accepting_states(const Generalized& automaton, std::size_t first_mark,
                                std::vector<std::string> atoms) {
  Automaton made = Copies(automaton, first_mark, std::move(atoms)).run();
  trim(made);
  return made;
}

}  // namespace cohort::ltl
