// Building an order out of lines.
//
// Idea.  Lines are kept by process.  At the end each process is sorted by number, numbers become
// positions, and one sweep in causal order computes the clocks: every process runs ahead until it
// needs an event that is not there yet, and is woken when it is.  What never wakes lies on a cycle,
// or behind one.
//
// Transitive reduction comes with the sweep: with J the join of the clocks of the events that e
// names, one of them is redundant if and only if J, or the clock of e's process so far, has it
// already.
#include "trace/order_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/suggest.hpp"
#include "trace/value.hpp"

namespace cohort::trace {
namespace {

/// Sorts a vector by a permutation: the new i-th is the old by[i]-th.
template <typename T>
void permute(std::vector<T>& items, const std::vector<std::uint32_t>& by) {
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (const std::uint32_t i : by) sorted.push_back(items[i]);
  items.swap(sorted);
}

}  // namespace

ProcessId OrderBuilder::process(std::string_view name) {
  const std::uint32_t id = lane_ids_.find_or_add(
      hash_bytes(name), [&](std::uint32_t i) { return lanes_[i].name == name; },
      [&] {
        lanes_.emplace_back().name = name;
        seen_in_.push_back(0);
        return static_cast<std::uint32_t>(lanes_.size() - 1);
      });
  return ProcessId{id};
}

void OrderBuilder::declare(ProcessId p) {
  lane(p).declared = true;
  any_declared_ = true;
}

void OrderBuilder::begin_event(ProcessId p, std::uint32_t line) {
  current_ = static_cast<std::uint32_t>(base::index_of(p));
  Lane& own = lanes_[current_];
  own.lines.push_back(line);
  own.edge_begins.push_back(own.edges.size());
  has_clock_ = false;
  has_number_ = false;
  ++serial_;
}

void OrderBuilder::add_after(ProcessId q, std::uint64_t number) {
  lanes_[current_].edges.push_back(
      {number, static_cast<std::uint32_t>(base::index_of(q)), EdgeKind::After});
}

void OrderBuilder::add_component(ProcessId q, std::uint64_t number) {
  Lane& own = lanes_[current_];
  has_clock_ = true;
  const auto other = static_cast<std::uint32_t>(base::index_of(q));
  if (seen_in_[other] == serial_) {
    findings_.error({own.lines.back(), 0},
                    fmt::format("the clock has two components for '{}'", lanes_[other].name));
    return;
  }
  seen_in_[other] = serial_;
  if (other == current_) {
    has_number_ = true;
    own_number_ = number;
  } else if (number > 0) {
    own.edges.push_back({number, other, EdgeKind::Component});
  }
}

/// While the lines of a process stand in order, a component that repeats the greatest one so far is
/// implied by the event that brought it.
void OrderBuilder::keep_clock(Lane& own) {
  const std::size_t begin = own.edge_begins.back();
  std::size_t known = 0;
  std::size_t repeated = 0;
  for (std::size_t i = begin; i < own.edges.size(); ++i) {
    const Edge& edge = own.edges[i];
    if (edge.kind != EdgeKind::Component) continue;
    if (own.greatest.size() <= edge.process) own.greatest.resize(lanes_.size(), 0);
    std::uint64_t& greatest = own.greatest[edge.process];
    if (greatest > 0) ++known;
    if (edge.number == greatest) ++repeated;
  }
  // All components of `greatest` are there, so that restore_clocks() can tell what was left out.
  const bool shortened = repeated > 0 && known == own.num_greatest;
  std::size_t kept = begin;
  for (std::size_t i = begin; i < own.edges.size(); ++i) {
    const Edge edge = own.edges[i];
    if (edge.kind == EdgeKind::Component) {
      std::uint64_t& greatest = own.greatest[edge.process];
      if (edge.number == greatest && shortened) continue;
      if (greatest == 0) ++own.num_greatest;
      greatest = std::max(greatest, edge.number);
    }
    own.edges[kept++] = edge;
  }
  own.edges.resize(kept);
  own.shortened.push_back(shortened);
}

void OrderBuilder::end_event(EffectId effect) {
  Lane& own = lanes_[current_];
  own.effects.push_back(effect);
  ++num_events_;
  std::uint64_t number = own.last_number + 1;
  if (has_clock_ && !has_number_) {
    findings_.error({own.lines.back(), 0},
                    fmt::format("the clock has no component for its own process, '{}'", own.name),
                    fmt::format("{{{}:{}, …}} would be the next one", own.name, number));
  } else if (has_number_ && own_number_ == 0) {
    findings_.error({own.lines.back(), 0},
                    fmt::format("the clock says 0 for its own process, '{}'", own.name),
                    "the events of a process are numbered from 1");
  } else if (has_number_) {
    number = own_number_;
  }
  if (!own.numbered() && number != own.size()) {
    own.numbers.resize(own.size() - 1);
    std::iota(own.numbers.begin(), own.numbers.end(), std::uint64_t{1});
  }
  if (own.numbered() || number != own.size()) own.numbers.push_back(number);
  own.last_number = number;
  if (number <= own.largest_number) own.in_order = false;
  own.largest_number = std::max(own.largest_number, number);
  if (has_clock_ && own.in_order) {
    keep_clock(own);
  } else {
    own.shortened.push_back(false);
  }
}

std::string OrderBuilder::event_name(const Lane& own, std::size_t index) const {
  const std::uint64_t number = own.numbered() ? own.numbers[index] : index + 1;
  return fmt::format("{}#{} (line {})", own.name, number, own.lines[index]);
}

void OrderBuilder::check_declared() {
  if (!any_declared_) return;
  std::vector<std::string_view> declared;
  for (const Lane& other : lanes_) {
    if (other.declared) declared.push_back(other.name);
  }
  for (const Lane& own : lanes_) {
    if (own.declared || own.size() == 0) continue;
    const auto near = base::nearest(own.name, declared);
    findings_.error({own.lines.front(), 0},
                    fmt::format("process '{}' is not declared in the 'process' line", own.name),
                    near ? fmt::format("did you mean '{}'?", *near) : "");
  }
}

/// Writes out what keep_clock() left out: needed only where a later line turned out to belong
/// between earlier ones.
void OrderBuilder::restore_clocks(Lane& own) {
  std::vector<std::uint64_t> greatest(lanes_.size(), 0);
  std::vector<Edge> edges;
  std::vector<std::uint64_t> begins;
  for (std::size_t i = 0; i < own.size(); ++i) {
    begins.push_back(edges.size());
    const std::size_t end = i + 1 < own.size() ? own.edge_begins[i + 1] : own.edges.size();
    for (std::size_t j = own.edge_begins[i]; j < end; ++j) {
      const Edge& edge = own.edges[j];
      if (edge.kind == EdgeKind::Component) {
        greatest[edge.process] = std::max(greatest[edge.process], edge.number);
        if (own.shortened[i]) continue;
      }
      edges.push_back(edge);
    }
    if (!own.shortened[i]) continue;
    for (std::uint32_t q = 0; q < greatest.size(); ++q) {
      if (greatest[q] > 0) edges.push_back({greatest[q], q, EdgeKind::Component});
    }
  }
  own.edges.swap(edges);
  own.edge_begins.swap(begins);
}

void OrderBuilder::sort(Lane& own) {
  std::vector<std::uint32_t> by(own.size());
  std::iota(by.begin(), by.end(), 0U);
  std::ranges::stable_sort(by, {}, [&](std::uint32_t i) { return own.numbers[i]; });
  std::vector<Edge> edges;
  edges.reserve(own.edges.size());
  std::vector<std::uint64_t> begins;
  for (const std::uint32_t i : by) {
    begins.push_back(edges.size());
    const std::size_t end = i + 1 < own.size() ? own.edge_begins[i + 1] : own.edges.size();
    edges.insert(edges.end(), own.edges.begin() + static_cast<std::ptrdiff_t>(own.edge_begins[i]),
                 own.edges.begin() + static_cast<std::ptrdiff_t>(end));
  }
  own.edges.swap(edges);
  own.edge_begins.swap(begins);
  permute(own.effects, by);
  permute(own.lines, by);
  permute(own.numbers, by);
}

/// Numbers may not fall from one line to the next.  Where one repeats, check_numbers() says so.
void OrderBuilder::check_line_order(const Lane& own) {
  std::vector<std::uint64_t> sorted = own.numbers;
  std::ranges::sort(sorted);
  std::size_t largest = 0;
  for (std::size_t i = 1; i < own.size(); ++i) {
    if (own.numbers[i] >= own.numbers[largest]) {
      largest = i;
    } else if (std::ranges::upper_bound(sorted, own.numbers[i]) -
                   std::ranges::lower_bound(sorted, own.numbers[i]) ==
               1) {
      findings_.error({own.lines[i], 0},
                      fmt::format("the clock of '{}' goes backwards: its own component is {} on "
                                  "line {} and {} on line {}",
                                  own.name, own.numbers[largest], own.lines[largest],
                                  own.numbers[i], own.lines[i]),
                      "the events of a process are ordered as they stand");
    }
  }
}

void OrderBuilder::check_numbers(Lane& own) {
  for (std::size_t i = 1; i < own.numbers.size(); ++i) {
    if (own.numbers[i] != own.numbers[i - 1]) continue;
    const auto [first, second] = std::minmax(own.lines[i - 1], own.lines[i]);
    findings_.error({second, 0},
                    fmt::format("two events of '{}' have the number {}: lines {} and {}", own.name,
                                own.numbers[i], first, second));
  }
}

/// Components may not fall from one event of a process to the next.
void OrderBuilder::check_clocks(Lane& own) {
  std::vector<std::uint64_t> greatest(lanes_.size(), 0);
  std::vector<std::size_t> brought_by(lanes_.size(), 0);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t end = i + 1 < own.size() ? own.edge_begins[i + 1] : own.edges.size();
    for (std::size_t j = own.edge_begins[i]; j < end; ++j) {
      const Edge& edge = own.edges[j];
      if (edge.kind != EdgeKind::Component) continue;
      if (edge.number < greatest[edge.process]) {
        findings_.error(
            {own.lines[i], 0},
            fmt::format("the clock of '{}' goes backwards: '{}' is {} in {} and {} in {}", own.name,
                        lanes_[edge.process].name, greatest[edge.process],
                        event_name(own, brought_by[edge.process]), edge.number,
                        event_name(own, i)));
      } else {
        greatest[edge.process] = edge.number;
        brought_by[edge.process] = i;
      }
    }
  }
}

