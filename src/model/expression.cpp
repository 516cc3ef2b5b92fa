#include "model/expression.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <optional>
#include <stdexcept>

#include "model/hoist.hpp"

namespace cohort::model {

using lang::Expr;
using lang::Op;
using lang::syntax::Join;

struct Expressions::WideNumber {
  boost::multiprecision::cpp_int value;
};

namespace {

template <typename Number>
[[nodiscard]] Value compare(const Number& left, const Number& right, Join join) {
  switch (join) {
    case Join::Equal:
      return left == right ? 1 : 0;
    case Join::NotEqual:
      return left != right ? 1 : 0;
    case Join::Less:
      return left < right ? 1 : 0;
    case Join::LessEqual:
      return left <= right ? 1 : 0;
    case Join::Greater:
      return left > right ? 1 : 0;
    default:
      return left >= right ? 1 : 0;
  }
}

/// How many variables of a module are bound in an expression.
[[nodiscard]] std::size_t num_binders(const Expr& expr, lang::ModuleId module) {
  std::size_t found = 0;
  for (const lang::Binder& binder : expr.binders) found += binder.set.module == module ? 1 : 0;
  for (const Expr& arg : expr.args) found += num_binders(arg, module);
  return found;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------
// Compiling

NodeId Expressions::add(const Node& node, lang::Span where) {
  nodes_.push_back(node);
  places_.push_back(where);
  return NodeId{static_cast<std::uint32_t>(nodes_.size() - 1)};
}

void Expressions::forget_since(const Mark& mark) {
  nodes_.resize(mark.nodes);
  places_.resize(mark.nodes);
  args_.resize(mark.args);
  binders_.resize(mark.binders);
  subscripts_.resize(mark.subscripts);
}

void Expressions::take_args(Node& node, const std::vector<NodeId>& args) {
  node.first_arg = static_cast<std::uint32_t>(args_.size());
  node.num_args = static_cast<std::uint32_t>(args.size());
  for (const NodeId id : args) {
    args_.push_back(static_cast<std::uint32_t>(id));
    node.safe = node.safe && nodes_[base::index_of(id)].safe;
  }
}

NodeId Expressions::compile_node(const Expr& expr, Code code) {
  std::vector<NodeId> args;
  for (const Expr& child : expr.args) args.push_back(compile(child));
  Node node;
  node.code = code;
  node.join = expr.join;
  take_args(node, args);
  node.first_extra = static_cast<std::uint32_t>(binders_.size());
  node.num_extra = static_cast<std::uint32_t>(expr.binders.size());
  for (const lang::Binder& binder : expr.binders) {
    binders_.push_back({binder.slot, program_[binder.set.module].size,
                        binder.set.all ? whole_module : number_of(binder.set),
                        static_cast<std::uint32_t>(base::index_of(binder.set.module))});
    node.nested =
        node.nested || (addresses_ != nullptr && num_binders(expr, binder.set.module) > 1);
  }
  find_dangers(expr, args, node);
  return add(node, expr.where);
}

/// Divisors that may be zero, and numbers that may leave 64 bits.
void Expressions::find_dangers(const Expr& expr, const std::vector<NodeId>& args,
                               Node& node) const {
  const auto is_wide = [&](NodeId id) { return nodes_[base::index_of(id)].wide; };
  if (node.code == Code::Conditional) node.wide = std::ranges::any_of(args, is_wide);
  if (node.code != Code::Sum && node.code != Code::Product && node.code != Code::Minus) return;
  node.wide = std::ranges::any_of(args, is_wide);
  node.wide = node.wide || !bounds_.fits_64_bits(expr);
  if (node.code != Code::Product) return;
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    const Expr& child = expr.args[i];
    if (child.join != Join::Divide && child.join != Join::Modulo) continue;
    const WideInterval values = bounds_.of(child);
    if (values.first <= 0 && values.last >= 0) node.safe = false;
  }
}

std::uint32_t Expressions::number_of(const lang::ProcessSet& set) {
  for (std::uint32_t i = 0; i < sets_.size(); ++i) {
    if (set_modules_[i] == set.module && sets_[i] == set.ids) return i;
  }
  sets_.push_back(set.ids);
  set_modules_.push_back(set.module);
  return static_cast<std::uint32_t>(sets_.size() - 1);
}

std::size_t Expressions::first_instance(std::uint32_t variable) const {
  return addresses_ != nullptr ? addresses_->bases[variable]
                               : instances_.first(lang::VariableId{variable});
}

NodeId Expressions::compile_variable(const Expr& expr) {
  const lang::Variable& variable = program_.variables[expr.id];
  std::vector<Subscript> subscripts(variable.dimensions.size());
  std::uint32_t stride = 1;
  for (std::size_t d = subscripts.size(); d-- > 0;) {
    const lang::Dimension& dimension = variable.dimensions[d];
    subscripts[d] = {dimension.range.first, dimension.range.last, stride,
                     dimension.module.has_value()};
    stride *= static_cast<std::uint32_t>(dimension.range.last - dimension.range.first + 1);
    if (addresses_ != nullptr) subscripts[d].stride = addresses_->strides[expr.id][d];
  }
  Node node;
  node.code = Code::Load;
  node.join = expr.join;
  std::size_t base = first_instance(expr.id);
  std::size_t num_slots = 0;
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    const Expr& subscript = expr.args[d];
    if (subscript.op == Op::Slot && num_slots < 2) {
      (num_slots == 0 ? node.slot_a : node.slot_b) = subscript.id;
      (num_slots == 0 ? node.stride_a : node.stride_b) = subscripts[d].stride;
      ++num_slots;
      continue;
    }
    const std::optional<Value> constant = lang::constant_value(subscript);
    const bool inside = constant && subscript.type.kind == lang::ValueType::Kind::Number &&
                        subscripts[d].first <= *constant && *constant <= subscripts[d].last;
    if (!inside) return compile_checked(expr, subscripts);
    base += static_cast<std::size_t>(*constant - subscripts[d].first) * subscripts[d].stride;
  }
  node.base = static_cast<std::uint32_t>(base);
  return add(node, expr.where);
}

NodeId Expressions::compile_checked(const Expr& expr, const std::vector<Subscript>& subscripts) {
  std::vector<NodeId> args;
  bool inside = true;
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    args.push_back(compile(expr.args[d]));
    const WideInterval values = bounds_.of(expr.args[d]);
    inside = inside && values.first >= subscripts[d].first && values.last <= subscripts[d].last;
  }
  Node node;
  node.code = Code::LoadChecked;
  node.join = expr.join;
  node.base = static_cast<std::uint32_t>(first_instance(expr.id));
  node.variable = expr.id;
  take_args(node, args);
  node.safe = node.safe && inside;
  node.first_extra = static_cast<std::uint32_t>(subscripts_.size());
  node.num_extra = static_cast<std::uint32_t>(subscripts.size());
  subscripts_.insert(subscripts_.end(), subscripts.begin(), subscripts.end());
  return add(node, expr.where);
}

