// The symbolic engine: sets of cuts as interval sharing trees.
//
// All cuts.  The paper starts with a box and takes away the tuples that violate each communication,
// one difference for each.  Here the tree is built from the root.  The cuts that agree with a given
// beginning (x_1, …, x_i) are an interval of the lattice: all cuts between a least cut L and a
// greatest one U.  Fixing the next component to a means L joined with the clock of its event a, and
// U met with the greatest cut without its event a + 1.  L and U are in the interval, so different
// pairs mean different sets: a table of the pairs gives each node once, and the work is that of
// writing the tree down.
//
// Atoms.  An atom that one component decides is a list of intervals in one layer.  Any other is
// built like the tree of all cuts, with one more entry in the table: how far each signal has come
// in L.  Where the signals of L and U have the same effect the atom is constant, and the subtree is
// that of all cuts or empty.
//
// Operators.  EF is downward closure, EX one step back, E[a U b] ist::until: one sweep, no rounds.
// Everything stays inside the set of all cuts: what is no cut never enters a set.
#include <tsl/robin_map.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ist/operations.hpp"
#include "trace/ctl_engines.hpp"

namespace cohort::trace::ctl {
namespace {

using ist::NodeId;
using Tuple = std::vector<std::uint32_t>;

struct TupleHash {
  [[nodiscard]] std::size_t operator()(const Tuple& tuple) const {
    std::uint64_t mixed = tuple.size();
    for (const std::uint32_t value : tuple) {
      mixed = (mixed ^ value) * 0x9E3779B97F4A7C15ULL;
      mixed ^= mixed >> 29U;
    }
    return static_cast<std::size_t>(mixed);
  }
};

using Table = tsl::robin_map<Tuple, NodeId, TupleHash>;

/// Builds trees from the root.  Recursion is as deep as there are components.
class Builder {
 public:
  Builder(const Lattice& lattice, ist::Forest& forest, const Limits& limits)
      : lattice_(lattice), forest_(forest), limits_(limits), tables_(lattice.num_components()) {}

  [[nodiscard]] NodeId all() { return all(0, Tuple(lattice_.num_components(), 0), lattice_.top()); }

  [[nodiscard]] NodeId atom(std::uint32_t atom) {
    Tables tables(lattice_.num_components());
    return this->atom(atom, 0, Tuple(lattice_.num_components(), 0), lattice_.top(), tables);
  }

 private:
  using Tables = std::vector<Table>;

  [[nodiscard]] static Tuple key_of(std::size_t layer, const Tuple& low, const Tuple& high) {
    Tuple key(low.begin() + static_cast<std::ptrdiff_t>(layer), low.end());
    key.insert(key.end(), high.begin() + static_cast<std::ptrdiff_t>(layer), high.end());
    return key;
  }

  /// Calls `visit(a, low, high)` for every value of a layer, with the interval of the lattice that
  /// is left.
  template <typename Visit>
  void along_layer(std::size_t layer, const Tuple& low, const Tuple& high, Visit visit) {
    const auto component = static_cast<std::uint32_t>(layer);
    Tuple new_low = low;
    Tuple new_high = high;
    for (std::uint32_t a = low[layer]; a <= high[layer]; ++a) {
      if (++ticks_ % 64 == 0 && limits_.should_stop && limits_.should_stop()) {
        throw LimitHit("stopped");
      }
      if (a > low[layer]) {
        const std::span<const std::uint32_t> clock = lattice_.clock({component, a});
        for (std::size_t j = layer; j < low.size(); ++j) new_low[j] = std::max(low[j], clock[j]);
      }
      if (a < high[layer]) {
        const std::span<const std::uint32_t> without = lattice_.without({component, a + 1});
        for (std::size_t j = layer; j < low.size(); ++j)
          new_high[j] = std::min(high[j], without[j]);
      } else {
        std::copy(high.begin() + static_cast<std::ptrdiff_t>(layer), high.end(),
                  new_high.begin() + static_cast<std::ptrdiff_t>(layer));
      }
      visit(a, new_low, new_high);
    }
  }

  [[nodiscard]] NodeId all(std::size_t layer, const Tuple& low, const Tuple& high) {
    if (layer == low.size()) return ist::end_node;
    Tuple key = key_of(layer, low, high);
    if (const auto known = tables_[layer].find(key); known != tables_[layer].end()) {
      return known->second;
    }
    std::vector<ist::Edge> edges;
    along_layer(layer, low, high,
                [&](std::uint32_t a, const Tuple& new_low, const Tuple& new_high) {
                  append(edges, {a, a, all(layer + 1, new_low, new_high)});
                });
    return remember(tables_[layer], std::move(key), forest_.node(edges));
  }

  static void append(std::vector<ist::Edge>& edges, ist::Edge edge) {
    if (edge.child == ist::empty_node) return;
    if (!edges.empty() && edges.back().child == edge.child && edges.back().high + 1 == edge.low) {
      edges.back().high = edge.high;
    } else {
      edges.push_back(edge);
    }
  }

