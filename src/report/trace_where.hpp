// The set of cuts that satisfy a formula, for people and programs: its size, its intervals, a
// picture, and the tree as a graph.
//
//   result.where = where_of({"P1", "P2"}, satisfying, all);
//   std::cout << text_of(*result.where);
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ist/tree.hpp"

namespace cohort::report {

struct TraceWhere {
  using Box = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  ///< by process

  /// More boxes than this are counted, not listed.
  static constexpr std::size_t most_boxes = 1000;

  std::vector<std::string> processes;
  std::string count;  ///< of the cuts, exactly
  std::string all;    ///< cuts of the trace
  std::size_t nodes = 0;
  std::vector<Box> boxes;  ///< disjoint; every cut of the set is in one
  bool has_more = false;
  std::string picture;  ///< empty: more than three processes, or too large
};

/// Component i of the sets is process i.
[[nodiscard]] TraceWhere where_of(const std::vector<std::string>& processes, const ist::Set& cuts,
                                  const ist::Set& all);
[[nodiscard]] std::string text_of(const TraceWhere& where);
/// The tree for graphviz: a node of layer i chooses how many events of process i have happened.
[[nodiscard]] std::string dot_of(const std::vector<std::string>& processes, const ist::Set& cuts);

}  // namespace cohort::report
