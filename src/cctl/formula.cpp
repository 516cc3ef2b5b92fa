#include "cctl/formula.hpp"

#include <algorithm>
#include <utility>

namespace cohort::cctl {

using lang::Expr;
using lang::Op;
using lang::Span;
using PathQuantifier = lang::syntax::Path;
using lang::syntax::TemporalOperator;

namespace {

[[nodiscard]] bool is_temporal(const Expr& expr) {
  if (expr.op == Op::Temporal || expr.op == Op::Enabled || expr.op == Op::Deadlock) return true;
  return std::ranges::any_of(expr.args, is_temporal);
}

/// How many assignments of processes the quantifiers of an expression try at the most.
[[nodiscard]] double tries(const Expr& expr, const lang::Program& program) {
  double most = 1;
  for (const Expr& arg : expr.args) most = std::max(most, tries(arg, program));
  for (const lang::Binder& binder : expr.binders) {
    most *= static_cast<double>(binder.set.all ? program[binder.set.module].size
                                               : static_cast<std::int64_t>(binder.set.ids.size()));
  }
  return most;
}

[[nodiscard]] bool has_partial_set(const Expr& expr) {
  return std::ranges::any_of(expr.binders, [](const lang::Binder& b) { return !b.set.all; }) ||
         std::ranges::any_of(expr.args, has_partial_set);
}

void collect_free(const Expr& expr, std::vector<std::uint32_t>& bound,
                  std::vector<std::uint32_t>& found) {
  if (expr.op == Op::Slot && std::ranges::find(bound, expr.id) == bound.end()) {
    found.push_back(expr.id);
  }
  for (const lang::Binder& binder : expr.binders) bound.push_back(binder.slot);
  for (const Expr& arg : expr.args) collect_free(arg, bound, found);
  bound.resize(bound.size() - expr.binders.size());
}

void sort_and_unite(std::vector<std::uint32_t>& variables) {
  std::ranges::sort(variables);
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
}

}  // namespace

Formula::Formula(const model::Program& program, const lang::Formula& source, double most_tries)
    : program_(program),
      source_(source),
      most_tries_(most_tries),
      code_(program.source(), program.instances(), program.bounds(), program.addresses()) {
  root_ = lower(source.root);
}

bool Formula::stays_expression(const Expr& expr) const {
  return !is_temporal(expr) && tries(expr, program_.source()) <= most_tries_;
}

/// Computes what a node depends on from its children.
void Formula::finish(FormulaNode& node) const {
  for (const FormulaId id : node.args) {
    const FormulaNode& child = nodes_[id];
    node.temporal = node.temporal || child.temporal;
    node.coloured = node.coloured || child.coloured;
    node.safe = node.safe && child.safe;
    node.variables.insert(node.variables.end(), child.variables.begin(), child.variables.end());
  }
  switch (node.kind) {
    case Kind::State:
      node.safe = code_.is_safe(node.expression);
      break;
    case Kind::Forall:
    case Kind::Exists:
    case Kind::Count:
      std::erase(node.variables, node.slot);
      node.coloured = node.coloured || node.set != FormulaNode::whole_module;
      break;
    case Kind::Next:
    case Kind::Until:
    case Kind::Globally:
    case Kind::FairGlobally:
    case Kind::Enabled:
    case Kind::Deadlock:
      node.temporal = true;
      node.coloured = node.coloured || program_.has_priorities();
      break;
    case Kind::Product:
      node.safe = false;
      break;
    default:
      break;
  }
  sort_and_unite(node.variables);
}

FormulaId Formula::add(FormulaNode node) {
  finish(node);
  nodes_.push_back(std::move(node));
  return static_cast<FormulaId>(nodes_.size() - 1);
}

FormulaId Formula::make(Kind kind, Span where, std::vector<FormulaId> args) {
  FormulaNode node;
  node.kind = kind;
  node.where = where;
  node.args = std::move(args);
  return add(std::move(node));
}

FormulaId Formula::negation(FormulaId id) {
  if (nodes_[id].kind == Kind::Not) return nodes_[id].args.front();
  return make(Kind::Not, nodes_[id].where, {id});
}

FormulaId Formula::constant(bool value, Span where) {
  Expr expr;
  expr.op = Op::Constant;
  expr.value = value ? 1 : 0;
  expr.where = where;
  FormulaNode node;
  node.where = where;
  node.expression = code_.compile(expr);
  return add(std::move(node));
}

FormulaId Formula::lower(const Expr& expr) {
  if (stays_expression(expr)) {
    FormulaNode node;
    node.where = expr.where;
    node.expression = code_.compile_quick(expr);
    node.coloured = has_partial_set(expr);
    std::vector<std::uint32_t> bound;
    collect_free(expr, bound, node.variables);
    return add(std::move(node));
  }
  std::vector<FormulaId> args;
  switch (expr.op) {
    case Op::Not:
      return negation(lower(expr.args.front()));
    case Op::And:
    case Op::Or:
      for (const Expr& arg : expr.args) args.push_back(lower(arg));
      return make(expr.op == Op::And ? Kind::And : Kind::Or, expr.where, std::move(args));
    case Op::Implies:
      for (const Expr& arg : expr.args) {
        const FormulaId id = lower(arg);
        args.push_back(&arg == &expr.args.back() ? id : negation(id));
      }
      return make(Kind::Or, expr.where, std::move(args));
    case Op::Iff: {
      FormulaId left = lower(expr.args.front());
      for (std::size_t i = 1; i < expr.args.size(); ++i) {
        left = make(Kind::Iff, expr.where, {left, lower(expr.args[i])});
      }
      return left;
    }
    case Op::Conditional: {
      const FormulaId test = lower(expr.args[0]);
      const FormulaId yes = make(Kind::And, expr.where, {test, lower(expr.args[1])});
      const FormulaId no = make(Kind::And, expr.where, {negation(test), lower(expr.args[2])});
      return make(Kind::Or, expr.where, {yes, no});
    }
    case Op::Compare: {
      FormulaNode node;
      node.kind = Kind::Compare;
      node.where = expr.where;
      node.join = expr.args[1].join;
      node.args = {lower_number(expr.args[0]), lower_number(expr.args[1])};
      return add(std::move(node));
    }
    case Op::ForallProcess:
    case Op::ExistsProcess:
      return lower_quantifier(expr);
    case Op::Temporal:
      return lower_temporal(expr);
    case Op::Enabled: {
      FormulaNode node;
      node.kind = Kind::Enabled;
      node.where = expr.where;
      node.expression = code_.compile(expr.args.front());
      node.module = expr.args.front().type.module;
      std::vector<std::uint32_t> bound;
      collect_free(expr, bound, node.variables);
      return add(std::move(node));
    }
    case Op::Deadlock:
      return make(Kind::Deadlock, expr.where, {});
    default: {
      // A number as a condition: not 0.
      FormulaNode node;
      node.kind = Kind::Compare;
      node.where = expr.where;
      node.join = lang::syntax::Join::NotEqual;
      node.args = {lower_number(expr), constant(false, expr.where)};
      return add(std::move(node));
    }
  }
}

FormulaId Formula::lower_number(const Expr& expr) {
  if (stays_expression(expr)) {
    const FormulaId made = lower(expr);
    nodes_[made].join = expr.join;
    return made;
  }
  FormulaId made = 0;
  switch (expr.op) {
    case Op::CountProcess:
      made = lower_count(expr);
      break;
    case Op::Minus:
      made = make(Kind::Negative, expr.where, {lower_number(expr.args.front())});
      break;
    case Op::Sum:
    case Op::Product: {
      std::vector<FormulaId> args;
      for (const Expr& arg : expr.args) args.push_back(lower_number(arg));
      made = make(expr.op == Op::Sum ? Kind::Sum : Kind::Product, expr.where, std::move(args));
      break;
    }
    default:
      // A condition as a value is 0 or 1; lowered alone, so that its own join is kept apart.
      made = make(Kind::And, expr.where, {lower(expr)});
      break;
  }
  nodes_[made].join = expr.join;
  return made;
}

FormulaId Formula::lower_quantifier(const Expr& expr) {
  FormulaId body = lower(expr.args.front());
  for (std::size_t i = expr.binders.size(); i-- > 0;) {
    const lang::Binder& binder = expr.binders[i];
    FormulaNode node;
    node.kind = expr.op == Op::ForallProcess ? Kind::Forall : Kind::Exists;
    node.where = expr.where;
    node.args = {body};
    node.module = binder.set.module;
    node.slot = binder.slot;
    if (!binder.set.all) node.set = code_.number_of(binder.set);
    body = add(std::move(node));
  }
  return body;
}

FormulaId Formula::lower_count(const Expr& expr) {
  const lang::Binder& binder = expr.binders.front();
  FormulaNode node;
  node.kind = Kind::Count;
  node.where = expr.where;
  node.args = {lower(expr.args.front())};
  node.module = binder.set.module;
  node.slot = binder.slot;
  if (!binder.set.all) node.set = code_.number_of(binder.set);
  return add(std::move(node));
}

// ---------------------------------------------------------------------------------------------------
// Temporal operators

/// On a fair path that goes on from here, phi holds now.
FormulaId Formula::fair_from_here(Path path, FormulaId phi) {
  if (!path.fair) return phi;
  const FormulaId fair = make(Kind::FairGlobally, Span{}, {constant(true, {})});
  return make(Kind::And, Span{}, {phi, fair});
}

FormulaId Formula::make(Kind kind, Path path, std::vector<FormulaId> args) {
  const FormulaId made = make(kind, path.where, std::move(args));
  nodes_[made].opposite = path.opposite;
  return made;
}

FormulaId Formula::next(FormulaId phi, Path path) {
  return make(Kind::Next, path, {fair_from_here(path, phi)});
}

FormulaId Formula::until(FormulaId phi, FormulaId psi, Path path) {
  return make(Kind::Until, path, {phi, fair_from_here(path, psi)});
}

FormulaId Formula::globally(FormulaId phi, Path path) {
  return make(path.fair ? Kind::FairGlobally : Kind::Globally, path, {phi});
}

FormulaId Formula::lower_temporal(const Expr& expr) {
  const bool existential = expr.path == PathQuantifier::E || expr.path == PathQuantifier::Efair;
  const Path path{expr.path == PathQuantifier::Efair || expr.path == PathQuantifier::Afair,
                  expr.where, !existential};
  const FormulaId phi = lower(expr.args[0]);
  const FormulaId psi = expr.args.size() > 1 ? lower(expr.args[1]) : phi;
  const auto both = [&](FormulaId a, FormulaId b) { return make(Kind::And, Span{}, {a, b}); };
  const auto either = [&](FormulaId a, FormulaId b) { return make(Kind::Or, path, {a, b}); };
  const auto truth = [&] { return constant(true, {}); };
  if (existential) {
    switch (expr.temporal) {
      case TemporalOperator::X:
        return next(phi, path);
      case TemporalOperator::F:
        return until(truth(), phi, path);
      case TemporalOperator::G:
        return globally(phi, path);
      case TemporalOperator::U:
        return until(phi, psi, path);
      case TemporalOperator::W:
        return either(until(phi, psi, path), globally(phi, path));
      case TemporalOperator::R:
        return either(until(psi, both(phi, psi), path), globally(psi, path));
    }
  }
  const FormulaId not_phi = negation(phi);
  const FormulaId not_psi = negation(psi);
  switch (expr.temporal) {
    case TemporalOperator::X:
      return negation(next(not_phi, path));
    case TemporalOperator::F:
      return negation(globally(not_phi, path));
    case TemporalOperator::G:
      return negation(until(truth(), not_phi, path));
    case TemporalOperator::U:
      return negation(
          either(until(not_psi, both(not_phi, not_psi), path), globally(not_psi, path)));
    case TemporalOperator::W:
      return negation(until(not_psi, both(not_phi, not_psi), path));
    case TemporalOperator::R:
      break;
  }
  return negation(until(not_phi, not_psi, path));
}

}  // namespace cohort::cctl
