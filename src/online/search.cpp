// The search for accepting cycles.
//
// Idea.  Depth first, with Gabow's stacks: open vertices fall into components, each with a flag
// "accepting".  An edge back to an open vertex merges the components above it; if one of them is
// accepting, there is an accepting cycle, and the search ends, long before the component is
// complete. Every edge is looked at once, whereas a nested search looks twice.
//
// With fairness components are judged when they are complete: a path that goes through all of it
// again and again is as fair as any that stays in it.
//
// A depth-first path is long.  What is shown is found breadth first among the vertices that were
// met.
#include "online/search.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "cctl/fairness.hpp"

namespace cohort::online {

void Search::tick() {
  arena_.tick();
  constexpr std::uint32_t ticks_between_reports = 4096;
  if (++ticks_ % ticks_between_reports == 0 && show_progress) show_progress();
}

std::optional<Path> Search::reach(const std::function<bool(NodeId)>& is_wanted, Empty empty) {
  struct Origin {
    std::uint32_t from = UINT32_MAX;  // in the queue, or none
    std::uint32_t start = 0;
  };
  std::vector<NodeId> queue;
  std::vector<Origin> origins;
  std::vector<bool> met;
  const auto is_new = [&](NodeId vertex) {
    if (met.size() <= index(vertex)) met.resize(std::max(index(vertex) + 1, 2 * met.size()));
    if (met[index(vertex)]) return false;
    met[index(vertex)] = true;
    return true;
  };
  const auto path_to = [&](std::uint32_t last) {
    Path path;
    std::uint32_t at = last;
    for (; origins[at].from != UINT32_MAX; at = origins[at].from) {
      path.vertices.push_back(queue[at]);
    }
    path.vertices.push_back(queue[at]);
    path.start = origins[at].start;
    std::ranges::reverse(path.vertices);
    return path;
  };
  std::unordered_set<NodeId> untested;
  for (std::uint32_t s = 0; s < arena_.starts().size(); ++s) {
    for (const NodeId vertex : product_.initial(s)) {
      if (!is_new(vertex)) continue;
      queue.push_back(vertex);
      origins.push_back({UINT32_MAX, s});
      if (empty == Empty::DoesNotCount) {
        untested.insert(vertex);
      } else if (is_wanted(vertex)) {
        return path_to(static_cast<std::uint32_t>(queue.size() - 1));
      }
    }
  }
  std::size_t level_end = queue.size();
  std::size_t level = 0;
  for (std::uint32_t i = 0; i < queue.size(); ++i) {
    tick();
    if (i == level_end) {
      level_end = queue.size();
      depth_ = std::max(depth_, ++level);
    }
    for (const NodeId target : product_.targets(queue[i])) {
      const bool was_start = !untested.empty() && untested.erase(target) > 0;
      if (!is_new(target) && !was_start) continue;
      queue.push_back(target);
      origins.push_back({i, 0});
      if (is_wanted(target)) return path_to(static_cast<std::uint32_t>(queue.size() - 1));
      if (was_start) {  // its edges were or will be looked at
        queue.pop_back();
        origins.pop_back();
      }
    }
  }
  return std::nullopt;
}

// ---------------------------------------------------------------------------------------------------

std::uint32_t& Search::order(NodeId vertex) {
  if (order_.size() <= index(vertex)) {
    order_.resize(std::max(index(vertex) + 1, 2 * order_.size()), 0);
  }
  return order_[index(vertex)];
}

void Search::push(NodeId vertex) {
  order(vertex) = ++count_;
  open_.push_back(vertex);
  roots_.push_back({count_, product_.accepting(vertex)});
  path_.push_back({vertex, 0});
  depth_ = std::max(depth_, path_.size());
}

std::optional<Cycle> Search::accepting_cycle(Fairness fairness) {
  for (std::size_t s = 0; s < arena_.starts().size(); ++s) {
    for (const NodeId vertex : product_.initial(s)) {
      if (order(vertex) != 0) continue;
      if (auto found = search_from(vertex, fairness)) return found;
    }
  }
  return std::nullopt;
}

std::optional<Cycle> Search::search_from(NodeId start, Fairness fairness) {
  push(start);
  while (!path_.empty()) {
    Frame& top = path_.back();
    const NodeId vertex = top.vertex;
    const std::span<const NodeId> targets = product_.successors(vertex);
    if (top.next < targets.size()) {
      const NodeId target = targets[top.next++];
      const std::uint32_t known = order(target);
      if (known == 0) {
        tick();
        push(target);
      } else if (known != finished) {
        bool accepting = false;
        for (; roots_.back().order > known; roots_.pop_back()) {
          accepting = accepting || roots_.back().accepting;
        }
        roots_.back().accepting = roots_.back().accepting || accepting;
        if (fairness == Fairness::Any && roots_.back().accepting) {
          return shortened(open_since(roots_.back().order), fairness);
        }
      }
      continue;
    }
    path_.pop_back();
    if (roots_.back().order != order(vertex)) continue;
    const std::vector<NodeId> component = open_since(roots_.back().order);
    if (fairness == Fairness::Fair && roots_.back().accepting && has_cycle(component) &&
        cctl::is_fair(product_, component, arena_.program())) {
      return shortened(component, fairness);
    }
    for (const NodeId member : component) order(member) = finished;
    open_.resize(open_.size() - component.size());
    roots_.pop_back();
  }
  return std::nullopt;
}

std::vector<NodeId> Search::open_since(std::uint32_t order) const {
  const auto first = std::ranges::lower_bound(open_, order, {},
                                              [&](NodeId vertex) { return order_[index(vertex)]; });
  return {first, open_.end()};
}

bool Search::has_cycle(const std::vector<NodeId>& component) {
  if (component.size() > 1) return true;
  const std::span<const NodeId> targets = product_.successors(component.front());
  return std::ranges::find(targets, component.front()) != targets.end();
}

std::vector<NodeId> Search::way(NodeId from, const std::function<bool(NodeId)>& is_target,
                                const std::function<bool(NodeId)>& is_inside) {
  std::vector<NodeId> queue{from};
  std::vector<std::size_t> parents{0};
  std::unordered_set<NodeId> met;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const NodeId target : product_.successors(queue[i])) {
      if (!is_inside(target) || !met.insert(target).second) continue;
      queue.push_back(target);
      parents.push_back(i);
      if (!is_target(target)) continue;
      std::vector<NodeId> found;
      for (std::size_t at = queue.size() - 1; at != 0; at = parents[at]) {
        found.push_back(queue[at]);
      }
      std::ranges::reverse(found);
      return found;
    }
  }
  return {};
}

