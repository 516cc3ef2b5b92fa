// Evidence for a verdict.
//
// Idea.  Go down the formula along what made it true (or false): a false conjunct, a true disjunct,
// the process for which a quantifier fails.  E[φ U ψ] is explained by a shortest way to ψ, and goes
// on there with why ψ holds; EG by a way into a cycle, or to the end of a maximal path; a false
// temporal formula by no single path, so the path ends where it is asked.
#include "cctl/explain.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "cctl/fair_loop.hpp"
#include "cctl/fairness.hpp"
#include "cctl/trail.hpp"

namespace cohort::cctl {
namespace {

using quotient::NodeId;
using quotient::Permutation;
using quotient::Space;

/// Loops are repeated until the real state comes again; beyond this the verdict stands alone.
constexpr std::size_t longest_evidence = 2'000'000;
struct TooLong {};

/// A breadth-first search whose ways can be read back.
class Ways {
 public:
  explicit Ways(NodeId start) : nodes_{start}, from_{{0, 0}} { index_.emplace(start, 0); }

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] NodeId operator[](std::size_t i) const { return nodes_[i]; }
  [[nodiscard]] std::size_t parent(std::size_t i) const { return from_[i].first; }
  [[nodiscard]] std::size_t depth(std::size_t i) const { return depths_[i]; }
  [[nodiscard]] std::size_t find(NodeId node) const {
    const auto found = index_.find(node);
    return found == index_.end() ? SIZE_MAX : found->second;
  }
  void add(NodeId node, std::size_t from, std::size_t edge) {
    if (!index_.emplace(node, nodes_.size()).second) return;
    nodes_.push_back(node);
    from_.emplace_back(from, edge);
    depths_.push_back(depths_[from] + 1);
  }
  /// The edges from node `first`, an ancestor, to node `last`.
  [[nodiscard]] std::vector<std::size_t> edges(std::size_t first, std::size_t last) const {
    std::vector<std::size_t> way;
    for (std::size_t i = last; i != first; i = from_[i].first) way.push_back(from_[i].second);
    std::ranges::reverse(way);
    return way;
  }

 private:
  std::vector<NodeId> nodes_;
  std::vector<std::pair<std::size_t, std::size_t>> from_;
  std::vector<std::size_t> depths_{0};
  std::unordered_map<NodeId, std::size_t> index_;
};

class Explainer {
 public:
  Explainer(PositionEvaluator& evaluator, const quotient::InitialState& initial)
      : evaluator_(evaluator), trail_(evaluator.graph(), initial) {}

  [[nodiscard]] std::optional<Evidence> run(Frame frame, bool truth) {
    const Formula& formula = evaluator_.formula();
    note(formula.root(), truth);
    try {
      explain(formula.root(), std::move(frame), truth);
    } catch (const TooLong&) {
      return std::nullopt;
    }
    if (!used_path_ && (formula[formula.root()].temporal || truth)) return std::nullopt;
    Evidence& made = trail_.evidence();
    made.kind = truth ? Evidence::Kind::Witness : Evidence::Kind::Counterexample;
    return std::move(made);
  }

 private:
  [[nodiscard]] const FormulaNode& node(FormulaId id) const { return evaluator_.formula()[id]; }

  void note(FormulaId id, bool truth) {
    FormulaId inner = id;
    while (node(inner).kind == Kind::Not) {
      inner = node(inner).args.front();
      truth = !truth;
    }
    const Note made{trail_.length(), node(inner).where, truth != node(inner).opposite};
    std::vector<Note>& notes = trail_.evidence().notes;
    const bool known = std::ranges::any_of(notes, [&](const Note& other) {
      return other.position == made.position && other.where == made.where;
    });
    // What stands for a piece of a formula (the pieces of an until, say) has the whole's place.
    if (!known && made.where.begin != made.where.end) notes.push_back(made);
  }

