// Evidence in the Informal Trace Format of Apalache and Quint (ADR-015), so that their viewers open
// it.
//
//   write_itf(out, program, evidence, {.source = "models/lock.coh", .property = "mutex"});
//
// Arrays are maps from ids (or tuples of them) to values.  Enum values are their names, processes
// are written "client(3)", and none is "none".  "mbt::actionTaken" names the instance that led to a
// state, "init" in the first one.  A loop leads from the last state to the state "loop".
#pragma once

#include <ostream>
#include <string>

#include "cctl/evidence.hpp"
#include "lang/program.hpp"

namespace cohort::report {

struct ItfHead {
  std::string source;
  std::string property;  ///< its name; may be empty
  std::string formula;   ///< may be empty
};

void write_itf(std::ostream& out, const lang::Program& program, const cctl::Evidence& evidence,
               const ItfHead& head);

}  // namespace cohort::report
