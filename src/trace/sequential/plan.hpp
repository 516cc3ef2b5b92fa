// All that is asked about one trace: the properties, their atoms, and what a position changes for
// whom.
//
//   Plan plan{.extension = Extension::None};
//   plan.add_ltl("ltl1", "G(req = 1 -> F ack = 1)");
//   plan.finish(scale);
//
// Immutable once finished; may then be shared by threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "trace/sequential/atoms.hpp"
#include "trace/sequential/patterns.hpp"
#include "trace/sequential/property.hpp"

namespace cohort::trace::sequential {

/// An atom of a property: bit `bit` of its letter.
struct AtomUse {
  std::uint32_t property = 0;
  std::uint32_t bit = 0;
};

/// A variable has to have changed this often before what a property asks is known.
struct Need {
  std::uint32_t variable = 0;
  std::uint64_t changes = 1;
};

struct Plan {
  base::Limits* limits = nullptr;  ///< of the run: time, memory
  Extension extension = Extension::None;
  bool statistics = false;
  Atoms atoms;
  std::vector<Property> properties;

  void add_ltl(const std::string& name, const std::string& formula);
  void add_monitor(base::Source source);
  void add_automaton(base::Source source);
  [[nodiscard]] bool ok() const;

  /// Compiles everything.  All properties are ok().
  void finish(unsigned scale);

  // After finish():
  std::vector<std::vector<AtomUse>> uses;               ///< by atom
  std::vector<std::vector<Need>> needs;                 ///< by property
  std::vector<std::uint8_t> needs_count;                ///< by property: asks for `x?C`
  std::vector<std::vector<std::uint32_t>> shown;        ///< by property: its variables
  std::vector<std::vector<std::uint32_t>> shown_slots;  ///< and what it asks of the past
  std::vector<std::optional<Pattern>> patterns;         ///< by property, with statistics only
  std::vector<Held> initial;                            ///< by variable
  bool has_times = true;              ///< false: the trace is known to have no time stamps
  std::optional<std::uint32_t> time;  ///< the variable `time`

 private:
  void find_time_interval(const Property& property, Pattern& pattern) const;
};

}  // namespace cohort::trace::sequential
