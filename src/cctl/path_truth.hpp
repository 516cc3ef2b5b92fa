// The truth of a formula along one path, as far as that path tells.
//
//   PathTruth truth{semantics, formula, run};
//   if (truth.value(formula.root, 0) == Truth::False) …   // the path is a counterexample
//
// Part of what judges the search: knows the plain semantics and nothing that the search uses.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cctl/path_states.hpp"
#include "lang/program.hpp"
#include "model/fault.hpp"
#include "model/plain.hpp"

namespace cohort::cctl {

using model::Value;

enum class Truth { False, Unknown, True };

[[nodiscard]] constexpr Truth truth(bool value) { return value ? Truth::True : Truth::False; }

/// The states of a path, one behind the other, with what was fired between them.
struct Run {
  PathStates states;
  std::vector<model::plain::Instance> fired;
  std::optional<std::size_t> loop;  ///< the step that starts in the last state

  /// The position that a position stands for: the end of a lasso is its loop's beginning.
  [[nodiscard]] std::size_t normal(std::size_t position) const {
    return loop && position == fired.size() ? *loop : position;
  }
  /// Positions that differ: 0 to this, without it.
  [[nodiscard]] std::size_t num_positions() const { return loop ? fired.size() : states.size(); }
  /// The position behind; none at the end of a finite path.
  [[nodiscard]] std::optional<std::size_t> next(std::size_t position) const {
    if (position + 1 == num_positions()) return loop;
    return position + 1;
  }
};

/// Whether every process is executed or disabled somewhere in the loop, which there must be.
[[nodiscard]] bool loop_is_fair(const model::plain::Semantics& semantics, const Run& run);

/// The slots that occur in an expression and are not bound in it.
[[nodiscard]] std::set<std::uint32_t> free_slots(const lang::Expr& expr);

[[nodiscard]] constexpr bool overlap(lang::Span a, lang::Span b) {
  return a.begin < b.end && b.begin < a.end;
}

/// Evaluates the parts of a formula at the positions of a path.
///
/// What is True or False here is so in the program; Unknown is what one path cannot tell, and what
/// has a model error.
class PathTruth {
 public:
  /// Keeps references to all of them.
  PathTruth(const model::plain::Semantics& semantics, const lang::Formula& formula, const Run& run);

  /// Gives a bound variable a process, for asking about what stands inside its quantifier.
  void set_slot(std::uint32_t slot, Value process) { slots_[slot] = process; }

  /// `position` is one of Run::num_positions.
  [[nodiscard]] Truth value(const lang::Expr& expr, std::size_t position);

  /// Whether evaluating the formula in a state can meet this fault.
  [[nodiscard]] bool meets(const lang::Expr& expr, std::size_t position, const model::Fault& fault);

 private:
  using Truths = std::vector<Truth>;  // by position

  /// A number that is known to lie between two, or not known at all.
  struct Cell {
    bool known = false;
    model::plain::Number low;
    model::plain::Number high;
  };

  struct Operator {
    lang::syntax::TemporalOperator op;
    Truths first;
    Truths second;
  };

  void for_each(const std::vector<lang::Binder>& binders, std::size_t from,
                const std::function<void()>& visit);
  [[nodiscard]] Cell plain(const lang::Expr& expr, std::size_t at) const;
  [[nodiscard]] Cell number(const lang::Expr& expr, std::size_t at);
  [[nodiscard]] static Cell combine(const Cell& left, lang::syntax::Join join, const Cell& right);
  [[nodiscard]] static Truth compare(const Cell& left, lang::syntax::Join join, const Cell& right);
  [[nodiscard]] const Truths& temporal(const lang::Expr& expr);
  [[nodiscard]] Truths everywhere(const lang::Expr& expr, bool negated);
  [[nodiscard]] static Operator dual(lang::syntax::TemporalOperator op, const Truths& not_first,
                                     const Truths& not_second);
  [[nodiscard]] Truths exists(const Operator& what, bool fair);
  [[nodiscard]] Truths until(const Truths& p, const Truths& q);
  [[nodiscard]] Truths globally(const Truths& p, bool fair);
  [[nodiscard]] bool is_end();
  [[nodiscard]] bool loop_is_fair();

  const model::plain::Semantics& semantics_;
  const Run& run_;
  std::vector<Value> slots_;
  std::map<std::pair<const lang::Expr*, std::vector<Value>>, Truths> temporal_;
  std::optional<bool> is_end_;
  std::optional<bool> fair_;
};

}  // namespace cohort::cctl
