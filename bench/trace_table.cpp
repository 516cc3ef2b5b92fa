// Table 1 of Genon, Massart and Meuter (2006), regenerated: both engines on traces of Peterson's
// lock, the alternating bit protocol and the dining philosophers, our figures beside the paper's.
//
//   bench/traces              all rows
//   bench/traces 10000        only traces of up to so many events
//
// The traces are ours: random runs of the same programs.  Reading and checking are timed apart, as
// processor time, for the machine may have other things to do.
#include <fmt/format.h>

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "support/trace_models.hpp"
#include "trace/check.hpp"
#include "trace/format/read.hpp"

namespace cohort::bench {
namespace {

struct Row {
  std::string model;
  support::TraceRequest request;
  std::string (*text)(const support::TraceRequest&);
  std::string formula;
  const char* paper_explicit;  // seconds and configurations
  const char* paper_symbolic;
};

[[nodiscard]] double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

[[nodiscard]] std::string cell(const trace::Answer& answer, double seconds) {
  const char* const error = answer.verdict == base::Verdict::Fails   ? "YES"
                            : answer.verdict == base::Verdict::Holds ? "NO"
                                                                     : "-";
  return fmt::format("{:<3} {:>8.3f} s {:>9}", error, seconds, answer.statistics.configurations);
}

/// A run in which the philosophers of the property eat: the first seed that has one.
[[nodiscard]] std::string text_of(const Row& row) {
  support::TraceRequest request = row.request;
  const std::string eats = " eat" + std::to_string(request.processes - 1) + " := 1";
  std::string text = row.text(request);
  if (row.text != support::philosophers_trace) return text;
  while (text.find(" left0 := 1") == std::string::npos || text.find(eats) == std::string::npos) {
    ++request.seed;
    text = row.text(request);
  }
  return text;
}

void run(const Row& row) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("cohort-bench-{}.trace", getpid()))
          .string();
  {
    std::ofstream file{path, std::ios::binary};
    file << text_of(row);
  }
  const double started = processor_seconds();
  const trace::Reading reading = trace::read_trace(path, {});
  const double read = processor_seconds() - started;
  std::filesystem::remove(path);
  if (!reading.ok()) {
    std::fputs(trace::render(reading.file, reading.findings).c_str(), stderr);
    std::exit(2);
  }
  const trace::Property property =
      trace::Property::from_ltl("formula", row.formula, reading.trace.words);
  std::string cells;
  double symbolic = 0;
  for (const trace::Engine engine : {trace::Engine::Explicit, trace::Engine::Symbolic}) {
    base::Limits limits;
    limits.set_timeout(60);
    limits.set_max_memory(std::size_t{1} << 30U);  // the paper's limit
    const double before = processor_seconds();
    const trace::Answer answer =
        trace::check(reading.trace.executions.front(), property, {.engine = engine}, limits);
    const double seconds = processor_seconds() - before;
    if (engine == trace::Engine::Symbolic) symbolic = seconds;
    cells +=
        fmt::format(" | {} | {:>18}", cell(answer, seconds),
                    engine == trace::Engine::Explicit ? row.paper_explicit : row.paper_symbolic);
  }
  fmt::print("{:<18} {:>2} {:>8} | {:>7.3f} s{} | {:>5.2f}\n", row.model, row.request.processes,
             row.request.events, read, cells,
             static_cast<double>(row.request.events) / (read + symbolic) / 1e6);
  std::fflush(stdout);
}

[[nodiscard]] std::vector<Row> table() {
  std::vector<Row> rows;
  const auto add = [&](const char* model, std::size_t events, bool faulty, std::size_t processes,
                       auto* text, std::string formula, const char* paper_explicit,
                       const char* paper_symbolic) {
    rows.push_back({model,
                    {events, faulty, 1, processes},
                    text,
                    std::move(formula),
                    paper_explicit,
                    paper_symbolic});
  };
  const std::string mutex = support::mutex_formula();
  add("Peterson", 10'000, false, 2, support::peterson_trace, mutex, "1.39 s 21551", "0.35 s 4001");
  add("Peterson", 100'000, false, 2, support::peterson_trace, mutex, "16.88 s 215544",
      "3.45 s 40001");
  add("Peterson", 1'000'000, false, 2, support::peterson_trace, mutex, "-", "34.75 s 400002");
  add("Peterson faulty", 10'000, true, 2, support::peterson_trace, mutex, "1.11 s 21384",
      "0.01 s 4");
  add("Peterson faulty", 100'000, true, 2, support::peterson_trace, mutex, "15.95 s 214727",
      "0.05 s 4");
  add("Peterson faulty", 1'000'000, true, 2, support::peterson_trace, mutex, "-", "0.53 s 4");
  const std::string received = support::received_formula();
  add("ABP", 10'000, false, 2, support::alternating_bit_trace, received, "2.17 s 31185",
      "0.42 s 4654");
  add("ABP", 100'000, false, 2, support::alternating_bit_trace, received, "31.08 s 316414",
      "4.25 s 46684");
  add("ABP", 1'000'000, false, 2, support::alternating_bit_trace, received, "-", "43.09 s 466887");
  add("ABP faulty", 10'000, true, 2, support::alternating_bit_trace, received, "2.06 s 31495",
      "0.01 s 5");
  add("ABP faulty", 100'000, true, 2, support::alternating_bit_trace, received, "29.70 s 315808",
      "0.06 s 5");
  add("ABP faulty", 1'000'000, true, 2, support::alternating_bit_trace, received, "-", "0.53 s 5");
  add("Philosophers", 100, false, 3, support::philosophers_trace, support::fork_formula(3),
      "1.03 s 6190", "0.05 s 299");
  add("Philosophers", 100, false, 5, support::philosophers_trace, support::fork_formula(5),
      "87.02 s 60727", "0.21 s 2875");
  add("Philosophers", 100, false, 10, support::philosophers_trace, support::fork_formula(10), "-",
      "1.52 s 26791");
  add("Philosophers", 1000, false, 10, support::philosophers_trace, support::fork_formula(10), "",
      "");
  add("Philosophers f.", 100, true, 3, support::philosophers_trace, support::fork_formula(3),
      "0.09 s 1187", "0.01 s 63");
  add("Philosophers f.", 100, true, 5, support::philosophers_trace, support::fork_formula(5),
      "78.72 s 55982", "0.01 s 78");
  add("Philosophers f.", 100, true, 10, support::philosophers_trace, support::fork_formula(10), "-",
      "0.01 s 55");
  return rows;
}

}  // namespace
}  // namespace cohort::bench

int main(int argc, char** argv) {
  const unsigned long most = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'000'000;
  fmt::print("{:<18} {:>2} {:>8} | {:>9} | {:<25} | {:>18} | {:<25} | {:>18} | {}\n", "model", "n",
             "events", "reading", "explicit", "paper", "symbolic", "paper",
             "10^6 events/s, read and checked symbolically");
  for (const cohort::bench::Row& row : cohort::bench::table()) {
    if (row.request.events <= most) cohort::bench::run(row);
  }
  return 0;
}
