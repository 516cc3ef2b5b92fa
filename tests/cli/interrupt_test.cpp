// Limits, Ctrl-C, and what a terminal sees.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/run_program.hpp"

namespace cohort {
namespace {

using support::run_cohort;
using support::run_cohort_in;
using support::run_on_terminal;
using support::RunResult;
using support::Surroundings;
using support::TemporaryFolder;
using support::write_text;

/// More states than anybody waits for.
constexpr const char* endless =
    "Program Module m = 3; x[m] : 0..1000000000 = 0;\n"
    "k of m : { [up] x[k] < 1000000000 -> x[k] = x[k] + 1; }\n"
    "Formula first : AG x[0] <= 1000000000; second : AG x[1] >= 0;\n";

constexpr const char* small =
    "Program Module m = 2; x[m] : 0..1 = 0;\n"
    "k of m : { [up] x[k] == 0 -> x[k] = 1; }\n"
    "Formula fine : AG x[0] <= 1; wrong : AG x[0] == 0;\n";

[[nodiscard]] bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

}  // namespace

TEST_CASE("Ctrl-C ends a search in order, with the statistics so far", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model, endless);
  SECTION("text") {
    const RunResult result =
        run_cohort_in({.environment = {}, .address_space = 0, .interrupt_at = " states"},
                      {"check", model, "--progress", "always"});
    CHECK(result.status == 130);
    CHECK(has(result.out, "first: unknown (interrupted)\nsecond: unknown (interrupted)\n"));
    CHECK(has(result.out, "\nstates "));
  }
  SECTION("json") {
    const RunResult result =
        run_cohort_in({.environment = {}, .address_space = 0, .interrupt_at = " states"},
                      {"check", model, "--progress", "always", "--format", "json"});
    CHECK(result.status == 130);
    const auto report = nlohmann::json::parse(result.out);
    CHECK(report["properties"][0]["verdict"] == "unknown");
    CHECK(report["properties"][0]["reason"] == "interrupted");
    CHECK(report["properties"][0]["statistics"]["states"] > 0);
    CHECK(report["properties"][1]["verdict"] == "unknown");
  }
  SECTION("without properties") {
    write_text(model, std::string(endless).substr(0, std::string(endless).find("Formula")));
    const RunResult result =
        run_cohort_in({.environment = {}, .address_space = 0, .interrupt_at = " states"},
                      {"check", model, "--progress", "always"});
    CHECK(result.status == 130);
    CHECK(has(result.out, "not all states were looked at: interrupted\n"));
  }
}

TEST_CASE("a limit gives the verdict unknown and exit status 3", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model, endless);
  const auto reason = [&](const std::vector<std::string>& limit) {
    std::vector<std::string> words{"check", model, "--format", "json"};
    words.insert(words.end(), limit.begin(), limit.end());
    const RunResult result = run_cohort(words);
    CHECK(result.status == 3);
    const auto report = nlohmann::json::parse(result.out);
    CHECK(report["properties"][0]["verdict"] == "unknown");
    CHECK(report["properties"][0]["statistics"]["states"] > 0);
    return report["properties"][0]["reason"].get<std::string>();
  };
  CHECK(reason({"--timeout", "0.2"}) == "the time limit of 0.2 s was reached");
  CHECK(reason({"--max-states", "1000"}) == "the limit of 1000 states was reached");
  CHECK(reason({"--max-memory", "60M"}) == "the memory limit of 60 MiB was reached");
}

TEST_CASE("an unexpected verdict counts more than an unknown one", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model, endless);
  const RunResult result = run_cohort({"check", model, "--max-states", "1000", "--property",
                                       "cctl1", "--property", "cctl2", "--cctl", "AG x[0] == 0",
                                       "--cctl", "AG x[0] >= 0", "--no-witness", "--quiet"});
  CHECK(result.out == "cctl1: fails\ncctl2: unknown (the limit of 1000 states was reached)\n");
  CHECK(result.status == 1);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("memory that cannot be had is a limit like any other", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model, endless);
  const RunResult result =
      run_cohort_in({.environment = {}, .address_space = 200'000'000, .interrupt_at = {}},
                    {"check", model, "--format", "json"});
  CHECK(result.status == 3);
  const auto report = nlohmann::json::parse(result.out);
  CHECK(report["properties"][0]["verdict"] == "unknown");
  CHECK(report["properties"][0]["reason"] == "memory is exhausted");
  CHECK(report["properties"][0]["statistics"]["states"] > 0);
}
#endif

TEST_CASE("progress goes to standard error, on a terminal unless told otherwise", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model, endless);
  const std::vector<std::string> words{"check", model, "--max-states", "200000"};
  const auto with = [&](const std::string& progress) {
    std::vector<std::string> more = words;
    more.insert(more.end(), {"--progress", progress});
    return more;
  };
  CHECK(run_cohort(words).err.empty());
  CHECK(run_cohort(with("never")).err.empty());
  CHECK(has(run_cohort(with("always")).err, " states, "));
  CHECK(has(run_cohort(with("always")).err, " states/s, depth "));
  CHECK(has(run_on_terminal({}, words).out, " states/s, depth "));
  CHECK(has(run_on_terminal({}, words).out, "\r\x1b[K"));
  CHECK_FALSE(has(run_on_terminal({}, with("never")).out, " states/s"));
}

TEST_CASE("colour is for terminals, and not with NO_COLOR", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = folder.path("m.coh");
  write_text(model, small);
  const std::vector<std::string> words{"check", model, "--quiet"};
  const auto on_terminal = [&](const std::string& no_color, const std::string& term) {
    return run_on_terminal({.environment = {{"NO_COLOR", no_color}, {"TERM", term}},
                            .address_space = 0,
                            .interrupt_at = {}},
                           words)
        .out;
  };
  CHECK(has(on_terminal("", "xterm"), "fine: \x1b[32mholds\x1b[0m"));
  CHECK(has(on_terminal("", "xterm"), "wrong: \x1b[31mfails\x1b[0m"));
  CHECK_FALSE(has(on_terminal("1", "xterm"), "\x1b[3"));
  CHECK_FALSE(has(on_terminal("", "dumb"), "\x1b[3"));
  CHECK_FALSE(has(run_cohort(words).out, "\x1b"));
}

}  // namespace cohort
