#include "trace/event_atoms.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "base/lexer.hpp"
#include "base/suggest.hpp"

namespace cohort::trace {
namespace {

using base::Diagnostics;
using ltl::syntax::Expr;
using ltl::syntax::ExprKind;
using ltl::syntax::Join;

/// The value of a subscript: an integer, maybe with a minus.
[[nodiscard]] std::optional<std::string> subscript(const Expr& bracketed) {
  const Expr& expr = ltl::syntax::inside_brackets(bracketed);
  if (expr.kind == ExprKind::Integer) {
    std::string_view digits = expr.text;
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    return std::string{digits};
  }
  if (expr.kind != ExprKind::Minus) return std::nullopt;
  std::optional<std::string> inner = subscript(expr.args[0]);
  if (!inner || *inner == "0") return inner;
  return inner->starts_with('-') ? inner->substr(1) : "-" + *inner;
}

/// Recurses as deep as the tree, which the parser limits.
class TermBuilder {
 public:
  TermBuilder(const ResolveVariable& resolve, Diagnostics& diagnostics)
      : resolve_(resolve), diagnostics_(diagnostics) {}

  /// False, with the error reported, if the tree is no term over trace variables.
  [[nodiscard]] bool add(const Expr& bracketed, Term& term) {
    const Expr& expr = ltl::syntax::inside_brackets(bracketed);
    switch (expr.kind) {
      case ExprKind::Integer:
      case ExprKind::Decimal: {
        std::string digits;
        term.push_number(*parse_number(expr.text, digits));
        return true;
      }
      case ExprKind::String:
        term.push_text(base::string_value(expr.text));
        return true;
      case ExprKind::Variable: {
        const auto variable = resolve_(expr);
        if (variable) term.push_variable(*variable);
        return variable.has_value();
      }
      case ExprKind::Minus:
        if (!add(expr.args[0], term)) return false;
        term.push(Term::Step::Negate);
        return true;
      case ExprKind::Sum:
      case ExprKind::Product:
        return add_chain(expr, term);
      case ExprKind::Min:
      case ExprKind::Max:
        for (std::size_t i = 0; i < expr.args.size(); ++i) {
          if (!add(expr.args[i], term)) return false;
          if (i > 0) term.push(expr.kind == ExprKind::Min ? Term::Step::Min : Term::Step::Max);
        }
        return true;
      case ExprKind::Label:
        return refuse(expr, "a label: a trace has variables only");
      case ExprKind::True:
      case ExprKind::False:
        return refuse(expr, "a truth value as a number", "write 1 or 0");
      default:
        return refuse(expr, "this is about models, not about traces");
    }
  }

 private:
  [[nodiscard]] bool refuse(const Expr& expr, std::string message, std::string hint = {}) {
    diagnostics_.error(expr.where, std::move(message), std::move(hint));
    return false;
  }

  [[nodiscard]] bool add_chain(const Expr& expr, Term& term) {
    for (const Expr& arg : expr.args) {
      if (!add(arg, term)) return false;
      switch (arg.join) {
        case Join::Plus:
          term.push(Term::Step::Plus);
          break;
        case Join::Minus:
          term.push(Term::Step::Minus);
          break;
        case Join::Times:
          term.push(Term::Step::Times);
          break;
        case Join::Divide:
          term.push(Term::Step::Divide);
          break;
        case Join::Modulo:
          term.push(Term::Step::Modulo);
          break;
        default:
          break;
      }
    }
    return true;
  }

