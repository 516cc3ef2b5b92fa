// A run of a model as a partial-order trace, in the native form (grammar/trace.ebnf).
//
//   std::ofstream file{"run.trace"};
//   write_trace(file, program, run);
//
//     process client(0) client(1)
//     init lk[0] = "idle", lk[1] = "idle", lock = 0
//     client(0)  lk[0] := "holding", lock := 1  # take(0)
//     client(0)  lk[0] := "idle", lock := 0     # leave(0)
//     client(1)  lk[1] := "holding", lock := 1  after client(0)#2  # take(1)
//
// An event stands for each firing, on the process that it executes, with all that it assigns.  It
// comes after the events whose writes it read or overwrote and after those whose reads it
// overwrites; `after` has the immediate ones only.  So every order of the trace is a run of the
// model from the same initial state, and ends in the same state.
//
// Names.  Processes and variables are written as in evidence: `client(3)`, `request[0,3]`, also in
// formulas over the trace.  The four words of the form (`process`, `init`, `skip`, `after`) cannot
// be variables there: underscores are added until the name is new.  A process of a module with such
// a name is put in quotes.  Values.  Numbers and processes are numbers, true is 1 and false is 0,
// enum constants are strings with their names, and none is -1.
#pragma once

#include <ostream>

#include "lang/program.hpp"
#include "model/simulate.hpp"

namespace cohort::report {

void write_trace(std::ostream& out, const lang::Program& program, const model::Run& run);

/// The same as a log for ShiViz, in the two lines of GoVector: host and vector clock, then the
/// event as a JSON object, its label and what it assigns.  A host `start` has one event, before all
/// others, with the initial values.
void write_shiviz(std::ostream& out, const lang::Program& program, const model::Run& run);

}  // namespace cohort::report
