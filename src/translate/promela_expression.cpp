#include "translate/promela_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <string_view>

#include "translate/scope.hpp"

namespace cohort::translate {
namespace {

using lang::Expr;
using lang::Op;
using lang::syntax::Join;
using model::Int128;
using model::WideInterval;

constexpr Connectives connectives{"1", "0", " && ", " || ", " == "};
constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

[[nodiscard]] bool fits(const WideInterval& values) {
  return values.first >= least && values.last <= most;
}

/// Where a sum or a product can lead; a quotient or a remainder is no larger than its left side.
[[nodiscard]] WideInterval after(Join join, WideInterval a, WideInterval b) {
  const auto clamp = [](Int128 value) {
    constexpr Int128 far = Int128{1} << 64;
    return std::clamp(value, -far, far);
  };
  switch (join) {
    case Join::Plus:
      return {clamp(a.first + b.first), clamp(a.last + b.last)};
    case Join::Minus:
      return {clamp(a.first - b.last), clamp(a.last - b.first)};
    case Join::Times: {
      // Beyond 62 bits nothing has to be exact any more.
      const auto cut = [](Int128 value) {
        constexpr Int128 far = Int128{1} << 62;
        return std::clamp(value, -far, far);
      };
      const Int128 corners[] = {cut(a.first) * cut(b.first), cut(a.first) * cut(b.last),
                                cut(a.last) * cut(b.first), cut(a.last) * cut(b.last)};
      return {clamp(*std::ranges::min_element(corners)), clamp(*std::ranges::max_element(corners))};
    }
    default: {
      const Int128 size = std::max(a.first < 0 ? -a.first : a.first, a.last < 0 ? -a.last : a.last);
      return {-size, size};
    }
  }
}

}  // namespace

Named named(std::int64_t id) { return {std::to_string(id), id}; }

std::string promela_number(std::int64_t value) {
  if (value == least) return fmt::format("(-{} - 1)", most);
  return value < 0 ? fmt::format("({})", value) : std::to_string(value);
}

std::string all_of(const std::vector<std::string>& terms) { return connectives.all(terms); }
std::string any_of(const std::vector<std::string>& terms) { return connectives.any(terms); }
std::string negated(const std::string& term) { return connectives.negation(term); }

PromelaExpressions::PromelaExpressions(const model::Program& program,
                                       const std::vector<std::string>& variables, Dialect dialect)
    : CommonExpressions(connectives), program_(program), variables_(variables), dialect_(dialect) {}

std::vector<Slots> instances_of(const lang::Program& program, const lang::Schema& schema,
                                const Named& primary) {
  const std::vector<lang::Binder> binders = secondary_binders(schema);
  std::vector<Slots> made;
  for (Bindings bound(program, binders); !bound.done(); bound.next()) {
    Slots slots(schema.slots.size());
    slots[0] = primary;
    for (std::size_t i = 1; i < schema.num_indices; ++i) slots[i] = named(bound.process(i - 1));
    made.push_back(std::move(slots));
  }
  return made;
}

template <typename Visit>
void PromelaExpressions::for_each(const std::vector<lang::Binder>& binders, Slots slots,
                                  Visit visit) const {
  for (Bindings bound(program_.source(), binders); !bound.done(); bound.next()) {
    for (std::size_t i = 0; i < binders.size(); ++i) {
      slots[binders[i].slot] = named(bound.process(i));
    }
    visit(slots);
  }
}

std::string PromelaExpressions::conditional(const std::string& test, const std::string& yes,
                                            const std::string& no) const {
  if (test == "1") return yes;
  if (test == "0") return no;
  return dialect_ == Dialect::C ? fmt::format("({} ? {} : {})", test, yes, no)
                                : fmt::format("({} -> {} : {})", test, yes, no);
}

// ---------------------------------------------------------------------------------------------------
// Values

std::string PromelaExpressions::index(const Expr& variable, const Slots& slots) {
  const lang::Variable& of = program_.source().variables[variable.id];
  std::string text;
  std::int64_t known = 0;  // what is a number already
  for (std::size_t i = 0; i < variable.args.size(); ++i) {
    const lang::Interval range = of.dimensions[i].range;
    std::int64_t stride = 1;
    for (std::size_t j = i + 1; j < of.dimensions.size(); ++j) {
      stride *= of.dimensions[j].range.last - of.dimensions[j].range.first + 1;
    }
    const Expr& arg = variable.args[i];
    std::optional<std::int64_t> number = lang::constant_value(arg);
    if (arg.op == Op::Slot) number = slots[arg.id].id;
    if (number) {
      known += (*number - range.first) * stride;
      continue;
    }
    if (!text.empty()) text += " + ";
    const std::string term = value(arg, slots);
    text += stride == 1 ? term : fmt::format("({}) * {}", term, stride);
    known -= range.first * stride;
  }
  if (text.empty()) return variable.args.empty() ? "" : std::to_string(known);
  if (known > 0) text += fmt::format(" + {}", known);
  if (known < 0) text += fmt::format(" - {}", -known);
  return text;
}

std::string PromelaExpressions::place(const Expr& variable, const Slots& slots) {
  const std::string at = index(variable, slots);
  const std::string& word = variables_[variable.id];
  const std::string whole = dialect_ == Dialect::C ? "now." + word : word;
  return at.empty() ? whole : fmt::format("{}[{}]", whole, at);
}

std::string PromelaExpressions::quantifier(const Expr& expr, const Slots& slots) {
  const bool all = expr.op == Op::All || expr.op == Op::ForallProcess;
  const bool exists = expr.op == Op::Exists || expr.op == Op::ExistsProcess;
  std::vector<std::string> terms;
  for_each(expr.binders, slots, [&](const Slots& inner) { terms.push_back(body(expr, inner)); });
  if (all) return all_of(terms);
  if (exists) return any_of(terms);
  std::erase(terms, "0");
  return terms.empty() ? "0" : fmt::format("({})", fmt::join(terms, " + "));
}

std::string PromelaExpressions::value(const Expr& expr, const Slots& slots) {
  switch (expr.op) {
    case Op::Constant:
      if (expr.value < least || expr.value > most) too_large.push_back(expr.where);
      return promela_number(expr.value);
    case Op::None:
      return promela_number(lang::none_value);
    case Op::Slot:
      return slots[expr.id].text;
    case Op::Variable:
      return place(expr, slots);
    case Op::Minus:
      return "(-" + value(expr.args[0], slots) + ")";
    case Op::Product:
    case Op::Sum:
      return chain(expr, slots);
    case Op::Conditional:
      return conditional(truth(expr.args[0], slots), value(expr.args[1], slots),
                         value(expr.args[2], slots));
    case Op::Count:
    case Op::CountProcess:
      return quantifier(expr, slots);
    default: {
      // In C a comparison is 0 or 1; `x && y` is as well.
      return truth(expr, slots);
    }
  }
}

std::string PromelaExpressions::truth(const Expr& expr, const Slots& slots) {
  switch (expr.op) {
    case Op::Constant:
      return expr.value != 0 ? "1" : "0";
    case Op::Not:
      return negated(truth(expr.args[0], slots));
    case Op::Compare: {
      const std::string left = value(expr.args[0], slots);
      const std::string right = value(expr.args[1], slots);
      const Join join = expr.args[1].join;
      const auto is_plain = [](const std::string& text) {
        return text.find_first_not_of("0123456789") == std::string::npos;
      };
      if ((join == Join::Equal || join == Join::NotEqual) && is_plain(left) && is_plain(right)) {
        return (left == right) == (join == Join::Equal) ? "1" : "0";
      }
      return fmt::format("({}{}{})", left, connectives.sign(join), right);
    }
    case Op::And:
    case Op::Or:
      return junction(expr, slots);
    case Op::Implies:
      return implication(expr, slots);
    case Op::Iff: {
      std::string text = truth(expr.args[0], slots);
      for (std::size_t i = 1; i < expr.args.size(); ++i) {
        text = fmt::format("(({} != 0) == ({} != 0))", text, truth(expr.args[i], slots));
      }
      return text;
    }
    case Op::Conditional:
      return conditional(truth(expr.args[0], slots), truth(expr.args[1], slots),
                         truth(expr.args[2], slots));
    case Op::All:
    case Op::Exists:
    case Op::ForallProcess:
    case Op::ExistsProcess:
      return quantifier(expr, slots);
    case Op::Enabled: {
      const Expr& process = expr.args[0];
      const lang::ModuleId module = process.type.module;
      if (process.op == Op::Slot && slots[process.id].id) {
        return enabled(module, *slots[process.id].id);
      }
      std::vector<std::string> terms;
      for (std::int64_t id = 0; id < program_.source()[module].size; ++id) {
        terms.push_back(
            all_of({fmt::format("({} == {})", value(process, slots), id), enabled(module, id)}));
      }
      return any_of(terms);
    }
    case Op::Deadlock:
      return deadlock();
    default:
      return fmt::format("({} != 0)", value(expr, slots));
  }
}

// ---------------------------------------------------------------------------------------------------
// Instances

std::string PromelaExpressions::holds(std::size_t schema, const Slots& slots) {
  const lang::Schema& of = program_.source().schemas[schema];
  if (dialect_ == Dialect::C) {
    return all_of({defined(of.condition, slots), truth(of.condition, slots)});
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < of.num_indices; ++i) names.push_back(slots[i].text);
  return fmt::format("{}({})", macros_[schema].holds, fmt::join(names, ", "));
}

std::string PromelaExpressions::fireable(std::size_t schema, const Slots& slots) {
  const lang::Schema& of = program_.source().schemas[schema];
  if (!of.priority) return holds(schema, slots);
  const lang::Priority& priority = *of.priority;
  const auto rank = [&](const Slots& in) {
    return priority.ranks[static_cast<std::size_t>(in[priority.slot].id.value())];
  };
  if (dialect_ == Dialect::Promela) {
    if (rank(slots) == 0) return holds(schema, slots);
    return all_of({holds(schema, slots),
                   fmt::format("!{}_{}({})", macros_[schema].above, rank(slots), slots[0].text)});
  }
  std::vector<std::string> above;
  for (const Slots& other : instances_of(program_.source(), of, slots[0])) {
    if (rank(other) < rank(slots)) above.push_back(holds(schema, other));
  }
  return all_of({holds(schema, slots), negated(any_of(above))});
}

std::string PromelaExpressions::enabled(lang::ModuleId module, std::int64_t process) {
  std::vector<std::string> terms;
  const std::vector<lang::Schema>& schemas = program_.source().schemas;
  for (std::size_t i = 0; i < schemas.size(); ++i) {
    if (schemas[i].module != module) continue;
    // With priorities, too: of the instances whose condition holds a highest one is fireable.
    for (const Slots& slots : instances_of(program_.source(), schemas[i], named(process))) {
      terms.push_back(holds(i, slots));
    }
  }
  return any_of(terms);
}

std::string PromelaExpressions::deadlock() {
  std::vector<std::string> terms;
  const std::vector<lang::Module>& modules = program_.source().modules;
  for (std::size_t module = 0; module < modules.size(); ++module) {
    for (std::int64_t id = 0; id < modules[module].size; ++id) {
      terms.push_back(enabled(lang::ModuleId{static_cast<std::uint32_t>(module)}, id));
    }
  }
  return negated(any_of(terms));
}

// ---------------------------------------------------------------------------------------------------
// Where there is a value

std::string PromelaExpressions::step_defined(Join join, const std::string& left,
                                             const std::string& right, WideInterval from,
                                             WideInterval by, WideInterval to) const {
  if (join == Join::Divide || join == Join::Modulo) {
    std::vector<std::string> terms;
    if (by.first <= 0 && by.last >= 0) terms.push_back(fmt::format("({} != 0)", right));
    if (from.first <= least && by.first <= -1 && by.last >= -1) {
      terms.push_back(fmt::format("({} != {} || {} != (-1))", left, promela_number(least), right));
    }
    return all_of(terms);
  }
  if (fits(to) || !asks_bits_) return "1";
  const std::string lowest = promela_number(least);
  const std::string highest = promela_number(most);
  if (join == Join::Plus) {
    return conditional(fmt::format("({} >= 0)", right),
                       fmt::format("({} <= {} - {})", left, highest, right),
                       fmt::format("({} >= {} - {})", left, lowest, right));
  }
  if (join == Join::Minus) {
    return conditional(fmt::format("({} >= 0)", right),
                       fmt::format("({} >= {} + {})", left, lowest, right),
                       fmt::format("({} <= {} + {})", left, highest, right));
  }
  return product_defined(left, right, by);
}

/// By division, which goes towards zero; only for signs that the right side may have.
std::string PromelaExpressions::product_defined(const std::string& left, const std::string& right,
                                                WideInterval by) const {
  const std::string lowest = promela_number(least);
  const std::string highest = promela_number(most);
  const auto between = [&](const std::string& low, const std::string& high) {
    return fmt::format("({0} >= {1} && {0} <= {2})", left, low, high);
  };
  if (by.first == by.last && by.first > 0) {
    const auto factor = static_cast<std::int64_t>(by.first);
    return between(promela_number(least / factor), promela_number(most / factor));
  }
  std::string text = "1";  // where the right side is 0
  if (by.first < -1) {
    text = conditional(
        fmt::format("({} < (-1))", right),
        between(fmt::format("{} / {}", highest, right), fmt::format("{} / {}", lowest, right)),
        text);
  }
  if (by.first <= -1 && by.last >= -1) {
    text = conditional(fmt::format("({} == (-1))", right), fmt::format("({} != {})", left, lowest),
                       text);
  }
  if (by.last > 0) {
    text = conditional(
        fmt::format("({} > 0)", right),
        between(fmt::format("{} / {}", lowest, right), fmt::format("{} / {}", highest, right)),
        text);
  }
  return text;
}

std::string PromelaExpressions::chain_defined(const Expr& expr, const Slots& slots) {
  std::vector<std::string> terms{defined(expr.args[0], slots)};
  if (expr.op == Op::Compare) return all_of({terms[0], defined(expr.args[1], slots)});
  std::string left = value(expr.args[0], slots);
  WideInterval from = program_.bounds().of(expr.args[0]);
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    const Join join = expr.args[i].join;
    const std::string right = value(expr.args[i], slots);
    const WideInterval by = program_.bounds().of(expr.args[i]);
    terms.push_back(defined(expr.args[i], slots));
    WideInterval to = after(join, from, by);
    terms.push_back(step_defined(join, left, right, from, by, to));
    // What was refused does not go on.
    to = {std::max<Int128>(to.first, least), std::min<Int128>(to.last, most)};
    left = fmt::format("({}{}{})", left, connectives.sign(join), right);
    from = to;
  }
  return all_of(terms);
}

