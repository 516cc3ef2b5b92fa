// Summaries of pieces, put together in the order of the pieces.
//
//   Fold fold{plan};
//   fold.add(first); fold.add(second) …
//   fold.verdict(p)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/verdict.hpp"
#include "trace/sequential/piece.hpp"
#include "trace/sequential/summary.hpp"

namespace cohort::trace::sequential {

/// A trace from its begin to where it has been read.
class Fold {
 public:
  /// Keeps a reference.  `header_lines` come before the first record.
  Fold(const Plan& plan, std::uint64_t header_lines);

  /// One piece further.  `prefix` holds the positions that the piece could not look at, read again
  /// with history() known; it is not needed where every property looked at all of the piece.
  /// After a problem nothing counts any more but further problems; false once there are no more.
  bool add(const PieceSummary& piece, const PieceSummary* prefix);

  [[nodiscard]] const History& history() const { return history_; }
  [[nodiscard]] const Offset& offset() const { return offset_; }
  /// By line; at most one more than most_problems.
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] const Running& running(std::size_t property) const { return running_[property]; }
  [[nodiscard]] std::uint64_t positions() const { return offset_.positions; }
  [[nodiscard]] std::uint64_t changes(std::uint32_t variable) const {
    return history_.variables[variable].count;
  }
  /// Of the whole trace, if this is all of it.
  [[nodiscard]] base::Verdict verdict(std::size_t property) const;
  /// If more is to come that nobody reads: Unknown where that matters.
  [[nodiscard]] base::Verdict verdict_so_far(std::size_t property) const;
  /// The figures of a property's pattern, if it has one.
  [[nodiscard]] std::optional<Tally> tally(std::size_t property) const;
  /// The counters of a property, by their order.
  [[nodiscard]] std::vector<std::string> counters(std::size_t property) const;
  /// Counters whose expressions grew too large to be put together, or divide by zero somewhere.
  [[nodiscard]] bool counters_too_large() const;
  /// The last one, whatever was added.
  void end_with(Problem problem);

 private:
  void add_problems(const PieceSummary& piece, const PieceSummary* prefix);
  void add_problem(Problem problem);
  void count(std::size_t property, const PropertySummary& piece);

  const Plan& plan_;
  History history_;
  Offset offset_;
  std::vector<Running> running_;
  std::vector<CountingSummary::Row> counting_;  // by property
  std::vector<CounterTotals> counters_;
  std::vector<Problem> problems_;
  bool ended_ = false;
};

/// Before the first line.
[[nodiscard]] History empty_history(const Plan& plan);

/// Whether a property of the piece has positions that it did not look at.
[[nodiscard]] bool needs_prefix(const Plan& plan, const PieceSummary& piece);
[[nodiscard]] std::vector<std::uint64_t> prefix_lengths(const PieceSummary& piece);

}  // namespace cohort::trace::sequential
