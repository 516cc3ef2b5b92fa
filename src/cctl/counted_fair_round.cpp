// A fair round through a component of counted nodes.
//
// Idea.  As in fair_loop.cpp: serve the processes one after the other, then go home.  What a
// process has to do depends on where it stands only, a node and a kind.  So one search backwards,
// from the places where processes are executed or disabled, says for every place how to get to the
// next of these, and a process that is followed never has to search for itself.  Whoever else is
// executed or disabled on the way is served as well, and of the processes that an edge may execute
// one is taken that was not served yet.
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "cctl/counted_loop.hpp"
#include "cctl/walk.hpp"

namespace cohort::cctl {
namespace {

using quotient::CountedEdge;
using quotient::CountedSpace;
using quotient::Detail;
using quotient::Fan;
using quotient::KindId;
using quotient::NodeId;

constexpr std::uint32_t nothing = UINT32_MAX;

/// Lists of numbers, one for each of many: in one array, by first counting and then filling.
class Lists {
 public:
  void count(std::uint32_t list) {
    if (ends_.size() <= list + std::size_t{1}) ends_.resize(list + std::size_t{2}, 0);
    ++ends_[list + 1];
  }
  void close(std::size_t num_lists) {
    ends_.resize(num_lists + 1, 0);
    for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
    next_.assign(ends_.begin(), ends_.end() - 1);
    members_.resize(ends_.back());
  }
  void add(std::uint32_t list, std::uint32_t member) { members_[next_[list]++] = member; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t list) const {
    return std::span{members_}.subspan(ends_[list], ends_[list + 1] - ends_[list]);
  }

 private:
  std::vector<std::uint32_t> ends_{0};
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> members_;
};

/// The places of a component, and how to get from one to the next.  A place is a node with one of
/// its kinds, or with a module that has only one process.
class Map {
 public:
  /// A step that stays in the component.
  struct Edge {
    std::uint32_t number = 0;  ///< among those of its node
    std::uint32_t from = 0;    ///< nodes, by their index in the component
    std::uint32_t to = 0;
  };
  /// What an edge does to the processes of a place.
  struct Link {
    std::uint32_t edge = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t index = nothing;  ///< the index variable that has the process
    bool executes = false;
  };

  Map(CountedSpace& space, const std::vector<NodeId>& component, NodeId home)
      : space_(space), graph_(space.graph()), nodes_(component) {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) numbers_.emplace(nodes_[i], i);
    for (std::uint32_t m = 0; m < graph_.program().source().modules.size(); ++m) {
      if (graph_.program().source().modules[m].size == 1) single_.push_back(m);
    }
    for (const NodeId node : nodes_) number_places(node);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) find_links(i);
    find_ways_to_service();
    find_ways_home(numbers_.at(home));
  }

  [[nodiscard]] std::uint32_t number(NodeId node) const { return numbers_.at(node); }
  [[nodiscard]] NodeId node(std::uint32_t number) const { return nodes_[number]; }
  [[nodiscard]] const Edge& edge(std::uint32_t edge) const { return edges_[edge]; }
  [[nodiscard]] const Link& link(std::uint32_t link) const { return links_[link]; }
  /// Modules with one process.
  [[nodiscard]] const std::vector<std::uint32_t>& single() const { return single_; }

