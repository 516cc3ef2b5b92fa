// A finding about a text that Cohort was given.
#pragma once

#include <cstdint>
#include <string>

namespace cohort {

enum class Severity { Error, Warning };

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string file;
  std::uint32_t line = 0;    ///< from 1; 0 if the finding is about the file as a whole
  std::uint32_t column = 0;  ///< from 1, in code points; 0 likewise
  std::string message;
  std::string hint;  ///< may be empty
};

}  // namespace cohort
