#include "trace/sequential/fold.hpp"

#include <algorithm>
#include <utility>

namespace cohort::trace::sequential {

History empty_history(const Plan& plan) {
  History history;
  history.variables.resize(plan.atoms.variables().size());
  return history;
}

bool needs_prefix(const Plan& plan, const PieceSummary& piece) {
  for (std::size_t p = 0; p < plan.properties.size(); ++p) {
    if (plan.properties[p].has_automaton() && piece.properties[p].from > 0) return true;
  }
  return false;
}

std::vector<std::uint64_t> prefix_lengths(const PieceSummary& piece) {
  std::vector<std::uint64_t> lengths;
  for (const PropertySummary& property : piece.properties) lengths.push_back(property.from);
  return lengths;
}

Fold::Fold(const Plan& plan, std::uint64_t header_lines)
    : plan_(plan), history_(empty_history(plan)) {
  offset_.lines = header_lines;
  for (const Property& property : plan.properties) {
    const bool counts = property.has_counters() && property.has_automaton();
    counters_.push_back(counts ? initial_totals(property) : CounterTotals{});
    running_.emplace_back(property.has_automaton() ? property.compiled().start() : StateIndex{0});
  }
  counting_.resize(plan.properties.size());
  for (std::size_t p = 0; p < plan.properties.size(); ++p) {
    if (plan.patterns[p]) counting_[p].state = Counting::initial_state(*plan.patterns[p]);
  }
}

bool Fold::add(const PieceSummary& piece, const PieceSummary* prefix) {
  if (ended_) return false;
  if (problems_.empty()) {
    for (std::size_t p = 0; p < running_.size(); ++p) {
      if (!plan_.properties[p].has_automaton()) continue;
      if (prefix != nullptr) {
        running_[p].apply(prefix->properties[p].runs, plan_, p, history_, offset_);
        count(p, prefix->properties[p]);
      }
      running_[p].apply(piece.properties[p].runs, plan_, p, history_, offset_);
      count(p, piece.properties[p]);
    }
  }
  add_problems(piece, prefix);
  if (ended_) return false;
  history_.append(plan_, piece.history);
  offset_.positions += piece.positions;
  offset_.lines += piece.lines;
  return true;
}

/// Faults depend on values: only the first counts, and none behind a line that could not be read.
void Fold::add_problems(const PieceSummary& piece, const PieceSummary* prefix) {
  if (problems_.empty()) {
    std::optional<Fault> first;
    const auto consider = [&](const std::optional<Fault>& fault) {
      if (!fault) return;
      const auto place = std::pair(fault->problem.line, fault->rank);
      if (!first || place < std::pair(first->problem.line, first->rank)) first = fault;
    };
    consider(piece.fault);
    if (prefix != nullptr) consider(prefix->fault);
    for (std::size_t p = 0; p < counters_.size(); ++p) {
      if (counters_[p].wrong.empty()) continue;
      const auto rank = static_cast<std::uint32_t>(plan_.atoms.size() + p);
      consider(Fault{{counters_[p].line - offset_.lines, 0, counters_[p].wrong, ""}, rank});
    }
    if (first && (piece.problems.empty() || first->problem.line < piece.problems.front().line)) {
      add_problem(std::move(first->problem));
    }
  }
  for (const Problem& problem : piece.problems) add_problem(problem);
  ended_ = ended_ || piece.stuck;
}

void Fold::add_problem(Problem problem) {
  if (ended_) return;
  problem.line += offset_.lines;
  if (problems_.size() == most_problems) {
    problem = {problem.line, 0, "more errors from here on", "the first 20 are listed"};
    ended_ = true;
  }
  problems_.push_back(std::move(problem));
}

void Fold::end_with(Problem problem) {
  if (problems_.size() <= most_problems) problems_.push_back(std::move(problem));
  ended_ = true;
}

std::vector<std::string> Fold::counters(std::size_t property) const {
  return shown(counters_[property]);
}

bool Fold::counters_too_large() const {
  return std::ranges::any_of(counters_, [](const auto& totals) { return totals.too_large; });
}

void Fold::count(std::size_t property, const PropertySummary& piece) {
  if (piece.counters && piece.runs.positions > 0) {
    apply(*piece.counters, offset_.lines, counters_[property]);
  }
  if (!piece.counting || piece.runs.positions == 0) return;
  CountingSummary::Row& mine = counting_[property];
  const CountingSummary::Row& row = piece.counting->rows[mine.state];
  Account account = row.account;
  shift(account, offset_.positions, offset_.lines);
  mine.account.append(account, plan_.patterns[property]->kind);
  mine.state = row.state;
}

std::optional<Tally> Fold::tally(std::size_t property) const {
  if (!plan_.patterns[property]) return std::nullopt;
  return total(*plan_.patterns[property], counting_[property]);
}

base::Verdict Fold::verdict(std::size_t property) const {
  const Property& asked = plan_.properties[property];
  if (!asked.has_automaton()) return base::Verdict::Unknown;
  const Running& running = running_[property];
  const bool good =
      running.started() ? running.good() : asked.compiled().accepting(running.state());
  return good ? base::Verdict::Holds : base::Verdict::Fails;
}

base::Verdict Fold::verdict_so_far(std::size_t property) const {
  return running_[property].settled() ? verdict(property) : base::Verdict::Unknown;
}

}  // namespace cohort::trace::sequential
