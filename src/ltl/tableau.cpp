// From a formula to an automaton whose states are sets of formulas.
//
// Idea.  What a set of formulas asks of a word is a condition on its first position and on the
// rest: one decision over atoms, over "the rest satisfies g", and over promises.  `a U b` may put b
// off only by promising it: an edge has the mark of b unless it promises b, so that a run which
// puts b off for ever is not accepting.  Each product of the decision is an edge.  States with the
// same decision are the same state.
//
// Regular expressions.  Some(r, f) changes as it is put off, so promises by formula would not do:
// a run could put off one after the other for ever, each only for a while.  There is one mark for
// all of them, and a set that is being watched: what is put off in it stays in it.  When none of it
// is left the edge has the mark, and everything then put off is watched (Miyano and Hayashi's
// breakpoints).
//
// Source.  Couvreur 1999; Duret-Lutz and Poitrenaud 2004.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "ltl/derivative.hpp"
#include "ltl/generalized.hpp"
#include "ltl/simplify.hpp"

namespace cohort::ltl {
namespace {

/// A formula that the rest of the word has to satisfy.
struct Goal {
  Formula formula;
  bool watched;  // a Some that counts for the mark of regular expressions

  friend auto operator<=>(const Goal&, const Goal&) = default;
};
using Goals = std::vector<Goal>;  // sorted

class Tableau {
 public:
  Tableau(Formulas& formulas, std::size_t num_atoms, Split split, const TranslationLimits& limits)
      : formulas_(formulas),
        num_atoms_(num_atoms),
        split_(split),
        limits_(limits),
        steps_(formulas, made_.letters),
        simplifier_(formulas) {
    made_.letters.bind({limits.most_nodes, limits.most_edges, limits.most_steps, limits.limits});
  }

  [[nodiscard]] std::optional<Generalized> run(Formula f) {
    try {
      made_.initial = {state_of(goals_of({{f, false}}))};
      for (std::size_t s = 0; s < conditions_.size(); ++s) {
        const bool fits = conditions_.size() <= limits_.most_states &&
                          num_promises_ <= most_marks && num_edges_ <= limits_.most_edges;
        if (!fits) return std::nullopt;
        expand(static_cast<StateIndex>(s));
      }
    } catch (const OutOfBounds&) {
      return std::nullopt;
    }
    if (num_promises_ > most_marks) return std::nullopt;
    made_.num_marks = num_promises_;
    for (std::vector<MarkedEdge>& edges : made_.states) {
      for (MarkedEdge& edge : edges) {  // until here: promises
        edge.marks = made_.all_marks() & ~edge.marks;
      }
    }
    made_.letters.unbind();
    return std::move(made_);
  }

 private:
  /// What a variable beyond the atoms stands for.
  struct Meaning {
    bool is_promise;
    Goal goal;            // if it is none
    std::size_t promise;  // if it is one
  };

  [[nodiscard]] Decision fresh(const Meaning& meaning) {
    const std::size_t number = num_atoms_ + meanings_.size();
    if (number >= Decisions::most_variables) throw OutOfBounds{};
    meanings_.push_back(meaning);
    return made_.letters.variable(static_cast<Variable>(number));
  }

  [[nodiscard]] Decision rest_satisfies(const Goal& goal) {
    if (formulas_.op(goal.formula) == Operator::True) return Decision::True;
    if (formulas_.op(goal.formula) == Operator::False) return Decision::False;
    if (const auto known = goals_.find(goal); known != goals_.end()) return known->second;
    const Decision v = fresh({false, goal, 0});
    goals_.emplace(goal, v);
    return v;
  }

  /// The promise of a formula; that of all watched regular expressions is `no_formula`.
  [[nodiscard]] Decision promise(std::uint32_t formula) {
    if (const auto known = promises_.find(formula); known != promises_.end()) return known->second;
    const Decision v = fresh({true, {}, num_promises_++});
    promises_.emplace(formula, v);
    return v;
  }

  [[nodiscard]] Decision condition(const Goal& goal) {
    if (const auto known = known_.find(goal); known != known_.end()) return known->second;
    const Decision made = compute(goal);
    known_.emplace(goal, made);
    return made;
  }

