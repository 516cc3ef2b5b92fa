#include "oracle/plain_trace.hpp"

#include <algorithm>
#include <numeric>

namespace cohort::oracle {
namespace {

/// Whether all that comes immediately before an event is done.
bool may_follow(const PlainTrace& trace, const std::vector<bool>& done, std::size_t event) {
  for (std::size_t i = 0; i < event; ++i) {
    if (trace.events[i].process == trace.events[event].process && !done[i]) return false;
  }
  return std::ranges::all_of(trace.events[event].after, [&](std::size_t i) { return done[i]; });
}

bool extend(const PlainTrace& trace, std::vector<bool>& done, std::vector<std::size_t>& order,
            const std::function<bool(const std::vector<std::size_t>&)>& visit) {
  if (order.size() == trace.events.size()) return visit(order);
  for (std::size_t event = 0; event < trace.events.size(); ++event) {
    if (done[event] || !may_follow(trace, done, event)) continue;
    done[event] = true;
    order.push_back(event);
    const bool go_on = extend(trace, done, order, visit);
    order.pop_back();
    done[event] = false;
    if (!go_on) return false;
  }
  return true;
}

std::size_t number_of(const PlainTrace& trace, std::size_t event) {
  std::size_t number = 0;
  for (std::size_t i = 0; i <= event; ++i) {
    if (trace.events[i].process == trace.events[event].process) ++number;
  }
  return number;
}

std::string process_name(std::size_t process) { return "P" + std::to_string(process + 1); }

std::vector<std::size_t> shuffled(std::size_t size, base::Random& random) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

std::string json_set(const PlainEvent& event) {
  std::string text = "{";
  for (const auto& [name, value] : event.sets) {
    if (text.size() > 1) text += ", ";
    text += "\"" + name + "\": " + std::to_string(value);
  }
  return text + "}";
}

std::string json_clock(const std::vector<std::size_t>& clock) {
  std::string text = "{";
  for (std::size_t p = 0; p < clock.size(); ++p) {
    if (clock[p] == 0) continue;
    if (text.size() > 1) text += ", ";
    text += "\"" + process_name(p) + "\": " + std::to_string(clock[p]);
  }
  return text + "}";
}

}  // namespace

PlainTrace random_trace(base::Random& random, const TraceShape& shape) {
  PlainTrace trace;
  trace.num_processes = 1 + random.below(shape.most_processes);
  const std::size_t size = random.below(shape.most_events + 1);
  for (std::size_t i = 0; i < size; ++i) {
    PlainEvent event;
    event.process = random.below(trace.num_processes);
    for (const std::string& name : shape.variables) {
      if (!random.chance(60)) continue;
      event.sets.emplace_back(
          name,
          static_cast<int>(random.below(static_cast<std::uint64_t>(shape.largest_value) + 1)));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (random.chance(shape.edge_percent)) event.after.push_back(j);
    }
    trace.events.push_back(std::move(event));
  }
  return trace;
}

void for_each_order(const PlainTrace& trace,
                    const std::function<bool(const std::vector<std::size_t>&)>& visit) {
  std::vector<bool> done(trace.events.size(), false);
  std::vector<std::size_t> order;
  extend(trace, done, order, visit);
}

std::string event_name(const PlainTrace& trace, std::size_t event) {
  return process_name(trace.events[event].process) + "#" + std::to_string(number_of(trace, event));
}

std::vector<std::vector<std::size_t>> vector_clocks(const PlainTrace& trace) {
  std::vector<std::vector<std::size_t>> clocks;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    std::vector<std::size_t> clock(trace.num_processes, 0);
    for (std::size_t j = 0; j < i; ++j) {
      const bool before = trace.events[j].process == trace.events[i].process ||
                          std::ranges::count(trace.events[i].after, j) > 0;
      if (!before) continue;
      for (std::size_t p = 0; p < clock.size(); ++p) clock[p] = std::max(clock[p], clocks[j][p]);
    }
    ++clock[trace.events[i].process];
    clocks.push_back(clock);
  }
  return clocks;
}

std::string native_text(const PlainTrace& trace, base::Random& random) {
  std::string text = "process";
  for (std::size_t p = 0; p < trace.num_processes; ++p) text += " " + process_name(p);
  text += "\ninit x = 0, y = 0\n";
  std::vector<std::size_t> left(trace.num_processes, 0);  // by process: lines written
  std::vector<bool> written(trace.events.size(), false);
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    std::vector<std::size_t> next;  // the first event of each process that is not written
    for (std::size_t p = 0; p < trace.num_processes; ++p) {
      for (std::size_t i = 0; i < trace.events.size(); ++i) {
        if (trace.events[i].process != p || written[i]) continue;
        next.push_back(i);
        break;
      }
    }
    const std::size_t i = next[random.below(next.size())];
    written[i] = true;
    const PlainEvent& event = trace.events[i];
    text += process_name(event.process) + "  ";
    if (event.sets.empty()) text += "skip";
    for (std::size_t j = 0; j < event.sets.size(); ++j) {
      text += (j == 0 ? "" : ", ") + event.sets[j].first +
              " := " + std::to_string(event.sets[j].second);
    }
    for (std::size_t j = 0; j < event.after.size(); ++j) {
      text += (j == 0 ? " after " : ", ") + event_name(trace, event.after[j]);
    }
    text += "\n";
  }
  return text;
}

std::string json_text(const PlainTrace& trace, base::Random& random) {
  std::string text = "{\"processes\": [";
  for (std::size_t p = 0; p < trace.num_processes; ++p) {
    text += (p == 0 ? "\"" : ", \"") + process_name(p) + "\"";
  }
  text += "]}\n{\"init\": {\"x\": 0, \"y\": 0}}\n";
  const auto clocks = vector_clocks(trace);
  for (const std::size_t i : shuffled(trace.events.size(), random)) {
    const PlainEvent& event = trace.events[i];
    text += "{\"process\": \"" + process_name(event.process) +
            "\", \"clock\": " + json_clock(clocks[i]) + ", \"set\": " + json_set(event) + "}\n";
  }
  return text;
}

std::string govector_text(const PlainTrace& trace, base::Random& random) {
  std::string text;
  const auto clocks = vector_clocks(trace);
  for (const std::size_t i : shuffled(trace.events.size(), random)) {
    const PlainEvent& event = trace.events[i];
    text +=
        process_name(event.process) + " " + json_clock(clocks[i]) + "\n" + json_set(event) + "\n";
  }
  return text;
}

}  // namespace cohort::oracle
