// Idea.  The derivative of a formula by a position is a boolean combination of finitely many
// formulas: parts of it, and "the word goes on".  Give each of them a variable, below the atoms.  A
// state is then a decision over these variables, and formulas that are equivalent by boolean
// reasoning are the same state: so there are finitely many.  The derivative of a state, for all
// positions at once, is one decision over atoms first and formulas below; what lies below is the
// next state.  The automaton is deterministic as it grows.
//
// A last letter that repeats for ever needs no infinite words: at each position the derivative says
// as well what is true if this is the last one.  There `X f` is f, and a match may go on over any
// number of copies of the letter.
//
// Source.  Jard and Jéron 1989, section 3, who test boolean equivalence with conjunctive normal
// forms and take the positions one by one.
#include "ltl/finite_word.hpp"

#include <unordered_map>
#include <utility>

#include "ltl/derivative.hpp"
#include "ltl/finite_simplify.hpp"
#include "ltl/simplify.hpp"
#include "ltl/transition_table.hpp"

namespace cohort::ltl {
namespace {

/// What comes behind the last position.
enum class Behind : std::uint8_t { Nothing, LastLetter };

class Derivation {
 public:
  Derivation(Formulas& formulas, std::size_t num_atoms, const TranslationLimits& limits,
             Behind behind)
      : formulas_(formulas), limits_(limits), behind_(behind), steps_(formulas, decisions_) {
    const Decisions::Bounds bounds{limits.most_nodes, limits.most_edges, limits.most_steps,
                                   limits.limits};
    decisions_.bind(bounds);
    table_.nodes.bind(bounds);
    table_.num_atoms = num_atoms;
  }

  /// Only these letters will occur; may throw OutOfBounds.
  void expect(const std::set<std::vector<bool>>& letters) {
    occurring_ = Decision::False;
    for (const std::vector<bool>& letter : letters) {
      Cube cube;
      for (std::size_t atom = 0; atom < letter.size(); ++atom) {
        cube.push_back({static_cast<Variable>(atom), letter[atom]});
      }
      occurring_ = decisions_.disjunction(occurring_, decisions_.cube(cube));
    }
  }

  /// May throw OutOfBounds; the table's nodes stay bound.
  [[nodiscard]] TransitionTable run(Formula formula) {
    (void)state_of(encode(formula));
    for (std::size_t s = 0; s < conditions_.size(); ++s) {
      if (conditions_.size() > limits_.most_states) throw OutOfBounds{};
      const Decision next = decisions_.conjunction(occurring_, substitute(conditions_[s]));
      table_.roots.push_back(with_leaves(next));
    }
    return std::move(table_);
  }

 private:
  /// A condition on the rest of the word, as a decision over the variables of formulas.
  [[nodiscard]] Decision encode(Formula f) {
    if (const auto known = encoded_.find(f); known != encoded_.end()) return known->second;
    const std::vector<Formula> args(formulas_.operands(f).begin(), formulas_.operands(f).end());
    Decision made = Decision::False;
    switch (formulas_.op(f)) {
      case Operator::True:
      case Operator::False:
        made = decisions_.constant(formulas_.op(f) == Operator::True);
        break;
      case Operator::Not:
        made = decisions_.negation(encode(args[0]));
        break;
      case Operator::And:
        made = Decision::True;
        for (const Formula g : args) made = decisions_.conjunction(made, encode(g));
        break;
      case Operator::Or:
        for (const Formula g : args) made = decisions_.disjunction(made, encode(g));
        break;
      default:
        made = variable_of(f);
        break;
    }
    encoded_.emplace(f, made);
    return made;
  }

  [[nodiscard]] Decision variable_of(Formula f) {
    const std::size_t number = table_.num_atoms + rest_.size();
    if (number >= Decisions::most_variables) throw OutOfBounds{};
    rest_.push_back(f);
    return decisions_.variable(static_cast<Variable>(number));
  }

  /// The rest of the word is not empty.
  [[nodiscard]] Decision goes_on() {
    return encode(formulas_.eventually(formulas_.constant(true)));
  }

  /// What a formula asks of a position and of the rest of the word behind it.
  [[nodiscard]] Decision derivative(Formula f) {
    if (const auto known = derivatives_.find(f); known != derivatives_.end()) return known->second;
    // Letters that do not occur go at once: later there may be too many.
    const Decision made = decisions_.conjunction(occurring_, compute(f));
    derivatives_.emplace(f, made);
    return made;
  }