/// The position of the event that an `after` names; 0, with the error reported, if there is none.
std::uint32_t OrderBuilder::resolve_after(std::uint32_t p, std::size_t index, const Edge& edge) {
  const Lane& own = lanes_[p];
  const Lane& other = lanes_[edge.process];
  const Place where{own.lines[index], 0};
  if (other.size() == 0 && !other.declared) {
    std::vector<std::string_view> names;
    for (const Lane& candidate : lanes_) {
      if (candidate.size() > 0 || candidate.declared) names.push_back(candidate.name);
    }
    const auto near = base::nearest(other.name, names);
    findings_.error(where, fmt::format("unknown process '{}' in 'after'", other.name),
                    near ? fmt::format("did you mean '{}'?", *near) : "");
    return 0;
  }
  std::uint64_t position = edge.number;
  if (other.numbered()) {
    const auto found = std::ranges::lower_bound(other.numbers, edge.number);
    const bool there = found != other.numbers.end() && *found == edge.number;
    position = there ? static_cast<std::uint64_t>(found - other.numbers.begin()) + 1 : 0;
  }
  if (position == 0 || position > other.size()) {
    findings_.error(
        where, fmt::format("there is no event {}#{} to come after", other.name, edge.number),
        other.numbered() ? ""
                         : fmt::format("'{}' has {} event{}, numbered from 1", other.name,
                                       other.size(), other.size() == 1 ? "" : "s"));
    return 0;
  }
  return static_cast<std::uint32_t>(position);
}

