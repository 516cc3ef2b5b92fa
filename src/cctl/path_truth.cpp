// Idea.  A path is a graph with one edge from each state, and on such a graph every temporal
// operator is computed by a sweep from the back to the front.  A path that satisfies an operator
// shows `E` of it and one that does not refutes `A` of it.  The rest stays unknown, apart from what
// can be seen in a state alone: `EG p` is false where p is, whatever the other paths do.
//
// Fairness.  From every state some fair path goes on: serve the processes in turn, each by
// executing it or, if it is disabled, by passing on.  So a finite beginning shows `Efair[p U q]`;
// only what concerns the whole path needs a fair loop or an end.
#include "cctl/path_truth.hpp"

#include <algorithm>
#include <stdexcept>

namespace cohort::cctl {

using lang::Expr;
using lang::Op;
using lang::syntax::Join;
using lang::syntax::Path;
using lang::syntax::TemporalOperator;
using model::plain::Instance;
using model::plain::Number;
using model::plain::Semantics;

namespace {

[[nodiscard]] Truth negation(Truth value) {
  if (value == Truth::Unknown) return value;
  return truth(value == Truth::False);
}

[[nodiscard]] std::vector<Truth> both(std::vector<Truth> a, const std::vector<Truth>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::min(a[i], b[i]);
  return a;
}
[[nodiscard]] std::vector<Truth> either(std::vector<Truth> a, const std::vector<Truth>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::max(a[i], b[i]);
  return a;
}

[[nodiscard]] bool is_plain(const Expr& expr) {
  switch (expr.op) {
    case Op::ForallProcess:
    case Op::ExistsProcess:
    case Op::CountProcess:
    case Op::Temporal:
    case Op::Enabled:
    case Op::Deadlock:
      return false;
    default:
      return std::ranges::all_of(expr.args, is_plain);
  }
}

void collect_free(const Expr& expr, std::set<std::uint32_t>& slots) {
  if (expr.op == Op::Slot) slots.insert(expr.id);
  for (const Expr& arg : expr.args) collect_free(arg, slots);
  for (const lang::Binder& binder : expr.binders) slots.erase(binder.slot);
}

}  // namespace

std::set<std::uint32_t> free_slots(const Expr& expr) {
  std::set<std::uint32_t> free;
  collect_free(expr, free);
  return free;
}

PathTruth::PathTruth(const Semantics& semantics, const lang::Formula& formula, const Run& run)
    : semantics_(semantics), run_(run), slots_(formula.slots.size(), 0) {
  std::ranges::copy(formula.values, slots_.begin());
}

Truth PathTruth::value(const Expr& expr, std::size_t at) {
  if (is_plain(expr)) {
    const Cell cell = plain(expr, at);
    return cell.known ? truth(cell.low != 0) : Truth::Unknown;
  }
  switch (expr.op) {
    case Op::Not:
      return negation(value(expr.args[0], at));
    case Op::And: {
      Truth result = Truth::True;
      for (const Expr& arg : expr.args) result = std::min(result, value(arg, at));
      return result;
    }
    case Op::Or: {
      Truth result = Truth::False;
      for (const Expr& arg : expr.args) result = std::max(result, value(arg, at));
      return result;
    }
    case Op::Implies: {
      Truth result = value(expr.args.back(), at);
      for (std::size_t i = 0; i + 1 < expr.args.size(); ++i) {
        result = std::max(result, negation(value(expr.args[i], at)));
      }
      return result;
    }
    case Op::Iff: {
      Truth result = value(expr.args[0], at);
      for (std::size_t i = 1; i < expr.args.size(); ++i) {
        const Truth operand = value(expr.args[i], at);
        const bool known = result != Truth::Unknown && operand != Truth::Unknown;
        result = known ? truth(result == operand) : Truth::Unknown;
      }
      return result;
    }
    case Op::ForallProcess: {
      Truth result = Truth::True;
      for_each(expr.binders, 0, [&] { result = std::min(result, value(expr.args[0], at)); });
      return result;
    }
    case Op::ExistsProcess: {
      Truth result = Truth::False;
      for_each(expr.binders, 0, [&] { result = std::max(result, value(expr.args[0], at)); });
      return result;
    }
    case Op::Temporal:
      return temporal(expr)[at];
    case Op::Deadlock:
      return truth(semantics_.is_deadlock(run_.states[at]));
    case Op::Enabled: {
      const Cell process = plain(expr.args[0], at);
      if (!process.known) return Truth::Unknown;
      if (process.low == lang::none_value) return Truth::False;
      return truth(semantics_.is_enabled(expr.args[0].type.module, process.low.convert_to<Value>(),
                                         run_.states[at]));
    }
    case Op::Compare:
      return compare(number(expr.args[0], at), expr.args[1].join, number(expr.args[1], at));
    default: {
      const Cell cell = number(expr, at);
      if (!cell.known) return Truth::Unknown;
      if (cell.low > 0 || cell.high < 0) return Truth::True;
      return cell.low == 0 && cell.high == 0 ? Truth::False : Truth::Unknown;
    }
  }
}

/// Calls `visit` for every value of the bound variables.
void PathTruth::for_each(const std::vector<lang::Binder>& binders, std::size_t from,
                         const std::function<void()>& visit) {
  if (from == binders.size()) {
    visit();
    return;
  }
  const Value outer = slots_[binders[from].slot];
  for (const Value process : semantics_.processes(binders[from].set)) {
    slots_[binders[from].slot] = process;
    for_each(binders, from + 1, visit);
  }
  slots_[binders[from].slot] = outer;
}

/// Whether evaluating the formula in a state can meet this fault.
bool PathTruth::meets(const Expr& expr, std::size_t at, const model::Fault& fault) {
  bool found = false;
  if (is_plain(expr)) {
    const auto evaluation = semantics_.evaluate(expr, run_.states[at], slots_);
    return std::ranges::any_of(evaluation.faults, [&](const model::Fault& met) {
      return met.kind == fault.kind && overlap(met.where, fault.where);
    });
  }
  for_each(expr.binders, 0, [&] {
    for (const Expr& arg : expr.args) found = found || meets(arg, at, fault);
  });
  return found;
}

PathTruth::Cell PathTruth::plain(const Expr& expr, std::size_t at) const {
  const auto evaluation = semantics_.evaluate(expr, run_.states[at], slots_);
  if (!evaluation.value) return {};
  return {true, *evaluation.value, *evaluation.value};
}

// -------------------------------------------------------------------------------------------------
// Numbers

PathTruth::Cell PathTruth::number(const Expr& expr, std::size_t at) {
  if (is_plain(expr)) return plain(expr, at);
  switch (expr.op) {
    case Op::CountProcess: {
      Cell count{true, 0, 0};
      for_each(expr.binders, 0, [&] {
        const Truth body = value(expr.args[0], at);
        if (body == Truth::True) ++count.low;
        if (body != Truth::False) ++count.high;
      });
      return count;
    }
    case Op::Minus: {
      const Cell operand = number(expr.args[0], at);
      return {operand.known, -operand.high, -operand.low};
    }
    case Op::Sum:
    case Op::Product: {
      Cell result = number(expr.args[0], at);
      for (std::size_t i = 1; i < expr.args.size(); ++i) {
        result = combine(result, expr.args[i].join, number(expr.args[i], at));
      }
      return result;
    }
    case Op::Variable:
      return {};  // a subscript that needs more than a state: rare, and left unknown
    default: {
      const Truth known = value(expr, at);
      return {true, known == Truth::True ? 1 : 0, known == Truth::False ? 0 : 1};
    }
  }
}

PathTruth::Cell PathTruth::combine(const Cell& left, Join join, const Cell& right) {
  if (!left.known || !right.known) return {};
  switch (join) {
    case Join::Plus:
      return {true, left.low + right.low, left.high + right.high};
    case Join::Minus:
      return {true, left.low - right.high, left.high - right.low};
    case Join::Times: {
      const std::vector<Number> corners = {left.low * right.low, left.low * right.high,
                                           left.high * right.low, left.high * right.high};
      return {true, *std::ranges::min_element(corners), *std::ranges::max_element(corners)};
    }
    case Join::Divide:
    case Join::Modulo: {
      const bool exact = left.low == left.high && right.low == right.high;
      if (!exact || right.low == 0) return {};
      const Number result =
          join == Join::Divide ? Number(left.low / right.low) : Number(left.low % right.low);
      return {true, result, result};
    }
    default:
      throw std::logic_error("no operator of sums and products");
  }
}

Truth PathTruth::compare(const Cell& left, Join join, const Cell& right) {
  if (!left.known || !right.known) return Truth::Unknown;
  const auto decide = [](bool surely, bool surely_not) {
    if (surely) return Truth::True;
    return surely_not ? Truth::False : Truth::Unknown;
  };
  const bool apart = left.high < right.low || right.high < left.low;
  const bool same = left.low == left.high && right.low == right.high && left.low == right.low;
  switch (join) {
    case Join::Less:
      return decide(left.high < right.low, left.low >= right.high);
    case Join::LessEqual:
      return decide(left.high <= right.low, left.low > right.high);
    case Join::Greater:
      return decide(left.low > right.high, left.high <= right.low);
    case Join::GreaterEqual:
      return decide(left.low >= right.high, left.high < right.low);
    case Join::Equal:
      return decide(same, apart);
    case Join::NotEqual:
      return decide(apart, same);
    default:
      throw std::logic_error("no comparison");
  }
}

// -------------------------------------------------------------------------------------------------
// Temporal operators

const PathTruth::Truths& PathTruth::temporal(const Expr& expr) {
  std::vector<Value> values;
  for (const std::uint32_t slot : free_slots(expr)) values.push_back(slots_[slot]);
  const auto key = std::pair{&expr, values};
  const auto found = temporal_.find(key);
  if (found != temporal_.end()) return found->second;

  const bool universal = expr.path == Path::A || expr.path == Path::Afair;
  const bool fair = expr.path == Path::Efair || expr.path == Path::Afair;
  // All paths satisfy an operator when none satisfies its dual with the operands negated.
  const Truths first = everywhere(expr.args[0], universal);
  const Truths second = expr.args.size() > 1 ? everywhere(expr.args[1], universal) : Truths{};
  Truths result = universal ? exists(dual(expr.temporal, first, second), fair)
                            : exists({expr.temporal, first, second}, fair);
  if (universal) std::ranges::transform(result, result.begin(), negation);
  return temporal_.emplace(key, std::move(result)).first->second;
}

PathTruth::Truths PathTruth::everywhere(const Expr& expr, bool negated) {
  Truths truths;
  for (std::size_t at = 0; at < run_.num_positions(); ++at) {
    const Truth here = value(expr, at);
    truths.push_back(negated ? negation(here) : here);
  }
  return truths;
}

PathTruth::Operator PathTruth::dual(TemporalOperator op, const Truths& not_first,
                                    const Truths& not_second) {
  switch (op) {
    case TemporalOperator::X:
      break;
    case TemporalOperator::F:
      return {TemporalOperator::G, not_first, not_second};
    case TemporalOperator::G:
      return {TemporalOperator::F, not_first, not_second};
    case TemporalOperator::U:
      return {TemporalOperator::R, not_first, not_second};
    case TemporalOperator::R:
      return {TemporalOperator::U, not_first, not_second};
    case TemporalOperator::W:  // until the second is false, some time the first as well
      return {TemporalOperator::U, not_second, both(not_first, not_second)};
  }
  return {op, not_first, not_second};
}

/// Whether some path from each position satisfies the operator, as far as this path tells.
PathTruth::Truths PathTruth::exists(const Operator& what, bool fair) {
  const std::size_t size = run_.num_positions();
  const Truths all(size, Truth::True);
  switch (what.op) {
    case TemporalOperator::X: {
      Truths result(size, Truth::Unknown);
      for (std::size_t at = 0; at < size; ++at) {
        const std::optional<std::size_t> next = run_.next(at);
        if (next && what.first[*next] == Truth::True) result[at] = Truth::True;
        if (!next && is_end()) result[at] = Truth::False;
      }
      return result;
    }
    case TemporalOperator::F:
      return until(all, what.first);
    case TemporalOperator::G:
      return globally(what.first, fair);
    case TemporalOperator::U:
      return until(what.first, what.second);
    case TemporalOperator::W:
      return either(until(what.first, what.second), globally(what.first, fair));
    case TemporalOperator::R:
      return either(until(what.second, both(what.first, what.second)), globally(what.second, fair));
  }
  throw std::logic_error("no temporal operator");
}

PathTruth::Truths PathTruth::until(const Truths& p, const Truths& q) {
  Truths result(p.size(), Truth::Unknown);
  // What the loop's beginning says is known after one sweep, and has reached its end after two.
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (std::size_t at = p.size(); at-- > 0;) {
      const std::optional<std::size_t> next = run_.next(at);
      if (q[at] == Truth::True) {
        result[at] = Truth::True;
      } else if (p[at] == Truth::True && next && result[*next] == Truth::True) {
        result[at] = Truth::True;
      } else if (q[at] == Truth::False && (p[at] == Truth::False || (!next && is_end()))) {
        result[at] = Truth::False;
      }
    }
  }
  return result;
}

