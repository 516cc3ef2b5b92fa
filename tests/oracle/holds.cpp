#include "oracle/holds.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace cohort::oracle {
namespace {

using lang::Expr;
using lang::Op;
using lang::syntax::Join;
using lang::syntax::Path;
using lang::syntax::TemporalOperator;
using model::plain::Number;

/// By state.
using Set = std::vector<bool>;

/// The states in which a formula is true, and those in which it may be: the first are among the
/// second, and what lies between is unknown.
struct Sets {
  Set must;
  Set may;
};

/// A number that is known to lie between two, or not known at all.
struct Cell {
  bool known = false;
  Number low;
  Number high;
};

[[nodiscard]] Truth truth(bool value) { return value ? Truth::True : Truth::False; }
[[nodiscard]] Truth negation(Truth value) {
  if (value == Truth::Unknown) return value;
  return truth(value == Truth::False);
}
[[nodiscard]] Truth conjunction(Truth a, Truth b) { return std::min(a, b); }
[[nodiscard]] Truth disjunction(Truth a, Truth b) { return std::max(a, b); }

/// Whether the plain semantics knows the whole expression.
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

void collect_slots(const Expr& expr, std::set<std::uint32_t>& slots) {
  if (expr.op == Op::Slot) slots.insert(expr.id);
  for (const Expr& arg : expr.args) collect_slots(arg, slots);
  for (const lang::Binder& binder : expr.binders) slots.erase(binder.slot);
}

class Judge {
 public:
  Judge(const Graph& graph, const Semantics& semantics, const lang::Formula& formula)
      : graph_(graph), semantics_(semantics), formula_(formula) {}

  [[nodiscard]] Verdicts run() {
    slots_.assign(formula_.slots.size(), 0);
    std::ranges::copy(formula_.values, slots_.begin());
    Verdicts verdicts;
    for (std::size_t s = 0; s < graph_.num_initial; ++s) {
      verdicts.at_initial.push_back(value(formula_.root, s));
    }
    const auto some = [&](Truth wanted) {
      return std::ranges::find(verdicts.at_initial, wanted) != verdicts.at_initial.end();
    };
    Allowed& lazy = verdicts.lazy;
    if (some(Truth::False)) {
      lazy.fails = true;
    } else if (some(Truth::Unknown)) {
      // Where something is not known, something has a fault; a run that never looks there may
      // decide all the same, but there is nothing to look at but the state in a state formula.
      lazy.holds = lazy.fails = !is_plain(formula_.root);
    } else {
      lazy.holds = true;
    }
    lazy.error = graph_.has_faults() || met_fault_;
    verdicts.eager = graph_.has_faults() ? Allowed{false, false, true} : lazy;
    return verdicts;
  }

 private:
  // -------------------------------------------------------------------------------------------------
  // In one state

  [[nodiscard]] Truth value(const Expr& expr, std::size_t s) {
    if (is_plain(expr)) {
      const Cell cell = plain(expr, s);
      return cell.known ? truth(cell.low != 0) : Truth::Unknown;
    }
    switch (expr.op) {
      case Op::Not:
        return negation(value(expr.args[0], s));
      case Op::And: {
        Truth result = Truth::True;
        for (const Expr& arg : expr.args) {
          if (result == Truth::False) break;
          result = conjunction(result, value(arg, s));
        }
        return result;
      }
      case Op::Or: {
        Truth result = Truth::False;
        for (const Expr& arg : expr.args) {
          if (result == Truth::True) break;
          result = disjunction(result, value(arg, s));
        }
        return result;
      }
      case Op::Implies: {  // a -> (b -> c) is !a | !b | c
        Truth result = Truth::False;
        for (std::size_t i = 0; i < expr.args.size() && result != Truth::True; ++i) {
          const Truth operand = value(expr.args[i], s);
          result = disjunction(result, i + 1 < expr.args.size() ? negation(operand) : operand);
        }
        return result;
      }
      case Op::Iff: {
        Truth result = value(expr.args[0], s);
        for (std::size_t i = 1; i < expr.args.size(); ++i) {
          const Truth operand = value(expr.args[i], s);
          const bool known = result != Truth::Unknown && operand != Truth::Unknown;
          result = known ? truth(result == operand) : Truth::Unknown;
        }
        return result;
      }
      case Op::ForallProcess:
      case Op::ExistsProcess: {
        const bool all = expr.op == Op::ForallProcess;
        Truth result = truth(all);
        for_each(expr.binders, 0, [&] {
          const Truth body = value(expr.args[0], s);
          result = all ? conjunction(result, body) : disjunction(result, body);
        });
        return result;
      }
      case Op::Temporal: {
        const Sets& sets = temporal(expr);
        if (sets.must[s]) return Truth::True;
        return sets.may[s] ? Truth::Unknown : Truth::False;
      }
      case Op::Deadlock:
        if (!graph_.nodes[s].faults.empty()) return Truth::Unknown;
        return truth(graph_.nodes[s].edges.empty());
      case Op::Enabled: {
        const Cell process = plain(expr.args[0], s);
        if (!process.known || !graph_.nodes[s].faults.empty()) return Truth::Unknown;
        return truth(graph_.nodes[s].enabled.contains(
            Process{expr.args[0].type.module, process.low.convert_to<Value>()}));
      }
      case Op::Compare:
        return compare(number(expr.args[0], s), expr.args[1].join, number(expr.args[1], s));
      default: {
        const Cell cell = number(expr, s);
        if (!cell.known) return Truth::Unknown;
        if (cell.low > 0 || cell.high < 0) return Truth::True;
        return cell.low == 0 && cell.high == 0 ? Truth::False : Truth::Unknown;
      }
    }
  }