/// Turns the numbers of the events that p's events come after into positions.
void OrderBuilder::resolve(std::uint32_t p) {
  Lane& own = lanes_[p];
  std::vector<Resolved>& resolved = resolved_[p];
  resolved.reserve(own.edges.size());
  resolved_begins_[p].reserve(own.size() + 1);
  for (std::size_t i = 0; i < own.size(); ++i) {
    resolved_begins_[p].push_back(resolved.size());
    const std::size_t end = i + 1 < own.size() ? own.edge_begins[i + 1] : own.edges.size();
    for (std::size_t j = own.edge_begins[i]; j < end; ++j) {
      const Edge& edge = own.edges[j];
      Lane& other = lanes_[edge.process];
      std::uint32_t position = 0;
      if (edge.kind == EdgeKind::After) {
        position = resolve_after(p, i, edge);
      } else {
        if (edge.number > other.largest_number && edge.number > other.named_beyond) {
          other.named_beyond = edge.number;
          other.named_beyond_line = own.lines[i];
        }
        position = static_cast<std::uint32_t>(
            other.numbered()
                ? std::ranges::upper_bound(other.numbers, edge.number) - other.numbers.begin()
                : static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(edge.number, other.size())));
      }
      if (position == 0) continue;
      if (edge.process == p) {
        if (position <= i) continue;
        findings_.error({own.lines[i], 0},
                        position == i + 1
                            ? fmt::format("{} comes after itself", event_name(own, i))
                            : fmt::format("a cycle: {} comes after {}, which comes after it",
                                          event_name(own, i), event_name(own, position - 1)));
        continue;
      }
      resolved.push_back({edge.process, position});
    }
  }
  resolved_begins_[p].push_back(resolved.size());
  own.edges = {};
  own.edge_begins = {};
}

