// What a check can say about a property.
#pragma once

namespace cohort::base {

enum class Verdict { Holds, Fails, Unknown, Error };

}  // namespace cohort::base
