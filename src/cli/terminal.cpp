#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "report/text.hpp"

namespace cohort::cli {
namespace {

extern "C" void on_interrupt(int /*signal*/) { base::Limits::interrupt(); }

[[nodiscard]] bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  // The default comes back with the first signal, so that the second one kills.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  (void)sigaction(SIGINT, &action, nullptr);
}

InterruptGuard::~InterruptGuard() { (void)signal(SIGINT, SIG_DFL); }

bool wants_colour() {
  const char* const terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && !is_set("NO_COLOR") &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

ProgressLine::ProgressLine(const OutputWords& words, const base::Limits& limits)
    : limits_(limits),
      on_(words.progress == ShowProgress::Always ||
          (words.progress == ShowProgress::Auto && !words.quiet && isatty(STDERR_FILENO) == 1)),
      rewrites_(isatty(STDERR_FILENO) == 1),
      next_(Clock::now()) {}

void ProgressLine::show(const cctl::Progress& progress) {
  if (!on_ || Clock::now() < next_) return;
  next_ = Clock::now() + (rewrites_ ? std::chrono::milliseconds(100) : std::chrono::seconds(1));
  const double seconds = limits_.seconds();
  const double rate = seconds > 0 ? static_cast<double>(progress.states) / seconds : 0;
  fmt::print(stderr, "{}{} states, {:.0f} states/s, depth {}, {}, {:.1f} s{}",
             rewrites_ ? "\r" : "", progress.states, rate, progress.depth,
             report::text_of_bytes(base::resident_bytes()), seconds, rewrites_ ? "\x1b[K" : "\n");
  (void)std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  shown_ = false;
  if (rewrites_) (void)std::fputs("\r\x1b[K", stderr);
  (void)std::fflush(stderr);
}

}  // namespace cohort::cli