  [[nodiscard]] Decision compute(const Goal& goal) {
    const Formula f = goal.formula;
    Decisions& d = made_.letters;
    const std::vector<Formula> args(formulas_.operands(f).begin(), formulas_.operands(f).end());
    const auto now = [&](std::size_t i) { return condition({args[i], false}); };
    const auto later = [&] { return rest_satisfies({f, false}); };
    const auto put_off = [&](Formula what) {
      return d.conjunction(later(), promise(static_cast<std::uint32_t>(what)));
    };
    Decision made = Decision::False;
    switch (formulas_.op(f)) {
      case Operator::True:
        return Decision::True;
      case Operator::False:
        return Decision::False;
      case Operator::Atom:
      case Operator::Not:
        return steps_.letter(f);
      case Operator::And:
        made = Decision::True;
        for (const Formula g : args) made = d.conjunction(made, condition({g, false}));
        return made;
      case Operator::Or:
        for (const Formula g : args) made = d.disjunction(made, condition({g, false}));
        return made;
      case Operator::X:
      case Operator::StrongX:
        return rest_satisfies({args[0], false});
      case Operator::F:
        return d.disjunction(now(0), put_off(args[0]));
      case Operator::G:
        return d.conjunction(now(0), later());
      case Operator::U:
        return d.disjunction(now(1), d.conjunction(now(0), put_off(args[1])));
      case Operator::W:
        return d.disjunction(now(1), d.conjunction(now(0), later()));
      case Operator::R:
        return d.conjunction(now(1), d.disjunction(now(0), later()));
      case Operator::M:
        return d.conjunction(now(1), d.disjunction(now(0), put_off(args[0])));
      case Operator::Some:
        return some(goal);
      case Operator::All:
        return all(f);
    }
    return made;
  }

  [[nodiscard]] Decision some(const Goal& goal) {
    Decisions& d = made_.letters;
    const Formula g = formulas_.last(goal.formula);
    Decision made = Decision::False;
    for (const Step& step : std::vector<Step>(steps_(formulas_.regex_of(goal.formula)))) {
      Decision here = rest_satisfies({formulas_.some(step.rest, g), goal.watched});
      if (goal.watched && here != Decision::False) here = d.conjunction(here, promise(no_formula));
      if (formulas_.matches_empty_word(step.rest)) {
        here = d.disjunction(here, condition({g, false}));
      }
      made = d.disjunction(made, d.conjunction(step.letter, here));
    }
    return made;
  }

  [[nodiscard]] Decision all(Formula f) {
    Decisions& d = made_.letters;
    const Formula g = formulas_.last(f);
    Decision made = Decision::True;
    for (const Step& step : std::vector<Step>(steps_(formulas_.regex_of(f)))) {
      Decision here = rest_satisfies({formulas_.all(step.rest, g), false});
      if (formulas_.matches_empty_word(step.rest)) {
        here = d.conjunction(here, condition({g, false}));
      }
      made = d.conjunction(made, d.disjunction(d.negation(step.letter), here));
    }
    return made;
  }

  /// The goals of a state: conjunctions taken apart, and watched if none is.
  [[nodiscard]] Goals goals_of(const Goals& given) {
    Goals goals;
    for (const Goal& goal : given) {
      if (formulas_.op(goal.formula) == Operator::And) {
        for (const Formula g : formulas_.operands(goal.formula)) goals.push_back({g, false});
      } else {
        goals.push_back(goal);
      }
    }
    const auto is_watched = [](const Goal& goal) { return goal.watched; };
    if (std::ranges::none_of(goals, is_watched)) {
      for (Goal& goal : goals) goal.watched = formulas_.op(goal.formula) == Operator::Some;
    }
    std::ranges::sort(goals);
    goals.erase(std::unique(goals.begin(), goals.end()), goals.end());
    // What is watched is the same as what is not, and one of them has to be: it shares its fate.
    std::erase_if(goals, [&](const Goal& goal) {
      return !goal.watched && std::ranges::binary_search(goals, Goal{goal.formula, true});
    });
    drop_implied(goals);
    return goals;
  }