NodeId Expressions::compile_compare(const Expr& expr) {
  const Join join = expr.args[1].join;
  const Mark before = mark();
  const NodeId left = compile(expr.args[0]);
  const NodeId right = compile(expr.args[1]);
  const Node a = nodes_[base::index_of(left)];
  const Node b = nodes_[base::index_of(right)];
  Node node;
  node.code = Code::Compare;
  if (a.code == Code::Load && b.code == Code::Constant) {
    node = a;
    node.value = b.value;
    node.code = join == Join::Equal      ? Code::LoadIs
                : join == Join::NotEqual ? Code::LoadIsNot
                                         : Code::LoadCompare;
    forget_since(before);
  } else if (a.code == Code::Slot && b.code == Code::Slot) {
    node.code = Code::SlotsCompare;
    node.slot_a = a.slot_a;
    node.slot_b = b.slot_a;
    forget_since(before);
  } else {
    if (a.wide || b.wide) node.code = Code::CompareWide;
    take_args(node, {left, right});
  }
  node.value = node.code == Code::Compare ? 0 : node.value;
  // The comparison of this node; what joins it to its neighbours is nobody's business any more.
  node.join = join;
  return add(node, expr.where);
}

/// The negation of a comparison with a constant is one as well.
NodeId Expressions::compile_not(const Expr& expr) {
  const Mark before = mark();
  const NodeId made = compile_node(expr, Code::Not);
  Node node = arg(nodes_[base::index_of(made)], 0);
  switch (node.code) {
    case Code::LoadIs:
      node.code = Code::LoadIsNot;
      break;
    case Code::LoadIsNot:
      node.code = Code::LoadIs;
      break;
    case Code::Load:
      node.code = Code::LoadIs;
      node.value = 0;
      break;
    case Code::SlotsCompare:
      node.join = node.join == Join::Equal ? Join::NotEqual : Join::Equal;
      break;
    default:
      return made;
  }
  // An operand of arithmetic is asked for its join, which these use for themselves.
  if (expr.join != Join::None) return made;
  forget_since(before);
  return add(node, expr.where);
}

