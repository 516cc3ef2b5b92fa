#include "translate/linear.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "translate/scope.hpp"

namespace cohort::translate {
namespace {

using lang::Expr;
using lang::Op;
using lang::syntax::Path;
using lang::syntax::TemporalOperator;
using Kind = LinearNode::Kind;
using Node = std::uint32_t;

class Reader {
 public:
  Reader(const lang::Program& program, const lang::Formula& formula)
      : program_(program), formula_(formula), slots_(formula.values) {
    slots_.resize(formula.slots.size(), 0);
  }

  [[nodiscard]] Linear run() {
    read(formula_.root, true);
    made_.fair = fair_;
    if (fair_ && unfair_) {
      object(*unfair_, "a promise of all paths beside one of the fair paths is no LTL formula",
             "write both with Afair, or as two properties");
    }
    return std::move(made_);
  }

 private:
  void object(lang::Span where, std::string message, std::string hint = {}) {
    const bool known = std::ranges::any_of(made_.findings, [&](const Finding& finding) {
      return finding.where == where && finding.message == message;
    });
    if (!known) {
      made_.findings.push_back({&formula_, where, std::move(message), std::move(hint)});
    }
  }

  Node add(LinearNode node) {
    made_.nodes.push_back(std::move(node));
    return static_cast<Node>(made_.nodes.size() - 1);
  }
  Node add(Kind kind, std::vector<Node> args) {
    if ((kind == Kind::And || kind == Kind::Or) && args.size() == 1) return args.front();
    return add({kind, std::move(args), nullptr, true, {}});
  }

  Node state(const Expr& expr, bool positive) {
    return add({Kind::State, {}, &expr, positive, slots_});
  }

  /// A formula (or its negation) as a node; where there is none, a finding and any node.
  Node read(const Expr& expr, bool positive) {
    if (!is_temporal(expr)) return state(expr, positive);
    switch (expr.op) {
      case Op::Not:
        return read(expr.args[0], !positive);
      case Op::And:
        return positive ? all_of(expr, true) : one_of(expr, false);
      case Op::Or:
        return positive ? one_of(expr, true) : all_of(expr, false);
      case Op::Implies:
        return implication(expr, 0, positive);
      case Op::ForallProcess:
      case Op::ExistsProcess:
        return quantifier(expr, positive);
      case Op::Temporal:
        return temporal(expr, positive);
      case Op::Iff:
        object(expr.where, "an equivalence of temporal formulas is no LTL formula");
        return state(expr, positive);
      default:
        object(expr.where, "how many processes satisfy a temporal formula is no LTL formula");
        return state(expr, positive);
    }
  }

  Node all_of(const Expr& expr, bool positive) {
    std::vector<Node> args;
    for (const Expr& arg : expr.args) args.push_back(read(arg, positive));
    return add(Kind::And, std::move(args));
  }

  /// At most one side is temporal: then the state decides whether it is asked.
  Node one_of(const Expr& expr, bool positive) {
    std::vector<Node> args;
    std::size_t num_temporal = 0;
    for (const Expr& arg : expr.args) {
      if (is_temporal(arg)) ++num_temporal;
      args.push_back(read(arg, positive));
    }
    if (num_temporal > 1) object_to_disjunction(expr);
    return add(Kind::Or, std::move(args));
  }

  void object_to_disjunction(const Expr& expr) {
    object(expr.where,
           "that one of several temporal formulas holds is no LTL formula that says the same");
  }

  /// args[from] -> (args[from + 1] -> …).
  Node implication(const Expr& expr, std::size_t from, bool positive) {
    const Expr& left = expr.args[from];
    if (from + 1 == expr.args.size()) return read(left, positive);
    const Node not_left = read(left, !positive);
    const Node right = implication(expr, from + 1, positive);
    if (!positive) return add(Kind::And, {not_left, right});
    const auto rest = static_cast<std::ptrdiff_t>(from) + 1;
    const bool later = std::any_of(expr.args.begin() + rest, expr.args.end(), is_temporal);
    if (is_temporal(left) && later) object_to_disjunction(expr);
    return add(Kind::Or, {not_left, right});
  }

