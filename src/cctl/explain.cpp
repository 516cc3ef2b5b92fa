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

namespace cohort::cctl {
namespace {

using quotient::NodeId;

/// A breadth-first search whose ways can be read back.
class Ways {
 public:
  explicit Ways(NodeId start) : nodes_{start}, from_{{0, 0}} { note(start, 0); }

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] NodeId operator[](std::size_t i) const { return nodes_[i]; }
  [[nodiscard]] std::size_t parent(std::size_t i) const { return from_[i].first; }
  [[nodiscard]] std::size_t depth(std::size_t i) const { return depths_[i]; }
  [[nodiscard]] std::size_t find(NodeId node) const {
    const auto at = static_cast<std::size_t>(node);
    return at < index_.size() && index_[at] != unknown ? index_[at] : SIZE_MAX;
  }
  void add(NodeId node, std::size_t from, std::size_t edge) {
    if (find(node) != SIZE_MAX) return;
    note(node, nodes_.size());
    nodes_.push_back(node);
    from_.emplace_back(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(edge));
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
  static constexpr std::uint32_t unknown = UINT32_MAX;

  void note(NodeId node, std::size_t index) {
    const auto at = static_cast<std::size_t>(node);
    if (index_.size() <= at) index_.resize(std::max(at + 1, index_.size() * 3 / 2), unknown);
    index_[at] = static_cast<std::uint32_t>(index);
  }

  std::vector<NodeId> nodes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> from_;
  std::vector<std::uint32_t> depths_{0};
  std::vector<std::uint32_t> index_;  // by node
};

class Explainer {
 public:
  Explainer(Evaluator& evaluator, Walk& walk) : evaluator_(evaluator), walk_(walk) {}

  [[nodiscard]] std::optional<Evidence> run(Frame frame, bool truth) {
    const Formula& formula = evaluator_.formula();
    note(formula.root(), truth);
    try {
      explain(formula.root(), std::move(frame), truth);
    } catch (const TooLong&) {
      return std::nullopt;
    }
    if (!used_path_ && (formula[formula.root()].temporal || truth)) return std::nullopt;
    Evidence& made = walk_.evidence();
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
    const Note made{walk_.evidence().steps.size(), node(inner).where,
                    truth != node(inner).opposite};
    std::vector<Note>& notes = walk_.evidence().notes;
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
      evaluator_.bind(id, candidate, frame);
      if (evaluator_.holds(formula.args.front(), frame) != truth) {
        evaluator_.release(id, candidate, frame);
        continue;
      }
      const lang::Slot& variable = evaluator_.formula().source().slots[formula.slot];
      walk_.evidence().choices.push_back(
          {variable.name, formula.module, walk_.choose(id, candidate, frame)});
      explain(formula.args.front(), frame, truth);
      return;
    }
  }

  // -------------------------------------------------------------------------------------------------
  // Paths

  void explain_path(FormulaId id, const Frame& frame) {
    used_path_ = true;
    const NodeId start = walk_.enter(id, frame);
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
    const std::span<const NodeId> targets = evaluator_.nodes(id).successors(start);
    for (std::size_t e = 0; e < targets.size(); ++e) {
      if (!evaluator_.holds_in(node(id).args.front(), id, targets[e])) continue;
      go_on(node(id).args.front(), id, walk_.step(id, start, e));
      return;
    }
  }

  NodeId walk(FormulaId id, NodeId at, const std::vector<std::size_t>& edges) {
    for (const std::size_t edge : edges) at = walk_.step(id, at, edge);
    return at;
  }

  void explain_until(FormulaId id, NodeId start) {
    quotient::Nodes& space = evaluator_.nodes(id);
    Ways ways{start};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      evaluator_.tick();
      if (evaluator_.holds_in(node(id).args[1], id, ways[i])) {
        const NodeId end = walk(id, start, ways.edges(0, i));
        go_on(node(id).args[1], id, end);
        return;
      }
      if (!evaluator_.holds_in(node(id).args[0], id, ways[i])) continue;
      const std::span<const NodeId> targets = space.successors(ways[i]);
      for (std::size_t e = 0; e < targets.size(); ++e) ways.add(targets[e], i, e);
    }
  }

  /// A short way into a cycle, or to the end of a maximal path.
  void explain_globally(FormulaId id, NodeId start) {
    quotient::Nodes& space = evaluator_.nodes(id);
    const FormulaId phi = node(id).args.front();
    Ways ways{start};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      evaluator_.tick();
      const std::span<const NodeId> targets = space.successors(ways[i]);
      if (targets.empty()) {
        (void)walk(id, start, ways.edges(0, i));
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
        const NodeId entry = walk(id, start, ways.edges(0, seen));
        std::vector<std::size_t> cycle = ways.edges(seen, i);
        cycle.push_back(e);
        walk_.close_loop(id, entry, cycle);
        return;
      }
    }
    follow_labels(id, start);
  }

  /// Goes to any successor that EG holds at until a node comes again.
  void follow_labels(FormulaId id, NodeId start) {
    quotient::Nodes& space = evaluator_.nodes(id);
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
        (void)walk(id, start, edges);
        return;
      }
      edges.push_back(e);
      at = targets[e];
    }
    const auto stem = edges.begin() + static_cast<std::ptrdiff_t>(met.at(at));
    (void)walk(id, start, {edges.begin(), stem});
    walk_.close_loop(id, at, {stem, edges.end()});
  }

  // -------------------------------------------------------------------------------------------------
  // Fair paths

  /// The nodes that are reachable through φ, and their components by number in `ways`.
  void explain_fair_globally(FormulaId id, NodeId start) {
    quotient::Nodes& space = evaluator_.nodes(id);
    const FormulaId phi = node(id).args.front();
    Ways ways{start};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      evaluator_.tick();
      const std::span<const NodeId> targets = space.successors(ways[i]);
      if (targets.empty()) {
        (void)walk(id, start, ways.edges(0, i));
        return;
      }
      for (std::size_t e = 0; e < targets.size(); ++e) {
        if (ways.find(targets[e]) == SIZE_MAX && evaluator_.holds_in(phi, id, targets[e])) {
          ways.add(targets[e], i, e);
        }
      }
    }
    std::vector<std::vector<NodeId>> components = fair_components(id, ways);
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
    const NodeId at = walk(id, start, ways.edges(0, entry));
    walk_.close_fair_loop(id, at, *nearest);
  }

  /// Tarjan's algorithm on the nodes of `ways`.
  [[nodiscard]] std::vector<std::vector<NodeId>> fair_components(FormulaId id, const Ways& ways) {
    quotient::Nodes& space = evaluator_.nodes(id);
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
      if (!is_trivial && evaluator_.is_fair(id, component)) {
        found.push_back(std::move(component));
      }
    }
    return found;
  }

  Evaluator& evaluator_;
  Walk& walk_;
  bool used_path_ = false;
};

}  // namespace

std::optional<Evidence> explain(Evaluator& evaluator, Walk& walk, Frame frame, bool truth) {
  return Explainer(evaluator, walk).run(std::move(frame), truth);
}

}  // namespace cohort::cctl
