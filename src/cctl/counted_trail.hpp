// A path through counted nodes, step by step with real processes.
//
//   CountedTrail trail{graph, initial};
//   trail.dress(colouring, named);        // from here on in the nodes of a space
//   trail.step(space, node, edge, {});    // the path now ends in the edge's target
//
// Every real process stands somewhere in the node at which the path ends: it is of one of its
// kinds. Which process of a kind an edge is about is free, and is chosen here: the one that came to
// the kind last, else the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cctl/evidence.hpp"
#include "quotient/counted_graph.hpp"
#include "quotient/counted_initial.hpp"

namespace cohort::cctl {

/// Processes, numbered among all, by kind.  What was put in last is the last of its kind.
class Pools {
 public:
  explicit Pools(std::size_t num_processes) : places_(num_processes, 0) {}

  [[nodiscard]] std::span<const std::uint32_t> of(quotient::KindId kind) const {
    if (kind >= members_.size()) return {};
    return members_[kind];
  }
  void put(std::uint32_t process, quotient::KindId kind);
  void take(std::uint32_t process, quotient::KindId kind);
  void clear();

 private:
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::uint32_t> places_;  // by process: where it stands among those of its kind
};

class CountedTrail {
 public:
  using Edge = quotient::CountedEdge;

  /// Keeps a reference to `graph`.
  CountedTrail(quotient::CountedGraph& graph, const quotient::CountedInitial& initial);

  /// From here on processes have the colours of `colouring`, unless it is null, and the names of
  /// the variables that stand for them.
  void dress(const quotient::Colouring* colouring,
             std::span<const quotient::NamedProcess> variables);

  /// Takes an edge of a node at which the path ends; returns the target.  `processes` has the real
  /// process of each index variable, within its module; if it is empty they are chosen.
  quotient::NodeId step(quotient::CountedSpace& space, quotient::NodeId node, std::size_t edge,
                        std::span<const Value> processes);
  /// Real processes for the index variables of an instance in the node at which the path ends.
  [[nodiscard]] std::vector<Value> cast(const model::Crowd& crowd,
                                        const std::vector<Edge::Index>& indices) const;

  /// By number among all processes.  The only process of a module is of no kind.
  [[nodiscard]] const std::vector<quotient::KindId>& kinds() const { return kinds_; }
  [[nodiscard]] std::span<const std::uint32_t> standing(quotient::KindId kind) const {
    return pools_.of(kind);
  }
  /// A process that the last step brought to another kind.
  struct Move {
    std::uint32_t process = 0;
    quotient::KindId from = 0;
    quotient::KindId to = 0;
  };
  [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
  [[nodiscard]] std::size_t length() const { return evidence_.steps.size(); }
  [[nodiscard]] Evidence& evidence() { return evidence_; }

 private:
  /// A value of a record: for a process its instance is `first` and `stride` times its number.
  struct Field {
    std::uint32_t first = 0;
    std::uint32_t stride = 0;
  };

  void find_fields();
  void fill_pools();
  void note_initial();
  void note_changes(const std::vector<Field>& fields, std::size_t process, quotient::KindId from,
                    quotient::KindId to, std::vector<Change>& changes) const;
  [[nodiscard]] std::size_t first_process(std::size_t module) const;

  quotient::CountedGraph& graph_;
  std::vector<std::vector<Field>>
      fields_;  // by module and place in the record; the last: of nobody
  std::vector<quotient::KindId> kinds_;
  quotient::KindId background_ = 0;
  Pools pools_;
  std::vector<Move> moves_;
  std::size_t num_changes_ = 0;
  Evidence evidence_;
};

}  // namespace cohort::cctl