  /// Drops a goal that another implies.  Only one without promises: with the goal its promise would
  /// go, and `G X F a` would let `F a` be put off for ever.
  void drop_implied(Goals& goals) {
    constexpr std::size_t most_compared = 16;
    if (goals.size() > most_compared) return;
    for (std::size_t i = 0; i < goals.size();) {
      const bool superfluous =
          simplifier_.safe(goals[i].formula) && std::ranges::any_of(goals, [&](const Goal& other) {
            return other != goals[i] && simplifier_.implies(other.formula, goals[i].formula);
          });
      if (superfluous) {
        goals.erase(goals.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
  }

  [[nodiscard]] StateIndex state_of(const Goals& goals) {
    if (const auto known = by_goals_.find(goals); known != by_goals_.end()) return known->second;
    Decision all = Decision::True;
    for (const Goal& goal : goals) all = made_.letters.conjunction(all, condition(goal));
    const auto number = static_cast<StateIndex>(conditions_.size());
    const auto [place, is_new] = by_condition_.emplace(all, number);
    if (is_new) {
      conditions_.push_back(all);
      made_.states.emplace_back();
    }
    by_goals_.emplace(goals, place->second);
    return place->second;
  }

  void expand(StateIndex s) {
    places_.clear();
    if (split_ == Split::Fewest) {
      add_products(s, Decision::True, conditions_[s]);
      return;
    }
    Decisions& d = made_.letters;
    std::map<std::pair<Variable, Decision>, Decision> open;
    const auto reach = [&](Decision node, Decision letter) {
      const Variable v = Decisions::is_constant(node) ? ~Variable{0} : d.top(node);
      Decision& known = open.emplace(std::pair(v, node), Decision::False).first->second;
      known = d.disjunction(known, letter);
    };
    reach(conditions_[s], Decision::True);
    std::vector<std::pair<Decision, Decision>> leaves;
    while (!open.empty()) {
      const auto [key, letter] = *open.begin();
      open.erase(open.begin());
      const auto [v, node] = key;
      if (v >= num_atoms_) {
        leaves.emplace_back(node, letter);
        continue;
      }
      const Decision atom = d.variable(v);
      reach(d.low(node), d.difference(letter, atom));
      reach(d.high(node), d.conjunction(letter, atom));
    }
    for (const auto& [node, letter] : leaves) add_products(s, letter, node);
  }

  /// An edge for each product of `choices`.
  void add_products(StateIndex s, Decision letter, Decision choices) {
    Decisions& d = made_.letters;
    for (const Cube& product : d.cubes(choices)) {
      Cube atoms;
      Goals goals;
      MarkedEdge edge;
      for (const Literal& literal : product) {
        if (literal.variable < num_atoms_) {
          atoms.push_back(literal);
          continue;
        }
        assert(literal.positive);  // conditions are monotone in goals and promises
        const Meaning& meaning = meanings_[literal.variable - num_atoms_];
        if (!meaning.is_promise) {
          goals.push_back(meaning.goal);
        } else if (meaning.promise < most_marks) {
          edge.marks.set(meaning.promise);
        }
      }
      edge.letter = d.conjunction(letter, d.cube(atoms));
      edge.target = state_of(goals_of(goals));
      add(made_.states[s], edge);
    }
  }

  void add(std::vector<MarkedEdge>& edges, const MarkedEdge& edge) {
    const auto [place, is_new] = places_.emplace(std::pair(edge.target, edge.marks), edges.size());
    if (!is_new) {
      MarkedEdge& other = edges[place->second];
      other.letter = made_.letters.disjunction(other.letter, edge.letter);
      return;
    }
    if (++num_edges_ > limits_.most_edges) throw OutOfBounds{};
    edges.push_back(edge);
  }

  struct Hash {
    std::size_t operator()(const std::pair<StateIndex, Marks>& key) const {
      return std::hash<Marks>{}(key.second) * 31 + key.first;
    }
  };

  static constexpr std::uint32_t no_formula = ~std::uint32_t{0};

  Formulas& formulas_;
  std::size_t num_atoms_;
  Split split_;
  const TranslationLimits& limits_;
  Generalized made_;
  RegexSteps steps_;
  Simplifier simplifier_;
  std::vector<Meaning> meanings_;
  std::size_t num_promises_ = 0;
  std::map<Goal, Decision> goals_;
  std::map<std::uint32_t, Decision> promises_;
  std::map<Goal, Decision> known_;
  std::map<Goals, StateIndex> by_goals_;
  std::vector<Decision> conditions_;  // by state
  std::unordered_map<Decision, StateIndex> by_condition_;
  // Of the state that is being expanded: edges by target and marks.
  std::unordered_map<std::pair<StateIndex, Marks>, std::size_t, Hash> places_;
  std::size_t num_edges_ = 0;
};

}  // namespace

std::optional<Generalized> tableau(Formulas& formulas, Formula f, std::size_t num_atoms,
                                   Split split, const TranslationLimits& limits) {
  return Tableau(formulas, num_atoms, split, limits).run(f);
}

}  // namespace cohort::ltl