  void explain(FormulaId id, Frame frame, bool truth) {
    const FormulaNode& formula = node(id);
    switch (formula.kind) {
      case Kind::Not:
        explain(formula.args.front(), std::move(frame), !truth);
        return;
      case Kind::And:
      case Kind::Or:
        if (truth == (formula.kind == Kind::And)) {
          explain_all(id, frame, truth);
        } else {
          explain_one(id, frame, truth);
        }
        return;
      case Kind::Forall:
      case Kind::Exists:
        if (truth == (formula.kind == Kind::Exists)) {
          choose_process(id, frame, truth);
        } else {
          note(id, truth);
        }
        return;
      case Kind::Next:
      case Kind::Until:
      case Kind::Globally:
      case Kind::FairGlobally:
        note(id, truth);
        if (truth) explain_path(id, frame);
        return;
      default:
        note(id, truth);
        return;
    }
  }

  /// All of them count; the first that has a path of its own gets it.
  void explain_all(FormulaId id, const Frame& frame, bool truth) {
    FormulaId with_path = id;
    for (const FormulaId arg : node(id).args) {
      if (with_path == id && has_path(arg, truth)) {
        with_path = arg;
      } else {
        note(arg, truth);
      }
    }
    if (with_path != id) explain(with_path, frame, truth);
  }

  void explain_one(FormulaId id, Frame& frame, bool truth) {
    for (const FormulaId arg : node(id).args) {
      if (evaluator_.holds(arg, frame) != truth) continue;
      explain(arg, frame, truth);
      return;
    }
  }

  /// Whether one path can explain this truth of the formula.
  [[nodiscard]] bool has_path(FormulaId id, bool truth) const {
    const FormulaNode& formula = node(id);
    switch (formula.kind) {
      case Kind::Not:
        return has_path(formula.args.front(), !truth);
      case Kind::And:
      case Kind::Or:
        return std::ranges::any_of(formula.args,
                                   [&](FormulaId arg) { return has_path(arg, truth); });
      case Kind::Forall:
        return !truth && has_path(formula.args.front(), truth);
      case Kind::Exists:
        return truth && has_path(formula.args.front(), truth);
      case Kind::Next:
      case Kind::Until:
      case Kind::Globally:
      case Kind::FairGlobally:
        return truth;
      default:
        return false;
    }
  }

  void choose_process(FormulaId id, Frame& frame, bool truth) {
    const FormulaNode& formula = node(id);
    for (const Evaluator::Candidate& candidate : evaluator_.candidates(id, frame)) {
      frame.slots[formula.slot] = candidate.process;
      if (evaluator_.holds(formula.args.front(), frame) != truth) continue;
      const lang::Slot& variable = evaluator_.formula().source().slots[formula.slot];
      trail_.evidence().choices.push_back(
          {variable.name, formula.module, trail_.real_process(formula.module, candidate.process)});
      explain(formula.args.front(), frame, truth);
      return;
    }
  }

  // -------------------------------------------------------------------------------------------------
  // Paths

  void explain_path(FormulaId id, const Frame& frame) {
    used_path_ = true;
    Permutation change;
    const NodeId start = evaluator_.space(id).enter(evaluator_.position(id, frame), change);
    trail_.reframe(change);
    switch (node(id).kind) {
      case Kind::Next:
        explain_next(id, start);
        return;
      case Kind::Until:
        explain_until(id, start);
        return;
      case Kind::Globally:
        explain_globally(id, start);
        return;
      default:
        explain_fair_globally(id, start);
        return;
    }
  }

  /// Goes on with why a sub-formula holds at the node at which the path ends.
  void go_on(FormulaId sub, FormulaId outer, NodeId at) {
    Frame frame;
    evaluator_.read(outer, at, frame);
    note(sub, true);
    explain(sub, std::move(frame), true);
  }

