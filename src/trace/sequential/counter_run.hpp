// A statistical automaton along a trace: its counters.
//
//   CounterRun run{property};
//   run.step(letter, [&](std::uint32_t slot) { return value_of(slot); });
//   run.values()                                   // exact, as decimals or fractions
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trace/sequential/property.hpp"

namespace cohort::trace::sequential {

/// Counters are rationals of any size.
class CounterRun {
 public:
  /// Keeps a reference.
  explicit CounterRun(const Property& property);
  CounterRun(const CounterRun& other);
  CounterRun& operator=(const CounterRun&) = delete;
  CounterRun(CounterRun&&) noexcept;
  ~CounterRun();

  /// What goes wrong, or nothing: a division by zero, a text.
  [[nodiscard]] std::string step(const std::uint64_t* letter,
                                 const std::function<Value(std::uint32_t)>& value_of);
  [[nodiscard]] std::vector<std::string> values() const;

 private:
  struct Numbers;

  const Property& property_;
  StateIndex state_;
  std::vector<std::vector<const CounterMove*>> moves_;  // by state
  std::unique_ptr<Numbers> numbers_;
};

}  // namespace cohort::trace::sequential
