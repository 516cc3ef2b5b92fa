// What the terminal is told while a search runs, and what the person at it says.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "base/limits.hpp"
#include "cctl/check.hpp"
#include "cli/options.hpp"

namespace cohort::cli {

/// While this object lives, Ctrl-C ends the search in order (base::Limits::interrupt); the second
/// one ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();
};

/// Whether verdicts on standard output may be coloured: on a terminal, and not with NO_COLOR.
[[nodiscard]] bool wants_colour();

/// One line on standard error about a search that runs: rewritten on a terminal, otherwise a new
/// one each time.
class ProgressLine {
 public:
  ProgressLine(const OutputWords& words, const base::Limits& limits);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  [[nodiscard]] bool is_on() const { return on_; }
  /// Shows it, but not more often than a reader can follow.
  void show(const cctl::Progress& progress);
  /// Removes the line, so that something else can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  const base::Limits& limits_;
  bool on_;
  bool rewrites_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace cohort::cli
