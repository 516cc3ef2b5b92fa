#include "oracle/linear.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace cohort::oracle {
namespace {

using ltl::Formula;
using ltl::Operator;

/// A position that a word can have: a state, or a fired instance.
struct Position {
  std::uint64_t letter = 0;
  std::vector<std::size_t> next;
  bool may_end = false;                          ///< nothing can come behind it
  std::set<Process> served;                      ///< disabled or, for an action, executed there
  std::vector<std::optional<Process>> executes;  ///< by `next`: on the way there
};

struct Words {
  std::vector<Position> positions;
  std::vector<std::size_t> initial;
  bool empty = false;  ///< the program may do nothing at all
};

[[nodiscard]] std::set<Process> disabled(const Graph& graph, const Node& node) {
  std::set<Process> made;
  for (const Process& process : graph.processes) {
    if (!node.enabled.contains(process)) made.insert(process);
  }
  return made;
}

[[nodiscard]] Words words_of(const Graph& graph, const Letters& letters, View view) {
  Words made;
  if (view == View::States) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      Position& position = made.positions.emplace_back();
      position.letter = letters.states[n];
      position.served = disabled(graph, graph.nodes[n]);
      position.may_end = graph.nodes[n].edges.empty();
      for (const Edge& edge : graph.nodes[n].edges) {
        position.next.push_back(edge.to);
        position.executes.emplace_back(edge.executes);
      }
      if (n < graph.num_initial) made.initial.push_back(n);
    }
    return made;
  }
  std::vector<std::size_t> first;  // by node: its first edge among all
  std::size_t count = 0;
  for (const Node& node : graph.nodes) {
    first.push_back(count);
    count += node.edges.size();
  }
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (n < graph.num_initial && node.edges.empty()) made.empty = true;
    for (std::size_t e = 0; e < node.edges.size(); ++e) {
      if (n < graph.num_initial) made.initial.push_back(made.positions.size());
      Position& position = made.positions.emplace_back();
      position.letter = letters.edges[n][e];
      position.served = disabled(graph, node);
      position.served.insert(node.edges[e].executes);
      const std::size_t to = node.edges[e].to;
      position.may_end = graph.nodes[to].edges.empty();
      for (std::size_t k = 0; k < graph.nodes[to].edges.size(); ++k) {
        position.next.push_back(first[to] + k);
        position.executes.emplace_back(std::nullopt);
      }
    }
  }
  return made;
}

/// Truth values of sub-formulas, operands before what they are operands of.
using Guess = std::vector<bool>;

class Product {
 public:
  Product(const Words& words, LinearQuestion question, const ltl::Formulas& formulas, Formula f)
      : words_(words), question_(question), formulas_(formulas) {
    list(f);
  }

