// Limits of a run: time, memory, and the person at the keyboard.
//
//   Limits limits;
//   limits.set_timeout(60.0);
//   while (…) if (limits.exceeded()) return unknown(limits.reason());
//
// Asking costs next to nothing: where questions come quickly, clock and memory are looked at once
// in a few hundred of them; where one step takes long, every time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cohort::base {

/// Bytes of memory that this process has resident now; 0 where that cannot be told.
[[nodiscard]] std::size_t resident_bytes();

class Limits {
 public:
  enum class Reason : std::uint8_t { None, Time, Memory, States, Interrupt };

  Limits() : started_(Clock::now()) {}

  void set_timeout(double seconds);
  void set_max_memory(std::size_t bytes) { max_memory_ = bytes; }
  void set_max_states(std::uint64_t states) { max_states_ = states; }
  [[nodiscard]] std::uint64_t max_states() const { return max_states_; }

  /// Once true, it stays true.
  [[nodiscard]] bool exceeded() {
    if (interrupted_.load(std::memory_order_relaxed)) return stop(Reason::Interrupt);
    if (reason_ != Reason::None) return true;
    if (++questions_ < stride_) return false;
    questions_ = 0;
    return look();
  }
  /// Looks at the clock at once; for those who ask seldom.
  [[nodiscard]] bool exceeded_now() {
    questions_ = stride_;
    return exceeded();
  }
  /// The same for a search that has this many states.
  [[nodiscard]] bool exceeded(std::uint64_t num_states) {
    if (num_states > max_states_) return stop(Reason::States);
    return exceeded();
  }
  /// For a search that notices by itself that memory is at its end.
  void out_of_memory() { (void)stop(Reason::Memory); }

  [[nodiscard]] Reason reason() const { return reason_; }
  /// "the time limit of 60 s was reached"; empty if no limit was.
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] double seconds() const;

  /// May be called from a signal handler; concerns every object of this class.
  static void interrupt() { interrupted_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] static bool interrupted() { return interrupted_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint32_t longest_stride = 256;

  bool stop(Reason reason) {
    if (reason_ == Reason::None) reason_ = reason;
    return true;
  }
  [[nodiscard]] bool look();

  static inline std::atomic<bool> interrupted_{false};
  static_assert(std::atomic<bool>::is_always_lock_free);

  Clock::time_point started_;
  double timeout_ = 0;
  std::size_t max_memory_ = 0;
  std::uint64_t max_states_ = UINT64_MAX;
  std::uint32_t questions_ = 0;
  std::uint32_t stride_ = 1;  // questions between two looks
  double last_look_ = 0;      // in seconds since the start, as the next
  double last_measurement_ = 0;
  Reason reason_ = Reason::None;
};

}  // namespace cohort::base
