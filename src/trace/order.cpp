#include "trace/order.hpp"

#include <algorithm>

namespace cohort::trace {
std::size_t Clocks::num_events() const {
  std::size_t sum = 0;
  for (const auto& rows : rows_of_) sum += rows.size();
  return sum;
}

std::uint32_t Clocks::first_above(Event e, ProcessId q, std::uint32_t from) const {
  if (q == e.process) return e.position;
  std::uint32_t low = from;
  std::uint32_t high = num_events(q) + 1;
  const std::size_t p = base::index_of(e.process);
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (row({q, middle})[p] >= e.position) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

bool Clocks::enabled(std::span<const std::uint32_t> cut, ProcessId p) const {
  const std::uint32_t next = cut[base::index_of(p)] + 1;
  if (next > num_events(p)) return false;
  const auto needed = row({p, next});
  for (std::size_t q = 0; q < num_processes_; ++q) {
    if (needed[q] > cut[q]) return false;
  }
  return true;
}

bool Clocks::is_cut(std::span<const std::uint32_t> cut) const {
  for (std::size_t p = 0; p < num_processes_; ++p) {
    if (cut[p] == 0) continue;
    if (cut[p] > rows_of_[p].size()) return false;
    const auto needed = row({ProcessId{static_cast<std::uint32_t>(p)}, cut[p]});
    for (std::size_t q = 0; q < num_processes_; ++q) {
      if (needed[q] > cut[q]) return false;
    }
  }
  return true;
}

void Clocks::add(ProcessId p, std::span<const std::uint32_t> row) {
  const std::size_t index = rows_.size() / stride();
  rows_.insert(rows_.end(), row.begin(), row.end());
  rows_[index * num_processes_ + base::index_of(p)] = 0;
  rows_of_[base::index_of(p)].push_back(static_cast<std::uint32_t>(index));
}

std::size_t Clocks::bytes() const {
  std::size_t sum = rows_.capacity() * sizeof(std::uint32_t);
  for (const auto& rows : rows_of_) sum += rows.capacity() * sizeof(std::uint32_t);
  return sum;
}

std::string Order::name(Event e) const {
  return name(e.process) + "#" + std::to_string(e.position);
}

std::span<const Event> Order::predecessors(Event e) const {
  if (!clocks_.has_own_row(e)) return {};
  const std::size_t row = clocks_.row_index(e);
  return {predecessors_.data() + predecessor_begins_[row],
          predecessor_begins_[row + 1] - predecessor_begins_[row]};
}

Cut Order::everything() const {
  Cut cut(num_processes());
  for (std::size_t p = 0; p < cut.size(); ++p) {
    cut[p] = num_events(ProcessId{static_cast<std::uint32_t>(p)});
  }
  return cut;
}

std::vector<Event> Order::some_order() const {
  std::vector<Event> events;
  events.reserve(num_events());
  Cut cut(num_processes(), 0);
  while (events.size() < num_events()) {
    for (std::uint32_t p = 0; p < num_processes(); ++p) {
      while (clocks_.enabled(cut, ProcessId{p})) events.push_back({ProcessId{p}, ++cut[p]});
    }
  }
  return events;
}

std::size_t Order::bytes() const {
  std::size_t sum = clocks_.bytes() + predecessors_.capacity() * sizeof(Event) +
                    predecessor_begins_.capacity() * sizeof(std::uint32_t);
  for (const Process& process : processes_) {
    sum += process.effects.capacity() * sizeof(EffectId) +
           process.lines.capacity() * sizeof(std::uint32_t);
  }
  return sum;
}

bool is_linear_extension(const Order& order, std::span<const Event> events) {
  if (events.size() != order.num_events()) return false;
  Cut cut(order.num_processes(), 0);
  for (const Event e : events) {
    if (base::index_of(e.process) >= cut.size()) return false;
    if (e.position != cut[base::index_of(e.process)] + 1) return false;
    if (!order.clocks().enabled(cut, e.process)) return false;
    ++cut[base::index_of(e.process)];
  }
  return true;
}

}  // namespace cohort::trace
