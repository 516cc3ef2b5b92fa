#include "trace/sequential/determinize.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cohort::trace::sequential {
namespace {

using ltl::Decision;
using ltl::StateIndex;
using Subset = std::vector<StateIndex>;

/// The letters of a subset, sorted by where they lead.
[[nodiscard]] std::map<Subset, Decision> successors(ltl::Automaton& automaton,
                                                    const Subset& subset) {
  std::map<StateIndex, Decision> targets;
  for (const StateIndex q : subset) {
    for (const ltl::Edge& edge : automaton.states[q].edges) {
      Decision& letter = targets.emplace(edge.target, Decision::False).first->second;
      letter = automaton.letters.disjunction(letter, edge.letter);
    }
  }
  std::map<Subset, Decision> parts{{Subset{}, Decision::True}};
  for (const auto& [target, letter] : targets) {
    std::map<Subset, Decision> split;
    const auto add = [&](const Subset& to, Decision part) {
      if (part == Decision::False) return;
      Decision& all = split.emplace(to, Decision::False).first->second;
      all = automaton.letters.disjunction(all, part);
    };
    for (const auto& [to, part] : parts) {
      add(to, automaton.letters.difference(part, letter));
      Subset with = to;
      with.push_back(target);  // targets come in ascending order
      add(with, automaton.letters.conjunction(part, letter));
    }
    parts = std::move(split);
  }
  return parts;
}

}  // namespace

std::optional<Determinized> determinize(ltl::Automaton automaton, std::size_t most_states) {
  Determinized made;
  std::map<Subset, StateIndex> numbers;
  const auto number_of = [&](const Subset& subset) {
    const auto [place, is_new] =
        numbers.emplace(subset, static_cast<StateIndex>(made.subsets.size()));
    if (is_new) {
      made.subsets.push_back(subset);
      ltl::AutomatonState& state = made.automaton.states.emplace_back();
      state.accepting =
          std::ranges::any_of(subset, [&](StateIndex q) { return automaton.states[q].accepting; });
      if (subset.size() == 1) state.name = automaton.states[subset[0]].name;
    }
    return place->second;
  };
  made.automaton.initial = {number_of(automaton.initial)};
  std::vector<std::vector<ltl::Edge>> edges;
  for (StateIndex s = 0; s < made.subsets.size(); ++s) {
    if (made.subsets.size() > most_states) return std::nullopt;
    edges.emplace_back();
    const Subset subset = made.subsets[s];
    for (const auto& [to, letter] : successors(automaton, subset)) {
      edges.back().push_back({letter, number_of(to)});
    }
  }
  made.automaton.letters = std::move(automaton.letters);
  made.automaton.atoms = std::move(automaton.atoms);
  made.automaton.name = std::move(automaton.name);
  made.automaton.acceptance = ltl::Acceptance::Finite;
  for (StateIndex s = 0; s < edges.size(); ++s) {
    for (const ltl::Edge& edge : edges[s]) made.automaton.add_edge(s, edge.letter, edge.target);
  }
  return made;
}

}  // namespace cohort::trace::sequential
