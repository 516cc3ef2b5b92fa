#include "trace/ctl_lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

namespace cohort::trace::ctl {
namespace {

[[nodiscard]] std::string described(const Order& order, Event e) {
  return fmt::format("line {} ({})", order.line(e), order.name(e));
}

}  // namespace

// ---------------------------------------------------------------------------------------------------
// Writes

Writes::Writes(const Order& order, const Vocabulary& words, const Formula& formula,
               base::Diagnostics& diagnostics)
    : order_(order), words_(words), writes_(formula.mentions.size()) {
  std::vector<bool> matters(words.num_effects(), false);
  for (std::size_t i = 0; i < formula.mentions.size(); ++i) {
    slots_.emplace(formula.mentions[i].variable, i);
  }
  for (std::size_t e = 0; e < matters.size(); ++e) {
    for (const Assignment& a : words.assignments(EffectId{static_cast<std::uint32_t>(e)})) {
      if (slots_.contains(a.variable)) matters[e] = true;
    }
  }
  for (std::uint32_t p = 0; p < order.num_processes(); ++p) {
    const std::span<const EffectId> effects = order.effects(ProcessId{p});
    for (std::uint32_t i = 0; i < effects.size(); ++i) {
      if (!matters[base::index_of(effects[i])]) continue;
      for (const Assignment& a : words.assignments(effects[i])) {
        const auto slot = slots_.find(a.variable);
        if (slot == slots_.end()) continue;
        writes_[slot->second].push_back({{ProcessId{p}, i + 1}, words.value(a.value)});
      }
    }
  }
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    std::vector<Write>& all = writes_[i];
    if (all.empty() || all.front().event.process == all.back().event.process) continue;
    // Of two ordered events the later one has more below it; so if they are all ordered, this is
    // the order, and if two neighbours in it are not ordered, they are unordered.
    std::vector<std::pair<std::uint64_t, std::size_t>> depths(all.size());
    for (std::size_t j = 0; j < all.size(); ++j) depths[j] = {depth(all[j].event), j};
    std::ranges::sort(depths);
    std::vector<Write> sorted;
    sorted.reserve(all.size());
    for (const auto& [unused, j] : depths) sorted.push_back(all[j]);
    all = std::move(sorted);
    for (std::size_t j = 1; j < all.size(); ++j) {
      const Event a = all[j - 1].event;
      const Event b = all[j].event;
      if (order.clocks().precedes(a, b)) continue;
      const bool by_line = order.line(a) <= order.line(b);
      const auto mention = formula.mentions[i];
      diagnostics.error(
          mention.where,
          fmt::format("'{}' has no value in some cuts: it is assigned on {} and on {}, and neither "
                      "comes before the other",
                      words.name(mention.variable), described(order, by_line ? a : b),
                      described(order, by_line ? b : a)),
          "order the two events with 'after' or their clocks, or use a variable for each process");
      break;
    }
  }
}

std::uint64_t Writes::depth(Event e) const {
  const std::span<const std::uint32_t> row = order_.clocks().row(e);
  return std::accumulate(row.begin(), row.end(), std::uint64_t{e.position});
}

// ---------------------------------------------------------------------------------------------------
// Signals

Lattice::Lattice(const Writes& writes, const std::vector<Atom>& all_atoms,
                 std::span<const std::uint32_t> atoms, Options options)
    : order_(writes.order()), atoms_(all_atoms) {
  for (const std::uint32_t number : atoms) {
    const Atom& atom = atoms_[number];
    std::vector<std::pair<std::uint64_t, Event>> events;
    for (const VariableId variable : atom.variables) {
      for (const Writes::Write& write : writes.of(variable)) events.push_back({0, write.event});
    }
    // One variable: a chain already.  Several: of one process, or to be tried.
    bool chain = true;
    if (atom.variables.size() > 1) {
      const bool one_process = std::ranges::all_of(
          events, [&](const auto& e) { return e.second.process == events.front().second.process; });
      for (auto& [depth, event] : events) {
        depth = one_process ? event.position : writes.depth(event);
      }
      std::ranges::sort(events);
      events.erase(std::unique(events.begin(), events.end()), events.end());
      for (std::size_t i = 1; i < events.size() && chain && !one_process; ++i) {
        chain = order_.clocks().precedes(events[i - 1].second, events[i].second);
      }
    }
    View& view = views_[number];
    view.local = chain;
    if (chain) {
      std::vector<Event> in_order;
      in_order.reserve(events.size());
      for (const auto& [depth, event] : events) in_order.push_back(event);
      view.signals.push_back(static_cast<std::uint32_t>(raw_.size()));
      raw_.push_back(local_signal(writes, atom, in_order));
      signal_values_.emplace_back(2);
    } else {
      for (const VariableId variable : atom.variables) {
        view.signals.push_back(variable_signal(writes, variable));
      }
    }
  }
  choose_components(options.every_event, options.process_order);
  compute_clocks();
  compute_signals();
}

