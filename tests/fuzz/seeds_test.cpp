// The fuzz target as a plain test: over its seeds, and over every prefix of each.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/parse_fuzz.hpp"

namespace cohort::fuzz {
namespace {

std::vector<std::filesystem::path> seeds() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator{COHORT_SOURCE_DIR "/tests/fuzz/seeds"}) {
    paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

TEST_CASE("the front end survives every seed and every prefix of it", "[fuzz]") {
  const std::vector<std::filesystem::path> paths = seeds();
  REQUIRE(paths.size() >= 10);
  for (const std::filesystem::path& path : paths) {
    CAPTURE(path);
    std::ifstream file{path, std::ios::binary};
    REQUIRE(file);
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    // What goes wrong here aborts; the captured path is then in the crash report.
    for (std::size_t size = 0; size <= text.size(); ++size) {
      parse_everything(text.substr(0, size));
      format_everything(text.substr(0, size));
    }
  }
}

}  // namespace cohort::fuzz
