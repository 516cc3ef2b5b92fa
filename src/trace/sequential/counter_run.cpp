#include "trace/sequential/counter_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "trace/sequential/symbolic.hpp"

namespace cohort::trace::sequential {
namespace {

/// What the counters are, by number; and behind them everything that was divided by and is not yet
/// known not to be 0.  A quotient may cancel out or be overwritten: the division is an error all
/// the same.
using Sums = std::vector<Sum>;

[[nodiscard]] Sums identity(std::size_t counters) {
  Sums sums;
  for (std::uint32_t i = 0; i < counters; ++i) sums.push_back(Sum::counter(i));
  return sums;
}

/// `later` with the counters replaced by `first`; nothing if that divides by zero.
[[nodiscard]] std::optional<Sums> compose(const Sums& first, const Sums& later,
                                          std::size_t counters) {
  Sums made;
  std::map<std::string, Sum> divisors;  // each once
  for (std::size_t i = counters; i < first.size(); ++i) divisors.emplace(first[i].text(), first[i]);
  for (std::size_t i = 0; i < later.size(); ++i) {
    std::optional<Sum> replaced = later[i].substitute(first);
    if (!replaced) return std::nullopt;
    if (i < counters) {
      made.push_back(std::move(*replaced));
    } else if (!replaced->is_number()) {
      divisors.emplace(replaced->text(), *replaced);
    } else if (replaced->constant() == 0) {
      return std::nullopt;
    }
  }
  for (auto& [text, divisor] : divisors) made.push_back(std::move(divisor));
  return made;
}

[[nodiscard]] std::size_t size_of(const Sums& sums) {
  std::size_t size = 0;
  for (const Sum& sum : sums) size += sum.size();
  return size;
}

/// The value of an update; nothing, with the reason, if it has none.  Divisors that are not numbers
/// are added to `divisors`.
[[nodiscard]] std::optional<Sum> evaluate(const Term& term, const Sums& counters,
                                          const std::function<Value(std::uint32_t)>& value_of,
                                          std::string& reason, Sums& divisors) {
  Sums stack;
  for (const Term::Instruction& step : term.steps()) {
    if (step.step == Term::Step::Constant) {
      stack.emplace_back(rational_of(term.constant(step.operand)));
      continue;
    }
    if (step.step == Term::Step::Variable) {
      if (step.operand >= Counters::first_counter) {
        stack.push_back(counters[step.operand - Counters::first_counter]);
        continue;
      }
      const Value value = value_of(step.operand);
      if (value.is_text()) {
        reason = fmt::format("computes with the text {}", quoted(value.characters()));
        return std::nullopt;
      }
      stack.emplace_back(rational_of(value));
      continue;
    }
    if (step.step == Term::Step::Negate) {
      stack.back() = stack.back().times(-1);
      continue;
    }
    const Sum right = stack.back();
    stack.pop_back();
    Sum& left = stack.back();
    switch (step.step) {
      case Term::Step::Plus:
        left = left.plus(right);
        break;
      case Term::Step::Minus:
        left = left.plus(right.times(-1));
        break;
      case Term::Step::Times:
        left = Sum::product(left, right);
        break;
      case Term::Step::Divide: {
        const std::optional<Sum> quotient = Sum::quotient(left, right);
        if (!quotient) {
          reason = "divides by zero";
          return std::nullopt;
        }
        if (!right.is_number()) divisors.push_back(right);
        left = *quotient;
        break;
      }
      case Term::Step::Min:
        left = Sum::extreme(Sum::Extreme::Min, {left, right});
        break;
      case Term::Step::Max:
        left = Sum::extreme(Sum::Extreme::Max, {left, right});
        break;
      default:
        reason = "has an operator that counters do not know";
        return std::nullopt;
    }
  }
  return stack.back();
}

}  // namespace

struct CounterRuns::Work {
  struct Run {
    StateIndex state = 0;
    Sums sums;
    std::vector<StateIndex> members;
  };
  /// Of one start, what is not in a run.
  struct Begun {
    Sums sums;
    std::string wrong;
    std::uint64_t line = 0;
    bool too_large = false;
  };

  std::vector<Run> runs;
  std::vector<Begun> begun;  // by start
  std::size_t counters = 0;

  /// Takes what a run has counted over to its members.
  void flush(Run& run) {
    for (const StateIndex member : run.members) {
      Begun& mine = begun[member];
      std::optional<Sums> all = compose(mine.sums, run.sums, counters);
      if (all) {
        mine.sums = std::move(*all);
      } else {
        mine.too_large = true;  // where it divides by zero is found out by reading it alone
      }
    }
    run.sums = identity(counters);
  }
  void add_divisors(Run& run, const Sums& divisors) const {
    for (const Sum& divisor : divisors) {
      const std::string text = divisor.text();
      const auto known = [&](const Sum& sum) { return sum.text() == text; };
      const auto begin = run.sums.begin() + static_cast<std::ptrdiff_t>(counters);
      if (std::none_of(begin, run.sums.end(), known)) run.sums.push_back(divisor);
    }
  }
  void end(std::size_t run, const std::string& wrong, std::uint64_t line, bool too_large) {
    for (const StateIndex member : runs[run].members) {
      if (begun[member].too_large) continue;
      begun[member].wrong = wrong;
      begun[member].line = line;
      begun[member].too_large = too_large;
    }
    if (run + 1 < runs.size()) std::swap(runs[run], runs.back());
    runs.pop_back();
  }
  void merge() {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      for (std::size_t j = i + 1; j < runs.size();) {
        if (runs[i].state != runs[j].state) {
          ++j;
          continue;
        }
        flush(runs[i]);
        flush(runs[j]);
        runs[i].members.insert(runs[i].members.end(), runs[j].members.begin(),
                               runs[j].members.end());
        if (j + 1 < runs.size()) std::swap(runs[j], runs.back());
        runs.pop_back();
      }
    }
  }
};

