// CTL formulas in the few forms that the engines work on, each formula once.
//
//   Formulas all;
//   const FormulaId p = all.atom(0);
//   const FormulaId safe = all.all_globally(all.negate(p));      // not EF p
//
// Every operator becomes one of X, F and U over some run, with `end` for the cut of all events, on
// which every run ends:
//
//   EG a       = E[a U a & end]              AF a       = !EG !a
//   A[a U b]   = !E[!b U !b & (!a | end)]    E[a W b]   = E[a U b | (a & end)]
//   A[a W b]   = !E[!b U !b & !a]            E[a R b]   = E[b U b & (a | end)]
//   A[a R b]   = !E[!a U !b]                 AG a, AX a = !EF !a, !EX !a
//
// These hold at the end as well: E satisfies AX of everything, EX of nothing, and EG a, AF a
// exactly if it satisfies a.  Negation moves inwards through `and` and `or`, and EF (a | b) is EF a
// | EF b, so that a conjunction under AG falls into parts that need fewer processes each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace cohort::trace::ctl {

enum class FormulaId : std::uint32_t {};

enum class Form : std::uint8_t { True, End, Atom, Not, And, Or, SomeNext, SomeFinally, SomeUntil };

class Formulas {
 public:
  struct Node {
    Form form = Form::True;
    std::uint32_t atom = 0;
    std::vector<FormulaId> args;  ///< And, Or: two or more, sorted; SomeUntil: through, target
    bool has_next = false;        ///< SomeNext occurs: the formula can count events
  };

  Formulas();

  [[nodiscard]] FormulaId truth(bool value) const { return value ? true_ : false_; }
  [[nodiscard]] FormulaId end();
  [[nodiscard]] FormulaId atom(std::uint32_t number);
  [[nodiscard]] FormulaId negate(FormulaId a);
  [[nodiscard]] FormulaId conjunction(std::vector<FormulaId> parts);
  [[nodiscard]] FormulaId disjunction(std::vector<FormulaId> parts);

  [[nodiscard]] FormulaId some_next(FormulaId a);
  [[nodiscard]] FormulaId some_finally(FormulaId a);
  [[nodiscard]] FormulaId some_globally(FormulaId a);
  [[nodiscard]] FormulaId some_until(FormulaId a, FormulaId b);
  [[nodiscard]] FormulaId some_weak_until(FormulaId a, FormulaId b);
  [[nodiscard]] FormulaId some_release(FormulaId a, FormulaId b);
  [[nodiscard]] FormulaId all_next(FormulaId a);
  [[nodiscard]] FormulaId all_finally(FormulaId a);
  [[nodiscard]] FormulaId all_globally(FormulaId a);
  [[nodiscard]] FormulaId all_until(FormulaId a, FormulaId b);
  [[nodiscard]] FormulaId all_weak_until(FormulaId a, FormulaId b);
  [[nodiscard]] FormulaId all_release(FormulaId a, FormulaId b);

  [[nodiscard]] const Node& operator[](FormulaId id) const {
    return nodes_[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  /// All formulas in `root`, parts before wholes, `root` last.
  [[nodiscard]] std::vector<FormulaId> subformulas(FormulaId root) const;

 private:
  using Key = std::tuple<Form, std::uint32_t, std::vector<FormulaId>>;

  [[nodiscard]] FormulaId make(Form form, std::vector<FormulaId> args, std::uint32_t atom = 0);
  [[nodiscard]] FormulaId join(Form form, const std::vector<FormulaId>& parts, FormulaId neutral,
                               FormulaId absorbing);

  std::vector<Node> nodes_;
  std::map<Key, FormulaId> ids_;
  FormulaId true_{};
  FormulaId false_{};
};

}  // namespace cohort::trace::ctl
