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
    return formulas.constant(comparison->holds([](VariableId) { return Value{}; }));
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
  return formulas.atom(made);
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