std::optional<Expressions::Test> Expressions::as_test(NodeId id) const {
  const Node& node = nodes_[base::index_of(id)];
  const bool is_not = node.code == Code::LoadIsNot || node.code == Code::Load;
  if (!is_not && node.code != Code::LoadIs) return std::nullopt;
  if (node.stride_b != 0) return std::nullopt;
  return Test{node.code == Code::Load ? 0 : node.value, node.base, node.slot_a, node.stride_a,
              !is_not};
}

NodeId Expressions::compile_quick(const Expr& expr) {
  const Mark before = mark();
  const NodeId plain = compile(expr);
  if (!is_safe(plain) || !has_quantifier(expr)) return plain;
  forget_since(before);
  return compile(hoisted(expr));
}

NodeId Expressions::compile(const Expr& expr) {
  Node node;
  node.join = expr.join;
  switch (expr.op) {
    case Op::Constant:
      node.value = expr.value;
      return add(node, expr.where);
    case Op::None:
      node.value = lang::none_value;
      return add(node, expr.where);
    case Op::Slot:
      node.code = Code::Slot;
      node.slot_a = expr.id;
      return add(node, expr.where);
    case Op::Variable:
      return compile_variable(expr);
    case Op::Compare: {
      // An arithmetic chain asks its operands for their join, so a comparison in one is wrapped.
      const NodeId compared = compile_compare(expr);
      if (expr.join == Join::None) return compared;
      node.code = Code::Or;
      take_args(node, {compared});
      return add(node, expr.where);
    }
    case Op::Minus:
      return compile_node(expr, Code::Minus);
    case Op::Sum:
      return compile_node(expr, Code::Sum);
    case Op::Product:
      return compile_node(expr, Code::Product);
    case Op::Not:
      return compile_not(expr);
    case Op::And:
      return compile_node(expr, Code::And);
    case Op::Or:
      return compile_node(expr, Code::Or);
    case Op::Implies:
      return compile_node(expr, Code::Implies);
    case Op::Iff:
      return compile_node(expr, Code::Iff);
    case Op::Conditional:
      return compile_node(expr, Code::Conditional);
    case Op::All:
    case Op::ForallProcess:
      return compile_node(expr, Code::All);
    case Op::Exists:
    case Op::ExistsProcess:
      return compile_node(expr, Code::Exists);
    case Op::Count:
    case Op::CountProcess:
      return compile_node(expr, Code::Count);
    case Op::Temporal:
    case Op::Enabled:
    case Op::Deadlock:
      break;
  }
  throw std::logic_error("a formula with temporal operators is no expression");
}

// ---------------------------------------------------------------------------------------------------
// Evaluating

void Expressions::fail(FaultKind kind, const Node& node, const Fault& details,
                       Environment& environment) const {
  if (environment.fault) return;
  environment.fault = details;
  environment.fault.kind = kind;
  environment.fault.where = places_[static_cast<std::size_t>(&node - nodes_.data())];
}

std::size_t Expressions::checked(const Node& node, Environment& environment) const {
  std::size_t at = node.base;
  for (std::size_t d = 0; d < node.num_extra; ++d) {
    const Subscript& subscript = subscripts_[node.first_extra + d];
    const Node& expr = arg(node, d);
    const Value value = run(expr, environment);
    if (environment.fault) return 0;
    if (value < subscript.first || value > subscript.last) {
      Fault details;
      details.value = value;
      details.variable = node.variable;
      fail(subscript.of_module ? FaultKind::NoneAsSubscript : FaultKind::SubscriptOutside, expr,
           details, environment);
      return 0;
    }
    at += static_cast<std::size_t>(value - subscript.first) * subscript.stride;
  }
  return at;
}

Value Expressions::chain(const Node& node, Environment& environment) const {
  Value left = run(arg(node, 0), environment);
  for (std::size_t i = 1; i < node.num_args; ++i) {
    const Node& operand = arg(node, i);
    const Value right = run(operand, environment);
    switch (operand.join) {
      case Join::Plus:
        left += right;
        break;
      case Join::Minus:
        left -= right;
        break;
      case Join::Times:
        left *= right;
        break;
      default:
        if (right == 0) {
          fail(FaultKind::DivisionByZero, operand, {}, environment);
          return 0;
        }
        // Dividing the smallest number by -1 is the one quotient that does not fit.
        if (right == -1) {
          left = operand.join == Join::Divide ? -left : 0;
        } else {
          left = operand.join == Join::Divide ? left / right : left % right;
        }
        break;
    }
  }
  return left;
}