Lattice::RawSignal Lattice::local_signal(const Writes& writes, const Atom& atom,
                                         std::span<const Event> chain) const {
  std::vector<Value> values;
  std::vector<std::span<const Writes::Write>> left;
  for (const VariableId variable : atom.variables) {
    values.push_back(writes.words().initial(variable));
    left.push_back(writes.of(variable));
  }
  const auto truth = [&] { return evaluate(atom, values) == Truth::True ? 1U : 0U; };
  RawSignal made;
  made.value.push_back(truth());
  for (const Event event : chain) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i].empty() || left[i].front().event != event) continue;
      values[i] = left[i].front().value;
      left[i] = left[i].subspan(1);
    }
    const std::uint32_t now = truth();
    if (now == made.value.back()) continue;
    made.events.push_back(event);
    made.value.push_back(now);
  }
  return made;
}

std::uint32_t Lattice::variable_signal(const Writes& writes, VariableId variable) {
  const auto next = static_cast<std::uint32_t>(raw_.size());
  const auto [found, is_new] = variable_signals_.try_emplace(variable, next);
  if (!is_new) return found->second;
  std::vector<Value> values{writes.words().initial(variable)};
  std::map<std::string, std::uint32_t> numbers{{to_string(values[0]), 0}};
  RawSignal made;
  made.value.push_back(0);
  for (const Writes::Write& write : writes.of(variable)) {
    if (write.value == values[made.value.back()]) continue;
    const auto [at, first] =
        numbers.try_emplace(to_string(write.value), static_cast<std::uint32_t>(values.size()));
    if (first) values.push_back(write.value);
    made.events.push_back(write.event);
    made.value.push_back(at->second);
  }
  raw_.push_back(std::move(made));
  signal_values_.push_back(std::move(values));
  return next;
}

std::size_t Lattice::num_values(std::uint32_t signal) const {
  return signal_values_[signal].size();
}

bool Lattice::truth_of_values(std::uint32_t atom, std::span<const std::uint32_t> values) const {
  const View& seen = view(atom);
  if (seen.local) return values[0] != 0;
  std::vector<Value> exact;
  exact.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    exact.push_back(signal_values_[seen.signals[i]][values[i]]);
  }
  const auto ask = [&] { return evaluate(atoms_[atom], exact) == Truth::True; };
  // Remembered, where a combination of values can be written as one number.
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t size = num_values(seen.signals[i]);
    if (key > (UINT64_MAX / 2 - values[i]) / size) return ask();
    key = key * size + values[i];
  }
  if (key > UINT64_MAX / atoms_.size() - 1) return ask();
  key = key * atoms_.size() + atom;
  const auto found = truths_.find(key);
  if (found != truths_.end()) return found->second;
  return truths_[key] = ask();
}

bool Lattice::truth(std::uint32_t atom, std::span<const std::uint32_t> cut) const {
  const View& seen = view(atom);
  if (seen.local) {
    const Signal& signal = signals_[seen.signals[0]];
    return signal.value[signal.index_in(cut)] != 0;
  }
  std::vector<std::uint32_t> values;
  values.reserve(seen.signals.size());
  for (const std::uint32_t number : seen.signals) {
    values.push_back(signals_[number].value[signals_[number].index_in(cut)]);
  }
  return truth_of_values(atom, values);
}

// ---------------------------------------------------------------------------------------------------
// Components

