// A random run of a program: from a random initial state, one fireable instance after the other.
//
//   const plain::Semantics semantics{program};
//   const Run run = simulate(semantics, {.steps = 100, .seed = 7});
//   run.steps[0].instance, run.steps[0].footprint.writes, …; run.end says why it stopped
//
// The run is the same on every platform for the same program, seed and number of steps, and a
// shorter one is the beginning of a longer one.  Every fireable instance is as likely as every
// other.  It stands on the plain semantics, so it is slow and knows what each firing has read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/plain.hpp"

namespace cohort::model {

struct RunOptions {
  std::size_t steps = 100;  ///< at most
  std::uint64_t seed = 0;
  std::function<bool()> stop = {};  ///< asked before each step; none: never
};

struct Run {
  enum class End : std::uint8_t {
    Steps,     ///< as many as were wanted
    Deadlock,  ///< no instance is fireable
    Fault,     ///< the last state has a model error
    Stopped,   ///< by RunOptions::stop
  };
  struct Step {
    plain::Instance instance;
    plain::Footprint footprint;
  };

  plain::State initial;
  std::vector<Step> steps;
  plain::State last;
  End end = End::Steps;
  std::optional<plain::InstanceFault> fault;  ///< the first of the last state, with End::Fault
};

[[nodiscard]] Run simulate(const plain::Semantics& semantics, const RunOptions& options);

}  // namespace cohort::model
