// Automata as text: HOA, the Hanoi Omega-Automata format, out and in; DOT, out.
//
//   std::cout << to_hoa(automaton);
//   const std::optional<Automaton> automaton = read_hoa(source, diagnostics);
//
// HOA is about infinite words.  An automaton over finite words is written with the acceptance
// condition `1 Inf(0)` on its accepting states and the property `finite-words` (a name of ours;
// HOA leaves names in lower case to tools): a word is accepted if a run over it ends in a state of
// set 0.  Other tools that ignore the property read an automaton for the infinite words that visit
// such states infinitely often.
//
// What is read: version v1; labels on edges and on states, implicit labels, aliases; acceptance of
// states and of edges; conditions `t`, `f`, `Inf(k)` and conjunctions of those (generalized Büchi),
// however they are named; several initial states.  Alternation, Fin sets and disjunctions are
// refused by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "ltl/automaton.hpp"

namespace cohort::monitor {

/// Version 1 of the format.  State-based acceptance; the same automaton gives the same text.
[[nodiscard]] std::string to_hoa(const ltl::Automaton& automaton);

/// For Graphviz.
[[nodiscard]] std::string to_dot(const ltl::Automaton& automaton);

/// Whether a text begins as HOA does, behind blanks and comments.
[[nodiscard]] bool looks_like_hoa(std::string_view text);

/// One automaton and nothing behind it.  Nothing after errors, which are reported.
[[nodiscard]] std::optional<ltl::Automaton> read_hoa(const base::Source& source,
                                                     base::Diagnostics& diagnostics);

}  // namespace cohort::monitor