std::string PromelaExpressions::subscripts_defined(const Expr& expr, const Slots& slots) {
  std::vector<std::string> terms;
  const lang::Variable& of = program_.source().variables[expr.id];
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    terms.push_back(defined(expr.args[i], slots));
    const lang::Interval range = of.dimensions[i].range;
    const WideInterval values = program_.bounds().of(expr.args[i]);
    const std::string text = value(expr.args[i], slots);
    if (values.first < range.first) {
      terms.push_back(fmt::format("({} >= {})", text, promela_number(range.first)));
    }
    if (values.last > range.last) {
      terms.push_back(fmt::format("({} <= {})", text, promela_number(range.last)));
    }
  }
  return all_of(terms);
}

bool PromelaExpressions::has_faults(const Expr& expr, const Slots& slots) {
  asks_bits_ = false;
  const bool has = defined(expr, slots) != "1";
  asks_bits_ = true;
  return has;
}

std::string PromelaExpressions::defined(const Expr& expr, const Slots& slots) {
  switch (expr.op) {
    case Op::Variable:
      return subscripts_defined(expr, slots);
    case Op::Minus: {
      std::vector<std::string> terms{defined(expr.args[0], slots)};
      if (asks_bits_ && program_.bounds().of(expr.args[0]).first <= least) {
        terms.push_back(
            fmt::format("({} != {})", value(expr.args[0], slots), promela_number(least)));
      }
      return all_of(terms);
    }
    case Op::Product:
    case Op::Sum:
    case Op::Compare:
      return chain_defined(expr, slots);
    case Op::And:
    case Op::Implies:
      return sequence_defined(expr, true, slots);
    case Op::Or:
      return sequence_defined(expr, false, slots);
    case Op::Conditional: {
      const std::string yes = defined(expr.args[1], slots);
      const std::string no = defined(expr.args[2], slots);
      const std::string both = yes == no ? yes : conditional(truth(expr.args[0], slots), yes, no);
      return all_of({defined(expr.args[0], slots), both});
    }
    case Op::All:
    case Op::Exists:
    case Op::Count:
    case Op::ForallProcess:
    case Op::ExistsProcess:
    case Op::CountProcess: {
      std::vector<std::string> terms;
      for_each(expr.binders, slots,
               [&](const Slots& inner) { terms.push_back(body_defined(expr, inner)); });
      return all_of(terms);
    }
    default:
      return arguments_defined(expr, slots);
  }
}

}  // namespace cohort::translate
