#include "trace/sequential/counting.hpp"

#include <algorithm>
#include <utility>

namespace cohort::trace::sequential {
namespace {

constexpr std::uint32_t in_scope = 1;
constexpr std::uint32_t seen_s = 2;
constexpr std::uint32_t was_p = 4;

using Kind = Pattern::Kind;
using Scope = Pattern::Scope;

/// Distances are those between one occurrence and the next.
[[nodiscard]] bool is_recurrent(Kind kind) {
  return kind == Kind::Frequency || kind == Kind::TimeInterval;
}

/// The distance between two places, into a tally.
void add_distance(Tally& tally, const Spot& from, const Spot& to) {
  tally.positions.add(WideInteger{to.position} - WideInteger{from.position});
  if (from.time.kind == Stamp::Kind::Known && to.time.kind == Stamp::Kind::Known) {
    tally.times.add(WideInteger{to.time.fixed} - WideInteger{from.time.fixed});
  } else if (from.time == to.time && from.time.kind == Stamp::Kind::Before) {
    tally.times.add(0);
  } else {
    tally.timed = false;
  }
}

/// All that waits is answered.
void answer(Tally& tally, const Pending& pending, const Spot& at) {
  if (pending.number == 0) return;
  const WideInteger number = pending.number;
  const WideInteger here = at.position;
  tally.answered += pending.number;
  tally.positions.add(pending.number, number * here - pending.positions,
                      here - WideInteger{pending.newest.position},
                      here - WideInteger{pending.oldest.position});
  const bool all_before = pending.before == pending.number && at.time.kind == Stamp::Kind::Before;
  if (all_before) {
    tally.times.add(pending.number, 0, 0, 0);
  } else if (pending.timed && pending.before == 0 && at.time.kind == Stamp::Kind::Known) {
    const WideInteger time = at.time.fixed;
    // Times need not ascend: the least distance is not that of the newest then, but nearly.
    const WideInteger newest = time - WideInteger{pending.newest.time.fixed};
    const WideInteger oldest = time - WideInteger{pending.oldest.time.fixed};
    tally.times.add(pending.number, number * time - pending.times, std::min(newest, oldest),
                    std::max(newest, oldest));
  } else {
    tally.timed = false;
  }
}

void meet(Tally& tally, const Spot& spot) {
  if (!tally.first) tally.first = spot;
  tally.last = spot;
}

void shift(Spot& spot, std::uint64_t positions, std::uint64_t lines, const Stamp& time) {
  spot.position += positions;
  spot.line += lines;
  if (spot.time.kind == Stamp::Kind::Before) spot.time = time;
}

void shift(std::optional<Spot>& spot, std::uint64_t positions, std::uint64_t lines,
           const Stamp& time) {
  if (spot) shift(*spot, positions, lines, time);
}

void shift(Tally& tally, std::uint64_t positions, std::uint64_t lines, const Stamp& time) {
  shift(tally.first, positions, lines, time);
  shift(tally.last, positions, lines, time);
}

void shift(Part& part, std::uint64_t positions, std::uint64_t lines, const Stamp& time) {
  shift(part.tally, positions, lines, time);
  shift(part.answer, positions, lines, time);
  shift(part.first, positions, lines, time);
  shift(part.last, positions, lines, time);
  Pending& pending = part.pending;
  if (pending.number == 0) return;
  pending.positions += WideInteger{pending.number} * positions;
  if (pending.before > 0) {
    if (time.kind == Stamp::Kind::Known) {
      pending.times += WideInteger{pending.before} * time.fixed;
      pending.before = 0;
    } else if (time.kind == Stamp::Kind::None) {
      pending.timed = false;
      pending.before = 0;
    }
  }
  shift(pending.oldest, positions, lines, time);
  shift(pending.newest, positions, lines, time);
}

}  // namespace

Stamp stamp_of(const Held& held) {
  if (!held.is_known()) return {Stamp::Kind::Before, 0};
  if (!held.is_fixed()) return {Stamp::Kind::None, 0};
  return {Stamp::Kind::Known, held.fixed()};
}

void Distances::add(std::uint64_t number, WideInteger total_distance, WideInteger least,
                    WideInteger most_distance) {
  if (number == 0) return;
  shortest = count == 0 ? least : std::min(shortest, least);
  longest = count == 0 ? most_distance : std::max(longest, most_distance);
  count += number;
  sum += total_distance;
}

void Tally::add(const Tally& later) {
  scopes += later.scopes;
  occurrences += later.occurrences;
  answered += later.answered;
  unanswered += later.unanswered;
  most = std::max(most, later.most);
  positions.add(later.positions);
  times.add(later.times);
  timed = timed && later.timed;
  if (!first) first = later.first;
  if (later.last) last = later.last;
}

void Pending::add(const Spot& spot) {
  if (number == 0) oldest = spot;
  newest = spot;
  ++number;
  positions += spot.position;
  if (spot.time.kind == Stamp::Kind::Known) times += spot.time.fixed;
  if (spot.time.kind == Stamp::Kind::Before) ++before;
  if (spot.time.kind == Stamp::Kind::None) timed = false;
}

void Pending::add(const Pending& later) {
  if (later.number == 0) return;
  if (number == 0) {
    *this = later;
    return;
  }
  newest = later.newest;
  number += later.number;
  positions += later.positions;
  times += later.times;
  before += later.before;
  timed = timed && later.timed;
}

void Part::append(const Part& later, Kind kind) {
  if (later.answer) {
    sequential::answer(tally, pending, *later.answer);
    pending = later.pending;
    if (!answer) answer = later.answer;
  } else {
    pending.add(later.pending);
  }
  if (is_recurrent(kind) && last && later.first) add_distance(tally, *last, *later.first);
  tally.add(later.tally);
  if (!first) first = later.first;
  if (later.last) last = later.last;
  stretches += later.stretches;
}

void Account::close() {
  Part& part = open();
  part.tally.scopes += 1;
  part.tally.most = std::max(part.tally.most, part.stretches);
  if (closes > 0) {
    // The scope began here as well.
    part.tally.unanswered += part.pending.number;
    closed.add(part.tally);
    tail = Part{};
  }
  ++closes;
}

void Account::append(const Account& later, Kind kind) {
  open().append(later.head, kind);
  if (later.closes == 0) return;
  // The head of `later` ends with the end of a scope: what waits there waits in vain.
  Part& ended = open();
  ended.tally.scopes = std::max<std::uint64_t>(ended.tally.scopes, 1);
  ended.tally.most = std::max(ended.tally.most, ended.stretches);
  if (closes > 0) {
    ended.tally.unanswered += ended.pending.number;
    closed.add(ended.tally);
  }
  closed.add(later.closed);
  tail = later.tail;
  closes += later.closes;
}

void shift(Account& account, std::uint64_t positions, std::uint64_t lines, const Stamp& time) {
  shift(account.head, positions, lines, time);
  shift(account.tail, positions, lines, time);
  shift(account.closed, positions, lines, time);
}

std::uint32_t Counting::initial_state(const Pattern& pattern) {
  return pattern.scope == Scope::Globally || pattern.scope == Scope::Before ? in_scope : 0;
}

Counting::Counting(const Pattern& pattern, bool from_start) : pattern_(pattern) {
  accounts_.resize(num_states);
  for (std::uint32_t state = 0; state < num_states; ++state) {
    if (from_start && state != initial_state(pattern)) continue;
    // What cannot be reached: outside the scope nothing is remembered.
    const bool outside = (state & in_scope) == 0;
    if (outside && (state != 0 || pattern.scope == Scope::Globally)) continue;
    if ((state & seen_s) != 0 && pattern.kind != Kind::Precedence) continue;
    Run run;
    run.state = state;
    run.members = {state};
    runs_.push_back(std::move(run));
  }
}

void Counting::step(const Spot& spot) {
  for (Run& run : runs_) step(run, spot);
  was_p_ = now_.p;
  busy_ = now_.p || now_.s || now_.q || now_.r || was_p_;
  if (runs_.size() > 1) merge();
}

void Counting::step(Run& run, const Spot& spot) const {
  const Kind kind = pattern_.kind;
  const Scope scope = pattern_.scope;
  // The scope first: it begins with q, and ends before r.
  const bool ends = scope == Scope::Before || scope == Scope::Between || scope == Scope::AfterUntil;
  if (ends && now_.r && (run.state & in_scope) != 0) {
    run.account.close();
    run.state = 0;
  }
  const bool begins =
      now_.q && (scope == Scope::After ||
                 ((scope == Scope::Between || scope == Scope::AfterUntil) && !now_.r));
  if (begins && (run.state & in_scope) == 0) run.state = in_scope;
  if ((run.state & in_scope) == 0) return;

  Part& part = run.account.open();
  Tally& tally = part.tally;
  const bool new_stretch = now_.p && (run.state & was_p) == 0;
  if (now_.p) {
    ++tally.occurrences;
    meet(tally, spot);
    if (new_stretch) ++part.stretches;
  }
  if (is_recurrent(kind) && now_.p) {
    if (part.last) add_distance(tally, *part.last, spot);
    if (!part.first) part.first = spot;
    part.last = spot;
  }
  if (kind == Kind::Response) {
    if (now_.p) part.pending.add(spot);
    if (now_.s) {
      if (!part.answer) part.answer = spot;
      answer(tally, part.pending, spot);
      part.pending = Pending{};
    }
  }
  if (kind == Kind::Precedence) {
    if (now_.s) run.state |= seen_s;
    if (now_.p) ++((run.state & seen_s) != 0 ? tally.answered : tally.unanswered);
  }
  run.state = now_.p ? run.state | was_p : run.state & ~was_p;
}

/// Runs that meet are one; what each has counted alone stays with its members.
void Counting::merge() {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    for (std::size_t j = i + 1; j < runs_.size();) {
      if (runs_[i].state != runs_[j].state) {
        ++j;
        continue;
      }
      for (Run* const run : {&runs_[i], &runs_[j]}) {
        for (const std::uint32_t member : run->members) {
          accounts_[member].append(run->account, pattern_.kind);
        }
        run->account = Account{};
      }
      runs_[i].members.insert(runs_[i].members.end(), runs_[j].members.begin(),
                              runs_[j].members.end());
      if (j + 1 < runs_.size()) std::swap(runs_[j], runs_.back());
      runs_.pop_back();
    }
  }
}

CountingSummary Counting::summary() const {
  CountingSummary summary;
  summary.rows.resize(num_states);
  for (const Run& run : runs_) {
    for (const std::uint32_t member : run.members) {
      summary.rows[member].state = run.state;
      summary.rows[member].account = accounts_[member];
      summary.rows[member].account.append(run.account, pattern_.kind);
    }
  }
  return summary;
}

Tally total(const Pattern& pattern, Account account) {
  const bool open_counts = pattern.scope == Scope::Globally || pattern.scope == Scope::After ||
                           pattern.scope == Scope::AfterUntil;
  Tally sum;
  const auto add_part = [&](const Part& part, bool over) {
    if (!over && !open_counts) return;
    Tally tally = part.tally;
    tally.most = std::max(tally.most, part.stretches);
    tally.unanswered += part.pending.number;
    sum.add(tally);
  };
  add_part(account.head, account.closes > 0);
  sum.add(account.closed);
  if (account.closes > 0) add_part(account.tail, false);
  return sum;
}

}  // namespace cohort::trace::sequential
