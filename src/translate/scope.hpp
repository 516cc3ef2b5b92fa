// What expressions speak of: variables, processes, time.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "lang/program.hpp"

namespace cohort::translate {

/// The processes of a set, ascending.
[[nodiscard]] std::vector<std::int64_t> processes_of(const lang::Program& program,
                                                     const lang::ProcessSet& set);

/// A path quantifier occurs in it.
[[nodiscard]] bool is_temporal(const lang::Expr& expr);

/// `enabled` or `deadlock` occurs in it.
[[nodiscard]] bool is_about_firing(const lang::Expr& expr);

/// The variables that an expression reads.
void add_reads(const lang::Expr& expr, std::set<std::uint32_t>& variables);
/// Those that right sides, subscripts and filters read.
void add_reads(const lang::Action& action, std::set<std::uint32_t>& variables);
/// Those that are assigned.
void add_writes(const lang::Action& action, std::set<std::uint32_t>& variables);

/// The slots of processes that an expression mentions and does not bind itself.
[[nodiscard]] std::set<std::uint32_t> free_slots(const lang::Expr& expr);

/// The secondary index variables of a schema, as a quantifier binds them.
[[nodiscard]] std::vector<lang::Binder> secondary_binders(const lang::Schema& schema);

/// One assignment of processes to binders after the other, the last binder fastest.
class Bindings {
 public:
  Bindings(const lang::Program& program, const std::vector<lang::Binder>& binders);

  [[nodiscard]] bool done() const { return done_; }
  void next();
  [[nodiscard]] std::int64_t process(std::size_t binder) const {
    return sets_[binder][at_[binder]];
  }

 private:
  std::vector<std::vector<std::int64_t>> sets_;
  std::vector<std::size_t> at_;
  bool done_ = false;
};

}  // namespace cohort::translate
