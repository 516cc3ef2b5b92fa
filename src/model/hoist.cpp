#include "model/hoist.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace cohort::model {
namespace {

using lang::Expr;
using lang::Op;

[[nodiscard]] bool mentions(const Expr& expr, std::uint32_t slot) {
  if (expr.op == Op::Slot && expr.id == slot) return true;
  return std::ranges::any_of(expr.args, [&](const Expr& arg) { return mentions(arg, slot); });
}

[[nodiscard]] bool is_all(Op op) { return op == Op::All || op == Op::ForallProcess; }
[[nodiscard]] bool is_exists(Op op) { return op == Op::Exists || op == Op::ExistsProcess; }

void flatten(Expr expr, Op op, std::vector<Expr>& parts) {
  if (expr.op != op) {
    parts.push_back(std::move(expr));
    return;
  }
  for (Expr& arg : expr.args) flatten(std::move(arg), op, parts);
}

[[nodiscard]] Expr joined(Op op, std::vector<Expr> parts, const Expr& like) {
  if (parts.size() == 1) return std::move(parts.front());
  Expr made;
  made.op = op;
  made.type = like.type;
  made.where = like.where;
  for (Expr& part : parts) part.join = lang::syntax::Join::None;
  made.args = std::move(parts);
  return made;
}

[[nodiscard]] Expr negated(Expr expr) {
  Expr made;
  made.op = Op::Not;
  made.type = expr.type;
  made.where = expr.where;
  expr.join = lang::syntax::Join::None;
  made.args.push_back(std::move(expr));
  return made;
}

/// A body as parts of a disjunction (for ALL) or a conjunction (for EXISTS).
[[nodiscard]] std::vector<Expr> parts_of(Expr body, bool all) {
  std::vector<Expr> parts;
  if (all && body.op == Op::Implies) {
    for (std::size_t i = 0; i + 1 < body.args.size(); ++i) {
      std::vector<Expr> premises;
      flatten(std::move(body.args[i]), Op::And, premises);
      for (Expr& premise : premises) parts.push_back(negated(std::move(premise)));
    }
    flatten(std::move(body.args.back()), Op::Or, parts);
    return parts;
  }
  flatten(std::move(body), all ? Op::Or : Op::And, parts);
  return parts;
}

/// The quantifier over one variable, with what does not mention it taken outside.
[[nodiscard]] Expr quantified(const Expr& quantifier, const lang::Binder& binder, Expr body) {
  const bool all = is_all(quantifier.op);
  std::vector<Expr> outside;
  std::vector<Expr> inside;
  for (Expr& part : parts_of(std::move(body), all)) {
    (mentions(part, binder.slot) ? inside : outside).push_back(std::move(part));
  }
  // Over an empty set nothing of the body matters, so something has to stay inside to say so.
  const bool may_be_empty = !binder.set.all && binder.set.ids.empty();
  if (inside.empty() || may_be_empty) {
    std::ranges::move(outside, std::back_inserter(inside));
    outside.clear();
  }
  Expr made;
  made.op = quantifier.op;
  made.type = quantifier.type;
  made.where = quantifier.where;
  made.binders = {binder};
  made.args.push_back(joined(all ? Op::Or : Op::And, std::move(inside), quantifier));
  if (outside.empty()) return made;
  outside.push_back(std::move(made));
  return joined(all ? Op::Or : Op::And, std::move(outside), quantifier);
}

}  // namespace

bool has_quantifier(const Expr& expr) {
  return is_all(expr.op) || is_exists(expr.op) || std::ranges::any_of(expr.args, has_quantifier);
}

Expr hoisted(const Expr& expr) {
  Expr made = expr;
  for (Expr& arg : made.args) arg = hoisted(arg);
  const bool without_filter = made.args.size() == 1;
  if (!(is_all(made.op) || is_exists(made.op)) || !without_filter) return made;
  Expr body = std::move(made.args.front());
  for (std::size_t i = made.binders.size(); i-- > 0;) {
    body = quantified(made, made.binders[i], std::move(body));
  }
  body.join = expr.join;
  return body;
}

}  // namespace cohort::model