  [[nodiscard]] std::uint32_t first_place(std::uint32_t node) const { return first_[node]; }
  [[nodiscard]] std::uint32_t end_of_kinds(std::uint32_t node) const {
    return first_[node + 1] - static_cast<std::uint32_t>(single_.size());
  }
  [[nodiscard]] KindId kind(std::uint32_t place) const { return kinds_[place]; }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t node, KindId kind) const {
    std::uint32_t place = first_[node];
    while (kinds_[place] != kind) ++place;
    return place;
  }
  [[nodiscard]] std::uint32_t place_of_single(std::uint32_t node, std::size_t s) const {
    return end_of_kinds(node) + static_cast<std::uint32_t>(s);
  }
  [[nodiscard]] bool is_disabled(std::uint32_t place) const { return disabled_[place]; }
  /// The link to take from a place for being executed, or towards a place where it is disabled.
  [[nodiscard]] std::uint32_t to_service(std::uint32_t place) const { return to_service_[place]; }
  /// The edge to take from a node towards home.
  [[nodiscard]] std::uint32_t to_home(std::uint32_t node) const { return to_home_[node]; }
  [[nodiscard]] std::uint32_t any_edge(std::uint32_t node) const {
    const auto found = std::ranges::find(edges_, node, &Edge::from);
    return static_cast<std::uint32_t>(found - edges_.begin());
  }

 private:
  void number_places(NodeId node) {
    const std::vector<std::vector<bool>>& enabled = space_.enabled(node);
    if (first_.empty()) first_.push_back(0);
    for (const std::size_t module : graph_.layout().counted()) {
      const model::Crowd::Places& places = space_.crowd().places(module);
      for (std::size_t p = 0; p < places.size(); ++p) {
        kinds_.push_back(places.kinds[p]);
        disabled_.push_back(!enabled[module][p]);
      }
    }
    for (const std::uint32_t module : single_) {
      kinds_.push_back(nothing);
      disabled_.push_back(!enabled[module][0]);
    }
    first_.push_back(static_cast<std::uint32_t>(kinds_.size()));
    constexpr std::size_t most_places = 50'000'000;
    if (kinds_.size() > most_places) throw TooLong{};
  }

  void find_links(std::uint32_t node) {
    const Fan& fan = space_.fan(nodes_[node], Detail::Permutations);
    if (fan.fault) throw quotient::StateFault{space_.state(nodes_[node]), *fan.fault};
    for (std::uint32_t e = 0; e < fan.targets.size(); ++e) {
      const auto target = numbers_.find(fan.targets[e]);
      if (target == numbers_.end()) continue;
      const auto edge = static_cast<std::uint32_t>(edges_.size());
      edges_.push_back({e, node, target->second});
      const CountedEdge& what = space_.edges()[e];
      for (const CountedEdge::Transfer& transfer : what.transfers) {
        Link link{edge, place_of(node, transfer.from), place_of(target->second, transfer.to),
                  nothing, transfer.index == 0};
        if (transfer.index != CountedEdge::Transfer::nobody) {
          link.index = static_cast<std::uint32_t>(transfer.index);
        }
        links_.push_back(link);
      }
      for (std::size_t s = 0; s < single_.size(); ++s) {
        links_.push_back({edge, place_of_single(node, s), place_of_single(target->second, s),
                          nothing, what.indices.front().module == single_[s]});
      }
    }
    constexpr std::size_t most_links = 100'000'000;
    if (links_.size() > most_links) throw TooLong{};
  }

  /// Breadth first, backwards: first the places where a process is disabled, then those where it
  /// can be executed.
  void find_ways_to_service() {
    Lists into;
    for (const Link& link : links_) into.count(link.to);
    into.close(kinds_.size());
    for (std::uint32_t i = 0; i < links_.size(); ++i) into.add(links_[i].to, i);
    to_service_.assign(kinds_.size(), nothing);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t place = 0; place < kinds_.size(); ++place) {
      if (disabled_[place]) queue.push_back(place);
    }
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      const std::uint32_t from = links_[i].from;
      if (!links_[i].executes || disabled_[from] || to_service_[from] != nothing) continue;
      to_service_[from] = i;
      queue.push_back(from);
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::uint32_t link : into[queue[i]]) {
        const std::uint32_t from = links_[link].from;
        if (disabled_[from] || to_service_[from] != nothing) continue;
        to_service_[from] = link;
        queue.push_back(from);
      }
    }
  }

  void find_ways_home(std::uint32_t home) {
    Lists into;
    for (const Edge& edge : edges_) into.count(edge.to);
    into.close(nodes_.size());
    for (std::uint32_t i = 0; i < edges_.size(); ++i) into.add(edges_[i].to, i);
    to_home_.assign(nodes_.size(), nothing);
    std::vector<std::uint32_t> queue{home};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::uint32_t edge : into[queue[i]]) {
        const std::uint32_t from = edges_[edge].from;
        if (from == home || to_home_[from] != nothing) continue;
        to_home_[from] = edge;
        queue.push_back(from);
      }
    }
  }

  CountedSpace& space_;
  quotient::CountedGraph& graph_;
  const std::vector<NodeId>& nodes_;
  std::unordered_map<NodeId, std::uint32_t> numbers_;
  std::vector<std::uint32_t> single_;
  std::vector<std::uint32_t> first_;  // by node: its first place; and one past the end
  std::vector<KindId> kinds_;         // by place
  std::vector<bool> disabled_;
  std::vector<Edge> edges_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> to_service_;
  std::vector<std::uint32_t> to_home_;
};

class Round {
 public:
  Round(CountedLoop& loop, CountedSpace& space, const Map& map, NodeId start)
      : loop_(loop),
        trail_(loop.trail()),
        space_(space),
        program_(space.graph().program()),
        map_(map),
        home_(map.number(start)),
        here_(home_),
        served_(program_.num_processes(), false),
        waiting_(program_.num_processes()) {
    for (const std::size_t module : space.graph().layout().counted()) {
      const std::size_t first = first_process(module);
      for (std::size_t p = first_process(module + 1); p-- > first;) {
        waiting_.put(static_cast<std::uint32_t>(p), trail_.kinds()[p]);
      }
    }
  }

  void run() {
    arrive();
    for (std::size_t s = 0; s < map_.single().size(); ++s) serve_single(s);
    for (const std::size_t module : space_.graph().layout().counted()) {
      const std::size_t end = first_process(module + 1);
      for (std::size_t p = first_process(module); p < end; ++p) {
        serve(static_cast<std::uint32_t>(p));
      }
    }
    if (loop_.is_empty()) take(map_.any_edge(here_), {});
    while (here_ != home_) take(map_.to_home(here_), {});
  }

