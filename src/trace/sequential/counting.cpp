#include "trace/sequential/counting.hpp"

#include <algorithm>
#include <string_view>
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
  return kind != Kind::Response && kind != Kind::Precedence;
}

/// The distance between two places, into a tally.
void add_distance(Tally& tally, const Spot& from, const Spot& to) {
  tally.positions.add(WideInteger{to.position} - WideInteger{from.position});
  if (from.time.known && to.time.known) {
    tally.times.add(to.time.ticks - from.time.ticks);
  } else {
    tally.timed = false;
  }
}

/// The distances from all that waits to a place behind it.
void add_distances(Tally& tally, const Pending& from, const Spot& to) {
  if (from.number == 0) return;
  const WideInteger number = from.number;
  const WideInteger here = to.position;
  tally.positions.add(from.number, number * here - from.positions, here - WideInteger{from.newest},
                      here - WideInteger{from.oldest});
  if (from.timed && to.time.known) {
    const WideInteger now = to.time.ticks;
    tally.times.add(from.number, number * now - from.times, now - from.latest, now - from.earliest);
  } else {
    tally.timed = false;
  }
}

/// And from a place to all that waits behind it.
void add_distances(Tally& tally, const Spot& from, const Pending& to) {
  if (to.number == 0) return;
  const WideInteger number = to.number;
  const WideInteger here = from.position;
  tally.positions.add(to.number, to.positions - number * here, WideInteger{to.oldest} - here,
                      WideInteger{to.newest} - here);
  if (to.timed && from.time.known) {
    const WideInteger then = from.time.ticks;
    tally.times.add(to.number, to.times - number * then, to.earliest - then, to.latest - then);
  } else {
    tally.timed = false;
  }
}

/// All that waits is answered.
void answer(Tally& tally, const Pending& pending, const Spot& at) {
  tally.answered += pending.number;
  add_distances(tally, pending, at);
}

void count_preceded(Part& part, const Spot& spot, bool preceded) {
  ++(preceded ? part.tally.answered : part.tally.unanswered);
  if (!preceded) return;
  if (part.answer) {
    add_distance(part.tally, *part.answer, spot);
  } else {
    part.pending.add(spot);
  }
}

void meet(Tally& tally, const Spot& spot) {
  if (!tally.first) tally.first = spot;
  tally.last = spot;
}

void shift(std::optional<Spot>& spot, std::uint64_t positions, std::uint64_t lines) {
  if (!spot) return;
  spot->position += positions;
  spot->line += lines;
}

void shift(Tally& tally, std::uint64_t positions, std::uint64_t lines) {
  shift(tally.first, positions, lines);
  shift(tally.last, positions, lines);
}

void shift(Part& part, std::uint64_t positions, std::uint64_t lines) {
  shift(part.tally, positions, lines);
  shift(part.answer, positions, lines);
  shift(part.first, positions, lines);
  shift(part.last, positions, lines);
  part.pending.positions += WideInteger{part.pending.number} * positions;
  part.pending.oldest += positions;
  part.pending.newest += positions;
}

}  // namespace

namespace {

/// Of a number that does not fit into 64 bits.
[[nodiscard]] Stamp stamp_of_digits(std::string_view digits) {
  constexpr std::size_t most_digits = 30;  // a sum of many still fits into 128 bits
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  const std::size_t places = whole < digits.size() ? digits.size() - whole - 1 : 0;
  if (whole + stamp_places > most_digits || places > stamp_places) return {};
  WideInteger ticks = 0;
  for (const char c : digits) {
    if (c != '.') ticks = ticks * 10 + (c - '0');
  }
  ticks *= power_of_ten(stamp_places - static_cast<unsigned>(places));
  return {true, negative ? -ticks : ticks};
}

}  // namespace

Stamp stamp_of(const Held& held, unsigned scale) {
  if (held.is_fixed()) {
    return {true, WideInteger{held.fixed()} * power_of_ten(stamp_places - scale)};
  }
  if (held.is_text() || !held.is_known()) return {};
  const Value value = held.value(scale);
  if (value.kind() == Value::Kind::Long) return stamp_of_digits(value.characters());
  if (value.scale() > stamp_places) return {};
  return {true, WideInteger{value.mantissa()} * power_of_ten(stamp_places - value.scale())};
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
  violations += later.violations;
  most = std::max(most, later.most);
  positions.add(later.positions);
  times.add(later.times);
  timed = timed && later.timed;
  if (!first) first = later.first;
  if (later.last) last = later.last;
}

void Pending::add(const Spot& spot) {
  Pending one;
  one.number = 1;
  one.positions = spot.position;
  one.oldest = one.newest = spot.position;
  one.timed = spot.time.known;
  one.times = one.earliest = one.latest = spot.time.ticks;
  add(one);
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
  timed = timed && later.timed;
  earliest = std::min(earliest, later.earliest);
  latest = std::max(latest, later.latest);
}

void Part::append(const Part& later, Kind kind) {
  if (kind == Kind::Precedence) {
    if (answer) {
      add_distances(tally, *answer, later.pending);
    } else {
      pending.add(later.pending);
    }
    if (later.answer) answer = later.answer;
  } else if (later.answer) {
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

void shift(Account& account, std::uint64_t positions, std::uint64_t lines) {
  shift(account.head, positions, lines);
  shift(account.tail, positions, lines);
  shift(account.closed, positions, lines);
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
  find_busy();
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
    if (now_.s) {
      run.state |= seen_s;
      part.answer = spot;
    }
    if (now_.p) count_preceded(part, spot, (run.state & seen_s) != 0);
  }
  if (kind == Kind::Universality && !now_.p) ++tally.violations;
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

Tally total(const Pattern& pattern, const CountingSummary::Row& whole) {
  const Account& account = whole.account;
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
  if (open_counts && (whole.state & in_scope) != 0) ++sum.scopes;
  return sum;
}

}  // namespace cohort::trace::sequential
