// What the program's exit status says: the contract of `cohort --help`.
#pragma once

namespace cohort::cli {

enum class ExitStatus {
  AsExpected = 0,
  NotAsExpected = 1,
  InputError = 2,
  Unknown = 3,
  Interrupted = 130,
};

}  // namespace cohort::cli
