// The initial states of a program whose processes can be counted.
//
//   for (CountedInitial initial{graph, &colouring, named}; !initial.done(); initial.next()) {
//     initial.fill(crowd, places);
//   }
//
// Processes with the same colour and the same choice of initial values are one group, and a group
// that may start in several ways does so in as many of each as there are multisets: a million
// clients with two ways are a million and one initial states, not two to the million.  A variable
// that points (counted_layout.hpp) takes a process out of its group, whichever, that then starts
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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
  using Intervals = std::vector<lang::Interval>;

  /// Processes that nothing tells apart before they have values.
  struct Group {
    std::size_t module = 0;
    std::uint16_t colour = 0;
    std::vector<std::uint32_t> processes;
    std::vector<KindId> ways;  ///< that a process may start in
  };
  /// Those of a group that start alike but for their choices: all, or one that is pointed at.
  struct Batch {
    std::size_t group = 0;
    std::size_t first = 0;  ///< in the group's processes
    std::size_t size = 0;
    std::vector<KindId> ways;
    std::vector<std::uint32_t> counts;  ///< of each way: how many processes do so now
  };
  /// Where a variable points: to a process of a group, by its number in there, or nowhere.
  struct Target {
    static constexpr std::size_t nowhere = SIZE_MAX;
    std::size_t group = nowhere;
    std::size_t number = 0;
    friend bool operator==(const Target&, const Target&) = default;
  };
  using Targets = std::vector<Target>;  // by pointer
  /// What Init says of a process, or a choice that not all have.
  struct Special {
    std::map<std::size_t, const Intervals*> fields;
    std::vector<std::size_t> pointers;
  };
  using Specials = std::map<std::pair<std::size_t, std::size_t>, Special>;  // by module and process
  using Fields = std::vector<const Intervals*>;  // of a record: what each may start with

  void read_inits(std::vector<Fields>& usual, Specials& specials);
  void find_choices(Specials& specials) const;
  void find_groups(std::size_t module, const Fields& usual, const Specials& specials,
                   const Colouring* colouring);
  void find_targets();
  void start_targets();
  [[nodiscard]] std::vector<KindId> ways(std::size_t module, const Fields& fields);
  [[nodiscard]] std::vector<KindId> marked(std::vector<KindId> ways, const Target& target) const;
  static void begin(Batch& batch);
  static bool advance(Batch& batch);

  CountedGraph& graph_;
  const CountedLayout& layout_;
  std::vector<NamedProcess> named_;
  std::vector<std::size_t> group_of_name_;
  std::vector<std::uint16_t> colours_;     // by individual
  std::vector<const Intervals*> choices_;  // by pointer
  std::vector<Group> groups_;
  std::vector<Targets> targets_;
  std::size_t target_ = 0;
  std::vector<Batch> batches_;  // for the current targets
  std::vector<KindId> backgrounds_;
  std::size_t background_ = 0;
  bool listable_ = true;
  bool done_ = false;
};

}  // namespace cohort::quotient
