#include "cli/in_child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <stdexcept>

namespace cohort::cli {
namespace {

[[noreturn]] void work_and_exit(const std::function<std::string()>& work, int pipe_end) {
  int status = 1;
  try {
    const std::string text = work();
    std::size_t sent = 0;
    while (sent < text.size()) {
      const ssize_t count = write(pipe_end, text.data() + sent, text.size() - sent);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) break;
      sent += static_cast<std::size_t>(count);
    }
    status = sent == text.size() ? 0 : 1;
  } catch (const std::exception&) {
    status = 1;
  }
  _exit(status);
}

[[nodiscard]] std::string read_all(int pipe_end) {
  std::string text;
  char bytes[4096];
  for (;;) {
    const ssize_t count = read(pipe_end, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(bytes, static_cast<std::size_t>(count));
  }
}

}  // namespace

ChildResult in_child(const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot make a process");
  if (child == 0) {
    close(ends[0]);
    work_and_exit(work, ends[1]);
  }
  close(ends[1]);
  ChildResult result;
  result.text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (!result.finished) result.text.clear();
  return result;
}

}  // namespace cohort::cli
