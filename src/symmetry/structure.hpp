// How a program's variables tie its processes together: what a permutation of processes moves, and
// which modules can be brought into canonical form by sorting.
//
// A variable *relates* the processes of its module subscripts and, where it holds a process, that
// process.  Modules of one process have nothing to permute and count nowhere.  Where every variable
// relates at most one process, the processes of a module are independent records: sorting them is
// canonical.  Modules whose processes are related to others are *entangled*.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/program.hpp"

namespace cohort::symmetry {

/// One variable instance that says something about processes.
struct Relation {
  std::uint32_t instance = 0;
  std::uint32_t variable = 0;
  std::uint32_t kind = 0;  ///< the same for instances that permutations can map to each other
  std::vector<std::uint32_t> processes;  ///< of the subscripts, by their number among all
  /// For each of them: how far the next process is in the numbers of instances.
  std::vector<std::uint32_t> strides;
  bool holds_process = false;            ///< the value is one more process, or none
  std::uint32_t value_module_first = 0;  ///< number of that module's first process
};

struct Structure {
  explicit Structure(const model::Program& program);

  struct Module {
    std::size_t first = 0;  ///< number of its first process
    std::size_t size = 0;
    bool movable = false;
    bool entangled = false;
    /// By process: instances that relate this process alone, in one order for all; not those that
    /// hold a process.
    std::vector<std::vector<std::uint32_t>> own;
    /// Instances that relate no process but the one of this module that they hold.
    std::vector<std::uint32_t> pointers;
  };
  std::vector<Module> modules;
  std::vector<Relation> relations;  ///< of at least two processes
  /// By process: the relations that it is a subscript of.
  std::vector<std::vector<std::uint32_t>> relations_of;
  std::vector<std::uint32_t> holders;  ///< relations that hold a process
  bool entangled = false;              ///< some module is
};

}  // namespace cohort::symmetry
