// What a warning is about, under a name that does not change: `-W CODE=error|warn|off`.
#pragma once

namespace cohort::base {

struct FindingCode {
  const char* code;     ///< "unused-variable"
  const char* meaning;  ///< "a variable that is never used"
};

}  // namespace cohort::base
