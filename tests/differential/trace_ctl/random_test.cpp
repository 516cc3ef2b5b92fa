// Random traces and formulas: every engine against the oracle, every evidence replayed, the set of
// satisfying cuts cut by cut.  COHORT_SEEDS=from-to runs other seeds.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>

#include "base/random.hpp"
#include "ist/operations.hpp"
#include "oracle/trace_ctl.hpp"
#include "trace/ctl.hpp"
#include "trace/ctl_replay.hpp"
#include "trace/ctl_where.hpp"
#include "trace/format/read.hpp"

namespace cohort::trace::ctl {
namespace {

using oracle::TraceEvent;
using oracle::TraceFormula;
using oracle::TraceOracle;
using oracle::TraceText;
using Kind = TraceFormula::Kind;

/// Variables a0, a1, … belong to a process each; s and t are shared, their writes ordered unless
/// `careless`; m is a string.
[[nodiscard]] TraceText random_trace(base::Random& random, bool careless) {
  TraceText trace;
  trace.num_processes = 1 + random.below(4);
  const std::uint64_t num_events = random.below(12);
  const auto percent_after = static_cast<unsigned>(random.below(60));
  if (random.chance(40)) trace.initial["s"] = static_cast<int>(random.between(-2, 4));
  trace.initial["t"] = static_cast<int>(random.between(0, 2));
  trace.initial["m"] = std::string("off");
  for (std::size_t p = 0; p < trace.num_processes; ++p) {
    trace.initial["a" + std::to_string(p)] = 2 * static_cast<int>(random.below(2));
  }
  if (!trace.initial.contains("s")) trace.initial["s"] = 0;
  std::map<std::string, std::size_t> last_writer;
  for (std::size_t e = 0; e < num_events; ++e) {
    TraceEvent event;
    event.process = random.below(trace.num_processes);
    const auto assign = [&](const std::string& name, const oracle::TraceValue& value) {
      event.assignments.emplace_back(name, value);
      const bool shared = name == "s" || name == "t" || name == "m";
      const auto last = last_writer.find(name);
      if (shared && last != last_writer.end() && !careless) event.after.push_back(last->second);
      last_writer[name] = e;
    };
    if (random.chance(70)) {
      assign("a" + std::to_string(event.process), 2 * static_cast<int>(random.below(2)));
    }
    if (random.chance(25)) assign("s", static_cast<int>(random.between(-2, 4)));
    if (random.chance(15)) assign("t", static_cast<int>(random.between(0, 2)));
    if (random.chance(10)) assign("m", std::string(random.chance(50) ? "on" : "off"));
    if (e > 0 && random.chance(percent_after)) event.after.push_back(random.below(e));
    trace.events.push_back(event);
  }
  return trace;
}

[[nodiscard]] TraceFormula random_atom(base::Random& random, const TraceText& trace) {
  static const char* const operators[] = {"=", "!=", "<", "<=", ">", ">="};
  const auto own = [&] { return "a" + std::to_string(random.below(trace.num_processes)); };
  TraceFormula atom;
  atom.kind = Kind::Compare;
  switch (random.below(10)) {
    case 0:
      atom.name = "m";
      atom.op = random.chance(50) ? "=" : "!=";
      atom.value = std::string(random.chance(50) ? "on" : "off");
      break;
    case 1:
      atom.kind = Kind::Equal;
      atom.name = own();
      atom.name2 = random.chance(50) ? "t" : own();
      break;
    case 2:
      atom.kind = Kind::Sum;
      atom.name = own();
      atom.name2 = random.chance(50) ? "s" : own();
      atom.op = operators[random.below(6)];
      atom.value = static_cast<int>(random.between(-2, 6));
      break;
    case 3:
    case 4:
      atom.name = random.chance(50) ? "s" : "t";
      atom.op = operators[random.below(6)];
      atom.value = static_cast<int>(random.between(-2, 4));
      break;
    default:
      atom.name = own();
      atom.op = "=";
      atom.value = 2;
      break;
  }
  return atom;
}

[[nodiscard]] TraceFormula random_formula(base::Random& random, const TraceText& trace, int depth,
                                          bool with_next) {
  if (depth == 0 || random.chance(15)) {
    if (!random.chance(5)) return random_atom(random, trace);
    TraceFormula constant;
    constant.kind = random.chance(50) ? Kind::True : Kind::False;
    return constant;
  }
  static const Kind kinds[] = {Kind::Not, Kind::And, Kind::Or, Kind::Implies, Kind::Iff, Kind::EX,
                               Kind::AX,  Kind::EF,  Kind::AF, Kind::EG,      Kind::AG,  Kind::EU,
                               Kind::AU,  Kind::EW,  Kind::AW, Kind::ER,      Kind::AR,  Kind::EF,
                               Kind::AG,  Kind::And, Kind::Or};
  TraceFormula formula;
  do {
    formula.kind = kinds[random.below(std::size(kinds))];
  } while (!with_next && (formula.kind == Kind::EX || formula.kind == Kind::AX));
  const bool unary = formula.kind == Kind::Not || formula.kind == Kind::EX ||
                     formula.kind == Kind::AX || formula.kind == Kind::EF ||
                     formula.kind == Kind::AF || formula.kind == Kind::EG ||
                     formula.kind == Kind::AG;
  formula.args.push_back(random_formula(random, trace, depth - 1, with_next));
  if (!unary) formula.args.push_back(random_formula(random, trace, depth - 1, with_next));
  return formula;
}

void collect_names(const TraceFormula& formula, std::vector<std::string>& names) {
  if (!formula.name.empty()) names.push_back(formula.name);
  if (!formula.name2.empty()) names.push_back(formula.name2);
  for (const TraceFormula& arg : formula.args) collect_names(arg, names);
}

struct Seeds {
  unsigned from = 1;
  unsigned to = 1500;
};

[[nodiscard]] Seeds seeds() {
  Seeds all;
  if (const char* given = std::getenv("COHORT_SEEDS")) {
    char* dash = nullptr;
    all.from = static_cast<unsigned>(std::strtoul(given, &dash, 10));
    all.to = *dash == '-' ? static_cast<unsigned>(std::strtoul(dash + 1, nullptr, 10)) : all.from;
  }
  return all;
}

void check_seed(unsigned seed) {
  base::Random random{seed};
  const bool careless = seed % 10 == 0;
  const TraceText trace = random_trace(random, careless);
  const TraceFormula formula =
      random_formula(random, trace, 1 + static_cast<int>(random.below(4)), random.chance(30));
  INFO(seed << '\n' << trace.text() << '\n' << formula.text());
  const TraceOracle oracle{trace};
  const Reading reading = read_trace_text(trace.text(), {});
  REQUIRE(reading.ok());
  const Order& order = reading.trace.executions.front();
  const base::Source source = base::Source::from_text("formula", formula.text());
  base::Diagnostics diagnostics;
  const std::vector<Formula> parsed = parse_formula(source, reading.trace.words, diagnostics);
  INFO(render(source, diagnostics));
  REQUIRE(parsed.size() == 1);

  std::vector<std::string> names;
  collect_names(formula, names);
  bool unordered = false;
  for (const std::string& name : names) unordered = unordered || oracle.has_unordered_writes(name);
  const std::vector<bool> expected = oracle.satisfying(formula);

  for (const Engine engine :
       {Engine::Auto, Engine::Explicit, Engine::Symbolic, Engine::Detection}) {
    CAPTURE(engine);
    base::Diagnostics errors;
    Options options;
    options.engine = engine;
    const Answer answer = check(order, reading.trace.words, parsed[0], options, errors);
    if (unordered) {
      CHECK(answer.verdict == base::Verdict::Error);
      CHECK(errors.has_errors());
      continue;
    }
    if (engine == Engine::Detection && answer.verdict == base::Verdict::Unknown) continue;
    const bool holds = expected[oracle.empty_cut()];
    REQUIRE(answer.verdict == (holds ? base::Verdict::Holds : base::Verdict::Fails));
    if (!answer.evidence) continue;
    const Judgement judgement = replay(order, reading.trace.words, source, holds,
                                       answer.evidence->cut, answer.evidence->path);
    INFO(judgement.reason);
    CHECK(judgement.outcome == Judgement::Outcome::Confirmed);
  }
  if (unordered) return;
  const Where where = satisfying_cuts(order, reading.trace.words, parsed[0], {}, diagnostics);
  REQUIRE(where.forest != nullptr);
  std::size_t size = 0;
  for (std::size_t c = 0; c < oracle.cuts().size(); ++c) {
    CHECK(contains(where.all, oracle.cuts()[c]));
    CHECK(contains(where.cuts, oracle.cuts()[c]) == expected[c]);
    if (expected[c]) ++size;
  }
  CHECK(count(where.all) == std::to_string(oracle.cuts().size()));
  CHECK(count(where.cuts) == std::to_string(size));
}

TEST_CASE("every engine gives the oracle's verdict on every trace and formula",
          "[trace][ctl][random]") {
  const Seeds all = seeds();
  for (unsigned seed = all.from; seed <= all.to; ++seed) check_seed(seed);
}

}  // namespace
}  // namespace cohort::trace::ctl