  void explain_next(FormulaId id, NodeId start) {
    const std::span<const NodeId> targets = evaluator_.space(id).successors(start);
    for (std::size_t e = 0; e < targets.size(); ++e) {
      if (!evaluator_.holds_in(node(id).args.front(), id, targets[e])) continue;
      go_on(node(id).args.front(), id, trail_.step(evaluator_.space(id), start, e));
      return;
    }
  }

  NodeId walk(Space& space, NodeId at, const std::vector<std::size_t>& edges) {
    for (const std::size_t edge : edges) at = trail_.step(space, at, edge);
    return at;
  }

  void explain_until(FormulaId id, NodeId start) {
    Space& space = evaluator_.space(id);
    Ways ways{start};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      evaluator_.tick();
      if (evaluator_.holds_in(node(id).args[1], id, ways[i])) {
        const NodeId end = walk(space, start, ways.edges(0, i));
        go_on(node(id).args[1], id, end);
        return;
      }
      if (!evaluator_.holds_in(node(id).args[0], id, ways[i])) continue;
      const std::span<const NodeId> targets = space.successors(ways[i]);
      for (std::size_t e = 0; e < targets.size(); ++e) ways.add(targets[e], i, e);
    }
  }

  /// Walks `round` from `start` back to it, again and again, until the real state is the same
  /// again.
  void close_loop(Space& space, NodeId start, const std::vector<Move>& round) {
    trail_.evidence().loop = trail_.length();
    const std::vector<Value> begin = trail_.real_values();
    do {
      NodeId at = start;
      for (const Move& move : round) {
        if (move.renaming.empty()) {
          at = trail_.step(space, at, move.edge);
        } else {
          trail_.reframe(move.renaming);
        }
      }
      if (trail_.length() > longest_evidence) throw TooLong{};
      evaluator_.tick();
    } while (trail_.real_values() != begin);
  }

  void close_loop(Space& space, NodeId start, const std::vector<std::size_t>& edges) {
    std::vector<Move> round;
    for (const std::size_t edge : edges) round.push_back({edge, {}});
    close_loop(space, start, round);
  }

