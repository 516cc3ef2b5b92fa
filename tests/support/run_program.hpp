// Runs the cohort program, as a user does.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
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

/// What is around the program while it runs.
struct Surroundings {
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to that of the tests
  std::size_t address_space = 0;  ///< bytes that it may reserve; 0: no limit
  /// Sends SIGINT as soon as standard error says this; empty: never.
  std::string interrupt_at;
};

[[nodiscard]] RunResult run_cohort_in(const Surroundings& surroundings,
                                      const std::vector<std::string>& arguments);

/// Runs it on a terminal of its own, which gets both outputs; they come back as `out`.
[[nodiscard]] RunResult run_on_terminal(const Surroundings& surroundings,
                                        const std::vector<std::string>& arguments);

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