/// Counts for every assignment of processes to the binders whether the filter and the body hold.
/// Nothing stops early unless nothing can go wrong: a fault in one process is a fault.
Value Expressions::quantifier(const Node& node, Environment& environment) const {
  Votes votes;
  if (environment.crowd != nullptr) {
    vote_in_crowd(node, 0, 1, environment, votes);
    return verdict(node, votes);
  }
  const Binder* const binders = binders_.data() + node.first_extra;
  const Node* const filter = node.num_args == 2 ? &arg(node, 0) : nullptr;
  const Node& body = arg(node, node.num_args - 1);
  const std::vector<ProcessList>& sets = environment.sets == nullptr ? sets_ : *environment.sets;
  const auto size = [&](const Binder& binder) {
    return binder.set == whole_module ? binder.size : static_cast<Value>(sets[binder.set].size());
  };
  boost::container::small_vector<Value, 4> positions(node.num_extra, 0);
  const auto bind = [&](std::size_t b) {
    const auto at = static_cast<std::size_t>(positions[b]);
    environment.slots[binders[b].slot] =
        binders[b].set == whole_module ? positions[b] : sets[binders[b].set][at];
  };
  bool is_empty = false;
  for (std::size_t b = 0; b < node.num_extra; ++b) {
    is_empty = is_empty || size(binders[b]) == 0;
    if (!is_empty) bind(b);
  }
  while (!is_empty) {
    if (filter == nullptr || run(*filter, environment) != 0) {
      ++(run(body, environment) != 0 ? votes.num_true : votes.num_false);
      if (is_decided(node, votes)) break;
    }
    std::size_t b = node.num_extra;
    for (; b > 0; --b) {
      positions[b - 1] = positions[b - 1] + 1 == size(binders[b - 1]) ? 0 : positions[b - 1] + 1;
      bind(b - 1);
      if (positions[b - 1] != 0) break;
    }
    if (b == 0) break;
  }
  return verdict(node, votes);
}

bool Expressions::is_decided(const Node& node, const Votes& votes) const {
  return node.safe && ((node.code == Code::All && votes.num_false > 0) ||
                       (node.code == Code::Exists && votes.num_true > 0));
}

Value Expressions::verdict(const Node& node, const Votes& votes) {
  if (node.code == Code::Count) return votes.num_true;
  return (node.code == Code::All ? votes.num_false == 0 : votes.num_true > 0) ? 1 : 0;
}

/// Asks once for each place, with the number of processes that it stands for.  A process leaves its
/// place while it is bound if another variable may be bound to one of those that stay there.
/// Recurses once for each variable of a quantifier.
void Expressions::vote_in_crowd(const Node& node, std::uint32_t binder, Value weight,
                                Environment& environment, Votes& votes) const {
  if (binder == node.num_extra) {
    if (node.num_args == 2 && run(arg(node, 0), environment) == 0) return;
    const bool holds = run(arg(node, node.num_args - 1), environment) != 0;
    (holds ? votes.num_true : votes.num_false) += weight;
    return;
  }
  const Binder& of = binders_[node.first_extra + binder];
  Crowd& crowd = *environment.crowd;
  const std::size_t size = crowd.places(of.module).size();
  for (std::size_t place = 0; place < size && !is_decided(node, votes); ++place) {
    const std::uint32_t count = crowd.places(of.module).counts[place];
    const bool inside = of.set == whole_module ||
                        (*environment.members)[of.set][crowd.places(of.module).colours[place]];
    if (count == 0 || !inside) continue;
    const bool leaves = node.nested && count > 1;
    const std::size_t bound = leaves ? crowd.split(of.module, place) : place;
    environment.values = crowd.values();
    environment.slots[of.slot] = static_cast<Value>(bound);
    vote_in_crowd(node, binder + 1, weight * count, environment, votes);
    if (leaves) crowd.unsplit(of.module, place);
  }
}

