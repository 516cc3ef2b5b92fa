#include "unit/ltl/lasso.hpp"

#include <vector>

namespace cohort::ltl_test {
namespace {

/// All that is reached from `seeds` in the product of automaton and word, `seeds` only if reached.
[[nodiscard]] std::vector<bool> reach(const std::vector<std::vector<std::size_t>>& graph,
                                      std::vector<std::size_t> open) {
  std::vector<bool> seen(graph.size(), false);
  while (!open.empty()) {
    const std::size_t v = open.back();
    open.pop_back();
    for (const std::size_t w : graph[v]) {
      if (seen[w]) continue;
      seen[w] = true;
      open.push_back(w);
    }
  }
  return seen;
}

}  // namespace

bool accepts(const ltl::Automaton& automaton, const oracle::LassoWord& word) {
  std::vector<oracle::Letter> letters = word.stem;
  letters.insert(letters.end(), word.loop.begin(), word.loop.end());
  const std::size_t length = letters.size();
  std::vector<std::vector<std::size_t>> graph(automaton.num_states() * length);
  for (std::size_t s = 0; s < automaton.num_states(); ++s) {
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t next = i + 1 == length ? word.stem.size() : i + 1;
      for (const ltl::Edge& edge : automaton.states[s].edges) {
        const bool taken = automaton.letters.evaluate(
            edge.letter, [&](ltl::Variable v) { return ((letters[i] >> v) & 1U) != 0; });
        if (taken) graph[s * length + i].push_back(edge.target * length + next);
      }
    }
  }
  std::vector<std::size_t> starts;
  for (const ltl::StateIndex s : automaton.initial) starts.push_back(s * length);
  std::vector<bool> reached = reach(graph, starts);
  for (const std::size_t v : starts) reached[v] = true;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    if (reached[v] && automaton.states[v / length].accepting && reach(graph, {v})[v]) return true;
  }
  return false;
}

}  // namespace cohort::ltl_test