  [[nodiscard]] Cell plain(const Expr& expr, std::size_t s) {
    const model::plain::Evaluation result =
        semantics_.evaluate(expr, graph_.nodes[s].state, slots_);
    if (result.value) return {true, *result.value, *result.value};
    met_fault_ = true;
    return {};
  }

  /// Calls `visit` for every value of the bound variables.
  void for_each(const std::vector<lang::Binder>& binders, std::size_t from,
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

  // -------------------------------------------------------------------------------------------------
  // Numbers

  [[nodiscard]] Cell number(const Expr& expr, std::size_t s) {
    if (is_plain(expr)) return plain(expr, s);
    switch (expr.op) {
      case Op::CountProcess: {
        Cell count{true, 0, 0};
        for_each(expr.binders, 0, [&] {
          const Truth body = value(expr.args[0], s);
          if (body == Truth::True) ++count.low;
          if (body != Truth::False) ++count.high;
        });
        return count;
      }
      case Op::Minus: {
        const Cell operand = number(expr.args[0], s);
        return {operand.known, -operand.high, -operand.low};
      }
      case Op::Sum:
      case Op::Product: {
        Cell result = number(expr.args[0], s);
        for (std::size_t i = 1; i < expr.args.size(); ++i) {
          result = combine(result, expr.args[i].join, number(expr.args[i], s));
        }
        return result;
      }
      case Op::Variable:
        return subscripted(expr, s);
      default: {
        const Truth known = value(expr, s);
        return {true, known == Truth::True ? 1 : 0, known == Truth::False ? 0 : 1};
      }
    }
  }

  [[nodiscard]] Cell combine(const Cell& left, Join join, const Cell& right) {
    if (!left.known || !right.known) return {};
    const bool exact = left.low == left.high && right.low == right.high;
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
        if (right.low <= 0 && right.high >= 0) {
          met_fault_ = true;
          return {};
        }
        if (!exact) return {};
        const Number result =
            join == Join::Divide ? Number(left.low / right.low) : Number(left.low % right.low);
        return {true, result, result};
      }
      default:
        throw std::logic_error("no operator of sums and products");
    }
  }

  [[nodiscard]] static Truth compare(const Cell& left, Join join, const Cell& right) {
    if (!left.known || !right.known) return Truth::Unknown;
    const bool exact = left.low == left.high && right.low == right.high;
    switch (join) {
      case Join::Less:
        if (left.high < right.low) return Truth::True;
        return left.low >= right.high ? Truth::False : Truth::Unknown;
      case Join::LessEqual:
        if (left.high <= right.low) return Truth::True;
        return left.low > right.high ? Truth::False : Truth::Unknown;
      case Join::Greater:
        return compare(right, Join::Less, left);
      case Join::GreaterEqual:
        return compare(right, Join::LessEqual, left);
      case Join::Equal:
        if (left.high < right.low || right.high < left.low) return Truth::False;
        return exact ? Truth::True : Truth::Unknown;
      case Join::NotEqual:
        return negation(compare(left, Join::Equal, right));
      default:
        throw std::logic_error("no comparison");
    }
  }

