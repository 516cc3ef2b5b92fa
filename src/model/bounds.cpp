#include "model/bounds.hpp"

#include <algorithm>
#include <limits>

namespace cohort::model {

using lang::Expr;
using lang::Interval;
using lang::Op;
using Join = lang::syntax::Join;

namespace {

constexpr Int128 beyond = Int128{1} << 63;  // more than any 64-bit number

/// Keeps products within 128 bits.
[[nodiscard]] WideInterval clamped(Int128 first, Int128 last) {
  return {std::clamp(first, -beyond - 1, beyond), std::clamp(last, -beyond - 1, beyond)};
}

[[nodiscard]] WideInterval joined(const WideInterval& a, const WideInterval& b) {
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

[[nodiscard]] WideInterval multiplied(const WideInterval& a, const WideInterval& b) {
  const auto [low, high] =
      std::minmax({a.first * b.first, a.first * b.last, a.last * b.first, a.last * b.last});
  return clamped(low, high);
}

[[nodiscard]] Int128 magnitude(const WideInterval& a) { return std::max(-a.first, a.last); }

/// C division truncates, so a quotient is never larger than its dividend; a remainder takes the
/// dividend's sign.
[[nodiscard]] WideInterval divided(const WideInterval& a) {
  const Int128 most = magnitude(a);
  return clamped(-most, most);
}

[[nodiscard]] WideInterval remainder(const WideInterval& a, const WideInterval& b) {
  const Int128 most = std::max<Int128>(std::min(magnitude(a), magnitude(b) - 1), 0);
  return {a.first < 0 ? -most : 0, a.last > 0 ? most : 0};
}

[[nodiscard]] bool same(const Expr& a, const Expr& b) {
  if (a.op != b.op || a.id != b.id || a.value != b.value || !a.binders.empty()) return false;
  return std::ranges::equal(
      a.args, b.args, [](const Expr& x, const Expr& y) { return x.join == y.join && same(x, y); });
}

/// Equal for expressions that are the same.
[[nodiscard]] std::size_t hash_of(const Expr& expr) {
  std::size_t hash = (expr.id * 31U + static_cast<std::size_t>(expr.op)) * 31U +
                     static_cast<std::size_t>(expr.value);
  for (const Expr& arg : expr.args) hash = (hash ^ hash_of(arg)) * 0x9E3779B97F4A7C15ULL;
  return hash;
}

[[nodiscard]] Join turned(Join join) {
  switch (join) {
    case Join::Less:
      return Join::Greater;
    case Join::LessEqual:
      return Join::GreaterEqual;
    case Join::Greater:
      return Join::Less;
    case Join::GreaterEqual:
      return Join::LessEqual;
    default:
      return join;
  }
}

}  // namespace

std::size_t Bounds::ReferenceHash::operator()(const Expr* reference) const {
  return hash_of(*reference);
}

bool Bounds::SameReference::operator()(const Expr* a, const Expr* b) const { return same(*a, *b); }

bool WideInterval::fits_64_bits() const {
  return first >= std::numeric_limits<std::int64_t>::min() &&
         last <= std::numeric_limits<std::int64_t>::max();
}

Bounds::Bounds(const lang::Program& program) : program_(program), variables_(initial_values()) {
  // A few rounds find the constants; what still grows then takes its whole type at once, and gets
  // back what its guards keep it from.
  constexpr int patient_rounds = 12;
  for (int round = 0;; ++round) {
    widening_ = round >= patient_rounds;
    bool grown = false;
    for (const lang::Schema& schema : program_.schemas) grown = grow(schema) || grown;
    if (!grown) break;
  }
  if (!widening_) return;
  widening_ = false;
  constexpr int narrowing_rounds = 3;
  for (int round = 0; round < narrowing_rounds; ++round) narrow();
}

std::vector<Interval> Bounds::initial_values() const {
  std::vector<Interval> values;
  for (const lang::Variable& variable : program_.variables) {
    const bool typed = variable.type.kind != lang::Type::Kind::Integer;
    values.push_back(typed
                         ? variable.type.values
                         : Interval{variable.initial.front().first, variable.initial.back().last});
  }
  for (const lang::Init& init : program_.inits) {
    Interval& known = values[base::index_of(init.variable)];
    known.first = std::min(known.first, init.initial.front().first);
    known.last = std::max(known.last, init.initial.back().last);
  }
  return values;
}

/// What variables can hold when they started with their initial values and were assigned what the
/// bounds known so far allow: bounds again, and no wider ones.
void Bounds::narrow() {
  std::vector<Interval> narrowed = initial_values();
  for (const lang::Schema& schema : program_.schemas) {
    if (!assigns_untyped(schema)) continue;
    Refinements facts;
    refine(schema.condition, facts);
    std::vector<const lang::Action*> pending;
    for (const lang::Action& action : schema.actions) pending.push_back(&action);
    while (!pending.empty()) {
      const lang::Action& action = *pending.back();
      pending.pop_back();
      for (const lang::Action& inner : action.actions) pending.push_back(&inner);
      if (!action.binders.empty()) continue;
      const std::uint32_t variable = action.target.id;
      if (program_.variables[variable].type.kind != lang::Type::Kind::Integer) continue;
      (void)cover(narrowed[variable], variable, of(action.value, facts));
    }
  }
  variables_ = std::move(narrowed);
}

bool Bounds::cover(Interval& known, std::size_t variable, WideInterval values) const {
  const Interval& type = program_.variables[variable].type.values;
  // What is outside the type stops the run; it never gets into the variable.
  const auto first =
      static_cast<std::int64_t>(std::clamp<Int128>(values.first, type.first, type.last));
  const auto last =
      static_cast<std::int64_t>(std::clamp<Int128>(values.last, type.first, type.last));
  bool grown = false;
  if (first < known.first) {
    known.first = widening_ ? type.first : first;
    grown = true;
  }
  if (last > known.last) {
    known.last = widening_ ? type.last : last;
    grown = true;
  }
  return grown;
}

bool Bounds::assigns_untyped(const lang::Schema& schema) const {
  std::vector<const lang::Action*> pending;
  for (const lang::Action& action : schema.actions) pending.push_back(&action);
  while (!pending.empty()) {
    const lang::Action& action = *pending.back();
    pending.pop_back();
    for (const lang::Action& inner : action.actions) pending.push_back(&inner);
    if (action.binders.empty() &&
        program_.variables[action.target.id].type.kind == lang::Type::Kind::Integer) {
      return true;
    }
  }
  return false;
}

bool Bounds::grow(const lang::Schema& schema) {
  if (!assigns_untyped(schema)) return false;
  Refinements known;
  refine(schema.condition, known);
  bool grown = false;
  for (const lang::Action& action : schema.actions) grown = grow(action, known) || grown;
  return grown;
}

bool Bounds::grow(const lang::Action& action, const Refinements& known) {
  if (!action.binders.empty()) {
    bool grown = false;
    for (const lang::Action& inner : action.actions) grown = grow(inner, known) || grown;
    return grown;
  }
  if (program_.variables[action.target.id].type.kind != lang::Type::Kind::Integer) return false;
  return cover(variables_[action.target.id], action.target.id, of(action.value, known));
}

void Bounds::refine(const Expr& condition, Refinements& known) const {
  if (condition.op == Op::And) {
    for (const Expr& arg : condition.args) refine(arg, known);
    return;
  }
  if (condition.op != Op::Compare) return;
  const Expr& left = condition.args[0];
  const Expr& right = condition.args[1];
  const bool turn = right.op == Op::Variable && left.op != Op::Variable;
  const Expr& reference = turn ? right : left;
  const auto limit = lang::constant_value(turn ? left : right);
  if (reference.op != Op::Variable || !limit) return;
  WideInterval values = of(reference, known);
  switch (turn ? turned(right.join) : right.join) {
    case Join::Equal:
      values = {*limit, *limit};
      break;
    case Join::Less:
      values.last = std::min<Int128>(values.last, Int128{*limit} - 1);
      break;
    case Join::LessEqual:
      values.last = std::min<Int128>(values.last, *limit);
      break;
    case Join::Greater:
      values.first = std::max<Int128>(values.first, Int128{*limit} + 1);
      break;
    case Join::GreaterEqual:
      values.first = std::max<Int128>(values.first, *limit);
      break;
    default:
      return;
  }
  // What quantifies is not even the same as itself.
  if (values.first <= values.last && same(reference, reference)) {
    known.insert_or_assign(&reference, values);
  }
}

WideInterval Bounds::of(const Expr& expr) const { return of(expr, {}); }

Bounds::Chain Bounds::of_chain(const Expr& expr, const Refinements& known) const {
  WideInterval left = of(expr.args.front(), known);
  bool fits = left.fits_64_bits();
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    const WideInterval right = of(expr.args[i], known);
    switch (expr.args[i].join) {
      case Join::Plus:
        left = clamped(left.first + right.first, left.last + right.last);
        break;
      case Join::Minus:
        left = clamped(left.first - right.last, left.last - right.first);
        break;
      case Join::Times:
        left = multiplied(left, right);
        break;
      case Join::Divide:
        left = divided(left);
        break;
      default:
        left = remainder(left, right);
        break;
    }
    fits = fits && left.fits_64_bits();
  }
  return {left, fits};
}

bool Bounds::fits_64_bits(const Expr& arithmetic) const {
  if (arithmetic.op == Op::Minus) return of(arithmetic).fits_64_bits();
  return of_chain(arithmetic, {}).fits;
}

WideInterval Bounds::of(const Expr& expr, const Refinements& known) const {
  switch (expr.op) {
    case Op::Constant:
      return {expr.value, expr.value};
    case Op::None:
      return {lang::none_value, lang::none_value};
    case Op::Slot:
      return {0, program_[expr.type.module].size - 1};
    case Op::Variable: {
      if (!known.empty()) {
        const auto fact = known.find(&expr);
        if (fact != known.end()) return fact->second;
      }
      const Interval& values = variables_[expr.id];
      return {values.first, values.last};
    }
    case Op::Minus: {
      const WideInterval operand = of(expr.args.front(), known);
      return clamped(-operand.last, -operand.first);
    }
    case Op::Product:
    case Op::Sum:
      return of_chain(expr, known).values;
    case Op::Conditional:
      return joined(of(expr.args[1], known), of(expr.args[2], known));
    case Op::Count:
    case Op::CountProcess: {
      WideInterval most{1, 1};
      for (const lang::Binder& binder : expr.binders) {
        const std::int64_t size = program_[binder.set.module].size;
        most = multiplied(most, {size, size});
      }
      return {0, most.last};
    }
    default:
      return {0, 1};
  }
}

}  // namespace cohort::model
