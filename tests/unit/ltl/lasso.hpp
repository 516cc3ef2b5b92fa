// Whether an automaton accepts an infinite word that is a stem and a loop.
#pragma once

#include "ltl/automaton.hpp"
#include "oracle/ltl_words.hpp"

namespace cohort::ltl_test {

[[nodiscard]] bool accepts(const ltl::Automaton& automaton, const oracle::LassoWord& word);

}  // namespace cohort::ltl_test