  /// A variable with a COUNT in one of its subscripts.
  [[nodiscard]] Cell subscripted(const Expr& expr, std::size_t s) {
    const lang::VariableId variable{expr.id};
    std::vector<Value> subscripts;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      const Cell subscript = number(expr.args[i], s);
      if (!subscript.known || subscript.low != subscript.high) return {};
      const lang::Interval& range = semantics_.program()[variable].dimensions[i].range;
      if (subscript.low < range.first || subscript.low > range.last) {
        met_fault_ = true;
        return {};
      }
      subscripts.push_back(subscript.low.convert_to<Value>());
    }
    const Value found = graph_.nodes[s].state[semantics_.variables().number(variable, subscripts)];
    return {true, found, found};
  }

  // -------------------------------------------------------------------------------------------------
  // Over the whole graph

  /// What is not known of a state with a fault counts as true or as false.
  enum class Unclear { False, True };

  [[nodiscard]] const Sets& temporal(const Expr& expr) {
    std::set<std::uint32_t> free;
    collect_slots(expr, free);
    std::vector<Value> values;
    for (const std::uint32_t slot : free) values.push_back(slots_[slot]);
    const auto key = std::pair{&expr, values};
    const auto found = temporal_.find(key);
    if (found != temporal_.end()) return found->second;

    const Sets first = everywhere(expr.args[0]);
    const Sets second = expr.args.size() > 1 ? everywhere(expr.args[1]) : Sets{};
    Sets sets;
    if (expr.path == Path::E || expr.path == Path::Efair) {
      const bool fair = expr.path == Path::Efair;
      sets = {exists(expr.temporal, fair, first.must, second.must, Unclear::False),
              exists(expr.temporal, fair, first.may, second.may, Unclear::True)};
    } else {
      // All paths satisfy it when none satisfies its negation.
      const bool fair = expr.path == Path::Afair;
      sets = {inverse(refutes(expr.temporal, fair, inverse(first.must), inverse(second.must),
                              Unclear::True)),
              inverse(refutes(expr.temporal, fair, inverse(first.may), inverse(second.may),
                              Unclear::False))};
    }
    return temporal_.emplace(key, std::move(sets)).first->second;
  }

  /// Where a path starts that does not satisfy an operator, from where its operands are false.
  [[nodiscard]] Set refutes(TemporalOperator op, bool fair, const Set& not_p, const Set& not_q,
                            Unclear unclear) {
    switch (op) {
      case TemporalOperator::X:
        return exists(TemporalOperator::X, fair, not_p, {}, unclear);
      case TemporalOperator::F:
        return exists(TemporalOperator::G, fair, not_p, {}, unclear);
      case TemporalOperator::G:
        return exists(TemporalOperator::F, fair, not_p, {}, unclear);
      case TemporalOperator::U:  // !q for ever, or until !p and !q
        return either(exists(TemporalOperator::G, fair, not_q, {}, unclear),
                      exists(TemporalOperator::U, fair, not_q, both(not_p, not_q), unclear));
      case TemporalOperator::W:
        return exists(TemporalOperator::U, fair, not_q, both(not_p, not_q), unclear);
      case TemporalOperator::R:
        return exists(TemporalOperator::U, fair, not_p, not_q, unclear);
    }
    throw std::logic_error("no temporal operator");
  }

  [[nodiscard]] Sets everywhere(const Expr& expr) {
    Sets sets{Set(size()), Set(size())};
    for (std::size_t s = 0; s < size(); ++s) {
      const Truth here = value(expr, s);
      sets.must[s] = here == Truth::True;
      sets.may[s] = here != Truth::False;
    }
    return sets;
  }

  [[nodiscard]] Set exists(TemporalOperator op, bool fair, const Set& p, const Set& q,
                           Unclear unclear) {
    const Set all(size(), true);
    // Where a path starts that counts.
    const Set start = fair ? fair_globally(all, unclear) : all;
    const auto globally = [&](const Set& set) {
      return fair ? fair_globally(set, unclear) : this->globally(set, unclear);
    };
    switch (op) {
      case TemporalOperator::X:
        return next(both(p, start), unclear);
      case TemporalOperator::F:
        return until(all, both(p, start), unclear);
      case TemporalOperator::G:
        return globally(p);
      case TemporalOperator::U:
        return until(p, both(q, start), unclear);
      case TemporalOperator::W:
        return either(until(p, both(q, start), unclear), globally(p));
      case TemporalOperator::R:
        return either(until(q, both(both(p, q), start), unclear), globally(q));
    }
    throw std::logic_error("no temporal operator");
  }

  [[nodiscard]] std::size_t size() const { return graph_.nodes.size(); }
  [[nodiscard]] static Set inverse(Set set) {
    set.flip();
    return set;
  }
  [[nodiscard]] static Set both(Set a, const Set& b) {
    for (std::size_t s = 0; s < a.size(); ++s) a[s] = a[s] && b[s];
    return a;
  }
  [[nodiscard]] static Set either(Set a, const Set& b) {
    for (std::size_t s = 0; s < a.size(); ++s) a[s] = a[s] || b[s];
    return a;
  }
  [[nodiscard]] bool is_unclear(std::size_t s) const { return !graph_.nodes[s].faults.empty(); }
  [[nodiscard]] bool is_deadlock(std::size_t s) const {
    return graph_.nodes[s].edges.empty() && !is_unclear(s);
  }
  [[nodiscard]] bool has_edge_into(std::size_t s, const Set& set) const {
    return std::ranges::any_of(graph_.nodes[s].edges,
                               [&](const Edge& edge) { return set[edge.to]; });
  }

  /// EX p.
  [[nodiscard]] Set next(const Set& p, Unclear unclear) const {
    Set result(size());
    for (std::size_t s = 0; s < size(); ++s) {
      result[s] = is_unclear(s) ? unclear == Unclear::True : has_edge_into(s, p);
    }
    return result;
  }

  /// E[p U q]: the least set with q | p & EX itself.
  [[nodiscard]] Set until(const Set& p, const Set& q, Unclear unclear) const {
    Set result(size());
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t s = size(); s-- > 0;) {
        const bool onwards = is_unclear(s) ? unclear == Unclear::True : has_edge_into(s, result);
        if (result[s] || !(q[s] || (p[s] && onwards))) continue;
        result[s] = changed = true;
      }
    }
    return result;
  }

  /// EG p: the greatest set with p & (EX itself | deadlock).
  [[nodiscard]] Set globally(const Set& p, Unclear unclear) const {
    Set result = p;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t s = size(); s-- > 0;) {
        const bool onwards =
            is_unclear(s) ? unclear == Unclear::True : is_deadlock(s) || has_edge_into(s, result);
        if (!result[s] || onwards) continue;
        result[s] = false;
        changed = true;
      }
    }
    return result;
  }

  /// Efair G p: the greatest subset Z of p such that for each process there is, from every state of
  /// Z on a path in Z, a state where the process is disabled, or an edge inside Z that executes it,
  /// or a deadlock.
  ///
  /// From such a set a fair path is built by serving the processes in turn: a round that leads
  /// nowhere would be in a state where all are disabled, which is a deadlock.  And the states of a
  /// fair path are such a set.
  [[nodiscard]] Set fair_globally(const Set& p, Unclear unclear) const {
    Set z = p;
    while (true) {
      const Set before = z;
      for (const Process& process : graph_.processes) {
        Set served(size());
        for (std::size_t s = 0; s < size(); ++s) {
          served[s] = z[s] && (is_unclear(s) ? unclear == Unclear::True : serves(s, process, z));
        }
        // Where a run goes on behind a fault is known to `served` alone.
        z = until(z, served, Unclear::False);
      }
      if (z == before) return z;
    }
  }

  [[nodiscard]] bool serves(std::size_t s, const Process& process, const Set& z) const {
    const Node& node = graph_.nodes[s];
    if (is_deadlock(s) || !node.enabled.contains(process)) return true;
    return std::ranges::any_of(
        node.edges, [&](const Edge& edge) { return edge.executes == process && z[edge.to]; });
  }

  const Graph& graph_;
  const Semantics& semantics_;
  const lang::Formula& formula_;
  std::vector<Value> slots_;
  std::map<std::pair<const Expr*, std::vector<Value>>, Sets> temporal_;
  bool met_fault_ = false;
};

}  // namespace

Verdicts judge(const Graph& graph, const Semantics& semantics, const lang::Formula& formula) {
  return Judge(graph, semantics, formula).run();
}

}  // namespace cohort::oracle
