#include "support/trace_models.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace cohort::support {
namespace {

/// Processes over shared memory, and the trace that they leave.
class SharedRun {
 public:
  /// The variables may be asked about, even if nobody assigns them.
  SharedRun(std::vector<std::string> processes, const std::vector<std::string>& variables)
      : names_(std::move(processes)),
        clocks_(names_.size(), std::vector<std::uint32_t>(names_.size(), 0)) {
    text_ = "process";
    for (const std::string& name : names_) text_ += " " + name;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      text_ += (i == 0 ? "\ninit " : ", ") + variables[i] + " = 0";
    }
    text_ += "\n";
  }

  [[nodiscard]] std::size_t num_events() const { return num_events_; }
  [[nodiscard]] int value(const std::string& variable) { return memory_[variable].value; }

  void begin(std::size_t process) {
    process_ = process;
    effect_.clear();
    after_.clear();
  }
  /// The event looks at a variable.
  void read(const std::string& variable) {
    Cell& cell = memory_[variable];
    depend(cell.writer);
    readers_.push_back(&cell);
  }
  /// The event assigns a variable; the trace shows it.
  void write(const std::string& variable, int value) {
    if (!effect_.empty()) effect_ += ", ";
    effect_ += variable + " := " + std::to_string(value);
    write_hidden(variable, value);
  }
  /// The same for what only orders the events, such as a channel.
  void write_hidden(const std::string& variable, int value) {
    Cell& cell = memory_[variable];
    depend(cell.writer);
    for (const Point& reader : cell.readers) depend(reader);
    cell.value = value;
    writes_.push_back(&cell);
  }
  void end() {
    std::vector<std::uint32_t>& clock = clocks_[process_];
    ++clock[process_];
    const Point here{process_, clock[process_], clock};
    for (Cell* const cell : writes_) {
      cell->writer = here;
      cell->readers.clear();
    }
    for (Cell* const cell : readers_) {
      if (std::ranges::find(writes_, cell) == writes_.end()) cell->readers.push_back(here);
    }
    writes_.clear();
    readers_.clear();
    text_ += names_[process_] + " " + (effect_.empty() ? "skip" : effect_);
    for (std::size_t i = 0; i < after_.size(); ++i)
      text_ += (i == 0 ? " after " : ", ") + after_[i];
    text_ += "\n";
    ++num_events_;
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  struct Point {
    std::size_t process = 0;
    std::uint32_t number = 0;  // 0: no event
    std::vector<std::uint32_t> clock;
  };
  struct Cell {
    int value = 0;
    Point writer;
    std::vector<Point> readers;  // since then
  };

  void depend(const Point& point) {
    std::vector<std::uint32_t>& clock = clocks_[process_];
    if (point.number == 0 || clock[point.process] >= point.number) return;
    after_.push_back(names_[point.process] + "#" + std::to_string(point.number));
    for (std::size_t q = 0; q < clock.size(); ++q) {
      if (q != process_) clock[q] = std::max(clock[q], point.clock[q]);
    }
  }

  std::vector<std::string> names_;
  std::vector<std::vector<std::uint32_t>> clocks_;
  std::map<std::string, Cell> memory_;
  std::size_t process_ = 0;
  std::string effect_;
  std::vector<std::string> after_;
  std::vector<Cell*> writes_;
  std::vector<Cell*> readers_;
  std::string text_;
  std::size_t num_events_ = 0;
};

}  // namespace

std::string peterson_trace(const TraceRequest& request) {
  SharedRun run{{"P0", "P1"}, {"crit0", "crit1"}};
  base::Random random{request.seed};
  std::size_t rounds_left = request.events / 5;
  std::vector<int> step(2, 0);
  while (run.num_events() < request.events / 5 * 5) {
    const std::size_t i = random.below(2);
    const std::string own = std::to_string(i);
    const std::string other = std::to_string(1 - i);
    switch (step[i]) {
      case 0:
        if (rounds_left == 0) continue;
        --rounds_left;
        run.begin(i);
        run.write("flag" + own, 1);
        break;
      case 1:
        run.begin(i);
        run.write("turn", static_cast<int>(request.faulty ? i : 1 - i));
        break;
      case 2:
        if (run.value("flag" + other) == 1 && run.value("turn") != static_cast<int>(i)) continue;
        run.begin(i);
        run.read("flag" + other);
        run.read("turn");
        run.write("crit" + own, 1);
        break;
      case 3:
        run.begin(i);
        run.write("crit" + own, 0);
        break;
      default:
        run.begin(i);
        run.write("flag" + own, 0);
        break;
    }
    run.end();
    step[i] = (step[i] + 1) % 5;
  }
  return std::move(run).text();
}

std::string mutex_formula() {
  return "G(crit0 = 1 -> !(crit1 = 1) W crit0 = 0) & G(crit1 = 1 -> !(crit0 = 1) W crit1 = 0)";
}

std::string mutex_monitor() {
  return "monitor mutex\n"
         "initial free\n"
         "bad both\n"
         "free -> in0 when crit0 = 1\n"
         "free -> in1 when crit1 = 1\n"
         "in0 -> free when crit0 = 0\n"
         "in0 -> both when crit1 = 1\n"
         "in1 -> free when crit1 = 0\n"
         "in1 -> both when crit0 = 1\n";
}

