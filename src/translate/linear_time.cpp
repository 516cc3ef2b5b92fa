// Properties of linear time: negations move to the atoms, `forall`s are unfolded.
#include <utility>

#include "translate/linear.hpp"
#include "translate/scope.hpp"

namespace cohort::translate {
namespace {

using Kind = LinearNode::Kind;
using Node = std::uint32_t;

/// What a constant formula asks of a state: it is never true, so its negation always is.
const lang::Expr falsity{};

class Reader {
 public:
  Reader(const lang::Program& program, const online::Property& property)
      : program_(program), property_(property), formulas_(*property.formulas) {}

  [[nodiscard]] Linear run() {
    made_.fair = property_.fair;
    if (property_.view == online::View::Actions) {
      object("its positions are actions, and what is exported has states only",
             "say with variables what has happened");
      return std::move(made_);
    }
    std::vector<Node> goals;
    for (const online::Goal& goal : property_.goals) read(goal, goals);
    add(Kind::And, std::move(goals));
    return std::move(made_);
  }

 private:
  void object(std::string message, std::string hint) {
    if (!made_.findings.empty()) return;
    made_.findings.push_back({&property_.formula, {}, std::move(message), std::move(hint)});
  }

  Node add(Kind kind, std::vector<Node> args) {
    made_.nodes.push_back({kind, std::move(args), nullptr, true, {}});
    return static_cast<Node>(made_.nodes.size() - 1);
  }

  Node state(const lang::Expr& expr, bool holds) {
    made_.nodes.push_back({Kind::State, {}, &expr, holds, slots_});
    return static_cast<Node>(made_.nodes.size() - 1);
  }

  void read(const online::Goal& goal, std::vector<Node>& made) {
    goal_ = &goal;
    slots_.assign(goal.slots.size(), 0);
    for (std::size_t i = 0; i < goal.slots.size(); ++i) slots_[i] = goal.values[i].value_or(0);
    const ltl::Formula formula = formulas_.negation_normal_form(goal.formula);
    for (Bindings bound(program_, goal.foralls); !bound.done(); bound.next()) {
      for (std::size_t i = 0; i < goal.foralls.size(); ++i) {
        slots_[goal.foralls[i].slot] = bound.process(i);
      }
      made.push_back(read(formula));
    }
  }

  /// In negation normal form.
  Node read(ltl::Formula formula) {
    const auto arg = [&](std::size_t i) { return formulas_.operands(formula)[i]; };
    switch (formulas_.op(formula)) {
      case ltl::Operator::False:
        return state(falsity, true);
      case ltl::Operator::True:
        return state(falsity, false);
      case ltl::Operator::Atom:
        return state(atom(formula), true);
      case ltl::Operator::Not:
        return state(atom(arg(0)), false);
      case ltl::Operator::And:
        return add(Kind::And, operands(formula));
      case ltl::Operator::Or:
        return add(Kind::Or, operands(formula));
      case ltl::Operator::X:
      case ltl::Operator::StrongX:
        return add(Kind::Next, operands(formula));
      case ltl::Operator::F:
        return add(Kind::Finally, operands(formula));
      case ltl::Operator::G:
        return add(Kind::Globally, operands(formula));
      case ltl::Operator::U:
        return add(Kind::Until, operands(formula));
      case ltl::Operator::W:
        return add(Kind::Weak, operands(formula));
      case ltl::Operator::R:
        return add(Kind::Release, operands(formula));
      case ltl::Operator::M: {  // a M b is b U (a & b)
        const Node left = read(arg(0));
        const Node right = read(arg(1));
        return add(Kind::Until, {right, add(Kind::And, {left, right})});
      }
      case ltl::Operator::Some:
      case ltl::Operator::All:
        break;
    }
    object("a regular expression over positions, which only Cohort knows", {});
    return state(falsity, false);
  }

  [[nodiscard]] std::vector<Node> operands(ltl::Formula formula) {
    std::vector<Node> made;
    for (std::size_t i = 0; i < formulas_.operands(formula).size(); ++i) {
      made.push_back(read(formulas_.operands(formula)[i]));
    }
    return made;
  }

  [[nodiscard]] const lang::Expr& atom(ltl::Formula formula) const {
    return goal_->atoms[static_cast<std::size_t>(formulas_.atom_of(formula))];
  }

  const lang::Program& program_;
  const online::Property& property_;
  ltl::Formulas& formulas_;
  const online::Goal* goal_ = nullptr;
  std::vector<std::int64_t> slots_;
  Linear made_;
};

}  // namespace

Linear to_linear(const lang::Program& program, const online::Property& property) {
  return Reader(program, property).run();
}

}  // namespace cohort::translate