void Lattice::choose_components(bool every_event, bool process_order) {
  std::map<ProcessId, std::vector<std::uint32_t>> positions;
  if (every_event) {
    for (std::uint32_t p = 0; p < order_.num_processes(); ++p) {
      const std::uint32_t size = order_.num_events(ProcessId{p});
      if (size == 0) continue;
      std::vector<std::uint32_t>& all = positions[ProcessId{p}];
      all.resize(size);
      std::iota(all.begin(), all.end(), 1U);
    }
  } else {
    for (const RawSignal& signal : raw_) {
      for (const Event e : signal.events) positions[e.process].push_back(e.position);
    }
  }
  for (auto& [process, all] : positions) {
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    num_events_ += all.size();
    components_.push_back({process, std::move(all), 0});
  }
  if (!process_order) arrange_components();
  std::size_t first = 0;
  for (Component& component : components_) {
    component.first_event = first;
    first += component.positions.size();
  }
}

/// Puts components that talk to each other next to each other: a tree remembers, in each layer,
/// what the layers above have said to those below.
void Lattice::arrange_components() {
  constexpr std::size_t most_arranged = 200;
  const std::size_t k = components_.size();
  if (k < 3 || k > most_arranged) return;
  std::vector<std::vector<std::uint64_t>> talks(k, std::vector<std::uint64_t>(k, 0));
  const Clocks& clocks = order_.clocks();
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      if (i == j) continue;
      std::uint32_t last = 0;
      for (const std::uint32_t position : components_[i].positions) {
        const std::uint32_t now =
            clocks.row({components_[i].process, position})[base::index_of(components_[j].process)];
        if (now != last) ++talks[i][j];
        last = now;
      }
    }
  }
  std::vector<std::uint64_t> total(k, 0);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) total[i] += talks[i][j] + talks[j][i];
  }
  // From the one that talks least; then always the one that is bound most to those that stand
  // already, and of these the one bound least to the rest.
  std::vector<bool> placed(k, false);
  std::vector<std::uint64_t> bound(k, 0);
  std::vector<Component> arranged;
  for (std::size_t turn = 0; turn < k; ++turn) {
    std::size_t best = k;
    for (std::size_t i = 0; i < k; ++i) {
      if (placed[i]) continue;
      if (best == k || bound[i] * (total[best] + 1) > bound[best] * (total[i] + 1) ||
          (bound[i] * (total[best] + 1) == bound[best] * (total[i] + 1) &&
           total[i] < total[best])) {
        best = i;
      }
    }
    placed[best] = true;
    for (std::size_t i = 0; i < k; ++i) bound[i] += talks[i][best] + talks[best][i];
    arranged.push_back(std::move(components_[best]));
  }
  components_ = std::move(arranged);
}

void Lattice::compute_clocks() {
  const std::size_t k = components_.size();
  clocks_.assign(num_events_ * k, 0);
  withouts_.assign(num_events_ * k, 0);
  std::vector<std::vector<Step>> holders(num_events_);
  // How many visible events of a component are among the first n of its process.
  std::vector<std::vector<std::uint32_t>> visible(k);
  for (std::size_t j = 0; j < k; ++j) {
    visible[j].assign(order_.num_events(components_[j].process) + std::size_t{1}, 0);
    for (const std::uint32_t position : components_[j].positions) ++visible[j][position];
    std::partial_sum(visible[j].begin(), visible[j].end(), visible[j].begin());
  }
  for (std::uint32_t i = 0; i < k; ++i) {
    const std::uint32_t size = num_events(i);
    for (std::uint32_t v = 1; v <= size; ++v) {
      const Event event{components_[i].process, components_[i].positions[v - 1]};
      const std::span<const std::uint32_t> below = order_.clocks().row(event);
      std::uint32_t* const clock = clocks_.data() + row({i, v});
      for (std::uint32_t j = 0; j < k; ++j) {
        clock[j] = j == i ? v : visible[j][below[base::index_of(components_[j].process)]];
        const std::uint32_t before = v == 1 ? 0 : (clock - k)[j];
        if (j != i && clock[j] > before) {
          holders[components_[j].first_event + clock[j] - 1].push_back({i, v});
        }
      }
    }
  }
  for (std::uint32_t i = 0; i < k; ++i) {
    for (std::uint32_t j = 0; j < k; ++j) {
      std::uint32_t kept = 0;  // the first `kept` events of j are not above event v of i
      for (std::uint32_t v = 1; v <= num_events(i); ++v) {
        if (j == i) {
          kept = v - 1;
        } else {
          while (kept < num_events(j) && clocks_[row({j, kept + 1}) + i] < v) ++kept;
        }
        withouts_[row({i, v}) + j] = kept;
      }
    }
  }
  holder_begins_.assign(1, 0);
  for (const std::vector<Step>& all : holders) {
    holders_.insert(holders_.end(), all.begin(), all.end());
    holder_begins_.push_back(static_cast<std::uint32_t>(holders_.size()));
  }
}

