#include "monitor/automaton.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace cohort::monitor {
namespace {

using ltl::Decision;
using ltl::Decisions;
using ltl::Edge;

/// Below these a table by state and bits is quicker than decisions, and fits into a near cache.
constexpr std::size_t most_table_atoms = 12;
constexpr std::size_t most_table_entries = std::size_t{1} << 16U;

}  // namespace

Compiled::Compiled(Automaton automaton)
    : deterministic_(automaton.is_deterministic()),
      acceptance_(automaton.acceptance),
      num_atoms_(automaton.atoms.size()),
      initial_(automaton.initial) {
  assert(automaton.num_states() < leaf_bit);
  for (const ltl::AutomatonState& state : automaton.states) {
    accepting_.push_back(state.accepting ? 1 : 0);
  }
  accepting_.push_back(0);
  start_ = initial_.empty() ? dead() : initial_.front();
  build_decisions(automaton);
  build_table();
  find_settled(automaton);
}

/// Asks the atoms of all edges of a state together.  Several edges may match: their targets meet in
/// one leaf.
void Compiled::build_decisions(Automaton& automaton) {
  const Decisions& letters = automaton.letters;
  std::map<std::vector<StateIndex>, std::uint32_t> leaves;
  const auto leaf_of = [&](const std::vector<StateIndex>& targets) {
    if (deterministic_) return targets.empty() ? dead() : targets.front();
    return leaves.emplace(targets, static_cast<std::uint32_t>(leaves.size())).first->second;
  };
  using Question = std::vector<Edge>;
  const auto less = [](const Question& a, const Question& b) {
    return std::ranges::lexicographical_compare(a, b, [](const Edge& x, const Edge& y) {
      return std::pair(x.target, x.letter) < std::pair(y.target, y.letter);
    });
  };
  std::map<Question, std::uint32_t, decltype(less)> known(less);
  std::map<std::vector<std::uint32_t>, std::uint32_t> nodes;
  const auto build = [&](const auto& self, const Question& question) -> std::uint32_t {
    if (const auto found = known.find(question); found != known.end()) return found->second;
    ltl::Variable first = ~ltl::Variable{0};
    for (const Edge& edge : question) {
      if (!Decisions::is_constant(edge.letter)) first = std::min(first, letters.top(edge.letter));
    }
    std::uint32_t made = 0;
    if (first == ~ltl::Variable{0}) {
      std::vector<StateIndex> targets;
      for (const Edge& edge : question) targets.push_back(edge.target);
      made = leaf_of(targets) | leaf_bit;
    } else {
      std::uint32_t answers[2] = {0, 0};
      for (const bool value : {false, true}) {
        Question rest;
        for (Edge edge : question) {
          if (!Decisions::is_constant(edge.letter) && letters.top(edge.letter) == first) {
            edge.letter = value ? letters.high(edge.letter) : letters.low(edge.letter);
          }
          if (edge.letter != Decision::False) rest.push_back(edge);
        }
        answers[value ? 1 : 0] = self(self, rest);
      }
      if (answers[0] == answers[1]) {
        made = answers[0];
      } else {
        const auto [place, is_new] =
            nodes.emplace(std::vector<std::uint32_t>{first, answers[0], answers[1]},
                          static_cast<std::uint32_t>(nodes_.size()));
        if (is_new) nodes_.push_back({first, {answers[0], answers[1]}});
        made = place->second;
      }
    }
    known.emplace(question, made);
    return made;
  };
  for (const ltl::AutomatonState& state : automaton.states) {
    roots_.push_back(build(build, state.edges));
  }
  roots_.push_back(leaf_of({}) | leaf_bit);
  if (deterministic_) {
    for (StateIndex s = 0; s < num_states(); ++s) {
      set_begin_.push_back(s);
      sets_.push_back(s);
    }
    set_begin_.push_back(dead());
    set_begin_.push_back(dead());
    return;
  }
  std::vector<const std::vector<StateIndex>*> by_number(leaves.size());
  for (const auto& [targets, number] : leaves) by_number[number] = &targets;
  for (const std::vector<StateIndex>* targets : by_number) {
    set_begin_.push_back(static_cast<std::uint32_t>(sets_.size()));
    sets_.insert(sets_.end(), targets->begin(), targets->end());
  }
  set_begin_.push_back(static_cast<std::uint32_t>(sets_.size()));
}

void Compiled::build_table() {
  if (num_atoms_ > most_table_atoms) return;
  if ((roots_.size() << num_atoms_) > most_table_entries) return;
  mask_ = (std::uint64_t{1} << num_atoms_) - 1;
  std::vector<std::uint32_t> table;
  for (StateIndex s = 0; s < roots_.size(); ++s) {
    for (std::uint64_t bits = 0; bits <= mask_; ++bits) table.push_back(leaf(s, &bits));
  }
  table_ = std::move(table);
}

/// Rejecting for good: no accepting state is reached.  Accepting for good: whatever comes there is
/// a next state, and all that is reached accepts.
void Compiled::find_settled(const Automaton& automaton) {
  const std::size_t n = automaton.num_states();
  std::vector<bool> can_accept(n + 1, false);
  std::vector<bool> can_reject(n + 1, false);
  can_reject[n] = true;
  for (StateIndex s = 0; s < n; ++s) {
    const ltl::AutomatonState& state = automaton.states[s];
    (state.accepting ? can_accept : can_reject)[s] = true;
  }
  std::vector<std::vector<StateIndex>> before(n + 1);
  ltl::Decisions letters = automaton.letters;
  for (StateIndex s = 0; s < n; ++s) {
    Decision seen = Decision::False;
    for (const Edge& edge : automaton.states[s].edges) {
      seen = letters.disjunction(seen, edge.letter);
      before[edge.target].push_back(s);
    }
    if (seen != Decision::True) before[n].push_back(s);
  }
  for (std::vector<bool>* marked : {&can_accept, &can_reject}) {
    std::vector<StateIndex> open;
    for (StateIndex s = 0; s <= n; ++s) {
      if ((*marked)[s]) open.push_back(s);
    }
    while (!open.empty()) {
      const StateIndex t = open.back();
      open.pop_back();
      for (const StateIndex s : before[t]) {
        if ((*marked)[s]) continue;
        (*marked)[s] = true;
        open.push_back(s);
      }
    }
  }
  for (StateIndex s = 0; s <= n; ++s) {
    settled_.push_back(can_accept[s] && can_reject[s] ? 0 : 1);
  }
}

}  // namespace cohort::monitor
