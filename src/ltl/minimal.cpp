// Minimisation of deterministic automata over finite words.
//
// Idea.  Start with accepting and rejecting states as two classes.  Two states of a class stay
// together as long as they go to the same classes by the same letters.  When a class is split its
// largest part keeps the number, so that only the predecessors of the smaller parts have to be
// looked at again: a state is looked at again only when the class of a successor has at most half
// the size that it had (Hopcroft).
#include <algorithm>
#include <map>
#include <utility>

#include "ltl/finite_word.hpp"

namespace cohort::ltl {
namespace {

class Refinement {
 public:
  explicit Refinement(Automaton& automaton) : automaton_(automaton) {
    const std::size_t n = automaton.num_states();
    before_.resize(n);
    class_of_.resize(n);
    members_.resize(2);
    for (StateIndex s = 0; s < n; ++s) {
      for (const Edge& edge : automaton.states[s].edges) before_[edge.target].push_back(s);
      class_of_[s] = automaton.states[s].accepting ? 1 : 0;
      members_[class_of_[s]].push_back(s);
    }
    dirty_.assign(n, true);
  }

  /// The class of each state.
  [[nodiscard]] std::vector<std::uint32_t> run() {
    std::vector<StateIndex> open(class_of_.size());
    for (StateIndex s = 0; s < open.size(); ++s) open[s] = s;
    while (!open.empty()) open = round(open);
    return std::move(class_of_);
  }

 private:
  using Signature = std::vector<std::pair<std::uint32_t, Decision>>;

  [[nodiscard]] Signature signature(StateIndex s) {
    std::map<std::uint32_t, Decision> letters;
    for (const Edge& edge : automaton_.states[s].edges) {
      Decision& letter = letters.emplace(class_of_[edge.target], Decision::False).first->second;
      letter = automaton_.letters.disjunction(letter, edge.letter);
    }
    return {letters.begin(), letters.end()};
  }

  /// Looks at the states of `open`; gives those that have to be looked at next.
  [[nodiscard]] std::vector<StateIndex> round(const std::vector<StateIndex>& open) {
    std::map<std::uint32_t, std::vector<StateIndex>> by_class;
    for (const StateIndex s : open) by_class[class_of_[s]].push_back(s);
    // All signatures before any class changes.
    std::vector<std::pair<std::uint32_t, std::map<Signature, std::vector<StateIndex>>>> splits;
    for (const auto& [number, states] : by_class) {
      std::map<Signature, std::vector<StateIndex>> groups;
      for (const StateIndex s : states) groups[signature(s)].push_back(s);
      if (states.size() < members_[number].size()) {
        // The others have kept their signature, which is the same for all of them.
        const auto other =
            std::ranges::find_if(members_[number], [&](StateIndex s) { return !dirty_[s]; });
        std::vector<StateIndex>& group = groups[signature(*other)];
        for (const StateIndex s : members_[number]) {
          if (!dirty_[s]) group.push_back(s);
        }
      }
      if (groups.size() > 1) splits.emplace_back(number, std::move(groups));
    }
    for (const StateIndex s : open) dirty_[s] = false;
    std::vector<StateIndex> next;
    for (auto& [number, groups] : splits) split(number, groups, next);
    return next;
  }

  void split(std::uint32_t number, std::map<Signature, std::vector<StateIndex>>& groups,
             std::vector<StateIndex>& next) {
    const auto largest =
        std::ranges::max_element(groups, {}, [](const auto& group) { return group.second.size(); });
    for (auto group = groups.begin(); group != groups.end(); ++group) {
      if (group == largest) continue;
      const auto fresh = static_cast<std::uint32_t>(members_.size());
      for (const StateIndex s : group->second) {
        class_of_[s] = fresh;
        for (const StateIndex p : before_[s]) {
          if (dirty_[p]) continue;
          dirty_[p] = true;
          next.push_back(p);
        }
      }
      members_.push_back(std::move(group->second));
    }
    members_[number] = std::move(largest->second);
  }

  Automaton& automaton_;
  std::vector<std::vector<StateIndex>> before_;
  std::vector<std::uint32_t> class_of_;
  std::vector<std::vector<StateIndex>> members_;
  std::vector<bool> dirty_;
};

}  // namespace

Automaton minimal(Automaton automaton) {
  assert(automaton.is_deterministic() && automaton.is_complete());
  const std::vector<std::uint32_t> class_of = Refinement(automaton).run();
  Automaton made;
  made.atoms = std::move(automaton.atoms);
  made.acceptance = automaton.acceptance;
  made.name = std::move(automaton.name);
  std::vector<StateIndex> representatives;
  std::map<std::uint32_t, StateIndex> numbers;
  const auto number_of = [&](StateIndex s) {
    const auto [place, is_new] =
        numbers.emplace(class_of[s], static_cast<StateIndex>(representatives.size()));
    if (is_new) representatives.push_back(s);
    return place->second;
  };
  made.initial = {number_of(automaton.initial.front())};
  made.letters = std::move(automaton.letters);
  for (std::size_t i = 0; i < representatives.size(); ++i) {
    const AutomatonState& old = automaton.states[representatives[i]];
    made.states.emplace_back().accepting = old.accepting;
    for (const Edge& edge : old.edges) {
      made.add_edge(static_cast<StateIndex>(i), edge.letter, number_of(edge.target));
    }
  }
  return made;
}

}  // namespace cohort::ltl
