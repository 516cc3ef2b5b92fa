// Work in a process of its own: its memory is its own, and so is its end.
//
//   const ChildResult result = in_child([] { return std::string("what was found"); });
//   if (result.signal != 0) …     // killed, for instance for want of memory
#pragma once

#include <functional>
#include <string>

namespace cohort::cli {

struct ChildResult {
  std::string text;  ///< what the work returned; empty if it did not end in order
  bool finished = false;
  int signal = 0;  ///< that ended the process; 0 if none did
};

/// Runs `work` in a copy of this process and waits for its end.  An exception in it counts as not
/// finished.  Nothing may be left in the buffers of the standard streams.
[[nodiscard]] ChildResult in_child(const std::function<std::string()>& work);

}  // namespace cohort::cli
