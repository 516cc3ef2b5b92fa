// Runs the cohort program, as a user does.
#pragma once

#include <string>
#include <vector>

namespace cohort::support {

struct RunResult {
  int status = 0;  ///< exit status, or 128 + the signal that ended it
  std::string out;
  std::string err;
};

/// Runs `cohort` with these arguments in the project's root folder; no shell is involved.
[[nodiscard]] RunResult run_cohort(const std::vector<std::string>& arguments,
                                   const std::string& standard_input = {});

/// Splits a command line at blanks; "…" keeps a piece together.
[[nodiscard]] std::vector<std::string> split_words(const std::string& line);

[[nodiscard]] std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

/// A folder that is removed with everything in it when this object dies.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace cohort::support
