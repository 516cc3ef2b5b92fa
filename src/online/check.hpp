// Checking LTL properties of a program while its states are enumerated.
//
//   Checker checker{program, graph, limits, {.heap = 100}};
//   const cctl::Answer answer = checker.check(property);
//
// Infinite mode: every maximal path satisfies the formula; a path that ends in a deadlock is a
// finite word.  Finite mode: every non-empty prefix of a run does, as a finite word.  A property
// holds when all initial states satisfy it.  Exact: verdicts depend neither on the graph nor on the
// heap.
#pragma once

#include <cstdint>
#include <functional>

#include "base/limits.hpp"
#include "cctl/check.hpp"
#include "online/property.hpp"

namespace cohort::online {

struct Options {
  cctl::Options engine;  ///< what `graph` was made with; quantifier elimination, evidence
  /// At most this many states are remembered besides the path; 0: all.  Fairness needs them all.
  std::size_t heap = 0;
  std::uint64_t seed = 0;  ///< which of them are forgotten
};

class Checker {
 public:
  /// Keeps references to `program`, `graph` and `limits`.
  Checker(const model::Program& program, quotient::Graph& graph, base::Limits& limits,
          const Options& options)
      : program_(program), graph_(graph), limits_(limits), options_(options) {}

  /// Called now and then during a search.
  void on_progress(std::function<void(const cctl::Progress&)> show) {
    show_progress_ = std::move(show);
  }

  [[nodiscard]] cctl::Answer check(const Property& property);

 private:
  const model::Program& program_;
  quotient::Graph& graph_;
  base::Limits& limits_;
  Options options_;
  std::function<void(const cctl::Progress&)> show_progress_;
};

}  // namespace cohort::online
