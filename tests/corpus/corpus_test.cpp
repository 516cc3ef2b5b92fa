// Every file of the corpus, through the program.
//
// A file in reject/ is refused: exit status 2, nothing on standard output, and on standard error
// exactly what the .err file beside it says.  A file in accept/ says in its first lines what is
// expected:
//
//   //! args: check -D client=3       the file's name is added
//   //! exit: 0
//   //! out: mutex: holds             a line of standard output (repeatable)
//   //! err: …                        a line of standard error (repeatable; without it there is
//   none)
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_program.hpp"

namespace cohort {
namespace {

using support::read_text;
using support::run_cohort;
using support::RunResult;

[[nodiscard]] std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  const std::filesystem::path root{COHORT_SOURCE_DIR};
  for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".coh" || extension == ".cctl") {
      files.push_back(folder + "/" + entry.path().filename().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

struct Expectation {
  std::vector<std::string> arguments;
  int exit = 0;
  std::vector<std::string> out;
  std::vector<std::string> err;
};

[[nodiscard]] Expectation read_expectation(const std::string& text) {
  Expectation expected;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line) && line.starts_with("//! ");) {
    const std::size_t colon = line.find(": ");
    REQUIRE(colon != std::string::npos);
    const std::string key = line.substr(4, colon - 4);
    const std::string value = line.substr(colon + 2);
    if (key == "args") {
      expected.arguments = support::split_words(value);
    } else if (key == "exit") {
      expected.exit = std::stoi(value);
    } else if (key == "out") {
      expected.out.push_back(value);
    } else if (key == "err") {
      expected.err.push_back(value);
    } else {
      FAIL("unknown key '" << key << "'");
    }
  }
  return expected;
}

[[nodiscard]] bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("every rejected file gets its messages", "[corpus]") {
  const std::vector<std::string> files = files_in("tests/corpus/reject");
  CHECK(files.size() >= 18);
  for (const std::string& file : files) {
    CAPTURE(file);
    const RunResult result = run_cohort({"check", file});
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    const std::string beside = file.substr(0, file.rfind('.')) + ".err";
    CHECK(result.err == read_text(std::string(COHORT_SOURCE_DIR) + "/" + beside));
  }
}

TEST_CASE("every accepted file does what its first lines say", "[corpus]") {
  const std::vector<std::string> files = files_in("tests/corpus/accept");
  CHECK(files.size() >= 3);
  for (const std::string& file : files) {
    CAPTURE(file);
    const Expectation expected =
        read_expectation(read_text(std::string(COHORT_SOURCE_DIR) + "/" + file));
    REQUIRE_FALSE(expected.arguments.empty());
    std::vector<std::string> arguments = expected.arguments;
    arguments.push_back(file);
    const RunResult result = run_cohort(arguments);
    CAPTURE(result.out, result.err);
    CHECK(result.status == expected.exit);
    for (const std::string& line : expected.out) CHECK(has_line(result.out, line));
    for (const std::string& line : expected.err) CHECK(has_line(result.err, line));
    if (expected.err.empty()) CHECK(result.err == "");
  }
}

}  // namespace cohort
