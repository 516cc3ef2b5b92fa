#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "support/run_program.hpp"

namespace cohort {

using support::read_text;
using support::run_cohort;
using support::RunResult;
using support::TemporaryFolder;
using support::write_text;

namespace {

const std::string untidy = "Program Module client=2;x[client]=0;";

[[nodiscard]] std::string tidy() { return run_cohort({"fmt", "-"}, untidy).out; }

}  // namespace

TEST_CASE("fmt prints files in canonical form", "[cli]") {
  CHECK(tidy() == "Program\n  Module client = 2;\n  x[client] = 0;\n");
  CHECK(run_cohort({"fmt", "-"}, tidy()).out == tidy());
  CHECK(run_cohort({"fmt", "-"}, "property a:AG x=0;").out == "property a : AG x = 0;\n");
}

TEST_CASE("the models and specs of the repository are in canonical form", "[cli]") {
  for (const char* const folder : {"models", "specs"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(COHORT_SOURCE_DIR) + "/" + folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".coh" && extension != ".cctl") continue;
      CAPTURE(entry.path().string());
      CHECK(run_cohort({"fmt", "--check", entry.path().string()}).status == 0);
    }
  }
}

TEST_CASE("fmt --check only reports", "[cli]") {
  const TemporaryFolder folder;
  const std::string good = folder.path("good.coh");
  const std::string bad = folder.path("bad.coh");
  write_text(good, tidy());
  write_text(bad, untidy);
  CHECK(run_cohort({"fmt", "--check", good}).status == 0);
  const RunResult result = run_cohort({"fmt", "--check", good, bad});
  CHECK(result.status == 1);
  CHECK(result.out == bad + ": not in canonical form\n");
  CHECK(read_text(bad) == untidy);
}

TEST_CASE("fmt --in-place replaces a file and keeps its mode", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.path("a.coh");
  write_text(file, untidy);
  REQUIRE(chmod(file.c_str(), 0640) == 0);
  std::filesystem::create_symlink("a.coh", folder.path("link.coh"));
  const RunResult result = run_cohort({"fmt", "--in-place", folder.path("link.coh")});
  CHECK(result.status == 0);
  CHECK(result.out.empty());
  CHECK(read_text(file) == tidy());
  CHECK(std::filesystem::is_symlink(folder.path("link.coh")));
  struct stat status {};
  REQUIRE(stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0640U);
  const std::filesystem::directory_iterator entries{folder.path(".")};
  CHECK(std::distance(begin(entries), end(entries)) == 2);  // nothing is left over
}

TEST_CASE("fmt --in-place keeps the owner, or refuses", "[cli]") {
  if (geteuid() != 0) return;  // only root can give files away
  const TemporaryFolder folder;
  const std::string file = folder.path("a.coh");
  write_text(file, untidy);
  REQUIRE(chown(file.c_str(), 12345, 23456) == 0);
  CHECK(run_cohort({"fmt", "--in-place", file}).status == 0);
  struct stat status {};
  REQUIRE(stat(file.c_str(), &status) == 0);
  CHECK(status.st_uid == 12345);
  CHECK(status.st_gid == 23456);
  SECTION("also in a folder that gives new files its own group") {
    REQUIRE(chown(folder.path(".").c_str(), 0, 34567) == 0);
    REQUIRE(chmod(folder.path(".").c_str(), 02755) == 0);
    REQUIRE(chown(file.c_str(), geteuid(), getegid()) == 0);
    write_text(file, untidy);
    CHECK(run_cohort({"fmt", "--in-place", file}).status == 0);
    REQUIRE(stat(file.c_str(), &status) == 0);
    CHECK(status.st_gid == getegid());
  }
}

TEST_CASE("fmt leaves a file with errors alone and reports them", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.path("wrong.coh");
  write_text(file, "Program Module = 2;");
  const RunResult result = run_cohort({"fmt", "--in-place", file});
  CHECK(result.status == 2);
  CHECK(result.err.starts_with(file + ":1:16: error: "));
  CHECK(read_text(file) == "Program Module = 2;");
}

}  // namespace cohort
