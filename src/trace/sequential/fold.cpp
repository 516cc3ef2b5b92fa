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
  if (problem_) return false;
  if (piece.problem) {
    problem_ = piece.problem;
    problem_->line += offset_.lines;
    return false;
  }
  for (std::size_t p = 0; p < running_.size(); ++p) {
    if (!plan_.properties[p].has_automaton()) continue;
    if (prefix != nullptr) {
      running_[p].apply(prefix->properties[p].runs, plan_, p, history_, offset_);
      count(p, prefix->properties[p]);
    }
    running_[p].apply(piece.properties[p].runs, plan_, p, history_, offset_);
    count(p, piece.properties[p]);
    if (counters_[p].wrong.empty() || problem_) continue;
    problem_ = Problem{counters_[p].line, 0, counters_[p].wrong, ""};
  }
  if (problem_) return false;
  history_.append(plan_, piece.history);
  offset_.positions += piece.positions;
  offset_.lines += piece.lines;
  return true;
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
