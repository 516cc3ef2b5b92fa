// Logs that others wrote: those of ShiViz' own examples, where they are found beside the project
// (or in the folder COHORT_LOGS), and small ones of the same shapes.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_program.hpp"

namespace cohort {

using support::run_cohort;
using support::RunResult;
using support::TemporaryFolder;
using support::write_text;

namespace {

constexpr const char* two_lines = R"((?<host>\S*) (?<clock>{.*})\n(?<event>.*))";
constexpr const char* broadcast =
    R"(\[\w+\] \[(?<date>([^ ]+ [^ ]+))\] [^ ]+ \[akka://Broadcast/user/(?<host>\w+)\] )"
    R"((?<clock>{.*}) (?<event>.*))";
constexpr const char* web =
    R"((?<ip>(\d{1,3}\.){3}\d{1,3}) (?<date>(\d{1,2}/){2}\d{4} (\d{2}:){2}\d{2} (AM|PM)) )"
    R"((?<action>(INFO|GET|POST)) (?<event>.*)\n(?<host>\w+) (?<clock>{.*}))";

struct Log {
  const char* file;
  const char* regex;
  int events;
  int hosts;
  const char* cuts;
  std::size_t warnings;
};

/// Numbers that were counted by others.
constexpr Log logs[] = {
    {"chord.log", two_lines, 1235, 8, "530195", 0},
    {"simple-reliable-broadcast.log", broadcast, 39, 3, "382", 0},
    {"reliable-broadcast.log", broadcast, 116, 4, "21222", 1},
    {"facebook.log", web, 47, 4, "123", 0},
};

[[nodiscard]] std::filesystem::path folder_of_logs() {
  const char* const given = std::getenv("COHORT_LOGS");  // NOLINT(concurrency-mt-unsafe)
  return given != nullptr ? given : COHORT_SOURCE_DIR "/../shared/logs";
}

[[nodiscard]] nlohmann::json check(std::vector<std::string> words) {
  words.insert(words.begin(), "trace");
  words.insert(words.end(), {"--format", "json", "--no-witness"});
  const RunResult result = run_cohort(words);
  INFO(result.err);
  REQUIRE(result.status < 2);
  return nlohmann::json::parse(result.out);
}

[[nodiscard]] std::string verdict(const nlohmann::json& report, std::size_t property) {
  return report["properties"][property]["verdict"];
}

}  // namespace

TEST_CASE("the example logs of ShiViz have their events, hosts and cuts", "[cli][trace]") {
  const std::filesystem::path folder = folder_of_logs();
  if (!std::filesystem::exists(folder)) {
    WARN("no logs in " << folder);
    return;
  }
  for (const Log& log : logs) {
    CAPTURE(log.file);
    const nlohmann::json report =
        check({(folder / log.file).string(), "--regex", log.regex, "--ctl", "true", "--where"});
    CHECK(report["inputs"][0]["events"] == log.events);
    CHECK(report["inputs"][0]["processes"] == log.hosts);
    CHECK(report["properties"][0]["where"]["cuts"] == log.cuts);
    CHECK(report.value("warnings", nlohmann::json::array()).size() == log.warnings);
  }
}

TEST_CASE("every correct node of the broadcast log delivers all messages, in different orders",
          "[cli][trace]") {
  const std::filesystem::path file = folder_of_logs() / "reliable-broadcast.log";
  if (!std::filesystem::exists(file)) {
    WARN("no log " << file);
    return;
  }
  const std::string regex =
      R"(\[akka://Broadcast/user/(?<host>(?<node>\w+))\] (?<clock>{.*}) )"
      R"((?<event>RBDeliver of message DataMessage\((?<delivered>\d+),.*|.*))";
  std::vector<std::string> words{file.string(), "--regex", regex};
  for (const char* const node : {"node0", "node2", "node3"}) {
    for (const char* const message : {"1", "2", "3"}) {
      words.emplace_back("--ltl");
      words.push_back(std::string("F(node = \"") + node + "\" & delivered = " + message + ")");
    }
  }
  for (const char* const node : {"node0", "node2", "node3"}) {
    words.emplace_back("--ltl");
    words.push_back(std::string("!(node = \"") + node + "\" & delivered = 1) U (node = \"" + node +
                    "\" & delivered = 2)");
  }
  words.insert(words.end(), {"--ltl", "F(node = \"node1\" & delivered = 1)"});
  const nlohmann::json report = check(words);
  for (std::size_t i = 0; i < 9; ++i) CHECK(verdict(report, i) == "holds");
  CHECK(verdict(report, 9) == "holds");  // nodes 0 and 2 deliver 2 before 1
  CHECK(verdict(report, 10) == "holds");
  CHECK(verdict(report, 11) == "fails");  // node 3 delivers 1 first
  CHECK(verdict(report, 12) == "fails");  // node 1 has crashed
}

TEST_CASE("a log with the event before its host and clock is read with its expression",
          "[cli][trace]") {
  const TemporaryFolder folder;
  write_text(folder.path("web.log"),
             "10.0.0.1 5/27/2013 10:53:39 AM GET /timeline uid=a\n"
             "alice {\"alice\":1}\n"
             "10.0.0.2 5/27/2013 10:53:40 AM INFO reply\n"
             "east {\"east\":2, \"alice\":1}\n"
             "10.0.0.2 5/27/2013 10:53:39 AM INFO request\n"
             "east {\"alice\":1, \"east\":1}\n"
             "10.0.0.1 5/27/2013 10:53:41 AM POST status\n"
             "alice {\"alice\":2}\n");
  const nlohmann::json report =
      check({folder.path("web.log"), "--regex", web, "--ctl", "true", "--where", "--ltl",
             "!(event = \"reply\") U event = \"request\"", "--ltl",
             "!(action = \"POST\") U event = \"reply\""});
  CHECK(report["inputs"][0]["events"] == 4);
  CHECK(verdict(report, 0) == "holds");  // by the clocks, not by the lines
  CHECK(verdict(report, 1) == "fails");
  CHECK(report["properties"][2]["where"]["cuts"] == "7");  // 0; then alice 1, 2 with east 0, 1, 2
}

}  // namespace cohort