std::string alternating_bit_trace(const TraceRequest& request) {
  SharedRun run{{"sender", "receiver"}, {"put", "got"}};
  base::Random random{request.seed};
  // A channel holds one message: the bit plus one; 0 is empty.
  int bit = 0;
  int expected = 0;
  bool waiting = false;
  int patience = 0;
  int to_deliver = 0;  // the receiver has taken a message; 1: new, 2: old
  while (run.num_events() < request.events) {
    if (random.chance(50)) {
      if (!waiting) {
        run.begin(0);
        run.write("put", bit);
        run.end();
        waiting = true;
        patience = 0;
      } else if (run.value("acks") != 0) {
        const bool right = run.value("acks") == bit + 1;
        run.begin(0);
        run.read("acks");
        run.write_hidden("acks", 0);
        run.write("acked", right ? bit : 1 - bit);
        run.end();
        if (right) {
          bit = 1 - bit;
          waiting = false;
        }
      } else if (run.value("messages") == 0) {
        if (request.faulty && ++patience > 2) {
          bit = 1 - bit;
          waiting = false;
          continue;
        }
        const bool lost = random.chance(20);
        run.begin(0);
        run.write("sent", bit);
        if (!lost) {
          run.read("messages");
          run.write_hidden("messages", bit + 1);
        }
        run.end();
      }
    } else if (to_deliver != 0) {
      if (to_deliver == 1) {
        run.begin(1);
        run.write("got", expected);
        run.end();
        expected = 1 - expected;
        to_deliver = 2;
      } else if (run.value("acks") == 0) {
        const bool lost = random.chance(20);
        run.begin(1);
        run.write("ack", 1 - expected);
        if (!lost) {
          run.read("acks");
          run.write_hidden("acks", 2 - expected);
        }
        run.end();
        to_deliver = 0;
      }
    } else if (run.value("messages") != 0) {
      to_deliver = run.value("messages") == expected + 1 ? 1 : 2;
      run.begin(1);
      run.read("messages");
      run.write("received", run.value("messages") - 1);
      run.write_hidden("messages", 0);
      run.end();
    }
  }
  return std::move(run).text();
}

std::string received_formula() {
  return "G(put = 0 -> (!(put = 1) W got = 0)) & G(put = 1 -> (!(put = 0) W got = 1))";
}

std::string philosophers_trace(const TraceRequest& request) {
  const std::size_t n = request.processes;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) names.push_back("phil" + std::to_string(i));
  SharedRun run{names, {"left0", "eat0", "eat" + std::to_string(n - 1)}};
  base::Random random{request.seed};
  std::vector<int> step(n, 0);
  std::vector<bool> stolen(n, false);
  while (run.num_events() < request.events) {
    const std::size_t i = random.below(n);
    const std::string own = std::to_string(i);
    // His left fork is number i, the right one number i + 1; the last one begins with the right.
    const bool left_first = i + 1 < n;
    const std::string left = "fork" + own;
    const std::string right = "fork" + std::to_string((i + 1) % n);
    const auto take = [&](bool is_left) {
      const std::string& fork = is_left ? left : right;
      if (!is_left && request.faulty) {
        // He does not look, so nothing orders him and his neighbour.
        stolen[i] = true;
        run.begin(i);
        run.write(is_left ? "left" + own : "right" + own, 1);
        run.end();
        return true;
      }
      if (run.value(fork) != 0) return false;
      run.begin(i);
      run.read(fork);
      run.write_hidden(fork, 1);
      run.write(is_left ? "left" + own : "right" + own, 1);
      run.end();
      return true;
    };
    const auto release = [&](bool is_left) {
      run.begin(i);
      if (is_left || !stolen[i]) run.write_hidden(is_left ? left : right, 0);
      if (!is_left) stolen[i] = false;
      run.write(is_left ? "left" + own : "right" + own, 0);
      run.end();
    };
    switch (step[i]) {
      case 0:
        if (!take(left_first)) continue;
        break;
      case 1:
        if (!take(!left_first)) continue;
        break;
      case 2:
      case 3:
        run.begin(i);
        run.write("eat" + own, step[i] == 2 ? 1 : 0);
        run.end();
        break;
      case 4:
        release(true);
        break;
      default:
        release(false);
        break;
    }
    step[i] = (step[i] + 1) % 6;
  }
  return std::move(run).text();
}

std::string fork_formula(std::size_t processes) {
  const std::string neighbour = std::to_string(processes - 1);
  return "G(left0 = 1 -> !(eat" + neighbour + " = 1) W eat0 = 0)";
}

std::string figure4_trace(std::size_t processes) {
  std::string text;
  for (std::size_t i = 1; i <= processes; ++i) {
    const std::string number = std::to_string(i);
    for (const char* const value : {"1", "2"}) {
      text += "P" + number + " x" + number + " := " + value + "\n";
    }
  }
  return text;
}

std::string figure4_monitor(std::size_t processes) {
  std::string text = "monitor chain\ninitial m0\nbad m" + std::to_string(2 * processes) + "\n";
  for (std::size_t i = 0; i < 2 * processes; ++i) {
    text += "m" + std::to_string(i) + " -> m" + std::to_string(i + 1) + " when x" +
            std::to_string(i / 2 + 1) + " = " + std::to_string(i % 2 + 1) + "\n";
  }
  return text;
}

}  // namespace cohort::support