  const ResolveVariable& resolve_;
  Diagnostics& diagnostics_;
};

[[nodiscard]] std::optional<Relation> relation_of(Join join) {
  switch (join) {
    case Join::Equal:
      return Relation::Equal;
    case Join::NotEqual:
      return Relation::NotEqual;
    case Join::Less:
      return Relation::Less;
    case Join::LessEqual:
      return Relation::LessEqual;
    case Join::Greater:
      return Relation::Greater;
    case Join::GreaterEqual:
      return Relation::GreaterEqual;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> variable_name(const Expr& expr, Diagnostics& diagnostics) {
  std::string name{expr.text};
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    const auto index = subscript(expr.args[i]);
    if (!index) {
      diagnostics.error(expr.args[i].where, "a subscript that is no integer",
                        "the variables of a trace have fixed names, such as x[1,2]");
      return std::nullopt;
    }
    name += (i == 0 ? "[" : ",") + *index;
  }
  if (!expr.args.empty()) name += "]";
  return name;
}

std::optional<VariableId> find_variable(const Expr& expr, const Vocabulary& words,
                                        Diagnostics& diagnostics) {
  const std::optional<std::string> spelled = variable_name(expr, diagnostics);
  if (!spelled) return std::nullopt;
  const std::string& name = *spelled;
  const auto variable = words.find_variable(name);
  if (variable) return variable;
  std::vector<std::string_view> known;
  for (std::uint32_t i = 0; i < words.num_variables(); ++i) {
    known.push_back(words.name(VariableId{i}));
  }
  const auto near = base::nearest(name, known);
  diagnostics.error(expr.where, fmt::format("the trace never mentions a variable '{}'", name),
                    near ? fmt::format("did you mean '{}'?", *near)
                         : "'init' declares a variable that no event assigns");
  return std::nullopt;
}

bool add_term(const Expr& expr, Term& term, const ResolveVariable& resolve,
              Diagnostics& diagnostics) {
  return TermBuilder{resolve, diagnostics}.add(expr, term);
}

std::optional<Comparison> make_comparison(const Expr& expr, const Vocabulary& words,
                                          Diagnostics& diagnostics) {
  return make_comparison(
      expr,
      [&](const Expr& variable) -> std::optional<VariableId> {
        if (variable.history != ltl::syntax::History{}) {
          diagnostics.error(variable.where, "history on a partial-order trace",
                            "x?T, x?C and x?n are for sequential traces");
          return std::nullopt;
        }
        return find_variable(variable, words, diagnostics);
      },
      diagnostics);
}

std::optional<Comparison> make_comparison(const Expr& bracketed, const ResolveVariable& resolve,
                                          Diagnostics& diagnostics) {
  const Expr& expr = ltl::syntax::inside_brackets(bracketed);
  if (expr.kind != ExprKind::Compare) {
    if (expr.kind == ExprKind::Variable) {
      diagnostics.error(expr.where, fmt::format("'{}' is a value, not a condition", expr.text),
                        fmt::format("compare it, as in '{} = 1'", expr.text));
    } else if (expr.kind == ExprKind::Label) {
      diagnostics.error(expr.where, "a label: a trace has variables only");
    } else {
      diagnostics.error(expr.where, "this is about models, not about traces");
    }
    return std::nullopt;
  }
  TermBuilder builder{resolve, diagnostics};
  Term left;
  Term right;
  const bool left_right = builder.add(expr.args[0], left);
  if (!builder.add(expr.args[1], right) || !left_right) return std::nullopt;
  const Relation relation = *relation_of(expr.args[1].join);
  const bool ordered = relation != Relation::Equal && relation != Relation::NotEqual;
  const bool texts = left.is_text() || right.is_text();
  if (left.computes_with_text() || right.computes_with_text() ||
      (texts && !(left.is_plain() && right.is_plain()))) {
    diagnostics.error(expr.where, "arithmetic with a string");
    return std::nullopt;
  }
  if (texts && ordered) {
    diagnostics.error(expr.where, "strings have no order", "they are compared with = and != only");
    return std::nullopt;
  }
  return Comparison{std::move(left), relation, std::move(right)};
}

ltl::Formula EventAtoms::atom(const Expr& expr, ltl::Formulas& formulas) {
  std::string name = ltl::syntax::canonical_text(expr);
  if (const auto known = numbers_.find(name); known != numbers_.end()) {
    return formulas.atom(known->second);
  }
  std::optional<Comparison> comparison = make_comparison(expr, words_, diagnostics_);
  if (!comparison) return formulas.constant(true);
  const std::vector<VariableId> variables = comparison->variables();
  if (variables.empty()) {
    const auto holds = comparison->evaluate([](VariableId) { return Value{}; });
    if (!holds) diagnostics_.error(expr.where, "division by zero");
    return formulas.constant(holds.value_or(true));
  }
  if (variables.size() > 1) {
    diagnostics_.error(expr.where,
                       fmt::format("the comparison names two variables, '{}' and '{}'",
                                   words_.name(variables[0]), words_.name(variables[1])),
                       "on a partial order an atom is about what one event assigns");
    return formulas.constant(true);
  }
  const ltl::Atom made{static_cast<std::uint32_t>(names_.size())};
  numbers_.emplace(name, made);
  names_.push_back(std::move(name));
  comparisons_.push_back(std::move(*comparison));
  variables_.push_back(variables[0]);
  const std::uint32_t num_effects = comparisons_.back().has_always_a_value()
                                        ? 0
                                        : static_cast<std::uint32_t>(words_.num_effects());
  for (std::uint32_t e = 0; e < num_effects; ++e) {
    for (const Assignment& assignment : words_.assignments(EffectId{e})) {
      if (assignment.variable != variables[0]) continue;
      const Value& value = words_.value(assignment.value);
      if (!comparisons_.back().evaluate([&](VariableId) { return value; })) {
        suspects_.push_back(EffectId{e});
      }
    }
  }
  return formulas.atom(made);
}

/// Recurses as deep as the formula, which the parser limits.
EventAtoms::Truth EventAtoms::truth(const Expr& tree, EffectId effect) const {
  const auto from = [](bool value) { return value ? Truth::True : Truth::False; };
  const auto opposite = [](Truth of) {
    return of == Truth::Unknown ? of : of == Truth::True ? Truth::False : Truth::True;
  };
  switch (tree.kind) {
    case ExprKind::True:
    case ExprKind::False:
      return from(tree.kind == ExprKind::True);
    case ExprKind::Paren:
      return truth(tree.args[0], effect);
    case ExprKind::Not:
      return opposite(truth(tree.args[0], effect));
    case ExprKind::And:
    case ExprKind::Or: {
      const Truth decisive = from(tree.kind == ExprKind::Or);
      Truth all = opposite(decisive);
      for (const Expr& arg : tree.args) {
        const Truth one = truth(arg, effect);
        if (one == decisive) return decisive;
        if (one == Truth::Unknown) all = Truth::Unknown;
      }
      return all;
    }
    case ExprKind::Implies: {
      const Truth left = truth(tree.args[0], effect);
      if (left == Truth::False) return Truth::True;
      const Truth right = truth(tree.args[1], effect);
      return right == Truth::True || left == Truth::True ? right : Truth::Unknown;
    }
    case ExprKind::Iff: {
      const Truth left = truth(tree.args[0], effect);
      const Truth right = truth(tree.args[1], effect);
      return left == Truth::Unknown || right == Truth::Unknown ? Truth::Unknown
                                                               : from(left == right);
    }
    case ExprKind::Compare: {
      const auto known = numbers_.find(ltl::syntax::canonical_text(tree));
      if (known == numbers_.end()) return Truth::Unknown;  // a constant
      const auto i = static_cast<std::size_t>(known->second);
      for (const Assignment& assignment : words_.assignments(effect)) {
        if (assignment.variable != variables_[i]) continue;
        const Value& value = words_.value(assignment.value);
        const auto holds = comparisons_[i].evaluate([&](VariableId) { return value; });
        if (holds) return from(*holds);
        const std::string name{words_.name(assignment.variable)};
        diagnostics_.error(
            tree.where,
            value.is_text()
                ? fmt::format("an event assigns a string, {} := {}", name, to_string(value))
                : fmt::format("division by zero where an event assigns {} := {}", name,
                              to_string(value)),
            value.is_text() ? "strings are compared with = and != only" : "");
        return Truth::Unknown;
      }
      return Truth::False;
    }
    default:
      return Truth::Unknown;  // about other events: check_values() looks at the operands
  }
}

void EventAtoms::check_values(const Expr& tree) const {
  if (suspects_.empty()) return;
  // What is asked at every event, whatever stands beside it: the formula, and the operands of
  // temporal operators and regular expressions.
  std::vector<const Expr*> asked{&tree};
  std::vector<const Expr*> open{&tree};
  while (!open.empty()) {
    const Expr& at = *open.back();
    open.pop_back();
    const bool is_boolean = at.kind == ExprKind::Paren || at.kind == ExprKind::Not ||
                            at.kind == ExprKind::And || at.kind == ExprKind::Or ||
                            at.kind == ExprKind::Implies || at.kind == ExprKind::Iff;
    if (at.kind == ExprKind::Compare) continue;
    for (const Expr& arg : at.args) {
      open.push_back(&arg);
      if (!is_boolean) asked.push_back(&arg);
    }
  }
  // The first event that shows an error is enough.
  for (const EffectId effect : suspects_) {
    for (const Expr* const at : asked) {
      (void)truth(*at, effect);
      if (diagnostics_.has_errors()) return;
    }
  }
}

bool EventAtoms::holds(ltl::Atom atom, EffectId effect) const {
  const auto i = static_cast<std::size_t>(atom);
  for (const Assignment& assignment : words_.assignments(effect)) {
    if (assignment.variable != variables_[i]) continue;
    return comparisons_[i].holds([&](VariableId) { return words_.value(assignment.value); });
  }
  return false;
}

}  // namespace cohort::trace
