// The whole graph of a program, kept as plainly as can be.
//
//   const model::plain::Semantics semantics{program};
//   const std::optional<Graph> graph = build(semantics, 5000);   // nothing if it is larger
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lang/program.hpp"
#include "model/plain.hpp"

namespace cohort::oracle {

using model::Value;
using model::plain::Instance;
using model::plain::InstanceFault;
using model::plain::Semantics;
using model::plain::State;

/// A process of a module.
using Process = std::pair<lang::ModuleId, Value>;

struct Edge {
  std::size_t to = 0;
  Process executes;
  Instance instance;
};

struct Node {
  State state;
  std::vector<Edge> edges;    ///< none where there is a fault: the run stops there
  std::set<Process> enabled;  ///< means nothing where there is a fault
  std::vector<InstanceFault> faults;
  std::size_t distance = 0;  ///< from the nearest initial state
};

struct Graph {
  std::vector<Node> nodes;  ///< breadth first; the initial states first
  std::size_t num_initial = 0;
  std::map<State, std::size_t> numbers;
  std::vector<Process> processes;  ///< of all modules

  [[nodiscard]] bool has_faults() const;
  [[nodiscard]] std::size_t num_edges() const;
  [[nodiscard]] std::size_t num_deadlocks() const;
};

/// Nothing if there are more than `most` states.
[[nodiscard]] std::optional<Graph> build(const Semantics& semantics, std::size_t most);

}  // namespace cohort::oracle
