// A fair round through a component.
//
// Idea.  Serve the processes one after the other: follow the next process that was neither executed
// nor disabled yet, under whatever name it has, breadth first to a place where it is; then go home.
// Where a symmetry of a node can exchange two processes, the process may take the other's name:
// that is how it gets an edge that stands for its image.
#include "cctl/fair_loop.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace cohort::cctl {
namespace {

using quotient::Detail;
using quotient::Fan;
using quotient::NodeId;
using quotient::Permutation;
using quotient::Space;

/// What the round needs to know of a node, kept because it is asked often.
struct Known {
  struct Edge {
    std::size_t number = 0;
    NodeId target{};
    std::size_t executed = 0;
    Permutation to_target;  ///< names here to names there; empty where nothing moves
  };
  std::vector<Edge> edges;  ///< that stay in the component
  std::vector<bool> enabled;
  std::vector<std::uint32_t> classes;  ///< empty: every process is alone
};

class Round {
 public:
  Round(Space& space, const std::vector<NodeId>& component, NodeId start,
        const model::Program& program)
      : space_(space), program_(program), start_(start), here_(start) {
    for (const NodeId node : component) inside_.emplace(node, std::nullopt);
    served_.assign(program.num_processes(), false);
    names_ = symmetry::identity(program.num_processes());
  }

  [[nodiscard]] std::vector<Move> run() {
    arrive();
    for (std::size_t p = 0; p < served_.size(); ++p) {
      if (!served_[p]) serve(p);
    }
    if (moves_.empty()) take_any_edge();
    go_home();
    return std::move(moves_);
  }

 private:
  [[nodiscard]] const Known& known(NodeId node) {
    std::optional<Known>& entry = inside_.at(node);
    if (entry) return *entry;
    Known made;
    const Fan& fan = space_.fan(node, Detail::Permutations);
    for (std::size_t e = 0; e < fan.targets.size(); ++e) {
      if (!inside_.contains(fan.targets[e])) continue;
      made.edges.push_back(
          {e, fan.targets[e], program_.executed_process(fan.codes[e]),
           fan.from_target.empty() ? Permutation{} : symmetry::inverse(fan.from_target[e])});
    }
    made.enabled = space_.enabled(node);
    made.classes = space_.classes(node);
    entry = std::move(made);
    return *entry;
  }

  /// names_ maps processes, by their names at the start, to their names here.
  void arrive() {
    const Known& at = known(here_);
    for (std::size_t p = 0; p < served_.size(); ++p) {
      if (!at.enabled[names_[p]]) served_[p] = true;
    }
  }

  void take(const Known::Edge& edge) {
    for (std::size_t p = 0; p < served_.size(); ++p) {
      if (names_[p] == edge.executed) served_[p] = true;
    }
    if (!edge.to_target.empty()) names_ = symmetry::compose(edge.to_target, names_);
    moves_.push_back({edge.number, {}});
    here_ = edge.target;
    arrive();
  }

  void exchange(std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    Permutation swap = symmetry::identity(served_.size());
    std::swap(swap[a], swap[b]);
    names_ = symmetry::compose(swap, names_);
    moves_.push_back({0, std::move(swap)});
  }

  void take_any_edge() { take(known(here_).edges.front()); }

  /// A node, and the name that the followed process has there.
  struct Place {
    NodeId node{};
    std::uint32_t name = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Step {
    std::size_t from = 0;    ///< in the queue
    std::uint32_t name = 0;  ///< that the process takes before the edge
    const Known::Edge* edge = nullptr;
  };

  [[nodiscard]] static bool same_class(const Known& at, std::size_t a, std::size_t b) {
    return a == b || (!at.classes.empty() && at.classes[a] == at.classes[b]);
  }

  void serve(std::size_t process) {
    std::vector<Place> queue{{here_, names_[process]}};
    std::vector<Step> steps{{}};
    std::map<Place, bool> seen{{queue.front(), true}};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Place place = queue[i];
      const Known& at = known(place.node);
      if (!at.enabled[place.name]) {
        walk(process, steps, i);
        return;
      }
      for (const Known::Edge& edge : at.edges) {
        if (same_class(at, edge.executed, place.name)) {
          walk(process, steps, i);
          exchange(place.name, static_cast<std::uint32_t>(edge.executed));
          take(edge);
          return;
        }
        for (std::uint32_t name = 0; name < at.enabled.size(); ++name) {
          if (!same_class(at, name, place.name)) continue;
          const std::uint32_t there = edge.to_target.empty() ? name : edge.to_target[name];
          const Place next{edge.target, there};
          if (!seen.emplace(next, true).second) continue;
          queue.push_back(next);
          steps.push_back({i, name, &edge});
        }
      }
    }
    throw std::logic_error("a fair component without a fair round");
  }

  void walk(std::size_t process, const std::vector<Step>& steps, std::size_t last) {
    std::vector<std::size_t> way;
    for (std::size_t i = last; i != 0; i = steps[i].from) way.push_back(i);
    for (const std::size_t i : std::vector(way.rbegin(), way.rend())) {
      exchange(names_[process], steps[i].name);
      take(*steps[i].edge);
    }
  }

  void go_home() {
    if (here_ == start_) return;
    std::vector<NodeId> queue{here_};
    std::vector<std::pair<std::size_t, const Known::Edge*>> steps{{0, nullptr}};
    std::unordered_map<NodeId, bool> seen{{here_, true}};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const Known::Edge& edge : known(queue[i]).edges) {
        if (!seen.emplace(edge.target, true).second) continue;
        queue.push_back(edge.target);
        steps.emplace_back(i, &edge);
        if (edge.target != start_) continue;
        std::vector<const Known::Edge*> way;
        for (std::size_t at = queue.size() - 1; at != 0; at = steps[at].first) {
          way.push_back(steps[at].second);
        }
        for (auto step = way.rbegin(); step != way.rend(); ++step) take(**step);
        return;
      }
    }
  }

  Space& space_;
  const model::Program& program_;
  NodeId start_;
  NodeId here_;
  std::unordered_map<NodeId, std::optional<Known>> inside_;
  std::vector<bool> served_;
  Permutation names_;
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> fair_round(Space& space, const std::vector<NodeId>& component, NodeId start,
                             const model::Program& program) {
  return Round(space, component, start, program).run();
}

}  // namespace cohort::cctl