CounterRuns::CounterRuns(const Property& property, Start start)
    : property_(property),
      moves_(property.compiled().num_states() + 1),
      work_(std::make_unique<Work>()) {
  for (const CounterMove& move : property.counters().moves) moves_[move.from].push_back(&move);
  const std::size_t counters = property.counters().names.size();
  work_->counters = counters;
  work_->begun.resize(moves_.size());
  for (StateIndex s = 0; s < moves_.size(); ++s) {
    work_->begun[s].sums = identity(counters);
    if (start == Start::OfTrace && s != property.compiled().start()) continue;
    Work::Run run;
    run.state = s;
    run.members = {s};
    if (start == Start::OfTrace) {
      for (const Value& value : property.counters().initial) {
        run.sums.emplace_back(rational_of(value));
      }
    } else {
      run.sums = identity(counters);
    }
    work_->runs.push_back(std::move(run));
  }
}

CounterRuns::CounterRuns(CounterRuns&&) noexcept = default;
CounterRuns::~CounterRuns() = default;

void CounterRuns::step(const std::uint64_t* letter,
                       const std::function<Value(std::uint32_t)>& value_of, std::uint64_t line) {
  const auto truth = [&](ltl::Variable atom) {
    return (letter[atom / 64] >> (atom % 64) & 1U) != 0;
  };
  for (std::size_t i = 0; i < work_->runs.size();) {
    Work::Run& run = work_->runs[i];
    std::string wrong;
    for (const CounterMove* const move : moves_[run.state]) {
      if (!property_.letters().evaluate(move->letter, truth)) continue;
      // All right sides see the old values.
      std::vector<std::pair<std::uint32_t, Sum>> changed;
      Sums divisors;
      for (const CounterUpdate& update : move->updates) {
        std::string reason;
        std::optional<Sum> value = evaluate(update.value, run.sums, value_of, reason, divisors);
        if (!value) {
          wrong = fmt::format("the update of counter '{}' {}",
                              property_.counters().names[update.counter], reason);
          break;
        }
        changed.emplace_back(update.counter, std::move(*value));
      }
      for (auto& [counter, value] : changed) run.sums[counter] = std::move(value);
      work_->add_divisors(run, divisors);
      break;  // deterministic: there is only one
    }
    if (!wrong.empty() || size_of(run.sums) > Sum::most_size) {
      work_->end(i, wrong, line, wrong.empty());
      continue;
    }
    run.state = property_.compiled().step(run.state, letter);
    ++i;
  }
  if (work_->runs.size() > 1) work_->merge();
}

CountersSummary CounterRuns::summary() const {
  CountersSummary summary;
  summary.rows.resize(work_->begun.size());
  for (std::size_t s = 0; s < work_->begun.size(); ++s) {
    summary.rows[s].wrong = work_->begun[s].wrong;
    summary.rows[s].line = work_->begun[s].line;
    summary.rows[s].too_large = work_->begun[s].too_large;
  }
  for (const Work::Run& run : work_->runs) {
    for (const StateIndex member : run.members) {
      CounterRow& row = summary.rows[member];
      row.state = run.state;
      const std::optional<Sums> all = compose(work_->begun[member].sums, run.sums, work_->counters);
      if (!all) {
        row.too_large = true;
        continue;
      }
      for (const Sum& sum : *all) row.sums.push_back(sum.text());
    }
  }
  return summary;
}

CounterTotals initial_totals(const Property& property) {
  CounterTotals totals;
  totals.state = property.compiled().start();
  for (const Value& value : property.counters().initial) {
    totals.sums.push_back(Sum{rational_of(value)}.text());
  }
  return totals;
}

void apply(const CountersSummary& piece, std::uint64_t lines, CounterTotals& totals) {
  if (!totals.wrong.empty() || totals.too_large) return;
  const CounterRow& row = piece.rows[totals.state];
  totals.wrong = row.wrong;
  totals.line = row.line + lines;
  totals.too_large = row.too_large;
  if (!row.wrong.empty() || row.too_large) return;
  Sums before;
  Sums later;
  for (const std::string& text : totals.sums) before.push_back(Sum::parse(text).value_or(Sum{}));
  for (const std::string& text : row.sums) later.push_back(Sum::parse(text).value_or(Sum{}));
  const std::optional<Sums> now = compose(before, later, before.size());
  if (!now) {
    totals.too_large = true;
    return;
  }
  for (std::size_t i = 0; i < totals.sums.size(); ++i) totals.sums[i] = (*now)[i].text();
  totals.state = row.state;
}

std::vector<std::string> shown(const CounterTotals& totals) {
  std::vector<std::string> texts;
  for (const std::string& text : totals.sums) {
    const std::optional<Sum> sum = Sum::parse(text);
    texts.push_back(sum ? text_of(sum->constant()) : text);
  }
  return texts;
}

}  // namespace cohort::trace::sequential
