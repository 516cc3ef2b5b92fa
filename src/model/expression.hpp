// Expressions, compiled once and evaluated often.
//
//   Expressions code{program, instances, bounds};
//   const NodeId condition = code.compile(schema.condition);
//   Environment environment{values, slots};
//   const bool holds = code.evaluate(condition, environment) != 0;
//   if (environment.fault) …
//
// No names, no allocation and, for the common cases (a variable with up to two processes as
// subscripts, compared with a constant), one node where the syntax has four.  Formulas without
// temporal operators are expressions as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lang/program.hpp"
#include "model/bounds.hpp"
#include "model/crowd.hpp"
#include "model/fault.hpp"
#include "model/instances.hpp"

namespace cohort::model {

enum class NodeId : std::uint32_t {};

/// The processes that a quantifier of a formula runs over when they are not a whole module.
using ProcessList = std::vector<Value>;

/// What an expression is evaluated in.  `slots` has a place for every slot of its schema or
/// formula, and at least one; those that operators bind are written to.
struct Environment {
  const Value* values = nullptr;
  Value* slots = nullptr;
  /// The sets that quantifiers name, by their number; null for those that the formula wrote.
  const std::vector<ProcessList>* sets = nullptr;
  Fault fault{};  ///< the first one that was met
  /// Of expressions with Addresses: the places that the slots name, and by set and colour whether
  /// processes of that colour are in it.
  Crowd* crowd = nullptr;
  const std::vector<std::vector<bool>>* members = nullptr;
};

class Expressions {
 public:
  /// Keeps references to all of them.  With addresses, expressions are evaluated in a crowd.
  Expressions(const lang::Program& program, const Instances& instances, const Bounds& bounds,
              const Addresses* addresses = nullptr)
      : program_(program), instances_(instances), bounds_(bounds), addresses_(addresses) {}

  /// Not for expressions with temporal operators, `enabled` or `deadlock`.
  [[nodiscard]] NodeId compile(const lang::Expr& expr);
  /// 0 after a fault.  A number that does not fit in 64 bits comes as the nearest one that does: no
  /// variable can hold either.
  [[nodiscard]] Value evaluate(NodeId id, Environment& environment) const {
    const Node& node = nodes_[base::index_of(id)];
    switch (node.code) {
      case Code::Constant:
        return node.value;
      case Code::Load:
        return load(node, environment);
      default:
        return run(node, environment);
    }
  }
  /// Whether a condition holds; the commonest ones without a call.
  [[nodiscard]] bool holds(NodeId id, Environment& environment) const {
    const Node& node = nodes_[base::index_of(id)];
    switch (node.code) {
      case Code::LoadIs:
        return load(node, environment) == node.value;
      case Code::LoadIsNot:
        return load(node, environment) != node.value;
      case Code::Load:
        return load(node, environment) != 0;
      default:
        return run(node, environment) != 0;
    }
  }
  /// What most parts of most conditions are: whether a variable with one subscript at most has a
  /// certain value, or has it not.
  struct Test {
    Value value = 0;
    std::uint32_t base = 0;
    std::uint32_t slot = 0;
    std::uint32_t stride = 0;
    bool is_equal = true;
  };
  [[nodiscard]] std::optional<Test> as_test(NodeId id) const;
  [[nodiscard]] static bool holds(const Test& test, const Environment& environment) {
    const std::size_t at =
        test.base + static_cast<std::size_t>(environment.slots[test.slot]) * test.stride;
    return (environment.values[at] == test.value) == test.is_equal;
  }
  /// As compile; where it cannot be a fault, rewritten so that it is quick to evaluate.
  [[nodiscard]] NodeId compile_quick(const lang::Expr& expr);
  /// What was compiled so far; `forget_since` takes back what came after it, for which there must
  /// be no use any more.
  struct Mark {
    std::size_t nodes = 0;
    std::size_t args = 0;
    std::size_t binders = 0;
    std::size_t subscripts = 0;
  };
  [[nodiscard]] Mark mark() const {
    return {nodes_.size(), args_.size(), binders_.size(), subscripts_.size()};
  }
  void forget_since(const Mark& mark);
  /// The instance that a reference to a variable stands for; 0 after a fault.
  [[nodiscard]] std::size_t instance(NodeId reference, Environment& environment) const {
    const Node& node = nodes_[base::index_of(reference)];
    return node.code == Code::LoadChecked ? checked(node, environment) : place(node, environment);
  }
  /// Whether evaluating it can never be a fault.
  [[nodiscard]] bool is_safe(NodeId id) const { return nodes_[base::index_of(id)].safe; }
  /// The sets that were met while compiling, as they were written.
  [[nodiscard]] const std::vector<ProcessList>& sets() const { return sets_; }
  /// The number of a set; it need not be in a compiled expression.
  [[nodiscard]] std::uint32_t number_of(const lang::ProcessSet& set);
  /// The module of a numbered set.
  [[nodiscard]] lang::ModuleId set_module(std::uint32_t set) const { return set_modules_[set]; }

