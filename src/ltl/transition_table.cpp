#include "ltl/transition_table.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "ltl/finite_word.hpp"

namespace cohort::ltl {
namespace {

/// The nodes of `from` over atoms, made again in `to` with other leaves.
template <typename NewLeaf>
class Relabelling {
 public:
  Relabelling(const TransitionTable& from, Decisions& to, NewLeaf new_leaf)
      : from_(from), to_(to), new_leaf_(std::move(new_leaf)) {}

  /// Recurses once an atom.
  [[nodiscard]] Decision operator()(Decision node) {
    if (const auto known = known_.find(node); known != known_.end()) return known->second;
    Decision made = Decision::False;
    if (from_.is_leaf(node)) {
      made = new_leaf_(from_.state_of(node));
    } else {
      const Variable v = from_.nodes.top(node);
      const Decision low = (*this)(from_.nodes.low(node));
      const Decision high = (*this)(from_.nodes.high(node));
      made = to_.if_then_else(to_.variable(v), high, low);
    }
    known_.emplace(node, made);
    return made;
  }

 private:
  const TransitionTable& from_;
  Decisions& to_;
  NewLeaf new_leaf_;
  std::unordered_map<Decision, Decision> known_;
};

/// Partition refinement.  Start with accepting and rejecting states as two classes; two states of a
/// class stay together as long as they have the same decision over classes.  When a class is split
/// its largest part keeps the number, so that only the predecessors of the smaller parts have to be
/// looked at again (Hopcroft).
class Refinement {
 public:
  explicit Refinement(const TransitionTable& table) : table_(table) {
    const std::size_t n = table.roots.size();
    signatures_.bind(table.nodes.bounds());
    class_of_.resize(n);
    leaf_of_.assign(n, Decision::False);
    members_.resize(2);
    dirty_.assign(n, true);
    for (StateIndex s = 0; s < n; ++s) {
      visit(s);
      class_of_[s] = table.accepting[s] ? 1 : 0;
      members_[class_of_[s]].push_back(s);
    }
  }

  /// The class of each state.
  [[nodiscard]] std::vector<std::uint32_t> run() {
    std::vector<StateIndex> open(class_of_.size());
    for (StateIndex s = 0; s < open.size(); ++s) open[s] = s;
    while (!open.empty()) open = round(open);
    return std::move(class_of_);
  }

 private:
  using Groups = std::map<Decision, std::vector<StateIndex>>;

  /// What is above a node.
  struct Above {
    std::vector<Decision> nodes;
    std::vector<StateIndex> roots;
    std::uint32_t seen_in = 0;  // round
  };

  /// Enters the nodes below a state that are new.
  void visit(StateIndex s) {
    const Decision root = table_.roots[s];
    std::vector<Decision> open;
    const auto meet = [&](Decision node) -> Above& {
      const auto [place, is_new] = above_.try_emplace(node);
      if (is_new && table_.is_leaf(node)) leaf_of_[table_.state_of(node)] = node;
      if (is_new && !table_.is_leaf(node)) open.push_back(node);
      return place->second;
    };
    meet(root).roots.push_back(s);
    while (!open.empty()) {
      const Decision node = open.back();
      open.pop_back();
      meet(table_.nodes.low(node)).nodes.push_back(node);
      meet(table_.nodes.high(node)).nodes.push_back(node);
    }
  }

  /// The states that lead to `s` become dirty, and are added to `next`.
  void mark_before(StateIndex s, std::vector<StateIndex>& next) {
    if (leaf_of_[s] == Decision::False) return;  // nothing leads there
    std::vector<Decision> open{leaf_of_[s]};
    while (!open.empty()) {
      Above& above = above_.at(open.back());
      open.pop_back();
      if (above.seen_in == round_) continue;
      above.seen_in = round_;
      for (const StateIndex p : above.roots) {
        if (dirty_[p]) continue;
        dirty_[p] = true;
        next.push_back(p);
      }
      open.insert(open.end(), above.nodes.begin(), above.nodes.end());
    }
  }

  /// Looks at the states of `open`; gives those that have to be looked at next.
  [[nodiscard]] std::vector<StateIndex> round(const std::vector<StateIndex>& open) {
    const auto leaf = [&](StateIndex s) {
      return signatures_.variable(static_cast<Variable>(table_.num_atoms + class_of_[s]));
    };
    Relabelling signature(table_, signatures_, leaf);
    std::map<std::uint32_t, std::vector<StateIndex>> by_class;
    for (const StateIndex s : open) by_class[class_of_[s]].push_back(s);
    // All signatures before any class changes.
    std::vector<std::pair<std::uint32_t, Groups>> splits;
    for (const auto& [number, states] : by_class) {
      Groups groups;
      for (const StateIndex s : states) groups[signature(table_.roots[s])].push_back(s);
      if (states.size() < members_[number].size()) {
        // The others have kept their signature, which is the same for all of them.
        const auto other =
            std::ranges::find_if(members_[number], [&](StateIndex s) { return !dirty_[s]; });
        std::vector<StateIndex>& group = groups[signature(table_.roots[*other])];
        for (const StateIndex s : members_[number]) {
          if (!dirty_[s]) group.push_back(s);
        }
      }
      if (groups.size() > 1) splits.emplace_back(number, std::move(groups));
    }
    for (const StateIndex s : open) dirty_[s] = false;
    ++round_;
    std::vector<StateIndex> next;
    for (auto& [number, groups] : splits) split(number, groups, next);
    return next;
  }