 private:
  /// A process that is to be what a link says: the one that an index variable stands for, or none
  /// of those.
  struct Followed {
    std::uint32_t process = nothing;
    std::uint32_t index = nothing;
  };

  [[nodiscard]] std::size_t first_process(std::size_t module) const {
    return program_.process_number(lang::ModuleId{static_cast<std::uint32_t>(module)}, 0);
  }

  void serve_single(std::size_t s) {
    const std::size_t process = first_process(map_.single()[s]);
    while (!served_[process]) {
      take(map_.link(map_.to_service(map_.place_of_single(here_, s))).edge, {});
    }
  }

  void serve(std::uint32_t process) {
    while (!served_[process]) {
      const std::uint32_t place = map_.place_of(here_, trail_.kinds()[process]);
      const Map::Link& link = map_.link(map_.to_service(place));
      take(link.edge, {process, link.index});
    }
  }

  void note_served(std::uint32_t process) {
    if (served_[process]) return;
    served_[process] = true;
    waiting_.take(process, trail_.kinds()[process]);
  }

  /// Serves whoever is disabled here.
  void arrive() {
    for (std::uint32_t place = map_.first_place(here_); place < map_.end_of_kinds(here_); ++place) {
      if (!map_.is_disabled(place)) continue;
      const KindId kind = map_.kind(place);
      while (!waiting_.of(kind).empty()) note_served(waiting_.of(kind).back());
    }
    for (std::size_t s = 0; s < map_.single().size(); ++s) {
      if (map_.is_disabled(map_.place_of_single(here_, s))) {
        served_[first_process(map_.single()[s])] = true;
      }
    }
  }

  void take(std::uint32_t number, Followed followed) {
    const Map::Edge& edge = map_.edge(number);
    (void)space_.fan(map_.node(here_), Detail::Permutations);
    const std::vector<CountedEdge::Index>& indices = space_.edges()[edge.number].indices;
    const std::vector<Value> cast = this->cast(indices, followed);
    const auto executed = static_cast<std::uint32_t>(first_process(indices.front().module) +
                                                     static_cast<std::size_t>(cast.front()));
    if (program_.source().modules[indices.front().module].size == 1) {
      served_[executed] = true;
    } else {
      note_served(executed);
    }
    (void)loop_.step(map_.node(here_), edge.number, cast);
    here_ = edge.to;
    for (const CountedTrail::Move& move : trail_.moves()) {
      if (served_[move.process]) continue;
      waiting_.take(move.process, move.from);
      waiting_.put(move.process, move.to);
    }
    arrive();
  }

  /// Real processes for an edge's index variables.
  [[nodiscard]] std::vector<Value> cast(const std::vector<CountedEdge::Index>& indices,
                                        Followed followed) const {
    std::vector<Value> made;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const CountedEdge::Index& index = indices[i];
      if (index.same_as != i) {
        made.push_back(made[index.same_as]);
      } else if (program_.source().modules[index.module].size == 1) {
        made.push_back(0);
      } else if (followed.index == i) {
        made.push_back(static_cast<Value>(followed.process - first_process(index.module)));
      } else {
        made.push_back(choose(indices, i, made, followed));
      }
    }
    return made;
  }

  /// One that waits for being served if it would be, else one that came last.
  [[nodiscard]] Value choose(const std::vector<CountedEdge::Index>& indices, std::size_t i,
                             const std::vector<Value>& made, Followed followed) const {
    const std::size_t module = indices[i].module;
    const std::size_t first = first_process(module);
    const KindId kind = space_.crowd().places(module).kinds[indices[i].place];
    const auto is_free = [&](std::uint32_t process) {
      if (process == followed.process) return false;
      for (std::size_t j = 0; j < made.size(); ++j) {
        if (indices[j].module == module && static_cast<std::size_t>(made[j]) == process - first) {
          return false;
        }
      }
      return true;
    };
    std::uint32_t chosen = nothing;
    if (i == 0) chosen = last_of(waiting_.of(kind), is_free);
    if (chosen == nothing) chosen = last_of(trail_.standing(kind), is_free);
    return static_cast<Value>(chosen - first);
  }

  template <typename IsFree>
  [[nodiscard]] static std::uint32_t last_of(std::span<const std::uint32_t> pool,
                                             const IsFree& is_free) {
    for (std::size_t at = pool.size(); at-- > 0;) {
      if (is_free(pool[at])) return pool[at];
    }
    return nothing;
  }

  CountedLoop& loop_;
  CountedTrail& trail_;
  CountedSpace& space_;
  const model::Program& program_;
  const Map& map_;
  std::uint32_t home_;
  std::uint32_t here_;
  std::vector<bool> served_;  // by number among all processes
  Pools waiting_;             // those that were not
};

}  // namespace

void walk_fair_round(CountedLoop& loop, CountedSpace& space, const std::vector<NodeId>& component,
                     NodeId start) {
  const Map map{space, component, start};
  Round(loop, space, map, start).run();
}

}  // namespace cohort::cctl
