#include "ltl/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cohort::ltl {
namespace {

using base::Diagnostics;
using syntax::Expr;
using syntax::ExprKind;
using syntax::TemporalOperator;

class Lowering {
 public:
  Lowering(Formulas& formulas, AtomSource& atoms, Diagnostics& diagnostics)
      : formulas_(formulas), atoms_(atoms), diagnostics_(diagnostics) {}

  /// Recurses as deep as the tree, which the parser limits.
  [[nodiscard]] Formula formula(const Expr& bracketed) {
    const Expr& expr = syntax::inside_brackets(bracketed);
    if (is_connective(expr) && !syntax::is_temporal(expr) && atoms_.is_one_atom(expr)) {
      return atom(expr);
    }
    switch (expr.kind) {
      case ExprKind::True:
        return formulas_.constant(true);
      case ExprKind::False:
        return formulas_.constant(false);
      case ExprKind::Not:
        return formulas_.negation(formula(expr.args[0]));
      case ExprKind::And:
        return formulas_.conjunction(formulas(expr.args));
      case ExprKind::Or:
        return formulas_.disjunction(formulas(expr.args));
      case ExprKind::Implies: {
        const Formula left = formula(expr.args[0]);
        return formulas_.implication(left, formula(expr.args[1]));
      }
      case ExprKind::Iff: {
        const Formula left = formula(expr.args[0]);
        return formulas_.equivalence(left, formula(expr.args[1]));
      }
      case ExprKind::Temporal:
        return temporal(expr);
      case ExprKind::Forall:
      case ExprKind::Exists:
        return quantified(expr);
      case ExprKind::Match:
      case ExprKind::Suffix:
      case ExprKind::SuffixNext:
        return suffix(expr);
      default:
        return atom(expr);
    }
  }

 private:
  [[nodiscard]] static bool is_connective(const Expr& expr) {
    return expr.kind == ExprKind::Not || expr.kind == ExprKind::And || expr.kind == ExprKind::Or ||
           expr.kind == ExprKind::Implies || expr.kind == ExprKind::Iff;
  }

  [[nodiscard]] std::vector<Formula> formulas(const std::vector<Expr>& args) {
    std::vector<Formula> made;
    made.reserve(args.size());
    for (const Expr& arg : args) made.push_back(formula(arg));
    return made;
  }

  [[nodiscard]] Formula temporal(const Expr& expr) {
    ++temporal_depth_;
    const Formula first = formula(expr.args[0]);
    const Formula second = expr.args.size() == 2 ? formula(expr.args[1]) : first;
    --temporal_depth_;
    switch (expr.temporal) {
      case TemporalOperator::X:
        return formulas_.next(first);
      case TemporalOperator::StrongX:
        return formulas_.strong_next(first);
      case TemporalOperator::F:
        return formulas_.eventually(first);
      case TemporalOperator::G:
        return formulas_.always(first);
      case TemporalOperator::U:
        return formulas_.until(first, second);
      case TemporalOperator::W:
        return formulas_.weak_until(first, second);
      case TemporalOperator::R:
        return formulas_.release(first, second);
    }
    return first;
  }

  [[nodiscard]] Formula quantified(const Expr& expr) {
    if (!syntax::is_temporal(expr.args[0])) return atom(expr);
    if (temporal_depth_ == 0) return atoms_.quantified(expr, formulas_, diagnostics_);
    diagnostics_.error({expr.where.begin, expr.args[0].where.begin},
                       "a quantifier with temporal operators in its scope stands below another",
                       "put the quantifier in front of all temporal operators");
    return formulas_.constant(true);
  }

  [[nodiscard]] Formula suffix(const Expr& expr) {
    ++temporal_depth_;
    const Regex r = regex(expr.args[0]);
    Formula made = formulas_.constant(true);
    if (expr.kind == ExprKind::Match) {
      made = formulas_.match(r);
    } else {
      const Formula f = formula(expr.args[1]);
      made = expr.kind == ExprKind::Suffix ? formulas_.all(r, f) : formulas_.all_next(r, f);
    }
    --temporal_depth_;
    return made;
  }

  [[nodiscard]] Formula atom(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::Integer:
      case ExprKind::Decimal:
      case ExprKind::String:
      case ExprKind::None:
      case ExprKind::Minus:
      case ExprKind::Sum:
      case ExprKind::Product:
      case ExprKind::Count:
        diagnostics_.error(expr.where, "a value stands where a formula is needed",
                           "compare it with something");
        return formulas_.constant(true);
      default:
        break;
    }
    if (const Expr* const count = temporal_count(expr)) {
      diagnostics_.error(count->where, "the body of COUNT has a temporal operator");
      return formulas_.constant(true);
    }
    return atoms_.atom(expr, formulas_);
  }