void OrderBuilder::warn_of_gaps() {
  for (const Lane& own : lanes_) {
    const std::uint64_t missing =
        own.numbered() && own.largest_number > own.size() ? own.largest_number - own.size() : 0;
    if (missing > 0) {
      std::size_t at = 0;
      while (at + 1 < own.size() && own.numbers[at] == at + 1) ++at;
      findings_.warning({own.lines[at], 0},
                        fmt::format("the clock of '{}' skips {} number{}, the first before this "
                                    "line: events that were not logged",
                                    own.name, missing, missing == 1 ? "" : "s"));
    }
    if (own.named_beyond > 0) {
      findings_.warning(
          {own.named_beyond_line, 0},
          own.size() == 0
              ? fmt::format("a clock names event {} of '{}', which logged no event",
                            own.named_beyond, own.name)
              : fmt::format("a clock names event {} of '{}', whose last logged event is {}",
                            own.named_beyond, own.name, own.largest_number));
    }
  }
}

std::span<const OrderBuilder::Resolved> OrderBuilder::edges_of(std::uint32_t p,
                                                               std::size_t index) const {
  const auto& begins = resolved_begins_[p];
  return {resolved_[p].data() + begins[index], begins[index + 1] - begins[index]};
}

/// Appends the next event of p, all of whose predecessors are there.
void OrderBuilder::append(std::uint32_t p, std::span<const Resolved> edges, Order& order) {
  Clocks& clocks = order.clocks_;
  std::vector<std::uint32_t>& now = now_[p];
  bool any = false;
  for (const Resolved& edge : edges) {
    if (now[edge.process] >= edge.position) continue;
    const auto row = clocks.row({ProcessId{edge.process}, edge.position});
    if (!any) {
      std::ranges::copy(row, join_.begin());
    } else {
      for (std::size_t q = 0; q < row.size(); ++q) join_[q] = std::max(join_[q], row[q]);
    }
    any = true;
  }
  if (!any) {
    clocks.add(ProcessId{p});
    return;
  }
  // An edge's own component is 0 in its row, so the join has it only through an edge to another
  // process; of the edges to one process the last event counts.
  for (const Resolved& edge : edges) {
    furthest_[edge.process] = std::max(furthest_[edge.process], edge.position);
  }
  for (const Resolved& edge : edges) {
    if (now[edge.process] >= edge.position || join_[edge.process] >= edge.position) continue;
    if (edge.position < furthest_[edge.process]) continue;
    order.predecessors_.push_back({ProcessId{edge.process}, edge.position});
    join_[edge.process] = edge.position;  // of two edges to one event the second is redundant
  }
  for (const Resolved& edge : edges) furthest_[edge.process] = 0;
  for (std::size_t q = 0; q < now.size(); ++q) now[q] = std::max(now[q], join_[q]);
  now[p] = 0;
  clocks.add(ProcessId{p}, now);
  order.predecessor_begins_.push_back(static_cast<std::uint32_t>(order.predecessors_.size()));
}

/// Appends events of p as far as they go; true if there was one.
bool OrderBuilder::advance(std::uint32_t p, Order& order) {
  const std::uint32_t before = done_[p];
  while (done_[p] < lanes_[p].size()) {
    const auto edges = edges_of(p, done_[p]);
    const auto missing = std::ranges::find_if(
        edges, [&](const Resolved& edge) { return edge.position > done_[edge.process]; });
    if (missing != edges.end()) {
      blocked_on_[p] = *missing;
      break;
    }
    append(p, edges, order);
    ++done_[p];
  }
  return done_[p] > before;
}

void OrderBuilder::close(Order& order) {
  const auto size = static_cast<std::uint32_t>(lanes_.size());
  done_.assign(size, 0);
  blocked_on_.assign(size, {});
  now_.assign(size, std::vector<std::uint32_t>(size, 0));
  join_.assign(size, 0);
  furthest_.assign(size, 0);
  order.clocks_ = Clocks{size};
  order.predecessor_begins_ = {0, 0};  // row 0 has none
  for (std::uint32_t p = 0; p < size; ++p) {
    order.clocks_.reserve(ProcessId{p}, lanes_[p].size());
  }
  std::vector<std::vector<std::uint32_t>> waiting(size);
  std::vector<std::uint32_t> ready(size);
  std::iota(ready.rbegin(), ready.rend(), 0U);
  while (!ready.empty()) {
    const std::uint32_t p = ready.back();
    ready.pop_back();
    const bool moved = advance(p, order);
    if (done_[p] < lanes_[p].size()) waiting[blocked_on_[p].process].push_back(p);
    if (!moved) continue;
    std::erase_if(waiting[p], [&](std::uint32_t q) {
      if (blocked_on_[q].position > done_[p]) return false;
      ready.push_back(q);
      return true;
    });
  }
}

