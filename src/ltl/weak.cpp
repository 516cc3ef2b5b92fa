// The smallest weak deterministic automaton of an obligation property.
//
// Idea.  Make the automaton deterministic by sets of states, as for finite words.  In each
// component of the result try one cycle: whether the given automaton accepts going round it decides
// whether the component is accepting.  If the property is an obligation that is the right
// automaton; whether it is, two products tell, one with the automaton and one with that of the
// negation.  A weak deterministic automaton is minimised like one over finite words, once the
// states on no cycle are accepting or not in the one right way.
//
// Source.  Dax, Eisinger and Klaedtke 2007; Löding 2001 for the minimisation; Spot does the same.
#include <algorithm>
#include <map>
#include <queue>
#include <utility>

#include "ltl/generalized.hpp"

namespace cohort::ltl {
namespace {

constexpr std::size_t most_sets = 400;
constexpr std::size_t most_pairs = 50'000;
constexpr std::size_t most_letters = 600;  // of one set

using Set = std::vector<StateIndex>;

/// The automaton of sets, complete; the empty set is a state like others.  Nothing if it is large.
[[nodiscard]] std::optional<std::pair<Automaton, std::vector<Set>>> deterministic(Generalized& from,
                                                                                  Effort& effort) {
  Automaton made;
  made.acceptance = Acceptance::Buchi;
  std::vector<Set> sets;
  std::map<Set, StateIndex> numbers;
  const auto number_of = [&](const Set& set) {
    const auto [place, is_new] = numbers.emplace(set, static_cast<StateIndex>(sets.size()));
    if (is_new) {
      sets.push_back(set);
      made.states.emplace_back();
    }
    return place->second;
  };
  Set start = from.initial;
  std::ranges::sort(start);
  made.initial = {number_of(start)};
  for (StateIndex i = 0; i < sets.size(); ++i) {
    if (sets.size() > most_sets) return std::nullopt;
    // All letters, split by every edge.
    std::map<Set, Decision> parts{{Set{}, Decision::True}};
    for (const StateIndex s : Set(sets[i])) {
      for (const MarkedEdge& edge : from.states[s]) {
        std::map<Set, Decision> finer;
        const auto add = [&](const Set& set, Decision letter) {
          if (letter == Decision::False) return;
          Decision& known = finer.emplace(set, Decision::False).first->second;
          known = from.letters.disjunction(known, letter);
        };
        for (const auto& [set, letter] : parts) {
          if (!effort.spend()) return std::nullopt;
          add(set, from.letters.difference(letter, edge.letter));
          Set more = set;
          const auto place = std::ranges::lower_bound(more, edge.target);
          if (place == more.end() || *place != edge.target) more.insert(place, edge.target);
          add(more, from.letters.conjunction(letter, edge.letter));
        }
        parts = std::move(finer);
        if (parts.size() > most_letters) return std::nullopt;
      }
    }
    for (const auto& [set, letter] : parts) {
      const StateIndex target = number_of(set);
      std::vector<Edge>& edges = made.states[i].edges;
      const auto place = std::ranges::lower_bound(edges, target, {}, &Edge::target);
      edges.insert(place, {letter, target});
    }
  }
  made.letters = from.letters;
  return std::pair(std::move(made), std::move(sets));
}

/// The letters along some cycle through `s`, one cube each, inside its component.
[[nodiscard]] std::vector<Decision> some_cycle(Automaton& automaton, const Components& found,
                                               StateIndex s) {
  constexpr StateIndex none = ~StateIndex{0};
  std::vector<std::pair<StateIndex, Decision>> before(automaton.num_states(),
                                                      {none, Decision::False});
  std::queue<StateIndex> open;
  open.push(s);
  while (before[s].first == none) {
    const StateIndex t = open.front();
    open.pop();
    for (const Edge& edge : automaton.states[t].edges) {
      if (found.of[edge.target] != found.of[s] || before[edge.target].first != none) continue;
      before[edge.target] = {t, edge.letter};
      open.push(edge.target);
    }
  }
  std::vector<Decision> letters;
  StateIndex t = s;
  do {
    letters.push_back(before[t].second);
    t = before[t].first;
  } while (t != s);
  std::ranges::reverse(letters);
  return letters;
}

/// Whether some run from one of `starts` over the word that repeats one letter of each decision for
/// ever is accepting.
[[nodiscard]] bool accepts_cycle(const Generalized& automaton, const Set& starts,
                                 const std::vector<Decision>& cycle) {
  const auto length = static_cast<std::uint32_t>(cycle.size());
  std::vector<Cube> word;
  for (const Decision letter : cycle) word.push_back(automaton.letters.some_cube(letter));
  const auto taken = [&](Decision letter, const Cube& position) {
    return automaton.letters.evaluate(letter, [&](Variable v) {
      const auto literal = std::ranges::find(position, v, &Literal::variable);
      return literal != position.end() && literal->positive;
    });
  };
  const std::size_t n = automaton.num_states() * length;
  Graph graph(n);
  std::vector<std::vector<Marks>> marks(n);
  std::vector<bool> seen(n, false);
  std::vector<std::uint32_t> open;
  for (const StateIndex s : starts) {
    seen[s * length] = true;
    open.push_back(s * length);
  }
  while (!open.empty()) {
    const std::uint32_t v = open.back();
    open.pop_back();
    const std::uint32_t place = v % length;
    for (const MarkedEdge& edge : automaton.states[v / length]) {
      if (!taken(edge.letter, word[place])) continue;
      const std::uint32_t w = edge.target * length + (place + 1) % length;
      graph[v].push_back(w);
      marks[v].push_back(edge.marks);
      if (!seen[w]) open.push_back(w);
      seen[w] = true;
    }
  }
  const Components found = components(graph);
  std::vector<Marks> in_component(found.count());
  for (std::uint32_t v = 0; v < n; ++v) {
    for (std::size_t i = 0; i < graph[v].size(); ++i) {
      if (found.of[v] == found.of[graph[v][i]]) in_component[found.of[v]] |= marks[v][i];
    }
  }
  for (std::size_t c = 0; c < found.count(); ++c) {
    if (found.has_cycle[c] && in_component[c] == automaton.all_marks()) return true;
  }
  return false;
}

/// Whether no word is accepted by both: by `weak`, whose components are accepting as a whole where
/// `accepting` says so, and by `other`.  Nothing if the product is large.
[[nodiscard]] std::optional<bool> disjoint(const Automaton& weak,
                                           const std::vector<bool>& accepting,
                                           const Generalized& other, Decisions& letters,
                                           Effort& effort) {
  std::map<std::pair<StateIndex, StateIndex>, std::uint32_t> numbers;
  std::vector<std::pair<StateIndex, StateIndex>> pairs;
  Graph graph;
  std::vector<std::vector<Marks>> marks;
  const auto number_of = [&](StateIndex s, StateIndex t) {
    const auto [place, is_new] =
        numbers.emplace(std::pair(s, t), static_cast<std::uint32_t>(pairs.size()));
    if (is_new) {
      pairs.emplace_back(s, t);
      graph.emplace_back();
      marks.emplace_back();
    }
    return place->second;
  };
  for (const StateIndex t : other.initial) (void)number_of(weak.initial.front(), t);
  for (std::uint32_t v = 0; v < pairs.size(); ++v) {
    if (pairs.size() > most_pairs) return std::nullopt;
    const auto [s, t] = pairs[v];
    for (const Edge& edge : weak.states[s].edges) {
      for (const MarkedEdge& move : other.states[t]) {
        if (!effort.spend()) return std::nullopt;
        if (!letters.overlap(edge.letter, move.letter)) continue;
        const std::uint32_t w = number_of(edge.target, move.target);
        graph[v].push_back(w);
        marks[v].push_back(move.marks);
      }
    }
  }
  const Components found = components(graph);
  std::vector<Marks> in_component(found.count());
  std::vector<bool> weak_accepts(found.count(), false);
  for (std::uint32_t v = 0; v < pairs.size(); ++v) {
    const std::uint32_t c = found.of[v];
    weak_accepts[c] = accepting[pairs[v].first];
    for (std::size_t i = 0; i < graph[v].size(); ++i) {
      if (found.of[graph[v][i]] == c) in_component[c] |= marks[v][i];
    }
  }
  for (std::size_t c = 0; c < found.count(); ++c) {
    if (found.has_cycle[c] && weak_accepts[c] && in_component[c] == other.all_marks()) return false;
  }
  return true;
}

/// The letters of `from`, in the store of `to`.
void move_letters(Generalized& from, Decisions& to) {
  std::map<Decision, Decision> moved{{Decision::False, Decision::False},
                                     {Decision::True, Decision::True}};
  const auto move = [&](const auto& self, Decision d) -> Decision {
    if (const auto known = moved.find(d); known != moved.end()) return known->second;
    const Decision low = self(self, from.letters.low(d));
    const Decision high = self(self, from.letters.high(d));
    const Decision made = to.if_then_else(to.variable(from.letters.top(d)), high, low);
    moved.emplace(d, made);
    return made;
  };
  for (std::vector<MarkedEdge>& edges : from.states) {
    for (MarkedEdge& edge : edges) edge.letter = move(move, edge.letter);
  }
}

/// Colours that grow towards the start, as slowly as can be, even ones for accepting components: a
/// state on no cycle then gets the colour that its language asks for.
void colour_states(Automaton& automaton, const Components& found,
                   const std::vector<bool>& accepting) {
  std::vector<std::uint32_t> colour(found.count(), 0);
  std::vector<std::vector<StateIndex>> members(found.count());
  for (StateIndex s = 0; s < automaton.num_states(); ++s) members[found.of[s]].push_back(s);
  for (std::size_t c = 0; c < found.count(); ++c) {  // successors first
    std::uint32_t least = 0;
    for (const StateIndex s : members[c]) {
      for (const Edge& edge : automaton.states[s].edges) {
        if (found.of[edge.target] != c) least = std::max(least, colour[found.of[edge.target]]);
      }
    }
    const bool is_accepting = accepting[members[c].front()];
    if (found.has_cycle[c] && (least % 2 == 0) != is_accepting) ++least;
    colour[c] = least;
    for (const StateIndex s : members[c]) automaton.states[s].accepting = least % 2 == 0;
  }
}

}  // namespace

std::optional<Automaton> weak_deterministic(Generalized& automaton, Generalized& negated,
                                            std::vector<std::string> atoms, Effort& effort) {
  auto found_sets = deterministic(automaton, effort);
  if (!found_sets) return std::nullopt;
  auto& [made, sets] = *found_sets;
  Graph graph(made.num_states());
  for (StateIndex s = 0; s < made.num_states(); ++s) {
    for (const Edge& edge : made.states[s].edges) graph[s].push_back(edge.target);
  }
  const Components found = components(graph);
  std::vector<bool> accepting(made.num_states(), false);
  std::vector<bool> known(found.count(), false);
  std::vector<bool> component_accepts(found.count(), false);
  for (StateIndex s = 0; s < made.num_states(); ++s) {
    const std::uint32_t c = found.of[s];
    if (found.has_cycle[c] && !known[c]) {
      component_accepts[c] = accepts_cycle(automaton, sets[s], some_cycle(made, found, s));
      known[c] = true;
    }
    accepting[s] = component_accepts[c];
  }
  std::vector<bool> rejecting = accepting;
  rejecting.flip();
  move_letters(negated, made.letters);
  negated.letters = made.letters;
  if (disjoint(made, rejecting, automaton, made.letters, effort) != true) return std::nullopt;
  if (disjoint(made, accepting, negated, made.letters, effort) != true) return std::nullopt;
  colour_states(made, found, accepting);
  made.atoms = std::move(atoms);
  Automaton smallest = minimal(std::move(made));
  trim(smallest);
  return smallest;
}

}  // namespace cohort::ltl
