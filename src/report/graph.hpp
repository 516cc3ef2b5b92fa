// A graph for people (DOT, which graphviz draws) and for programs (JSON).
#pragma once

#include <ostream>

#include "quotient/listing.hpp"
#include "report/names.hpp"
#include "report/results.hpp"

namespace cohort::report {

/// What there is to say about a listing besides itself.
struct GraphHead {
  const char* engine = "quotient";
  std::size_t most_states = 0;  ///< that were to be listed
  std::size_t most_edges = 0;
};

void write_dot(std::ostream& out, const Names& names, const quotient::Listing& listing,
               const GraphHead& head);
/// The head of `run` and its errors, with "states" and "edges".
void write_json(std::ostream& out, const Run& run, const quotient::Listing& listing,
                const GraphHead& head);

}  // namespace cohort::report
