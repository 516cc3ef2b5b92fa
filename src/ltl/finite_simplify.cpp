// Idea.  `G F f` and `F G f` are both about the last position of a finite word, and say of it that
// f holds on the word that consists of this position alone; they differ on the empty word only.
// So all boolean combinations of such formulas are one of them.  Assumptions of fairness,
// `(G F a -> G F b) & … -> f`, which would need a state for each combination of what has been seen,
// become a single condition.
#include "ltl/finite_simplify.hpp"

#include <algorithm>
#include <utility>

namespace cohort::ltl {

Formula FiniteSimplifier::operator()(Formula f) { return rewrite(f); }

/// Recurses as deep as the formula.
Formula FiniteSimplifier::rewrite(Formula f) {
  if (formulas_.is_boolean(f)) return f;
  if (const auto known = rewritten_.find(f); known != rewritten_.end()) return known->second;
  std::vector<Formula> args(formulas_.operands(f).begin(), formulas_.operands(f).end());
  for (Formula& arg : args) arg = rewrite(arg);
  const Operator op = formulas_.op(f);
  Formula made = f;
  switch (op) {
    case Operator::Not: {
      const std::optional<AtEnd> end = about_end(args[0]);
      made = end ? written({formulas_.negation(end->condition), !end->holds_on_empty_word})
                 : formulas_.negation(args[0]);
      break;
    }
    case Operator::And:
    case Operator::Or:
      made = join(op, args);
      break;
    case Operator::X:
      made = formulas_.next(args[0]);
      break;
    case Operator::StrongX:
      made = formulas_.strong_next(args[0]);
      break;
    case Operator::F:
    case Operator::G: {
      const Operator inner = op == Operator::F ? Operator::G : Operator::F;
      std::optional<Formula> condition;
      if (formulas_.op(args[0]) == inner) condition = on_one_position(formulas_.last(args[0]));
      if (const std::optional<AtEnd> end = about_end(args[0])) condition = end->condition;
      made = condition           ? written({*condition, op == Operator::G})
             : op == Operator::F ? formulas_.eventually(args[0])
                                 : formulas_.always(args[0]);
      break;
    }
    case Operator::U:
      made = formulas_.until(args[0], args[1]);
      break;
    case Operator::W:
      made = formulas_.weak_until(args[0], args[1]);
      break;
    case Operator::R:
      made = formulas_.release(args[0], args[1]);
      break;
    case Operator::M:
      made = formulas_.strong_release(args[0], args[1]);
      break;
    case Operator::Some:
      made = formulas_.some(formulas_.regex_of(f), args[0]);
      break;
    case Operator::All:
      made = formulas_.all(formulas_.regex_of(f), args[0]);
      break;
    default:
      break;
  }
  rewritten_.emplace(f, made);
  return made;
}

Formula FiniteSimplifier::join(Operator op, const std::vector<Formula>& args) {
  const bool both = op == Operator::And;
  std::vector<Formula> others;
  std::vector<Formula> conditions;
  bool holds_on_empty_word = both;
  for (const Formula arg : args) {
    const std::optional<AtEnd> end = about_end(arg);
    if (!end) {
      others.push_back(arg);
      continue;
    }
    conditions.push_back(end->condition);
    holds_on_empty_word = both ? holds_on_empty_word && end->holds_on_empty_word
                               : holds_on_empty_word || end->holds_on_empty_word;
  }
  if (!conditions.empty()) {
    const Formula condition = both ? formulas_.conjunction(std::move(conditions))
                                   : formulas_.disjunction(std::move(conditions));
    others.push_back(written({condition, holds_on_empty_word}));
  }
  return both ? formulas_.conjunction(std::move(others)) : formulas_.disjunction(std::move(others));
}

std::optional<FiniteSimplifier::AtEnd> FiniteSimplifier::about_end(Formula f) const {
  const Operator op = formulas_.op(f);
  if (op != Operator::F && op != Operator::G) return std::nullopt;
  const Formula inner = formulas_.last(f);
  const Operator other = op == Operator::F ? Operator::G : Operator::F;
  if (formulas_.op(inner) != other || !formulas_.is_boolean(formulas_.last(inner))) {
    return std::nullopt;
  }
  return AtEnd{formulas_.last(inner), op == Operator::G};
}

Formula FiniteSimplifier::written(const AtEnd& end) {
  const bool is_true = formulas_.op(end.condition) == Operator::True;
  if (is_true && end.holds_on_empty_word) return end.condition;
  if (end.holds_on_empty_word) return formulas_.always(formulas_.eventually(end.condition));
  return formulas_.eventually(formulas_.always(end.condition));
}

/// What a formula asks of a word of one position; nothing if that is not simple.
std::optional<Formula> FiniteSimplifier::on_one_position(Formula f) {
  if (formulas_.is_boolean(f)) return f;
  const auto known = on_one_position_.find(f);
  if (known != on_one_position_.end()) return known->second;
  const std::optional<Formula> made = compute_on_one_position(f);
  on_one_position_.emplace(f, made);
  return made;
}

std::optional<Formula> FiniteSimplifier::compute_on_one_position(Formula f) {
  const auto operand = [&](std::size_t i) { return on_one_position(formulas_.operands(f)[i]); };
  switch (formulas_.op(f)) {
    case Operator::Not: {
      const std::optional<Formula> inner = operand(0);
      if (!inner) return std::nullopt;
      return formulas_.negation(*inner);
    }
    case Operator::And:
    case Operator::Or: {
      std::vector<Formula> parts;
      for (std::size_t i = 0; i < formulas_.operands(f).size(); ++i) {
        const std::optional<Formula> part = operand(i);
        if (!part) return std::nullopt;
        parts.push_back(*part);
      }
      return formulas_.op(f) == Operator::And ? formulas_.conjunction(std::move(parts))
                                              : formulas_.disjunction(std::move(parts));
    }
    case Operator::X:
      return formulas_.constant(true);
    case Operator::StrongX:
      return formulas_.constant(false);
    case Operator::F:
    case Operator::G:
      return operand(0);
    case Operator::U:
    case Operator::R:
      return operand(1);
    case Operator::W:
    case Operator::M: {
      const std::optional<Formula> left = operand(0);
      const std::optional<Formula> right = operand(1);
      if (!left || !right) return std::nullopt;
      return formulas_.op(f) == Operator::W ? formulas_.disjunction({*left, *right})
                                            : formulas_.conjunction({*left, *right});
    }
    default:
      return std::nullopt;
  }
}

}  // namespace cohort::ltl
