#include "support/run_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cohort::support {
namespace {

[[noreturn]] void become_cohort(const std::vector<std::string>& arguments,
                                const TemporaryFolder& folder) {
  const auto redirect = [&](const char* name, int flags, int target) {
    const int file = open(folder.path(name).c_str(), flags, 0600);
    if (file < 0 || dup2(file, target) < 0) _exit(126);
  };
  redirect("in", O_RDONLY, STDIN_FILENO);
  redirect("out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect("err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  if (chdir(COHORT_SOURCE_DIR) != 0) _exit(126);
  std::vector<std::string> words{"cohort"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(COHORT_PROGRAM, pointers.data());
  _exit(127);
}

}  // namespace

RunResult run_cohort(const std::vector<std::string>& arguments, const std::string& standard_input) {
  const TemporaryFolder folder;
  write_text(folder.path("in"), standard_input);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become_cohort(arguments, folder);
  int status = 0;
  waitpid(child, &status, 0);
  RunResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_text(folder.path("out"));
  result.err = read_text(folder.path("err"));
  return result;
}

std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false;
  bool open = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      if (!open) words.emplace_back();
      open = true;
    } else if (c == ' ' && !quoted) {
      open = false;
    } else {
      if (!open) words.emplace_back();
      open = true;
      words.back() += c;
    }
  }
  return words;
}

std::string read_text(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file{path, std::ios::binary};
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "cohort-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace cohort::support
