// The search with a bounded heap: besides the current path at most so many states are remembered.
//
//   BoundedSearch search{program, limits, options, property, goal, automata};
//   if (const auto found = search.run()) …      // found->evidence
//
// As in paper 003, all states of the program are enumerated, also those behind which the automaton
// has nothing to say any more.  States are kept by value, so that nothing else grows: the graph
// that gives successors is thrown away whenever it holds more than the heap may.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/limits.hpp"
#include "cctl/evidence.hpp"
#include "model/store.hpp"
#include "online/automata.hpp"
#include "online/check.hpp"
#include "online/property.hpp"

namespace cohort::online {

struct BoundedResult {
  std::optional<cctl::Evidence> evidence;  ///< none if it would be too long
};

class BoundedSearch {
 public:
  /// Keeps references to everything.
  BoundedSearch(const model::Program& program, base::Limits& limits, const Options& options,
                const Property& property, const Goal& goal, Automata& automata);
  ~BoundedSearch();
  BoundedSearch(const BoundedSearch&) = delete;
  BoundedSearch& operator=(const BoundedSearch&) = delete;

  /// A violation; nothing if there is none.  Throws LimitReached, StateFault, and FormulaFault,
  /// whose state means nothing.
  [[nodiscard]] std::optional<BoundedResult> run();

  [[nodiscard]] std::uint64_t num_generated() const;
  [[nodiscard]] std::uint64_t num_forgotten() const;
  [[nodiscard]] std::uint64_t most_remembered() const;
  [[nodiscard]] std::size_t longest_path() const;
  /// After a FormulaFault: the packed state in which it was met.
  [[nodiscard]] const model::Word* words(model::StateId state) const;

  std::function<void(std::size_t depth)> show_progress;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace cohort::online