Cycle Search::shortened(const std::vector<NodeId>& component, Fairness fairness) {
  std::vector<bool> inside(product_.num_nodes(), false);
  for (const NodeId member : component) inside[index(member)] = true;
  const auto is_inside = [&](NodeId v) { return index(v) < inside.size() && inside[index(v)]; };
  // The nearest vertex of the component, among those that the search has met.
  std::vector<NodeId> queue;
  std::vector<std::size_t> parents;
  std::vector<std::size_t> starts;
  std::vector<bool> met(order_.size(), false);
  Cycle made;
  const auto meet = [&](NodeId vertex, std::size_t parent, std::size_t start) {
    if (index(vertex) >= order_.size() || order_[index(vertex)] == 0 || met[index(vertex)]) {
      return false;
    }
    met[index(vertex)] = true;
    queue.push_back(vertex);
    parents.push_back(parent);
    starts.push_back(start);
    if (!is_inside(vertex)) return false;
    for (std::size_t at = queue.size() - 1;; at = parents[at]) {
      made.stem.vertices.push_back(queue[at]);
      if (parents[at] == SIZE_MAX) break;
    }
    std::ranges::reverse(made.stem.vertices);
    made.stem.start = start;
    return true;
  };
  bool found = false;
  for (std::size_t s = 0; s < arena_.starts().size() && !found; ++s) {
    for (const NodeId vertex : product_.initial(s)) found = found || meet(vertex, SIZE_MAX, s);
  }
  for (std::size_t i = 0; i < queue.size() && !found; ++i) {
    // A copy: looking for successors may move others.
    for (const NodeId target : product_.successors(queue[i])) {
      found = found || meet(target, i, starts[i]);
    }
  }
  const auto is_accepting = [&](NodeId v) { return product_.accepting(v); };
  NodeId entry = made.stem.vertices.back();
  if (fairness == Fairness::Fair) {
    if (!is_accepting(entry)) {
      const std::vector<NodeId> more = way(entry, is_accepting, is_inside);
      made.stem.vertices.insert(made.stem.vertices.end(), more.begin(), more.end());
    }
    made.component = component;
    return made;
  }
  NodeId last = entry;
  if (!is_accepting(entry)) {
    made.round = way(entry, is_accepting, is_inside);
    last = made.round.back();
  }
  const std::vector<NodeId> back = way(
      last, [&](NodeId v) { return v == entry; }, is_inside);
  made.round.insert(made.round.end(), back.begin(), back.end());
  return made;
}

}  // namespace cohort::online