void Lattice::compute_signals() {
  std::unordered_map<ProcessId, std::uint32_t> component_of;
  for (std::uint32_t c = 0; c < components_.size(); ++c) component_of[components_[c].process] = c;
  for (RawSignal& raw : raw_) {
    Signal made;
    made.value = std::move(raw.value);
    std::vector<std::uint32_t> components;
    for (const Event e : raw.events) {
      const std::uint32_t c = component_of.at(e.process);
      const std::vector<std::uint32_t>& all = components_[c].positions;
      const auto at = std::ranges::lower_bound(all, e.position) - all.begin();
      made.events.push_back({c, static_cast<std::uint32_t>(at) + 1});
      components.push_back(c);
    }
    std::ranges::sort(components);
    components.erase(std::unique(components.begin(), components.end()), components.end());
    for (const std::uint32_t c : components) {
      made.places.push_back({c, std::vector<std::uint32_t>(num_events(c) + std::size_t{1}, 0)});
    }
    for (std::uint32_t i = 0; i < made.events.size(); ++i) {
      const Step step = made.events[i];
      const auto place =
          std::ranges::lower_bound(made.places, step.component, {}, &Signal::Place::component);
      place->index[step.position] = i + 1;
    }
    for (Signal::Place& place : made.places) {
      for (std::size_t i = 1; i < place.index.size(); ++i) {
        place.index[i] = std::max(place.index[i], place.index[i - 1]);
      }
    }
    signals_.push_back(std::move(made));
  }
  raw_.clear();
}

std::vector<std::uint32_t> Lattice::top() const {
  std::vector<std::uint32_t> cut;
  cut.reserve(num_components());
  for (std::size_t c = 0; c < num_components(); ++c) cut.push_back(num_events(c));
  return cut;
}

std::size_t Lattice::bytes() const {
  std::size_t sum = (clocks_.capacity() + withouts_.capacity()) * sizeof(std::uint32_t) +
                    holders_.capacity() * sizeof(Step);
  for (const Signal& signal : signals_) {
    sum += signal.events.capacity() * sizeof(Step);
    for (const Signal::Place& place : signal.places) {
      sum += place.index.capacity() * sizeof(std::uint32_t);
    }
  }
  return sum;
}

// ---------------------------------------------------------------------------------------------------
// Back to the trace

std::vector<Event> Lattice::path(std::span<const Step> steps, bool to_the_end) const {
  const Clocks& clocks = order_.clocks();
  std::vector<Event> events;
  Cut cut(order_.num_processes(), 0);
  // Fires everything of `goal` that has not happened; `goal` is a cut.
  const auto advance = [&](const Cut& goal) {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t p = 0; p < cut.size(); ++p) {
        while (cut[p] < goal[p] && clocks.enabled(cut, ProcessId{p})) {
          events.push_back({ProcessId{p}, ++cut[p]});
          moved = true;
        }
      }
    }
  };
  for (const Step step : steps) {
    const Event event{process(step.component), position(step)};
    const std::span<const std::uint32_t> row = clocks.row(event);
    Cut goal(row.begin(), row.end());
    goal[base::index_of(event.process)] = event.position - 1;
    for (std::size_t p = 0; p < goal.size(); ++p) goal[p] = std::max(goal[p], cut[p]);
    advance(goal);
    goal[base::index_of(event.process)] = event.position;
    advance(goal);
  }
  if (to_the_end) advance(order_.everything());
  return events;
}

}  // namespace cohort::trace::ctl