  [[nodiscard]] Decision compute(Formula f) {
    const std::vector<Formula> args(formulas_.operands(f).begin(), formulas_.operands(f).end());
    const auto arg = [&](std::size_t i) { return derivative(args[i]); };
    const auto both = [&](Decision a, Decision b) { return decisions_.conjunction(a, b); };
    const auto either = [&](Decision a, Decision b) { return decisions_.disjunction(a, b); };
    Decision made = Decision::False;
    switch (formulas_.op(f)) {
      case Operator::True:
      case Operator::False:
        return decisions_.constant(formulas_.op(f) == Operator::True);
      case Operator::Atom:
        return decisions_.variable(static_cast<Variable>(formulas_.atom_of(f)));
      case Operator::Not:
        return decisions_.negation(arg(0));
      case Operator::And:
        made = Decision::True;
        for (const Formula g : args) made = both(made, derivative(g));
        return made;
      case Operator::Or:
        for (const Formula g : args) made = either(made, derivative(g));
        return made;
      case Operator::X:
        if (behind_ == Behind::LastLetter) return next_or_same(args[0]);
        return either(encode(args[0]), decisions_.negation(goes_on()));
      case Operator::StrongX:
        if (behind_ == Behind::LastLetter) return next_or_same(args[0]);
        return both(encode(args[0]), goes_on());
      case Operator::F:
        return either(arg(0), encode(f));
      case Operator::G:
        return both(arg(0), encode(f));
      case Operator::U:
      case Operator::W:
        return either(arg(1), both(arg(0), encode(f)));
      case Operator::R:
      case Operator::M:
        return both(arg(1), either(arg(0), encode(f)));
      case Operator::Some:
        return match(f, args[0]);
      case Operator::All:
        return decisions_.negation(match(f, args[0]));
    }
    return made;
  }

  /// X f where the last letter repeats: behind the last position everything is as it is there.
  [[nodiscard]] Decision next_or_same(Formula f) {
    const Decision here = derivative(f);
    return decisions_.if_then_else(goes_on(), encode(f), here);
  }

  /// Some(r, g), and the negation of All(r, g): for that g counts negated.
  [[nodiscard]] Decision match(Formula f, Formula g) {
    const bool all = formulas_.op(f) == Operator::All;
    const std::vector<Step> steps = steps_(formulas_.regex_of(f));
    Decision made = Decision::False;
    for (const Step& step : steps) {
      const Formula rest = all ? formulas_.all(step.rest, g) : formulas_.some(step.rest, g);
      Decision here = encode(rest);
      if (all) here = decisions_.negation(here);
      Decision may_end = decisions_.constant(formulas_.matches_empty_word(step.rest));
      if (behind_ == Behind::LastLetter) {
        const Decision ends_behind =
            decisions_.conjunction(decisions_.negation(goes_on()), matches_copies(step.rest));
        may_end = decisions_.disjunction(may_end, ends_behind);
      }
      if (may_end != Decision::False) {
        const Decision last = derivative(g);
        here = decisions_.disjunction(
            here, decisions_.conjunction(may_end, all ? decisions_.negation(last) : last));
      }
      made = decisions_.disjunction(made, decisions_.conjunction(step.letter, here));
    }
    return made;
  }

