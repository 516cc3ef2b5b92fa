// Decision nodes: boolean functions of numbered variables, each in one form only.
//
//   Decisions store;
//   const Decision either = store.disjunction(store.variable(0), store.variable(1));
//   assert(store.negation(store.negation(either)) == either);
//   assert(store.evaluate(either, [](Variable v) { return v == 1; }));
//
// The letters of automata are such functions of atoms, so that an edge costs what its condition is
// complicated, not 2^atoms.  They are reduced ordered binary decision diagrams: equal functions are
// the same node, whatever way they were made.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/limits.hpp"

namespace cohort::ltl {

/// A boolean function, as the number of a node of a Decisions.
enum class Decision : std::uint32_t { False = 0, True = 1 };

using Variable = std::uint32_t;

/// A conjunction of literals, in the order of the variables.
struct Literal {
  Variable variable;
  bool positive;

  friend bool operator==(const Literal&, const Literal&) = default;
};
using Cube = std::vector<Literal>;

/// Thrown by the operations of a Decisions beyond its bounds.  Functions that set bounds catch it;
/// nobody else sees it.
struct OutOfBounds {};

/// Makes and keeps boolean functions.  Variables are ordered by number; the smallest is asked
/// first. Nodes are never removed, so a Decision stays valid as long as its store, and in every
/// copy of the store.
class Decisions {
 public:
  /// Operations recurse once for each variable that a function depends on one after the other. More
  /// of those than this are the caller's to refuse.
  static constexpr Variable most_variables = 20'000;

  Decisions();

  [[nodiscard]] Decision constant(bool value) const {
    return value ? Decision::True : Decision::False;
  }
  [[nodiscard]] Decision variable(Variable variable);
  [[nodiscard]] Decision negation(Decision f);
  [[nodiscard]] Decision conjunction(Decision f, Decision g);
  [[nodiscard]] Decision disjunction(Decision f, Decision g);
  /// f and not g.
  [[nodiscard]] Decision difference(Decision f, Decision g) { return conjunction(f, negation(g)); }
  [[nodiscard]] Decision if_then_else(Decision f, Decision g, Decision h);
  [[nodiscard]] Decision cube(const Cube& literals);

  [[nodiscard]] bool implies(Decision f, Decision g) { return difference(f, g) == Decision::False; }
  [[nodiscard]] bool overlap(Decision f, Decision g) {
    return conjunction(f, g) != Decision::False;
  }

  [[nodiscard]] static bool is_constant(Decision f) {
    return f == Decision::False || f == Decision::True;
  }
  /// The variable that is asked first, and what is left after each answer; not for constants.
  [[nodiscard]] Variable top(Decision f) const { return node(f).variable; }
  [[nodiscard]] Decision low(Decision f) const { return node(f).low; }
  [[nodiscard]] Decision high(Decision f) const { return node(f).high; }

  /// What is left of f once `variable` is known.
  [[nodiscard]] Decision restrict(Decision f, Variable variable, bool value);
  /// f with every variable v replaced by `renamed(v)`, in any order.
  [[nodiscard]] Decision rename(Decision f, const std::function<Variable(Variable)>& renamed);

  /// `truth(v)` is asked along one path only.
  template <typename Truth>
  [[nodiscard]] bool evaluate(Decision f, const Truth& truth) const {
    while (!is_constant(f)) f = truth(top(f)) ? high(f) : low(f);
    return f == Decision::True;
  }

  /// The variables that f depends on, ascending.
  [[nodiscard]] std::vector<Variable> support(Decision f) const;

  /// Few cubes whose disjunction is f; none can be left out, no literal can be left out of one.
  /// (Minato's irredundant sum of products.)
  [[nodiscard]] std::vector<Cube> cubes(Decision f);
  /// Some cube that implies f, which is not False.
  [[nodiscard]] Cube some_cube(Decision f) const;

  [[nodiscard]] std::size_t num_nodes() const { return nodes_.size(); }

  struct Bounds {
    std::size_t nodes = static_cast<std::size_t>(-1);
    std::size_t cubes = static_cast<std::size_t>(-1);  ///< of one function
    std::uint64_t steps = static_cast<std::uint64_t>(-1);
    base::Limits* limits = nullptr;  ///< of the run; must outlive what is done under them
  };
  /// From now on operations throw OutOfBounds beyond these.  A copy has the same bounds.
  void bind(const Bounds& bounds) {
    bounds_ = bounds;
    steps_ = 0;
    next_look_ = 0;
  }
  void unbind() { bind({}); }
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }

 private:
  struct Node {
    Variable variable;
    Decision low;
    Decision high;
  };
  struct Products {
    Decision function;
    std::vector<Cube> cubes;
  };

  [[nodiscard]] const Node& node(Decision f) const { return nodes_[static_cast<std::size_t>(f)]; }
  [[nodiscard]] Decision make(Variable variable, Decision low, Decision high);
  [[nodiscard]] Products products(Decision lower, Decision upper);
  void grow();
  void step(std::uint64_t count = 1) {
    steps_ += count;
    if (steps_ >= next_look_) look();
  }
  void look();

  /// One remembered result.  The table forgets what falls onto the same place.
  struct Remembered {
    Decision f = Decision::False;
    Decision g = Decision::False;
    Decision h = Decision::False;
    Decision result = Decision::False;
    bool known = false;
  };

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> table_;  // open addressing, by hash of a node; 0 is a free place
  std::vector<Remembered> remembered_;
  Bounds bounds_;
  std::uint64_t steps_ = 0;
  std::uint64_t next_look_ = 0;
};

}  // namespace cohort::ltl
