// The three ways to evaluate a formula over the cuts of a lattice.
//
//   const std::unique_ptr<Solution> solution = solve_explicitly({forms, root, lattice}, limits);
//   solution->holds(root, empty_cut)
//
// Each gives the same answers; ctl.cpp chooses.  All throw LimitHit when the limits say so.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ist/tree.hpp"
#include "trace/ctl_formula.hpp"
#include "trace/ctl_lattice.hpp"

namespace cohort::trace::ctl {

/// A formula and the cuts over which it is asked.  The referred objects must outlive whatever is
/// made of it.
struct Question {
  const Formulas& forms;
  FormulaId root{};
  const Lattice& lattice;
};

struct Limits {
  std::function<bool()> should_stop;  ///< asked often; may be empty
  std::uint64_t most_cuts = UINT64_MAX;
};

class LimitHit : public std::exception {
 public:
  explicit LimitHit(std::string reason) : reason_(std::move(reason)) {}
  [[nodiscard]] const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

/// Which cuts satisfy the formula and its parts.
class Solution {
 public:
  Solution() = default;
  Solution(const Solution&) = delete;
  Solution& operator=(const Solution&) = delete;
  virtual ~Solution() = default;

  /// For a cut of the lattice and a subformula of the question's.
  [[nodiscard]] virtual bool holds(FormulaId formula, std::span<const std::uint32_t> cut) = 0;
  /// A cut with the fewest events that satisfies a subformula, if any does.
  [[nodiscard]] virtual std::optional<std::vector<std::uint32_t>> least(FormulaId formula) = 0;

  [[nodiscard]] virtual std::uint64_t num_nodes() const { return 0; }  ///< of trees
  [[nodiscard]] virtual std::uint64_t num_cuts() const { return 0; }   ///< looked at one by one
};

/// Sweeps all cuts, level by level.  LimitHit for more than `limits.most_cuts`.
[[nodiscard]] std::unique_ptr<Solution> solve_explicitly(const Question& question,
                                                         const Limits& limits);

/// Sets of cuts as interval sharing trees.
class Symbolic : public Solution {
 public:
  Symbolic(const Lattice& lattice, const Limits& limits);
  ~Symbolic() override;

  /// All cuts of the lattice.
  [[nodiscard]] const ist::Set& cuts() const;
  /// Computes the set of every subformula.
  void solve(const Formulas& forms, FormulaId root);
  /// The cuts that satisfy a subformula of what was solved.
  [[nodiscard]] const ist::Set& set(FormulaId formula) const;

  [[nodiscard]] bool holds(FormulaId formula, std::span<const std::uint32_t> cut) override;
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> least(FormulaId formula) override;
  [[nodiscard]] std::uint64_t num_nodes() const override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// What detection found out about EF g at the empty cut.
struct Detection {
  bool reachable = false;
  std::vector<std::uint32_t> cut;      ///< the least cut found that satisfies g
  std::uint64_t num_conjunctions = 0;  ///< how many were looked at
};

/// True for EF g when g is built from atoms, `end`, boolean operators and EF.
[[nodiscard]] bool can_detect(const Formulas& forms, FormulaId formula);

/// Decides EF g (see can_detect) at the empty cut in polynomial time for each conjunction of the
/// disjunctive normal form; none if there are too many of these.
[[nodiscard]] std::optional<Detection> detect(const Question& question, const Limits& limits);

}  // namespace cohort::trace::ctl