  Node quantifier(const Expr& expr, bool positive) {
    std::vector<Node> args;
    const std::vector<std::int64_t> before = slots_;
    for (Bindings bound(program_, expr.binders); !bound.done(); bound.next()) {
      for (std::size_t i = 0; i < expr.binders.size(); ++i) {
        slots_[expr.binders[i].slot] = bound.process(i);
      }
      args.push_back(read(expr.args[0], positive));
    }
    slots_ = before;
    const bool every = (expr.op == Op::ForallProcess) == positive;
    if (!every && args.size() > 1) {
      object(expr.where,
             "that a temporal formula holds of some process is no LTL formula that says the same");
    }
    return add(every ? Kind::And : Kind::Or, std::move(args));
  }

  Node temporal(const Expr& expr, bool positive) {
    const bool all_paths = expr.path == Path::A || expr.path == Path::Afair;
    if (all_paths != positive) {
      object(expr.where, "LTL speaks of all paths, and this says that there is one",
             "ask for the contrary, as a property that is expected to fail");
      return state(expr, positive);
    }
    const bool fair = expr.path == Path::Afair || expr.path == Path::Efair;
    switch (expr.temporal) {
      case TemporalOperator::X:
        return add(Kind::Next, {read(expr.args[0], positive)});
      case TemporalOperator::F:
        return positive ? promise(expr, Kind::Finally, fair) : always(expr, Kind::Globally);
      case TemporalOperator::G:
        return positive ? always(expr, Kind::Globally) : promise(expr, Kind::Finally, fair);
      case TemporalOperator::U:
        if (positive) return until(expr, Kind::Until, fair);
        return release(expr);  // not (p U q) is (not p) R (not q)
      case TemporalOperator::W:
        return positive ? until(expr, Kind::Weak, fair) : not_weak(expr, fair);
      case TemporalOperator::R:
        if (positive) return release(expr);
        return until(expr, Kind::Until, fair);  // not (p R q) is (not p) U (not q)
    }
    return state(expr, positive);
  }

  /// Every finite path goes on as a fair one; so what a finite path can break is as true of all
  /// paths as of the fair ones, and only promises tell them apart.
  void note_promise(const Expr& expr, bool fair) {
    if (fair) {
      fair_ = true;
    } else if (!unfair_) {
      unfair_ = expr.where;
    }
  }

  [[nodiscard]] bool sign(const Expr& expr) const {
    return expr.path == Path::A || expr.path == Path::Afair;
  }

  Node moment(const Expr& expr, bool positive) {
    if (is_temporal(expr)) {
      object(expr.where,
             "the moment at which a temporal formula begins to hold is not the same in LTL");
    }
    return read(expr, positive);
  }

  Node always(const Expr& expr, Kind kind) { return add(kind, {read(expr.args[0], sign(expr))}); }

  Node promise(const Expr& expr, Kind kind, bool fair) {
    note_promise(expr, fair);
    return add(kind, {moment(expr.args[0], sign(expr))});
  }

  Node until(const Expr& expr, Kind kind, bool fair) {
    if (kind == Kind::Until) note_promise(expr, fair);
    const Node left = read(expr.args[0], sign(expr));
    const Node right = moment(expr.args[1], sign(expr));
    return add(kind, {left, right});
  }

  Node release(const Expr& expr) {
    const Node left = moment(expr.args[0], sign(expr));
    const Node right = read(expr.args[1], sign(expr));
    return add(Kind::Release, {left, right});
  }

  /// not (p W q) is (not q) U (not p and not q).
  Node not_weak(const Expr& expr, bool fair) {
    note_promise(expr, fair);
    const Node not_p = moment(expr.args[0], false);
    const Node not_q = moment(expr.args[1], false);
    const Node both = add(Kind::And, {not_p, not_q});
    return add(Kind::Until, {not_q, both});
  }

  const lang::Program& program_;
  const lang::Formula& formula_;
  std::vector<std::int64_t> slots_;
  Linear made_;
  bool fair_ = false;
  std::optional<lang::Span> unfair_;
};

}  // namespace

Linear to_linear(const lang::Program& program, const lang::Formula& formula) {
  return Reader(program, formula).run();
}

}  // namespace cohort::translate
