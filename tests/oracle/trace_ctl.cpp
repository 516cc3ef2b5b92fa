#include "oracle/trace_ctl.hpp"

namespace cohort::oracle {
namespace {

[[nodiscard]] std::string text_of(const TraceValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return '"' + *text + '"';
  const int halves = std::get<int>(value);
  const int whole = (halves < 0 ? -halves : halves) / 2;
  return (halves < 0 ? "-" : "") + std::to_string(whole) + (halves % 2 != 0 ? ".5" : "");
}

}  // namespace

std::string TraceText::text() const {
  std::string all = "process";
  for (std::size_t p = 0; p < num_processes; ++p) all += " P" + std::to_string(p);
  all += '\n';
  for (const auto& [name, value] : initial) all += "init " + name + " = " + text_of(value) + '\n';
  std::vector<std::size_t> position(events.size());
  std::vector<std::size_t> count(num_processes, 0);
  for (std::size_t e = 0; e < events.size(); ++e) {
    const TraceEvent& event = events[e];
    position[e] = ++count[event.process];
    all += 'P' + std::to_string(event.process) + ' ';
    for (std::size_t i = 0; i < event.assignments.size(); ++i) {
      all += (i > 0 ? ", " : "") + event.assignments[i].first +
             " := " + text_of(event.assignments[i].second);
    }
    if (event.assignments.empty()) all += "skip";
    for (std::size_t i = 0; i < event.after.size(); ++i) {
      const std::size_t before = event.after[i];
      all += (i > 0 ? ", P" : " after P") + std::to_string(events[before].process) + '#' +
             std::to_string(position[before]);
    }
    all += '\n';
  }
  return all;
}

std::string TraceFormula::text() const {
  const auto unary = [&](const std::string& word) { return word + '(' + args[0].text() + ')'; };
  const auto binary = [&](const std::string& word) {
    return '(' + args[0].text() + ") " + word + " (" + args[1].text() + ')';
  };
  const auto path = [&](const std::string& word, const std::string& between) {
    return word + '[' + args[0].text() + ' ' + between + ' ' + args[1].text() + ']';
  };
  switch (kind) {
    case Kind::True:
      return "true";
    case Kind::False:
      return "false";
    case Kind::Compare:
      return name + ' ' + op + ' ' + text_of(value);
    case Kind::Sum:
      return name + " + " + name2 + ' ' + op + ' ' + text_of(value);
    case Kind::Equal:
      return name + " = " + name2;
    case Kind::Not:
      return unary("!");
    case Kind::And:
      return binary("&");
    case Kind::Or:
      return binary("|");
    case Kind::Implies:
      return binary("->");
    case Kind::Iff:
      return binary("<->");
    case Kind::EX:
      return unary("EX");
    case Kind::AX:
      return unary("AX");
    case Kind::EF:
      return unary("EF");
    case Kind::AF:
      return unary("AF");
    case Kind::EG:
      return unary("EG");
    case Kind::AG:
      return unary("AG");
    case Kind::EU:
      return path("E", "U");
    case Kind::AU:
      return path("A", "U");
    case Kind::EW:
      return path("E", "W");
    case Kind::AW:
      return path("A", "W");
    case Kind::ER:
      return path("E", "R");
    case Kind::AR:
      return path("A", "R");
  }
  return {};
}

TraceOracle::TraceOracle(const TraceText& trace) : trace_(trace) {
  const std::size_t n = trace.events.size();
  for (std::size_t e = 0; e < n; ++e) {
    std::vector<bool> below(n, false);
    below[e] = true;
    const auto include = [&](std::size_t before) {
      for (std::size_t i = 0; i < n; ++i) {
        if (below_[before][i]) below[i] = true;
      }
    };
    for (std::size_t i = 0; i < e; ++i) {
      if (trace.events[i].process == trace.events[e].process) include(i);
    }
    for (const std::size_t before : trace.events[e].after) include(before);
    below_.push_back(below);
  }
  // From the empty cut on, every event that can be added is.
  std::map<std::vector<bool>, std::size_t> numbers;
  members_.emplace_back(n, false);
  numbers[members_[0]] = 0;
  for (std::size_t c = 0; c < members_.size(); ++c) {
    successors_.emplace_back();
    std::vector<std::uint32_t> count(trace.num_processes, 0);
    for (std::size_t e = 0; e < n; ++e) {
      if (members_[c][e]) {
        ++count[trace.events[e].process];
        continue;
      }
      bool enabled = true;
      for (std::size_t i = 0; i < n; ++i) {
        if (i != e && below_[e][i] && !members_[c][i]) enabled = false;
      }
      if (!enabled) continue;
      std::vector<bool> next = members_[c];
      next[e] = true;
      const auto [at, is_new] = numbers.try_emplace(next, members_.size());
      if (is_new) members_.push_back(next);
      successors_[c].push_back(at->second);
    }
    cuts_.push_back(count);
  }
}

bool TraceOracle::has_unordered_writes(const std::string& name) const {
  std::vector<std::size_t> writers;
  for (std::size_t e = 0; e < trace_.events.size(); ++e) {
    for (const auto& [variable, value] : trace_.events[e].assignments) {
      if (variable == name) writers.push_back(e);
    }
  }
  for (const std::size_t a : writers) {
    for (const std::size_t b : writers) {
      if (!below_[a][b] && !below_[b][a]) return true;
    }
  }
  return false;
}

bool TraceOracle::atom(const TraceFormula& formula, std::size_t cut) const {
  std::map<std::string, TraceValue> values = trace_.initial;
  for (std::size_t e = 0; e < trace_.events.size(); ++e) {
    if (!members_[cut][e]) continue;
    for (const auto& [name, value] : trace_.events[e].assignments) values[name] = value;
  }
  const auto value_of = [&](const std::string& name) -> TraceValue {
    const auto found = values.find(name);
    return found == values.end() ? TraceValue{0} : found->second;
  };
  TraceValue left = value_of(formula.name);
  TraceValue right = formula.value;
  std::string op = formula.op;
  if (formula.kind == TraceFormula::Kind::Sum) {
    left = std::get<int>(left) + std::get<int>(value_of(formula.name2));
  } else if (formula.kind == TraceFormula::Kind::Equal) {
    right = value_of(formula.name2);
    op = "=";
  }
  if (op == "=") return left == right;
  if (op == "!=") return left != right;
  const int a = std::get<int>(left);
  const int b = std::get<int>(right);
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  return a >= b;
}

TraceOracle::Set TraceOracle::some_successor(const Set& set) const {
  Set result(cuts_.size(), false);
  for (std::size_t c = 0; c < cuts_.size(); ++c) {
    for (const std::size_t next : successors_[c]) {
      if (set[next]) result[c] = true;
    }
  }
  return result;
}

TraceOracle::Set TraceOracle::all_successors(const Set& set) const {
  Set result(cuts_.size(), true);
  for (std::size_t c = 0; c < cuts_.size(); ++c) {
    for (const std::size_t next : successors_[c]) {
      if (!set[next]) result[c] = false;
    }
  }
  return result;
}

std::vector<bool> TraceOracle::satisfying(const TraceFormula& formula) const {
  using Kind = TraceFormula::Kind;
  const std::size_t n = cuts_.size();
  std::vector<Set> args;
  for (const TraceFormula& arg : formula.args) args.push_back(satisfying(arg));
  const auto pointwise = [&](auto function) {
    Set result(n);
    for (std::size_t c = 0; c < n; ++c) result[c] = function(c);
    return result;
  };
  // Rounds from `start` until nothing changes.
  const auto fixpoint = [&](bool start, auto round) {
    Set result(n, start);
    for (;;) {
      Set next = round(result);
      if (next == result) return result;
      result = next;
    }
  };
  // Every run ends in the cut of all events, where nothing is left to be done: "some" and "all"
  // successors are those that exist, or for a run that may stay the end itself.
  const auto is_end = [&](std::size_t c) { return successors_[c].empty(); };
  const bool some = formula.kind == Kind::EF || formula.kind == Kind::EG ||
                    formula.kind == Kind::EU || formula.kind == Kind::EW ||
                    formula.kind == Kind::ER;
  const auto step = [&](const Set& set, bool at_end) {
    Set result = some ? some_successor(set) : all_successors(set);
    for (std::size_t c = 0; c < n; ++c) {
      if (is_end(c)) result[c] = at_end;
    }
    return result;
  };
  switch (formula.kind) {
    case Kind::True:
      return Set(n, true);
    case Kind::False:
      return Set(n, false);
    case Kind::Compare:
    case Kind::Sum:
    case Kind::Equal:
      return pointwise([&](std::size_t c) { return atom(formula, c); });
    case Kind::Not:
      return pointwise([&](std::size_t c) { return !args[0][c]; });
    case Kind::And:
      return pointwise([&](std::size_t c) { return args[0][c] && args[1][c]; });
    case Kind::Or:
      return pointwise([&](std::size_t c) { return args[0][c] || args[1][c]; });
    case Kind::Implies:
      return pointwise([&](std::size_t c) { return !args[0][c] || args[1][c]; });
    case Kind::Iff:
      return pointwise([&](std::size_t c) { return args[0][c] == args[1][c]; });
    case Kind::EX:
      return some_successor(args[0]);
    case Kind::AX:
      return all_successors(args[0]);
    case Kind::EF:
    case Kind::AF:
      return fixpoint(false, [&](const Set& x) {
        const Set after = step(x, false);
        return pointwise([&](std::size_t c) { return args[0][c] || after[c]; });
      });
    case Kind::EG:
    case Kind::AG:
      return fixpoint(true, [&](const Set& x) {
        const Set after = step(x, true);
        return pointwise([&](std::size_t c) { return args[0][c] && after[c]; });
      });
    case Kind::EU:
    case Kind::AU:
      return fixpoint(false, [&](const Set& x) {
        const Set after = step(x, false);
        return pointwise([&](std::size_t c) { return args[1][c] || (args[0][c] && after[c]); });
      });
    case Kind::EW:
    case Kind::AW:
      return fixpoint(true, [&](const Set& x) {
        const Set after = step(x, true);
        return pointwise([&](std::size_t c) { return args[1][c] || (args[0][c] && after[c]); });
      });
    case Kind::ER:
    case Kind::AR:
      return fixpoint(true, [&](const Set& x) {
        const Set after = step(x, true);
        return pointwise([&](std::size_t c) { return args[1][c] && (args[0][c] || after[c]); });
      });
  }
  return {};
}

}  // namespace cohort::oracle
