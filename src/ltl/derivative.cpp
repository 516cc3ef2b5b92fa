#include "ltl/derivative.hpp"

#include <utility>

namespace cohort::ltl {
namespace {

/// Adds a step, or widens the one with the same rest.
void add(Decisions& decisions, std::vector<Step>& steps, Decision letter, Regex rest) {
  if (letter == Decision::False) return;
  for (Step& step : steps) {
    if (step.rest != rest) continue;
    step.letter = decisions.disjunction(step.letter, letter);
    return;
  }
  steps.push_back({letter, rest});
}

[[nodiscard]] Times one_less(Times times) {
  return {times.least == 0 ? 0 : times.least - 1,
          times.most == Times::unbounded ? Times::unbounded : times.most - 1};
}

}  // namespace

Decision RegexSteps::letter(Formula f) {
  if (const auto found = letters_.find(f); found != letters_.end()) return found->second;
  Decision made = Decision::False;
  switch (formulas_.op(f)) {
    case Operator::True:
      made = Decision::True;
      break;
    case Operator::Atom:
      made = decisions_.variable(static_cast<Variable>(formulas_.atom_of(f)));
      break;
    case Operator::Not:
      made = decisions_.negation(letter(formulas_.last(f)));
      break;
    case Operator::And:
      made = Decision::True;
      for (const Formula g : formulas_.operands(f)) made = decisions_.conjunction(made, letter(g));
      break;
    case Operator::Or:
      for (const Formula g : formulas_.operands(f)) made = decisions_.disjunction(made, letter(g));
      break;
    default:
      assert(formulas_.op(f) == Operator::False);
      break;
  }
  letters_.emplace(f, made);
  return made;
}

const std::vector<Step>& RegexSteps::operator()(Regex r) {
  if (const auto found = known_.find(r); found != known_.end()) return found->second;
  std::vector<Step> steps = compute(r);
  return known_.emplace(r, std::move(steps)).first->second;
}

std::vector<Step> RegexSteps::compute(Regex r) {
  std::vector<Step> made;
  const std::vector<Regex> args(formulas_.operands(r).begin(), formulas_.operands(r).end());
  // Copies: a nested call may move what an earlier one returned.
  const auto steps_of = [&](Regex s) { return std::vector<Step>((*this)(s)); };
  switch (formulas_.op(r)) {
    case RegexOperator::None:
    case RegexOperator::EmptyWord:
      break;
    case RegexOperator::Condition:
      add(decisions_, made, letter(formulas_.condition_of(r)), formulas_.empty_word());
      break;
    case RegexOperator::Concat:
      for (const Step& step : steps_of(args[0])) {
        add(decisions_, made, step.letter, formulas_.concat(step.rest, args[1]));
      }
      if (formulas_.matches_empty_word(args[0])) {
        for (const Step& step : steps_of(args[1])) add(decisions_, made, step.letter, step.rest);
      }
      break;
    case RegexOperator::Fusion:
      for (const Step& step : steps_of(args[0])) {
        add(decisions_, made, step.letter, formulas_.fusion(step.rest, args[1]));
        if (!formulas_.matches_empty_word(step.rest)) continue;
        // The left match ends here, so here the right one begins.
        for (const Step& right : steps_of(args[1])) {
          add(decisions_, made, decisions_.conjunction(step.letter, right.letter), right.rest);
        }
      }
      break;
    case RegexOperator::Union:
      for (const Regex s : args) {
        for (const Step& step : steps_of(s)) add(decisions_, made, step.letter, step.rest);
      }
      break;
    case RegexOperator::Intersection: {
      made = steps_of(args[0]);
      for (std::size_t i = 1; i < args.size(); ++i) {
        std::vector<Step> both;
        const std::vector<Step> others = steps_of(args[i]);
        for (const Step& one : made) {
          for (const Step& other : others) {
            add(decisions_, both, decisions_.conjunction(one.letter, other.letter),
                formulas_.both({one.rest, other.rest}));
          }
        }
        made = std::move(both);
      }
      break;
    }
    case RegexOperator::Repeat: {
      // Also right if the repeated matches the empty word: the first turn may then as well be the
      // first one that is not empty, and more turns match no less.
      const Regex rest = formulas_.repeat(args[0], one_less(formulas_.times_of(r)));
      for (const Step& step : steps_of(args[0])) {
        add(decisions_, made, step.letter, formulas_.concat(step.rest, rest));
      }
      break;
    }
  }
  std::erase_if(made,
                [&](const Step& step) { return formulas_.op(step.rest) == RegexOperator::None; });
  return made;
}

}  // namespace cohort::ltl