Value Expressions::run(const Node& node, Environment& environment) const {
  switch (node.code) {
    case Code::Constant:
      return node.value;
    case Code::Slot:
      return environment.slots[node.slot_a];
    case Code::Load:
      return load(node, environment);
    case Code::LoadChecked: {
      const std::size_t at = checked(node, environment);
      return environment.fault ? 0 : environment.values[at];
    }
    case Code::LoadIs:
      return load(node, environment) == node.value ? 1 : 0;
    case Code::LoadIsNot:
      return load(node, environment) != node.value ? 1 : 0;
    case Code::LoadCompare:
      return compare(load(node, environment), node.value, node.join);
    case Code::SlotsCompare: {
      const bool equal = environment.slots[node.slot_a] == environment.slots[node.slot_b];
      return equal == (node.join == Join::Equal) ? 1 : 0;
    }
    case Code::Compare: {
      const Value left = run(arg(node, 0), environment);
      const Value right = run(arg(node, 1), environment);
      return compare(left, right, node.join);
    }
    case Code::CompareWide:
      return compare_wide(node, environment);
    case Code::Minus:
      return node.wide ? saturated(node, environment) : -run(arg(node, 0), environment);
    case Code::Sum:
    case Code::Product:
      return node.wide ? saturated(node, environment) : chain(node, environment);
    case Code::Not:
      return run(arg(node, 0), environment) == 0 ? 1 : 0;
    case Code::And:
      for (std::size_t i = 0; i < node.num_args; ++i) {
        if (run(arg(node, i), environment) == 0) return 0;
      }
      return 1;
    case Code::Or:
      for (std::size_t i = 0; i < node.num_args; ++i) {
        if (run(arg(node, i), environment) != 0) return 1;
        if (environment.fault) return 0;
      }
      return 0;
    case Code::Implies:
      for (std::size_t i = 0; i + 1 < node.num_args; ++i) {
        if (run(arg(node, i), environment) == 0) return 1;
      }
      return run(arg(node, node.num_args - 1), environment) != 0 ? 1 : 0;
    case Code::Iff: {
      bool left = run(arg(node, 0), environment) != 0;
      for (std::size_t i = 1; i < node.num_args; ++i) {
        left = left == (run(arg(node, i), environment) != 0);
      }
      return left ? 1 : 0;
    }
    case Code::Conditional: {
      const bool test = run(arg(node, 0), environment) != 0;
      if (environment.fault) return 0;
      return run(arg(node, test ? 1 : 2), environment);
    }
    case Code::All:
    case Code::Exists:
    case Code::Count:
      return quantifier(node, environment);
  }
  return 0;
}

// ---------------------------------------------------------------------------------------------------
// Numbers beyond 64 bits

void Expressions::run_wide(const Node& node, Environment& environment, WideNumber& result) const {
  const bool is_chain = node.code == Code::Sum || node.code == Code::Product;
  if (!node.wide || !(is_chain || node.code == Code::Minus || node.code == Code::Conditional)) {
    result.value = run(node, environment);
    return;
  }
  if (node.code == Code::Conditional) {
    const bool test = run(arg(node, 0), environment) != 0;
    if (!environment.fault) run_wide(arg(node, test ? 1 : 2), environment, result);
    return;
  }
  run_wide(arg(node, 0), environment, result);
  if (node.code == Code::Minus) {
    result.value = -result.value;
    return;
  }
  for (std::size_t i = 1; i < node.num_args; ++i) {
    const Node& operand = arg(node, i);
    WideNumber right;
    run_wide(operand, environment, right);
    switch (operand.join) {
      case Join::Plus:
        result.value += right.value;
        break;
      case Join::Minus:
        result.value -= right.value;
        break;
      case Join::Times:
        result.value *= right.value;
        break;
      default:
        if (right.value == 0) {
          fail(FaultKind::DivisionByZero, operand, {}, environment);
          return;
        }
        if (operand.join == Join::Divide) {
          result.value /= right.value;
        } else {
          result.value %= right.value;
        }
        break;
    }
  }
}

Value Expressions::saturated(const Node& node, Environment& environment) const {
  WideNumber exact;
  run_wide(node, environment, exact);
  if (exact.value > std::numeric_limits<Value>::max()) return std::numeric_limits<Value>::max();
  if (exact.value < std::numeric_limits<Value>::min()) return std::numeric_limits<Value>::min();
  return exact.value.convert_to<Value>();
}

Value Expressions::compare_wide(const Node& node, Environment& environment) const {
  WideNumber left;
  WideNumber right;
  run_wide(arg(node, 0), environment, left);
  run_wide(arg(node, 1), environment, right);
  return environment.fault ? 0 : compare(left.value, right.value, node.join);
}

}  // namespace cohort::model