  /// A short way into a cycle, or to the end of a maximal path.
  void explain_globally(FormulaId id, NodeId start) {
    Space& space = evaluator_.space(id);
    const FormulaId phi = node(id).args.front();
    Ways ways{start};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      evaluator_.tick();
      const std::span<const NodeId> targets = space.successors(ways[i]);
      if (targets.empty()) {
        (void)walk(space, start, ways.edges(0, i));
        return;
      }
      for (std::size_t e = 0; e < targets.size(); ++e) {
        const std::size_t seen = ways.find(targets[e]);
        if (seen == SIZE_MAX) {
          if (evaluator_.holds_in(phi, id, targets[e])) ways.add(targets[e], i, e);
          continue;
        }
        std::size_t above = i;
        while (ways.depth(above) > ways.depth(seen)) above = ways.parent(above);
        if (above != seen) continue;
        const NodeId entry = walk(space, start, ways.edges(0, seen));
        std::vector<std::size_t> cycle = ways.edges(seen, i);
        cycle.push_back(e);
        close_loop(space, entry, cycle);
        return;
      }
    }
    follow_labels(id, start);
  }

  /// Goes to any successor that EG holds at until a node comes again.
  void follow_labels(FormulaId id, NodeId start) {
    Space& space = evaluator_.space(id);
    std::unordered_map<NodeId, std::size_t> met;
    std::vector<NodeId> nodes;
    std::vector<std::size_t> edges;
    NodeId at = start;
    while (met.emplace(at, nodes.size()).second) {
      evaluator_.tick();
      nodes.push_back(at);
      const std::span<const NodeId> targets = space.successors(at);
      std::size_t e = 0;
      while (e < targets.size() && !evaluator_.holds_at(id, targets[e])) ++e;
      if (e == targets.size()) {
        (void)walk(space, start, edges);
        return;
      }
      edges.push_back(e);
      at = targets[e];
    }
    const auto stem = edges.begin() + static_cast<std::ptrdiff_t>(met.at(at));
    (void)walk(space, start, {edges.begin(), stem});
    close_loop(space, at, std::vector<std::size_t>(stem, edges.end()));
  }

  // -------------------------------------------------------------------------------------------------
  // Fair paths

  /// The nodes that are reachable through φ, and their components by number in `ways`.
  void explain_fair_globally(FormulaId id, NodeId start) {
    Space& space = evaluator_.space(id);
    const FormulaId phi = node(id).args.front();
    Ways ways{start};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      evaluator_.tick();
      const std::span<const NodeId> targets = space.successors(ways[i]);
      if (targets.empty()) {
        (void)walk(space, start, ways.edges(0, i));
        return;
      }
      for (std::size_t e = 0; e < targets.size(); ++e) {
        if (ways.find(targets[e]) == SIZE_MAX && evaluator_.holds_in(phi, id, targets[e])) {
          ways.add(targets[e], i, e);
        }
      }
    }
    std::vector<std::vector<NodeId>> components = fair_components(space, ways);
    const std::vector<NodeId>* nearest = nullptr;
    std::size_t entry = SIZE_MAX;
    for (const std::vector<NodeId>& component : components) {
      for (const NodeId member : component) {
        const std::size_t at = ways.find(member);
        if (at >= entry) continue;
        entry = at;
        nearest = &component;
      }
    }
    if (nearest == nullptr) return;
    const NodeId at = walk(space, start, ways.edges(0, entry));
    close_loop(space, at, fair_round(space, *nearest, at, evaluator_.graph().program()));
  }

  /// Tarjan's algorithm on the nodes of `ways`.
  [[nodiscard]] std::vector<std::vector<NodeId>> fair_components(Space& space, const Ways& ways) {
    struct Frame {
      std::size_t node;
      std::size_t next_edge;
    };
    std::vector<std::size_t> order(ways.size(), SIZE_MAX);
    std::vector<std::size_t> lowest(ways.size(), SIZE_MAX);
    std::vector<bool> open(ways.size(), false);
    std::vector<std::size_t> unfinished;
    std::vector<Frame> path;
    std::vector<std::vector<NodeId>> found;
    std::size_t met = 0;
    const auto visit = [&](std::size_t node) {
      order[node] = lowest[node] = met++;
      open[node] = true;
      unfinished.push_back(node);
      path.push_back({node, 0});
    };
    visit(0);
    while (!path.empty()) {
      evaluator_.tick();
      const std::size_t node = path.back().node;
      const std::span<const NodeId> targets = space.successors(ways[node]);
      if (path.back().next_edge < targets.size()) {
        const std::size_t target = ways.find(targets[path.back().next_edge++]);
        if (target == SIZE_MAX) continue;
        if (order[target] == SIZE_MAX) {
          visit(target);
        } else if (open[target]) {
          lowest[node] = std::min(lowest[node], order[target]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        lowest[path.back().node] = std::min(lowest[path.back().node], lowest[node]);
      }
      if (lowest[node] != order[node]) continue;
      std::vector<NodeId> component;
      for (bool last = false; !last;) {
        const std::size_t member = unfinished.back();
        unfinished.pop_back();
        open[member] = false;
        component.push_back(ways[member]);
        last = member == node;
      }
      const bool is_trivial =
          component.size() == 1 &&
          std::ranges::find(space.successors(component.front()), component.front()) ==
              space.successors(component.front()).end();
      if (!is_trivial && is_fair(space, component, evaluator_.graph().program())) {
        found.push_back(std::move(component));
      }
    }
    return found;
  }

  PositionEvaluator& evaluator_;
  Trail trail_;
  bool used_path_ = false;
};

}  // namespace

std::optional<Evidence> explain(PositionEvaluator& evaluator, const quotient::InitialState& initial,
                                Frame frame, bool truth) {
  return Explainer(evaluator, initial).run(std::move(frame), truth);
}

}  // namespace cohort::cctl