  [[nodiscard]] bool finds() {
    if (words_.empty && question_.mode != Mode::Finite && !at_end({}).back()) return true;
    for (const std::size_t p : words_.initial) {
      for (const Guess& guess : guesses(p)) {
        if (!guess.back()) (void)number(p, guess);
      }
    }
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      const auto [p, guess] = vertices_[v];
      const bool may_end = question_.mode == Mode::Finite || words_.positions[p].may_end;
      if (may_end && fits_end(guess)) return true;
      edges_.emplace_back();
      for (std::size_t i = 0; i < words_.positions[p].next.size(); ++i) {
        const std::size_t q = words_.positions[p].next[i];
        for (const Guess& next : guesses(q)) {
          if (fits(guess, next))
            edges_[v].push_back({number(q, next), words_.positions[p].executes[i]});
        }
      }
    }
    return question_.mode != Mode::Finite && has_good_component();
  }

 private:
  struct Move {
    std::size_t to = 0;
    std::optional<Process> executes;
  };

  void list(Formula f) {
    if (std::ranges::find(all_, f) != all_.end()) return;
    for (const Formula operand : formulas_.operands(f)) list(operand);
    all_.push_back(f);
  }
  [[nodiscard]] std::size_t place(Formula f) const {
    return static_cast<std::size_t>(std::ranges::find(all_, f) - all_.begin());
  }
  [[nodiscard]] bool is_guessed(Formula f) const { return formulas_.op(f) > Operator::Or; }

  [[nodiscard]] std::size_t number(std::size_t position, const Guess& guess) {
    const auto [found, is_new] = numbers_.emplace(std::pair{position, guess}, vertices_.size());
    if (is_new) vertices_.emplace_back(position, guess);
    return found->second;
  }

  [[nodiscard]] bool boolean(Formula f, const Guess& so_far,
                             std::optional<std::uint64_t> letter) const {
    const auto args = formulas_.operands(f);
    const auto value = [&](Formula g) { return bool{so_far[place(g)]}; };
    switch (formulas_.op(f)) {
      case Operator::True:
        return true;
      case Operator::Atom:
        return letter && ((*letter >> static_cast<unsigned>(formulas_.atom_of(f))) & 1U) != 0;
      case Operator::Not:
        return !value(args[0]);
      case Operator::And:
        return std::ranges::all_of(args, value);
      case Operator::Or:
        return std::ranges::any_of(args, value);
      default:
        return false;
    }
  }

  /// All values for a position that agree with its letter.
  [[nodiscard]] const std::vector<Guess>& guesses(std::size_t position) {
    const std::uint64_t letter = words_.positions[position].letter;
    const auto known = guesses_.find(letter);
    if (known != guesses_.end()) return known->second;
    std::vector<Guess> made{{}};
    for (const Formula f : all_) {
      std::vector<Guess> longer;
      for (const Guess& guess : made) {
        for (const bool value : {false, true}) {
          if (!is_guessed(f) && value != boolean(f, guess, letter)) continue;
          longer.push_back(guess);
          longer.back().push_back(value);
        }
      }
      made = std::move(longer);
    }
    return guesses_.emplace(letter, std::move(made)).first->second;
  }

  /// The value of a temporal formula, if what comes later is as given.
  [[nodiscard]] bool unrolled(Formula f, const Guess& now, bool later) const {
    const auto args = formulas_.operands(f);
    const bool last = now[place(args.back())];
    const bool first = now[place(args.front())];
    switch (formulas_.op(f)) {
      case Operator::F:
        return last || later;
      case Operator::G:
        return last && later;
      case Operator::U:
      case Operator::W:
        return last || (first && later);
      default:
        return last && (first || later);
    }
  }

  [[nodiscard]] bool fits(const Guess& now, const Guess& next) const {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Formula f = all_[i];
      if (!is_guessed(f)) continue;
      const bool is_next = formulas_.op(f) == Operator::X || formulas_.op(f) == Operator::StrongX;
      const bool value = is_next ? bool{next[place(formulas_.last(f))]} : unrolled(f, now, next[i]);
      if (value != now[i]) return false;
    }
    return true;
  }

  /// The values behind the end: of the empty word.
  [[nodiscard]] Guess at_end(Guess made) const {
    for (const Formula f : all_) {
      const Operator op = formulas_.op(f);
      const bool weak =
          op == Operator::X || op == Operator::G || op == Operator::W || op == Operator::R;
      made.push_back(is_guessed(f) ? weak : boolean(f, made, std::nullopt));
    }
    return made;
  }
  [[nodiscard]] bool fits_end(const Guess& now) const {
    const Guess behind = at_end({});
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Formula f = all_[i];
      if (!is_guessed(f)) continue;
      const Operator op = formulas_.op(f);
      const bool is_next = op == Operator::X || op == Operator::StrongX;
      if (now[i] != (is_next ? op == Operator::X : unrolled(f, now, behind[i]))) return false;
    }
    return true;
  }

  /// What a guess promises comes: a strong operator that is true, or a weak one that is false, is
  /// not put off for ever.
  [[nodiscard]] bool keeps(Formula f, const Guess& guess) const {
    const auto args = formulas_.operands(f);
    const bool value = guess[place(f)];
    const bool last = guess[place(args.back())];
    const bool first = guess[place(args.front())];
    switch (formulas_.op(f)) {
      case Operator::F:
      case Operator::U:
        return !value || last;
      case Operator::M:
        return !value || (first && last);
      case Operator::G:
      case Operator::R:
        return value || !last;
      case Operator::W:
        return value || (!first && !last);
      default:
        return true;
    }
  }

  [[nodiscard]] std::vector<bool> reaches(std::size_t from) const {
    std::vector<bool> seen(vertices_.size(), false);
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
      const std::size_t v = open.back();
      open.pop_back();
      for (const Move& move : edges_[v]) {
        if (seen[move.to]) continue;
        seen[move.to] = true;
        open.push_back(move.to);
      }
    }
    return seen;
  }

  /// Tarjan would be quicker; this is shorter.  `done` keeps it from being cubic in practice.
  [[nodiscard]] bool has_good_component() const {
    std::vector<std::vector<std::size_t>> back(vertices_.size());
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      for (const Move& move : edges_[v]) back[move.to].push_back(v);
    }
    std::vector<bool> done(vertices_.size(), false);
    for (std::size_t root = 0; root < vertices_.size(); ++root) {
      if (done[root]) continue;
      const std::vector<bool> forward = reaches(root);
      done[root] = true;
      if (!forward[root]) continue;
      std::set<std::size_t> component{root};
      std::vector<std::size_t> open{root};
      while (!open.empty()) {
        const std::size_t v = open.back();
        open.pop_back();
        for (const std::size_t u : back[v]) {
          if (forward[u] && component.insert(u).second) open.push_back(u);
        }
      }
      for (const std::size_t v : component) done[v] = true;
      if (is_good(component)) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_good(const std::set<std::size_t>& component) const {
    for (const Formula f : all_) {
      if (!is_guessed(f)) continue;
      if (std::ranges::none_of(component,
                               [&](std::size_t v) { return keeps(f, vertices_[v].second); })) {
        return false;
      }
    }
    if (question_.mode != Mode::Fair) return true;
    std::set<Process> served;
    for (const std::size_t v : component) {
      const Position& position = words_.positions[vertices_[v].first];
      served.insert(position.served.begin(), position.served.end());
      for (const Move& move : edges_[v]) {
        if (component.contains(move.to) && move.executes) served.insert(*move.executes);
      }
    }
    return served.size() == num_processes;
  }

 public:
  std::size_t num_processes = 0;

 private:
  const Words& words_;
  LinearQuestion question_;
  const ltl::Formulas& formulas_;
  std::vector<Formula> all_;
  std::map<std::uint64_t, std::vector<Guess>> guesses_;
  std::map<std::pair<std::size_t, Guess>, std::size_t> numbers_;
  std::vector<std::pair<std::size_t, Guess>> vertices_;
  std::vector<std::vector<Move>> edges_;
};

}  // namespace

bool violates(const Graph& graph, const Letters& letters, LinearQuestion question,
              const ltl::Formulas& formulas, Formula f) {
  const Words words = words_of(graph, letters, question.view);
  Product product{words, question, formulas, f};
  product.num_processes = graph.processes.size();
  return product.finds();
}

}  // namespace cohort::oracle
