// What the random models are like: how many load, have faults, how many states, which verdicts.
//
//   survey FIRST_SEED COUNT [FAULT_PERCENT]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "lang/load.hpp"
#include "oracle/graph.hpp"
#include "oracle/holds.hpp"
#include "support/random_program.hpp"

int main(int argc, char** argv) {
  using namespace cohort;
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
  const auto faults = static_cast<unsigned>(argc > 3 ? std::atoi(argv[3]) : 0);
  std::map<std::string, std::size_t> tally;
  std::map<int, std::size_t> sizes;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    base::Random random{seed};
    const support::RandomProgram program =
        support::random_program(random, {.fault_percent = faults});
    std::vector<support::RandomFormula> formulas;
    for (int i = 0; i < 3; ++i) {
      formulas.push_back(
          support::random_formula(random, program.vocabulary, {.fault_percent = faults}));
    }
    const std::string text = support::model_text(program, formulas);
    if (count == 1) std::printf("%s", text.c_str());
    const lang::Loaded loaded = lang::load_text("random.coh", text, {});
    if (!loaded.ok()) {
      ++tally["rejected"];
      for (const auto& input : loaded.inputs) {
        for (const auto& finding : input->diagnostics.sorted()) {
          if (finding.severity == base::Severity::Error) {
            ++tally["rejected: " + finding.message.substr(0, 40)];
            if (count <= 20)
              std::printf("seed %lu: %s\n", static_cast<unsigned long>(seed),
                          finding.message.c_str());
          }
        }
      }
      continue;
    }
    const model::plain::Semantics semantics{loaded.program};
    const auto graph = oracle::build(semantics, 3000);
    if (!graph) {
      ++tally["too large"];
      continue;
    }
    if (graph->has_faults()) ++tally["with faults"];
    ++tally["fine"];
    if (graph->num_deadlocks() > 0) ++tally["with deadlocks"];
    int log = 0;
    while ((1U << static_cast<unsigned>(log)) < graph->nodes.size()) ++log;
    ++sizes[log];
    if (graph->nodes.size() < 3) continue;
    for (const lang::Formula& formula : loaded.formulas) {
      const oracle::Verdicts verdicts = oracle::judge(*graph, semantics, formula);
      ++tally[std::string("verdict") + (verdicts.lazy.holds ? " holds" : "") +
              (verdicts.lazy.fails ? " fails" : "") + (verdicts.lazy.error ? " error" : "")];
    }
  }
  for (const auto& [what, number] : tally) std::printf("%8zu %s\n", number, what.c_str());
  for (const auto& [log, number] : sizes)
    std::printf("%8zu have at most %d states\n", number, 1 << log);
}
