#include "base/limits.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace cohort::base {

std::size_t resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long size = 0;
  unsigned long resident = 0;
  const int fields = std::fscanf(file, "%lu %lu", &size, &resident);
  (void)std::fclose(file);
  if (fields != 2) return 0;
  return static_cast<std::size_t>(resident) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void Limits::set_timeout(double seconds) { timeout_ = seconds; }

double Limits::seconds() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

bool Limits::look() {
  const double now = seconds();
  if (timeout_ > 0 && now >= timeout_) return stop(Reason::Time);
  constexpr double often_enough = 0.002;
  if (now - last_look_ > 4 * often_enough) {
    stride_ = 1;
  } else if (now - last_look_ < often_enough && stride_ < longest_stride) {
    stride_ *= 2;
  }
  last_look_ = now;
  // Reading a file of /proc costs some microseconds, looking at the clock far less.
  if (max_memory_ > 0 && now - last_measurement_ > often_enough) {
    last_measurement_ = now;
    if (resident_bytes() > max_memory_) return stop(Reason::Memory);
  }
  return false;
}

std::string Limits::describe() const {
  switch (reason_) {
    case Reason::None:
      return {};
    case Reason::Time:
      return fmt::format("the time limit of {} s was reached", timeout_);
    case Reason::Memory:
      return max_memory_ == 0
                 ? std::string("memory is exhausted")
                 : fmt::format("the memory limit of {} MiB was reached", max_memory_ >> 20U);
    case Reason::States:
      return fmt::format("the limit of {} states was reached", max_states_);
    case Reason::Interrupt:
      return "interrupted";
  }
  return {};
}

}  // namespace cohort::base