  void split(std::uint32_t number, Groups& groups, std::vector<StateIndex>& next) {
    const auto largest =
        std::ranges::max_element(groups, {}, [](const auto& group) { return group.second.size(); });
    for (auto group = groups.begin(); group != groups.end(); ++group) {
      if (group == largest) continue;
      const auto fresh = static_cast<std::uint32_t>(members_.size());
      for (const StateIndex s : group->second) {
        class_of_[s] = fresh;
        mark_before(s, next);
      }
      members_.push_back(std::move(group->second));
    }
    members_[number] = std::move(largest->second);
  }

  const TransitionTable& table_;
  Decisions signatures_;
  std::vector<std::uint32_t> class_of_;
  std::vector<std::vector<StateIndex>> members_;
  std::vector<bool> dirty_;
  std::unordered_map<Decision, Above> above_;
  std::vector<Decision> leaf_of_;  // by state; False: none
  std::uint32_t round_ = 0;
};

/// For each state that a node leads to, the letters that do.
class Edges {
 public:
  explicit Edges(TransitionTable& table) : table_(table) {}

  using List = std::vector<Edge>;  // by ascending target

  /// Valid until the next call.
  [[nodiscard]] const List& operator()(Decision root) {
    constexpr std::size_t most_remembered = 2'000'000;
    if (num_remembered_ > most_remembered) {
      known_.clear();
      num_remembered_ = 0;
    }
    return edges_of(root);
  }

 private:
  [[nodiscard]] const List& edges_of(Decision node) {
    if (const auto known = known_.find(node); known != known_.end()) return known->second;
    List made;
    if (table_.is_leaf(node)) {
      made.push_back({Decision::True, table_.state_of(node)});
    } else {
      const List& low = edges_of(table_.nodes.low(node));
      const List& high = edges_of(table_.nodes.high(node));
      merge(table_.nodes.top(node), low, high, made);
    }
    num_remembered_ += made.size();
    return known_.emplace(node, std::move(made)).first->second;
  }

  void merge(Variable v, const List& low, const List& high, List& made) {
    const Decision atom = table_.nodes.variable(v);
    auto a = low.begin();
    auto b = high.begin();
    while (a != low.end() || b != high.end()) {
      const bool from_low = b == high.end() || (a != low.end() && a->target <= b->target);
      const bool from_high = a == low.end() || (b != high.end() && b->target <= a->target);
      const StateIndex target = from_low ? a->target : b->target;
      const Decision when_false = from_low ? (a++)->letter : Decision::False;
      const Decision when_true = from_high ? (b++)->letter : Decision::False;
      made.push_back({table_.nodes.if_then_else(atom, when_true, when_false), target});
    }
  }

  TransitionTable& table_;
  std::unordered_map<Decision, List> known_;
  std::size_t num_remembered_ = 0;
};

}  // namespace

TransitionTable table_of(Automaton& automaton) {
  assert(automaton.is_deterministic() && automaton.is_complete());
  TransitionTable table;
  table.nodes = automaton.letters;
  table.num_atoms = automaton.atoms.size();
  table.initial = automaton.initial.front();
  for (const AutomatonState& state : automaton.states) {
    Decision root = table.leaf(state.edges.front().target);
    for (const Edge& edge : state.edges) {
      root = table.nodes.if_then_else(edge.letter, table.leaf(edge.target), root);
    }
    table.roots.push_back(root);
    table.accepting.push_back(state.accepting);
  }
  return table;
}

TransitionTable minimal(TransitionTable table) {
  const std::vector<std::uint32_t> class_of = Refinement(table).run();
  TransitionTable made;
  made.num_atoms = table.num_atoms;
  made.nodes.bind(table.nodes.bounds());
  std::vector<StateIndex> representatives;
  std::unordered_map<std::uint32_t, StateIndex> numbers;
  const auto number_of = [&](StateIndex s) {
    const auto [place, is_new] =
        numbers.emplace(class_of[s], static_cast<StateIndex>(representatives.size()));
    if (is_new) representatives.push_back(s);
    return place->second;
  };
  made.initial = number_of(table.initial);
  Relabelling renumbered(table, made.nodes, [&](StateIndex s) { return made.leaf(number_of(s)); });
  for (std::size_t i = 0; i < representatives.size(); ++i) {
    made.roots.push_back(renumbered(table.roots[representatives[i]]));
    made.accepting.push_back(table.accepting[representatives[i]]);
  }
  return made;
}

bool make_edges(TransitionTable table, std::size_t most_edges, Automaton& automaton) {
  Edges edges_of(table);
  std::size_t num_edges = 0;
  automaton.initial = {table.initial};
  automaton.states.assign(table.roots.size(), {});
  for (std::size_t s = 0; s < table.roots.size(); ++s) {
    automaton.states[s].accepting = table.accepting[s];
    automaton.states[s].edges = edges_of(table.roots[s]);
    num_edges += automaton.states[s].edges.size();
    if (num_edges > most_edges) return false;
  }
  automaton.letters = std::move(table.nodes);
  return true;
}

Automaton minimal(Automaton automaton) {
  Automaton made;
  const TransitionTable table = minimal(table_of(automaton));
  (void)make_edges(table, static_cast<std::size_t>(-1), made);
  made.atoms = std::move(automaton.atoms);
  made.acceptance = automaton.acceptance;
  made.name = std::move(automaton.name);
  return made;
}

}  // namespace cohort::ltl
