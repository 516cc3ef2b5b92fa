// What a check can say about a property.
#pragma once

namespace cohort::base {

enum class Verdict { Holds, Fails, Unknown, Error };

/// "holds", "fails", "unknown", "error".
[[nodiscard]] constexpr const char* word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return "holds";
    case Verdict::Fails:
      return "fails";
    case Verdict::Unknown:
      return "unknown";
    case Verdict::Error:
      break;
  }
  return "error";
}

}  // namespace cohort::base