void OrderBuilder::report_cycles() {
  // Each process that is left waits for one other; from each, follow that to the cycle.
  std::vector<std::uint32_t> seen(lanes_.size(), 0);
  for (std::uint32_t start = 0; start < lanes_.size(); ++start) {
    if (done_[start] == lanes_[start].size() || seen[start] != 0) continue;
    std::uint32_t p = start;
    while (seen[p] == 0) {
      seen[p] = start + 1;
      p = blocked_on_[p].process;
    }
    if (seen[p] != start + 1) continue;
    std::vector<std::string> names;
    std::uint32_t line = 0;
    std::uint32_t q = p;
    do {
      // p's next event needs an event of q, which is q's next one or comes after that.
      names.push_back(event_name(lanes_[q], done_[q]));
      line = std::max(line, lanes_[q].lines[done_[q]]);
      const Resolved needed = blocked_on_[q];
      if (needed.position != done_[needed.process] + 1) {
        names.push_back(event_name(lanes_[needed.process], needed.position - 1));
      }
      q = needed.process;
    } while (q != p);
    findings_.error(
        {line, 0}, names.size() == 2
                       ? fmt::format("a cycle: {} and {} come after each other", names[0], names[1])
                       : fmt::format("a cycle: {}, which comes after the first",
                                     fmt::join(names, " comes after ")));
  }
}

/// Forgets processes that only clocks name: they logged nothing.
void OrderBuilder::drop_unknown() {
  std::vector<std::uint32_t> new_ids(lanes_.size(), 0);
  std::vector<Lane> kept;
  for (std::size_t p = 0; p < lanes_.size(); ++p) {
    new_ids[p] = static_cast<std::uint32_t>(kept.size());
    if (lanes_[p].size() == 0 && !lanes_[p].declared) continue;
    if (kept.size() != p) {
      resolved_[kept.size()].swap(resolved_[p]);
      resolved_begins_[kept.size()].swap(resolved_begins_[p]);
    }
    kept.push_back(std::move(lanes_[p]));
  }
  lanes_.swap(kept);
  if (lanes_.size() == kept.size()) return;
  for (auto& edges : resolved_) {
    for (Resolved& edge : edges) edge.process = new_ids[edge.process];
  }
}

/// Each event has a number for every process: sizes for which that cannot fit are refused, and not
/// tried.
void OrderBuilder::check_size() {
  constexpr std::uint64_t most_numbers = 4'000'000'000;
  const std::uint64_t size = lanes_.size();
  if ((num_events_ + size) * size <= most_numbers) return;
  findings_.error({lanes_.back().size() > 0 ? lanes_.back().lines.front() : 1, 0},
                  fmt::format("{} events on {} processes are too many", num_events_, size),
                  "every event takes a number for every process; a log of one machine can be "
                  "checked as a sequential trace");
}

Order OrderBuilder::finish() {
  Order order;
  check_size();
  check_declared();
  for (Lane& own : lanes_) {
    if (!own.in_order) {
      if (line_order_) check_line_order(own);
      restore_clocks(own);
      sort(own);
      check_numbers(own);
    }
    check_clocks(own);
  }
  resolved_.assign(lanes_.size(), {});
  resolved_begins_.assign(lanes_.size(), {});
  for (std::uint32_t p = 0; p < lanes_.size(); ++p) resolve(p);
  warn_of_gaps();
  if (!findings_.has_errors()) {
    drop_unknown();
    close(order);
    report_cycles();
    for (Lane& own : lanes_) {
      order.processes_.push_back(
          {std::move(own.name), std::move(own.effects), std::move(own.lines)});
    }
    order.num_events_ = num_events_;
    order.predecessors_.shrink_to_fit();
  }
  lanes_ = {};
  lane_ids_ = {};
  seen_in_ = {};
  resolved_ = {};
  resolved_begins_ = {};
  now_ = {};
  num_events_ = 0;
  serial_ = 0;
  any_declared_ = false;
  return order;
}

}  // namespace cohort::trace
