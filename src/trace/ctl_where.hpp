// Where a CTL formula holds: the set of all cuts of a trace that satisfy it.
//
//   const Where where = satisfying_cuts(order, words, formula, {}, diagnostics);
//   ist::count(where.cuts)              // exactly how many
//
// Component p of the tree is process p of the trace.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/diagnostic.hpp"
#include "ist/tree.hpp"
#include "trace/ctl_syntax.hpp"
#include "trace/order.hpp"

namespace cohort::trace::ctl {

struct Where {
  std::unique_ptr<ist::Forest> forest;  ///< none: see `reason`
  ist::Set cuts;                        ///< those that satisfy the formula
  ist::Set all;                         ///< all cuts of the trace
  std::string reason;                   ///< which limit was hit
};

/// Errors go to `diagnostics`, about the formula's source.
[[nodiscard]] Where satisfying_cuts(const Order& order, const Vocabulary& words,
                                    const Formula& formula,
                                    const std::function<bool()>& should_stop,
                                    base::Diagnostics& diagnostics);

}  // namespace cohort::trace::ctl