  [[nodiscard]] static const Expr* temporal_count(const Expr& expr) {
    if (expr.kind == ExprKind::Count && syntax::is_temporal(expr.args[0])) return &expr;
    for (const Expr& arg : expr.args) {
      if (const Expr* const found = temporal_count(arg)) return found;
    }
    return nullptr;
  }

  // -------------------------------------------------------------------------------------------------
  // Regular expressions

  [[nodiscard]] Regex regex(const Expr& bracketed) {
    const Expr& expr = syntax::inside_brackets(bracketed);
    switch (expr.kind) {
      case ExprKind::Concat: {
        std::vector<Regex> parts = regexes(expr.args);
        Regex made = parts.back();
        for (std::size_t i = parts.size() - 1; i-- > 0;) made = formulas_.concat(parts[i], made);
        return made;
      }
      case ExprKind::Fusion: {
        const Regex left = regex(expr.args[0]);
        return formulas_.fusion(left, regex(expr.args[1]));
      }
      case ExprKind::Intersection:
        return formulas_.both(regexes(expr.args));
      case ExprKind::Or:
        return formulas_.either(regexes(expr.args));
      case ExprKind::Repeat:
        return repeat(expr);
      default:
        return formulas_.condition(condition(expr));
    }
  }

  [[nodiscard]] std::vector<Regex> regexes(const std::vector<Expr>& args) {
    std::vector<Regex> made;
    made.reserve(args.size());
    for (const Expr& arg : args) made.push_back(regex(arg));
    return made;
  }

  [[nodiscard]] Regex repeat(const Expr& expr) {
    const Regex inner = regex(expr.args[0]);
    const syntax::Repetition& times = expr.times;
    if (times.most && *times.most < times.least) {
      diagnostics_.error(expr.where, "a repetition at least " + std::to_string(times.least) +
                                         " and at most " + std::to_string(*times.most) + " times");
      return inner;
    }
    if (std::max(times.least, times.most.value_or(0)) > most_repetitions) {
      diagnostics_.error(expr.where,
                         fmt::format("a repetition of more than {} times", most_repetitions));
      return inner;
    }
    return formulas_.repeat(
        inner, {static_cast<std::uint32_t>(times.least),
                times.most ? static_cast<std::uint32_t>(*times.most) : Times::unbounded});
  }

  /// A condition on one position: what `!`, `&`, `->` and `<->` join in a regular expression.  Of
  /// conditions `&&` and `|` make another one.
  [[nodiscard]] Formula condition(const Expr& bracketed) {
    const Expr& expr = syntax::inside_brackets(bracketed);
    if (is_connective(expr) && !syntax::is_temporal(expr) && atoms_.is_one_atom(expr)) {
      return atom(expr);
    }
    const auto conditions = [&] {
      std::vector<Formula> made;
      for (const Expr& arg : expr.args) made.push_back(condition(arg));
      return made;
    };
    switch (expr.kind) {
      case ExprKind::Concat:
      case ExprKind::Fusion:
      case ExprKind::Repeat:
        diagnostics_.error(expr.where, "a regular expression stands where a condition is needed",
                           "'!', '&', '->' and '<->' are for conditions on one position");
        return formulas_.constant(true);
      case ExprKind::Not:
        return formulas_.negation(condition(expr.args[0]));
      case ExprKind::And:
      case ExprKind::Intersection:
        return formulas_.conjunction(conditions());
      case ExprKind::Or:
        return formulas_.disjunction(conditions());
      case ExprKind::Implies: {
        const std::vector<Formula> sides = conditions();
        return formulas_.implication(sides[0], sides[1]);
      }
      case ExprKind::Iff: {
        const std::vector<Formula> sides = conditions();
        return formulas_.equivalence(sides[0], sides[1]);
      }
      case ExprKind::True:
      case ExprKind::False:
        return formulas_.constant(expr.kind == ExprKind::True);
      default:
        return atom(expr);
    }
  }

  Formulas& formulas_;
  AtomSource& atoms_;
  Diagnostics& diagnostics_;
  std::size_t temporal_depth_ = 0;
};

}  // namespace

Formula AtomSource::quantified(const Expr& expr, Formulas& formulas, Diagnostics& diagnostics) {
  diagnostics.error({expr.where.begin, expr.args[0].where.begin},
                    "a quantifier over processes needs a model");
  return formulas.constant(true);
}

Formula lower(const Expr& tree, Formulas& formulas, AtomSource& atoms, Diagnostics& diagnostics) {
  return Lowering(formulas, atoms, diagnostics).formula(tree);
}

Formula NamedAtoms::atom(const Expr& expr, Formulas& formulas) {
  const auto number = Atom{static_cast<std::uint32_t>(names_.size())};
  const auto [place, is_new] = numbers_.emplace(syntax::canonical_text(expr), number);
  if (is_new) names_.push_back(place->first);
  return formulas.atom(place->second);
}

}  // namespace cohort::ltl