PathTruth::Truths PathTruth::globally(const Truths& p, bool fair) {
  // Whether the rest of the path satisfies it; an unfinished path shows nothing.
  const bool counts = run_.loop ? !fair || loop_is_fair() : is_end();
  std::vector<bool> rest(p.size(), counts);
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (std::size_t at = p.size(); at-- > 0;) {
      const std::optional<std::size_t> next = run_.next(at);
      rest[at] = rest[at] && p[at] == Truth::True && (!next || rest[*next]);
    }
  }
  Truths result;
  for (std::size_t at = 0; at < p.size(); ++at) {
    const Truth otherwise = p[at] == Truth::False ? Truth::False : Truth::Unknown;
    result.push_back(rest[at] ? Truth::True : otherwise);
  }
  return result;
}

/// Whether the path is finite and maximal.
bool PathTruth::is_end() {
  if (!is_end_) is_end_ = !run_.loop && semantics_.is_deadlock(run_.states.back());
  return *is_end_;
}

bool PathTruth::loop_is_fair() {
  if (!fair_) fair_ = cctl::loop_is_fair(semantics_, run_);
  return *fair_;
}

bool loop_is_fair(const Semantics& semantics, const Run& run) {
  const lang::Program& program = semantics.program();
  using Process = std::pair<lang::ModuleId, Value>;
  // Who is executed says the path; only the others have to be looked for in its states.
  std::set<Process> executed;
  for (std::size_t at = *run.loop; at < run.fired.size(); ++at) {
    const Instance& fired = run.fired[at];
    executed.emplace(program[fired.schema].module, fired.processes[0]);
  }
  std::vector<Process> others;
  for (std::uint32_t m = 0; m < program.modules.size(); ++m) {
    for (Value p = 0; p < program.modules[m].size; ++p) {
      if (!executed.contains({lang::ModuleId{m}, p})) others.emplace_back(lang::ModuleId{m}, p);
    }
  }
  for (std::size_t at = *run.loop; at < run.fired.size() && !others.empty(); ++at) {
    std::erase_if(others, [&](const Process& process) {
      return !semantics.is_enabled(process.first, process.second, run.states[at]);
    });
  }
  return others.empty();
}

}  // namespace cohort::cctl
