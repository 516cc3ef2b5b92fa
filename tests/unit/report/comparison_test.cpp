// The table of cohort compare, and what it says when something is wrong with Cohort itself.
#include "report/comparison.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lang/load.hpp"

namespace cohort::report {
namespace {

using base::Verdict;

lang::Formula named(const std::string& name) {
  lang::Formula made;
  made.name = name;
  made.text = "AG true";
  return made;
}

Attempt attempt(cctl::Engine engine, Verdict verdict) {
  Attempt made;
  made.options.engine = engine;
  made.verdict = verdict;
  made.statistics.states = 10;
  return made;
}

Comparison comparison(const lang::Formula& formula, Verdict full, Verdict quotient) {
  return {&formula, {attempt(cctl::Engine::Full, full), attempt(cctl::Engine::Quotient, quotient)}};
}

}  // namespace

TEST_CASE("configurations that disagree are an internal error, and the table still comes",
          "[report]") {
  const lang::Formula good = named("good");
  const lang::Formula bad = named("bad");
  const std::vector<Comparison> comparisons{comparison(good, Verdict::Holds, Verdict::Holds),
                                            comparison(bad, Verdict::Holds, Verdict::Fails)};
  CHECK_FALSE(comparisons[0].disagrees());
  CHECK(comparisons[1].disagrees());
  const std::string text = text_of_disagreements(comparisons);
  CHECK(text.find("INTERNAL ERROR: the configurations disagree about 'bad'") != std::string::npos);
  CHECK(text.find("'good'") == std::string::npos);
  std::ostringstream table;
  write_table(table, comparisons);
  CHECK(table.str().find("holds\n") != std::string::npos);
  CHECK(table.str().find("fails\n") != std::string::npos);
  const lang::Loaded loaded = lang::load_text("m.coh", "Program Module m = 1; x : bool;", {});
  Run run;
  run.command = "compare";
  run.loaded = &loaded;
  std::ostringstream out;
  write_json(out, run, comparisons);
  const nlohmann::json report = nlohmann::json::parse(out.str());
  CHECK(report["properties"][0]["agree"] == true);
  CHECK(report["properties"][0]["verdict"] == "holds");
  CHECK(report["properties"][1]["agree"] == false);
  CHECK(report["properties"][1]["verdict"] == "error");
}

TEST_CASE("a limit is no disagreement", "[report]") {
  const lang::Formula formula = named("p");
  for (const Verdict verdict : {Verdict::Holds, Verdict::Fails, Verdict::Error}) {
    const Comparison made = comparison(formula, Verdict::Unknown, verdict);
    CHECK_FALSE(made.disagrees());
    CHECK(made.verdict() == verdict);
  }
  CHECK(text_of_disagreements({comparison(formula, Verdict::Unknown, Verdict::Unknown)}).empty());
}

}  // namespace cohort::report
