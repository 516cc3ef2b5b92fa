#include "trace/sequential/value_checks.hpp"

#include <algorithm>
#include <utility>

#include "base/diagnostic.hpp"
#include "monitor/monitor_file.hpp"
#include "trace/event_atoms.hpp"

namespace cohort::trace::sequential {

using ltl::syntax::Expr;
using ltl::syntax::ExprKind;

namespace {

[[nodiscard]] bool is_boolean(ExprKind kind) {
  return kind == ExprKind::Paren || kind == ExprKind::Not || kind == ExprKind::And ||
         kind == ExprKind::Or || kind == ExprKind::Implies || kind == ExprKind::Iff;
}

}  // namespace

/// Recurses as deep as the formula, which the parser limits.
ValueChecks::Node ValueChecks::node_of(const Expr& tree, const Atoms& atoms) {
  Node node;
  switch (tree.kind) {
    case ExprKind::Paren:
      return node_of(tree.args[0], atoms);
    case ExprKind::True:
      node.kind = Node::Kind::True;
      return node;
    case ExprKind::False:
      node.kind = Node::Kind::False;
      return node;
    case ExprKind::Compare:
      // Comparisons of constants are not in the table.
      if (const auto atom = atoms.find(ltl::syntax::canonical_text(tree))) {
        node.kind = Node::Kind::Atom;
        node.atom = *atom;
        node.can_fault = atoms[*atom].may_lack_value;
      }
      return node;
    case ExprKind::Not:
      node.kind = Node::Kind::Not;
      break;
    case ExprKind::And:
      node.kind = Node::Kind::And;
      break;
    case ExprKind::Or:
      node.kind = Node::Kind::Or;
      break;
    case ExprKind::Implies:
      node.kind = Node::Kind::Implies;
      break;
    case ExprKind::Iff:
      node.kind = Node::Kind::Iff;
      break;
    default:
      return node;  // about other positions: its operands are asked on their own
  }
  for (const Expr& arg : tree.args) {
    node.args.push_back(node_of(arg, atoms));
    node.can_fault = node.can_fault || node.args.back().can_fault;
  }
  return node;
}

void ValueChecks::add_formula(const Expr& tree, const Atoms& atoms) {
  const auto ask = [&](const Expr& part) {
    Node node = node_of(part, atoms);
    if (node.can_fault) asked_.push_back(std::move(node));
  };
  ask(tree);
  std::vector<const Expr*> open{&tree};
  while (!open.empty()) {
    const Expr& at = *open.back();
    open.pop_back();
    if (at.kind == ExprKind::Compare) continue;
    for (const Expr& arg : at.args) {
      open.push_back(&arg);
      if (!is_boolean(at.kind)) ask(arg);
    }
  }
}

void ValueChecks::add_guard(const Expr& guard, const Atoms& atoms) {
  Node both;
  both.kind = Node::Kind::And;
  Node& assigned = both.args.emplace_back();
  assigned.kind = Node::Kind::Or;
  for (const Expr* const variable : monitor::variables_of(guard)) {
    base::Diagnostics unused;
    const auto name = variable_name(*variable, unused);
    const auto atom = name ? atoms.find(":= " + *name) : std::nullopt;
    if (!atom) continue;
    Node& one = assigned.args.emplace_back();
    one.kind = Node::Kind::Atom;
    one.atom = *atom;
  }
  both.args.push_back(node_of(guard, atoms));
  if (both.args.back().can_fault) asked_.push_back(std::move(both));
}

/// Evaluates nodes until one needs an atom that has no value.
class ValueChecks::Evaluation {
 public:
  Evaluation(const std::vector<std::uint8_t>& truth, const std::vector<std::uint8_t>& lacking)
      : truth_(truth), lacking_(lacking) {}

  [[nodiscard]] std::optional<std::uint32_t> fault(const Node& node) {
    fault_.reset();
    (void)evaluate(node);
    return fault_;
  }

 private:
  enum class Truth : std::uint8_t { False, True, Unknown };

  [[nodiscard]] static Truth of(bool truth) { return truth ? Truth::True : Truth::False; }
  [[nodiscard]] static Truth opposite(Truth truth) {
    return truth == Truth::Unknown ? truth : of(truth == Truth::False);
  }

  [[nodiscard]] Truth evaluate(const Node& node) {
    switch (node.kind) {
      case Node::Kind::True:
        return Truth::True;
      case Node::Kind::False:
        return Truth::False;
      case Node::Kind::Atom:
        if (lacking_[node.atom] == 0) return of(truth_[node.atom] != 0);
        if (!fault_) fault_ = node.atom;
        return Truth::Unknown;
      case Node::Kind::Not:
        return opposite(evaluate(node.args[0]));
      case Node::Kind::And:
      case Node::Kind::Or: {
        const Truth decisive = of(node.kind == Node::Kind::Or);
        Truth all = opposite(decisive);
        for (const Node& arg : node.args) {
          const Truth one = evaluate(arg);
          if (one == decisive) return decisive;
          if (one == Truth::Unknown) all = Truth::Unknown;
        }
        return all;
      }
      case Node::Kind::Implies: {
        const Truth left = evaluate(node.args[0]);
        if (left == Truth::False) return Truth::True;
        const Truth right = evaluate(node.args[1]);
        return right == Truth::True || left == Truth::True ? right : Truth::Unknown;
      }
      case Node::Kind::Iff: {
        const Truth left = evaluate(node.args[0]);
        const Truth right = evaluate(node.args[1]);
        return left == Truth::Unknown || right == Truth::Unknown ? Truth::Unknown
                                                                 : of(left == right);
      }
      case Node::Kind::Unknown:
        break;
    }
    return Truth::Unknown;
  }

  const std::vector<std::uint8_t>& truth_;
  const std::vector<std::uint8_t>& lacking_;
  std::optional<std::uint32_t> fault_;
};

std::optional<std::uint32_t> ValueChecks::fault(const std::vector<std::uint8_t>& truth,
                                                const std::vector<std::uint8_t>& lacking) const {
  Evaluation evaluation{truth, lacking};
  for (const Node& node : asked_) {
    if (const auto atom = evaluation.fault(node)) return atom;
  }
  return std::nullopt;
}

}  // namespace cohort::trace::sequential