  [[nodiscard]] NodeId atom(std::uint32_t number, std::size_t layer, const Tuple& low,
                            const Tuple& high, Tables& tables) {
    const Lattice::View& view = lattice_.view(number);
    Tuple at_low;
    Tuple at_high;
    for (const std::uint32_t signal : view.signals) {
      at_low.push_back(lattice_.signal(signal).index_in(low));
      at_high.push_back(lattice_.signal(signal).index_in(high));
    }
    if (at_low == at_high) {
      for (std::size_t i = 0; i < at_low.size(); ++i) {
        at_low[i] = lattice_.signal(view.signals[i]).value[at_low[i]];
      }
      const bool holds = lattice_.truth_of_values(number, at_low);
      return holds ? all(layer, low, high) : ist::empty_node;
    }
    Tuple key = key_of(layer, low, high);
    key.insert(key.end(), at_low.begin(), at_low.end());
    if (const auto known = tables[layer].find(key); known != tables[layer].end()) {
      return known->second;
    }
    std::vector<ist::Edge> edges;
    along_layer(layer, low, high,
                [&](std::uint32_t a, const Tuple& new_low, const Tuple& new_high) {
                  append(edges, {a, a, atom(number, layer + 1, new_low, new_high, tables)});
                });
    return remember(tables[layer], std::move(key), forest_.node(edges));
  }

  /// What is below a node is made first, and may make the table grow.
  static NodeId remember(Table& table, Tuple&& key, NodeId node) {
    table.emplace(std::move(key), node);
    return node;
  }

  const Lattice& lattice_;
  ist::Forest& forest_;
  const Limits& limits_;
  Tables tables_;  ///< of the tree of all cuts, by layer
  std::uint64_t ticks_ = 0;
};

}  // namespace

class Symbolic::Work {
 public:
  Work(const Lattice& lattice, const Limits& limits)
      : lattice_(lattice),
        limits_(limits),
        forest_(lattice.num_components()),
        builder_(lattice, forest_, limits_) {
    forest_.set_should_stop(limits.should_stop);
    cuts_ = ist::Set{forest_, builder_.all()};
  }

  [[nodiscard]] const ist::Set& cuts() const { return cuts_; }
  [[nodiscard]] const ist::Set& set(FormulaId formula) const { return sets_.at(formula); }
  [[nodiscard]] const ist::Forest& forest() const { return forest_; }

  void solve(const Formulas& forms, FormulaId root) {
    for (const FormulaId id : forms.subformulas(root)) {
      if (!sets_.contains(id)) sets_.emplace(id, compute(forms[id]));
    }
  }

 private:
  [[nodiscard]] ist::Set compute(const Formulas::Node& node) {
    const auto arg = [&](std::size_t i) -> const ist::Set& { return sets_.at(node.args[i]); };
    switch (node.form) {
      case Form::True:
        return cuts_;
      case Form::End:
        return forest_.singleton(lattice_.top());
      case Form::Atom:
        return atom(node.atom);
      case Form::Not:
        return subtract(cuts_, arg(0));
      case Form::And:
      case Form::Or: {
        ist::Set result = arg(0);
        for (std::size_t i = 1; i < node.args.size(); ++i) {
          result = node.form == Form::And ? intersect(result, arg(i)) : unite(result, arg(i));
        }
        return result;
      }
      case Form::SomeNext:
        return intersect(step_back(arg(0)), cuts_);
      case Form::SomeFinally:
        return intersect(close_down(arg(0)), cuts_);
      case Form::SomeUntil:
        return until(arg(0), arg(1));
    }
    return forest_.empty();
  }

  [[nodiscard]] ist::Set atom(std::uint32_t number) {
    const Lattice::View& view = lattice_.view(number);
    const Signal& signal = lattice_.signal(view.signals[0]);
    if (!view.local || signal.places.size() > 1) {
      return {forest_, builder_.atom(number)};
    }
    if (signal.places.empty()) return signal.value[0] != 0 ? cuts_ : forest_.empty();
    const Signal::Place& place = signal.places[0];
    NodeId below = ist::end_node;
    for (std::size_t c = lattice_.num_components(); c-- > 0;) {
      std::vector<ist::Edge> edges;
      if (c != place.component) {
        edges.push_back({0, lattice_.num_events(c), below});
      } else {
        for (std::uint32_t v = 0; v < place.index.size(); ++v) {
          if (signal.value[place.index[v]] != 0) edges.push_back({v, v, below});
        }
      }
      below = forest_.node(edges);
    }
    return intersect(ist::Set{forest_, below}, cuts_);
  }

  const Lattice& lattice_;
  Limits limits_;
  ist::Forest forest_;
  Builder builder_;
  ist::Set cuts_;
  std::unordered_map<FormulaId, ist::Set> sets_;
};

Symbolic::Symbolic(const Lattice& lattice, const Limits& limits) {
  if (lattice.num_components() > ist::Forest::most_components) {
    throw LimitHit("too many processes for the symbolic engine");
  }
  work_ = std::make_unique<Work>(lattice, limits);
}

Symbolic::~Symbolic() = default;

const ist::Set& Symbolic::cuts() const { return work_->cuts(); }

void Symbolic::solve(const Formulas& forms, FormulaId root) { work_->solve(forms, root); }

const ist::Set& Symbolic::set(FormulaId formula) const { return work_->set(formula); }

bool Symbolic::holds(FormulaId formula, std::span<const std::uint32_t> cut) {
  return contains(set(formula), cut);
}

std::optional<std::vector<std::uint32_t>> Symbolic::least(FormulaId formula) {
  return ist::least(set(formula));
}

std::uint64_t Symbolic::num_nodes() const { return work_->forest().statistics().peak_nodes; }

}  // namespace cohort::trace::ctl