 private:
  enum class Code : std::uint8_t {
    Constant,
    Slot,
    Load,          ///< subscripts are at most two slots
    LoadChecked,   ///< any subscripts; they are checked
    LoadIs,        ///< a Load compared with a constant by ==
    LoadIsNot,     ///< likewise by !=
    LoadCompare,   ///< likewise by another comparison
    SlotsCompare,  ///< two slots by == or !=
    Compare,
    CompareWide,
    Minus,
    Sum,
    Product,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Conditional,
    All,
    Exists,
    Count,
  };
  struct Node {
    Code code = Code::Constant;
    lang::syntax::Join join = lang::syntax::Join::None;
    bool safe = true;
    bool wide = false;       ///< may leave 64 bits
    std::uint32_t base = 0;  ///< of a Load: the instance when all subscripts are 0
    std::uint32_t slot_a = 0;
    std::uint32_t stride_a = 0;
    std::uint32_t slot_b = 0;
    std::uint32_t stride_b = 0;
    Value value = 0;
    std::uint32_t first_arg = 0;
    std::uint32_t num_args = 0;
    std::uint32_t first_extra = 0;  ///< binders, or the dimensions of a LoadChecked
    std::uint32_t num_extra = 0;
    std::uint32_t variable = 0;  ///< of a LoadChecked
    bool nested = false;  ///< of a quantifier: two of its variables, or one in it, share a module
  };
  static constexpr std::uint32_t whole_module = UINT32_MAX;
  struct Binder {
    std::uint32_t slot = 0;
    Value size = 0;
    std::uint32_t set = whole_module;
    std::uint32_t module = 0;
  };
  struct Subscript {
    Value first = 0;
    Value last = 0;
    std::uint32_t stride = 0;
    bool of_module = false;
  };

  [[nodiscard]] NodeId add(const Node& node, lang::Span where);
  [[nodiscard]] std::size_t first_instance(std::uint32_t variable) const;
  [[nodiscard]] NodeId compile_variable(const lang::Expr& expr);
  [[nodiscard]] NodeId compile_checked(const lang::Expr& expr,
                                       const std::vector<Subscript>& subscripts);
  [[nodiscard]] NodeId compile_compare(const lang::Expr& expr);
  [[nodiscard]] NodeId compile_not(const lang::Expr& expr);
  [[nodiscard]] NodeId compile_node(const lang::Expr& expr, Code code);
  void find_dangers(const lang::Expr& expr, const std::vector<NodeId>& args, Node& node) const;
  void take_args(Node& node, const std::vector<NodeId>& args);
  [[nodiscard]] const Node& arg(const Node& node, std::size_t i) const {
    return nodes_[args_[node.first_arg + i]];
  }

  [[nodiscard]] Value run(const Node& node, Environment& environment) const;
  [[nodiscard]] static std::size_t place(const Node& node, const Environment& environment) {
    return node.base + static_cast<std::size_t>(environment.slots[node.slot_a]) * node.stride_a +
           static_cast<std::size_t>(environment.slots[node.slot_b]) * node.stride_b;
  }
  [[nodiscard]] static Value load(const Node& node, const Environment& environment) {
    return environment.values[place(node, environment)];
  }
  [[nodiscard]] std::size_t checked(const Node& node, Environment& environment) const;
  [[nodiscard]] Value chain(const Node& node, Environment& environment) const;
  [[nodiscard]] Value quantifier(const Node& node, Environment& environment) const;
  /// How many assignments of processes make a quantifier's body true, and how many false.
  struct Votes {
    Value num_true = 0;
    Value num_false = 0;
  };
  [[nodiscard]] bool is_decided(const Node& node, const Votes& votes) const;
  [[nodiscard]] static Value verdict(const Node& node, const Votes& votes);
  void vote_in_crowd(const Node& node, std::uint32_t binder, Value weight, Environment& environment,
                     Votes& votes) const;
  struct WideNumber;
  void run_wide(const Node& node, Environment& environment, WideNumber& result) const;
  [[nodiscard]] Value saturated(const Node& node, Environment& environment) const;
  [[nodiscard]] Value compare_wide(const Node& node, Environment& environment) const;
  void fail(FaultKind kind, const Node& node, const Fault& details, Environment& environment) const;

  const lang::Program& program_;
  const Instances& instances_;
  const Bounds& bounds_;
  const Addresses* addresses_;
  std::vector<Node> nodes_;
  std::vector<lang::Span> places_;  // of the nodes
  std::vector<std::uint32_t> args_;
  std::vector<Binder> binders_;
  std::vector<Subscript> subscripts_;
  std::vector<ProcessList> sets_;
  std::vector<lang::ModuleId> set_modules_;
};

}  // namespace cohort::model
