// cohort explain: why each schema of each process can or cannot fire, as text or JSON.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cctl/evidence.hpp"
#include "model/why.hpp"
#include "report/results.hpp"

namespace cohort::report {

struct Explanation {
  enum class Place : std::uint8_t { Initial, Deadlock, Fault, Evidence, Steps };
  Place place = Place::Initial;
  cctl::Evidence path;  ///< to the state
  std::string note;     ///< what else is to be said of the choice of the state; may be empty
  std::vector<model::Value> state;
  std::vector<model::ProcessReasons> processes;

  [[nodiscard]] bool is_deadlock() const;
  [[nodiscard]] bool has_fault() const;
};

void write_text(std::ostream& out, const lang::Loaded& loaded, const Explanation& explanation);
/// With the head and the errors of `run`.
void write_json(std::ostream& out, const Run& run, const Explanation* explanation);

}  // namespace cohort::report
