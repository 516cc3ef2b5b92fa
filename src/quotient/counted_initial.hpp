// The initial states of a program whose processes can be counted.
//
//   for (CountedInitial initial{graph, &colouring, named}; !initial.done(); initial.next()) {
//     initial.fill(crowd, places);
//   }
//
// Processes with the same colour and the same choice of initial values are one group, and a group
// that may start in several ways does so in as many of each as there are multisets: a million
// clients with two ways are a million and one initial states, not two to the million.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/crowd.hpp"
#include "quotient/counted_graph.hpp"

namespace cohort::quotient {

/// A process that stands apart because a variable names it.
struct NamedProcess {
  lang::ModuleId module{};
  Value process = 0;
};

class CountedInitial {
 public:
  /// Keeps references to `graph` and `colouring`, which is null where colours do not matter.
  CountedInitial(CountedGraph& graph, const Colouring* colouring,
                 std::span<const NamedProcess> named);

  /// False if one process alone may start in too many ways to list them.
  [[nodiscard]] bool is_listable() const { return listable_; }
  [[nodiscard]] bool done() const { return done_; }
  void next();
  /// The crowd, and where the named processes stand in it.
  void fill(model::Crowd& crowd, std::vector<Value>& places);
  /// The kind of every process, without colours, by its number among all; of a module with one
  /// process it means nothing.  The first processes of a group start in the group's first way.
  [[nodiscard]] std::vector<KindId> kinds_of_processes() const;
  [[nodiscard]] KindId background() const;

 private:
  /// Processes that nothing tells apart before they have values.
  struct Group {
    std::size_t module = 0;
    std::uint16_t colour = 0;
    std::vector<std::uint32_t> processes;
    std::vector<KindId> ways;           ///< that a process may start in
    std::vector<std::uint32_t> counts;  ///< of each way: how many processes do so now
  };

  [[nodiscard]] std::vector<KindId> ways(
      std::size_t module, const std::vector<const std::vector<lang::Interval>*>& fields);
  static bool advance(Group& group);

  CountedGraph& graph_;
  std::vector<Group> groups_;
  std::vector<std::size_t> named_;  // by name: its group; none for the only one of its module
  std::vector<KindId> backgrounds_;
  std::size_t background_ = 0;
  bool listable_ = true;
  bool done_ = false;
};

}  // namespace cohort::quotient
