#include "support/run_program.hpp"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cohort::support {
namespace {

void redirect(const TemporaryFolder& folder) {
  const auto redirect_one = [&](const char* name, int flags, int target) {
    const int file = open(folder.path(name).c_str(), flags, 0600);
    if (file < 0 || dup2(file, target) < 0) _exit(126);
  };
  redirect_one("in", O_RDONLY, STDIN_FILENO);
  redirect_one("out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect_one("err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
}

[[noreturn]] void become_cohort(const Surroundings& surroundings,
                                const std::vector<std::string>& arguments) {
  if (chdir(COHORT_SOURCE_DIR) != 0) _exit(126);
  for (const auto& [name, value] : surroundings.environment) {
    if (setenv(name.c_str(), value.c_str(), 1) != 0) _exit(126);
  }
  if (surroundings.address_space > 0) {
    const rlimit limit{surroundings.address_space, surroundings.address_space};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(126);
  }
  std::vector<std::string> words{"cohort"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(COHORT_PROGRAM, pointers.data());
  _exit(127);
}

[[nodiscard]] int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Sends SIGINT once the file has the text; gives up, and kills, after a while.
void interrupt_when(pid_t child, const std::string& file, const std::string& text) {
  constexpr int tries = 3000;
  for (int i = 0; i < tries; ++i) {
    usleep(10'000);
    if (!std::filesystem::exists(file) || read_text(file).find(text) == std::string::npos) continue;
    kill(child, SIGINT);
    return;
  }
  kill(child, SIGKILL);
}

[[nodiscard]] RunResult run(const Surroundings& surroundings,
                            const std::vector<std::string>& arguments,
                            const std::string& standard_input) {
  const TemporaryFolder folder;
  write_text(folder.path("in"), standard_input);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    redirect(folder);
    become_cohort(surroundings, arguments);
  }
  if (!surroundings.interrupt_at.empty()) {
    interrupt_when(child, folder.path("err"), surroundings.interrupt_at);
  }
  RunResult result;
  result.status = wait_for(child);
  result.out = read_text(folder.path("out"));
  result.err = read_text(folder.path("err"));
  return result;
}

}  // namespace

RunResult run_cohort(const std::vector<std::string>& arguments, const std::string& standard_input) {
  return run({}, arguments, standard_input);
}

RunResult run_cohort_in(const Surroundings& surroundings,
                        const std::vector<std::string>& arguments) {
  return run(surroundings, arguments, {});
}

RunResult run_on_terminal(const Surroundings& surroundings,
                          const std::vector<std::string>& arguments) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child < 0) throw std::runtime_error("cannot make a terminal");
  if (child == 0) become_cohort(surroundings, arguments);
  RunResult result;
  char bytes[4096];
  // The terminal's other end is gone when the program is: then reading is an error.
  for (ssize_t count = 0; (count = read(terminal, bytes, sizeof bytes)) > 0;) {
    result.out.append(bytes, static_cast<std::size_t>(count));
  }
  close(terminal);
  result.status = wait_for(child);
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
