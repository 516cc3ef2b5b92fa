// Expressions in Murphi.
//
// Conditions and numbers are different things there, so each expression is written as what it is
// used for.  `none` is an undefined value: it is asked for with isundefined and never read.  A
// COUNT is a function with a loop.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lang/program.hpp"
#include "model/program.hpp"
#include "translate/common_expressions.hpp"
#include "translate/words.hpp"

namespace cohort::translate {

/// What stands for the process of each slot: a name, or an id.
using MurphiSlots = std::vector<std::string>;

[[nodiscard]] std::string murphi_all(const std::vector<std::string>& terms);
[[nodiscard]] std::string murphi_any(const std::vector<std::string>& terms);
[[nodiscard]] std::string murphi_not(const std::string& term);

class MurphiExpressions final : public CommonExpressions<MurphiSlots> {
 public:
  struct Names {
    std::vector<std::string> variables;
    std::vector<std::string> modules;  ///< types
    std::vector<std::string> holds;    ///< by schema: a function, whether the condition holds
    std::vector<std::string> enabled;  ///< by module: a function, whether a process is enabled
    std::string deadlock;              ///< a function
    std::string total;                 ///< in functions that count
    std::vector<std::string> copies;   ///< of variables, in one firing
    std::vector<std::string> flags;    ///< of variables: whether they have been assigned in it
  };

  /// Keeps references.
  MurphiExpressions(const model::Program& program, const Names& names, Words& words);

  /// Expressions are those of a schema or a formula with these slots, which get names; or have
  /// them already.
  [[nodiscard]] MurphiSlots enter(const std::vector<lang::Slot>& slots);
  void enter(const std::vector<lang::Slot>& slots, const MurphiSlots& names);

  [[nodiscard]] std::string value(const lang::Expr& expr, const MurphiSlots& slots) override;
  [[nodiscard]] std::string truth(const lang::Expr& expr, const MurphiSlots& slots) override;
  [[nodiscard]] std::string defined(const lang::Expr& expr, const MurphiSlots& slots) override;
  /// A process that is not none.
  [[nodiscard]] std::string process(const lang::Expr& expr, const MurphiSlots& slots);
  [[nodiscard]] std::string is_none(const lang::Expr& expr, const MurphiSlots& slots);
  [[nodiscard]] std::string same_process(const lang::Expr& left, const lang::Expr& right,
                                         const MurphiSlots& slots);
  /// "x[k][2]"
  [[nodiscard]] std::string place(const lang::Expr& variable, const MurphiSlots& slots) {
    return place(variable, slots, names_.variables);
  }
  /// The same of copies or flags.
  [[nodiscard]] std::string place(const lang::Expr& variable, const MurphiSlots& slots,
                                  const std::vector<std::string>& names);
  [[nodiscard]] std::string subscripts_defined(const lang::Expr& expr, const MurphiSlots& slots);

  /// "forall i : client do … end", with what keeps `i` in the set.
  [[nodiscard]] std::string for_all(const std::vector<lang::Binder>& binders,
                                    const MurphiSlots& slots, const std::string& body);
  [[nodiscard]] std::string for_some(const std::vector<lang::Binder>& binders,
                                     const MurphiSlots& slots, const std::string& body);
  /// "(i = 0 | i = 3)", or "true".
  [[nodiscard]] std::string in_set(const lang::ProcessSet& set, const std::string& process) const;

  /// "k : client; c : cache"
  [[nodiscard]] std::string parameters(const std::vector<lang::Slot>& slots, std::size_t count,
                                       const MurphiSlots& names) const;

  std::string functions;               ///< that the expressions so far call
  std::set<std::size_t> asks_enabled;  ///< modules; so far
  bool asks_deadlock = false;

 private:
  [[nodiscard]] std::string count(const lang::Expr& expr, const MurphiSlots& slots);
  [[nodiscard]] std::string compare(const lang::Expr& expr, const MurphiSlots& slots);

  const model::Program& program_;
  const Names& names_;
  Words& words_;
  const std::vector<lang::Slot>* slots_ = nullptr;
  std::map<std::string, std::string> counts_;  // functions by what they do
};

}  // namespace cohort::translate