  /// The letters of which one or more copies in a row match r: the least solution, for r and all
  /// that its matches may have left.
  [[nodiscard]] Decision matches_copies(Regex r) {
    if (const auto known = matches_copies_.find(r); known != matches_copies_.end()) {
      return known->second;
    }
    std::vector<Regex> rests{r};
    matches_copies_.emplace(r, Decision::False);
    for (std::size_t i = 0; i < rests.size(); ++i) {
      for (const Step& step : steps_(rests[i])) {
        if (matches_copies_.emplace(step.rest, Decision::False).second) rests.push_back(step.rest);
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      // Backwards: what is left of a match was mostly found later than the match.
      for (std::size_t i = rests.size(); i-- > 0;) {
        Decision made = Decision::False;
        for (const Step& step : steps_(rests[i])) {
          const Decision rest = formulas_.matches_empty_word(step.rest)
                                    ? Decision::True
                                    : matches_copies_.at(step.rest);
          made = decisions_.disjunction(made, decisions_.conjunction(step.letter, rest));
        }
        Decision& before = matches_copies_.at(rests[i]);
        changed = changed || made != before;
        before = made;
      }
    }
    return matches_copies_.at(r);
  }

  [[nodiscard]] bool holds_on_empty_word(Formula f) const {
    switch (formulas_.op(f)) {
      case Operator::X:
      case Operator::G:
      case Operator::W:
      case Operator::R:
      case Operator::All:
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] StateIndex state_of(Decision condition) {
    const auto number = static_cast<StateIndex>(conditions_.size());
    const auto [place, is_new] = states_.emplace(condition, number);
    if (is_new) {
      conditions_.push_back(condition);
      table_.accepting.push_back(
          decisions_.evaluate(condition, [&](Variable v) { return holds_on_empty_word(rest(v)); }));
    }
    return place->second;
  }

  [[nodiscard]] Formula rest(Variable v) const { return rest_[v - table_.num_atoms]; }

  /// A decision over atoms, then formulas: the same with states in place of conditions.
  [[nodiscard]] Decision with_leaves(Decision node) {
    if (const auto known = with_leaves_.find(node); known != with_leaves_.end()) {
      return known->second;
    }
    Decision made = Decision::False;
    if (Decisions::is_constant(node) || decisions_.top(node) >= table_.num_atoms) {
      made = table_.leaf(state_of(node));
    } else {
      const Decision low = with_leaves(decisions_.low(node));
      const Decision high = with_leaves(decisions_.high(node));
      made = table_.nodes.if_then_else(table_.nodes.variable(decisions_.top(node)), high, low);
    }
    with_leaves_.emplace(node, made);
    return made;
  }

  /// Every formula in a condition replaced by its derivative.
  [[nodiscard]] Decision substitute(Decision condition) {
    if (Decisions::is_constant(condition)) return condition;
    if (const auto known = substituted_.find(condition); known != substituted_.end()) {
      return known->second;
    }
    const Decision first = derivative(rest(decisions_.top(condition)));
    const Decision high = substitute(decisions_.high(condition));
    const Decision low = substitute(decisions_.low(condition));
    const Decision made = decisions_.if_then_else(first, high, low);
    substituted_.emplace(condition, made);
    return made;
  }

  Formulas& formulas_;
  const TranslationLimits& limits_;
  Behind behind_;
  Decisions decisions_;
  RegexSteps steps_;
  TransitionTable table_;
  Decision occurring_ = Decision::True;
  std::vector<Formula> rest_;  // by variable, from the number of atoms on
  std::unordered_map<Formula, Decision> encoded_;
  std::unordered_map<Formula, Decision> derivatives_;
  std::unordered_map<Regex, Decision> matches_copies_;
  std::unordered_map<Decision, Decision> substituted_;
  std::unordered_map<Decision, Decision> with_leaves_;
  std::vector<Decision> conditions_;  // by state
  std::unordered_map<Decision, StateIndex> states_;
};

/// `formula` simplified already.
[[nodiscard]] std::optional<Automaton> smallest_automaton(Formulas& formulas, Formula formula,
                                                          std::vector<std::string> atoms,
                                                          const TranslationLimits& limits,
                                                          Behind behind) {
  Automaton automaton;
  try {
    Derivation derivation(formulas, atoms.size(), limits, behind);
    if (limits.letters != nullptr) derivation.expect(*limits.letters);
    TransitionTable table = derivation.run(formula);
    if (!make_edges(minimal(std::move(table)), limits.most_edges, automaton)) return std::nullopt;
  } catch (const OutOfBounds&) {
    return std::nullopt;
  }
  automaton.letters.unbind();
  automaton.acceptance = Acceptance::Finite;
  automaton.atoms = std::move(atoms);
  return automaton;
}

}  // namespace

std::optional<Automaton> finite_automaton(Formulas& formulas, Formula formula,
                                          std::vector<std::string> atoms,
                                          const TranslationLimits& limits) {
  return smallest_automaton(formulas, FiniteSimplifier(formulas)(formula), std::move(atoms), limits,
                            Behind::Nothing);
}

std::optional<Automaton> repeating_automaton(Formulas& formulas, Formula formula,
                                             std::vector<std::string> atoms,
                                             const TranslationLimits& limits) {
  return smallest_automaton(formulas, Simplifier(formulas)(formula), std::move(atoms), limits,
                            Behind::LastLetter);
}

}  // namespace cohort::ltl
