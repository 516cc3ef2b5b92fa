// The goals of a property: formulas with resolved atoms, and what is left to choose.
#pragma once

#include <cstddef>

#include "base/diagnostic.hpp"
#include "lang/program.hpp"
#include "ltl/syntax.hpp"
#include "online/property.hpp"
#include "online/translate.hpp"

namespace cohort::online {

/// What goals are made from.
struct Resolved {
  const lang::Program& program;
  const lang::Formula& items;  ///< what the resolver made of all atoms, in the order of the text
  const Translator& translator;
  bool about_actions;
};

/// Conjuncts and outermost foralls are taken apart, other quantifiers are spelled out.
void add_goals(const ltl::syntax::Expr& tree, const Resolved& from, Property& property,
               base::Diagnostics& diagnostics);

/// The one goal of a property with an automaton: `count` atoms, in their order.
void add_automaton_goal(std::size_t count, const Resolved& from, Property& property,
                        base::Diagnostics& diagnostics);

}  // namespace cohort::online
