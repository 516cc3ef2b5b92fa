#include "trace/sequential/linear.hpp"

#include <utility>
#include <vector>

namespace cohort::trace::sequential {

void LinearForm::scale(const cpp_rational& by) {
  for (auto& [slot, factor] : factors) factor *= by;
  constant *= by;
}

void LinearForm::add(const LinearForm& other) {
  for (const auto& [slot, factor] : other.factors) factors[slot] += factor;
  constant += other.constant;
}

std::optional<LinearForm> linear_form(const Term& term) {
  std::vector<LinearForm> stack;
  for (const Term::Instruction& step : term.steps()) {
    if (step.step == Term::Step::Constant) {
      const Value value = term.constant(step.operand);
      if (value.is_text()) return std::nullopt;
      LinearForm form;
      form.constant = rational_of(value);
      stack.push_back(std::move(form));
      continue;
    }
    if (step.step == Term::Step::Variable) {
      LinearForm form;
      form.factors[step.operand] = 1;
      stack.push_back(std::move(form));
      continue;
    }
    if (step.step == Term::Step::Negate) {
      stack.back().scale(-1);
      continue;
    }
    LinearForm right = std::move(stack.back());
    stack.pop_back();
    LinearForm& left = stack.back();
    switch (step.step) {
      case Term::Step::Minus:
        right.scale(-1);
        [[fallthrough]];
      case Term::Step::Plus:
        left.add(right);
        break;
      case Term::Step::Times:
        if (left.factors.empty()) std::swap(left, right);
        if (!right.factors.empty()) return std::nullopt;
        left.scale(right.constant);
        break;
      case Term::Step::Divide:
        if (!right.factors.empty() || right.constant == 0) return std::nullopt;
        left.scale(1 / right.constant);
        break;
      default:
        return std::nullopt;
    }
  }
  return std::move(stack.back());
}

std::optional<LinearForm> difference_of(const Comparison& comparison) {
  std::optional<LinearForm> form = linear_form(comparison.left());
  std::optional<LinearForm> right = linear_form(comparison.right());
  if (!form || !right) return std::nullopt;
  right->scale(-1);
  form->add(*right);
  return form;
}

Relation mirrored(Relation relation) {
  switch (relation) {
    case Relation::Less:
      return Relation::Greater;
    case Relation::LessEqual:
      return Relation::GreaterEqual;
    case Relation::Greater:
      return Relation::Less;
    case Relation::GreaterEqual:
      return Relation::LessEqual;
    default:
      return relation;
  }
}

}  // namespace cohort::trace::sequential
