#include "cohort/evidence.hpp"

namespace cohort {

std::string to_string(const Value& value) {
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* const truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* const name = std::get_if<std::string>(&value)) return *name;
  return "none";
}

std::string to_string(const Step& step) {
  std::string text = step.label + "(";
  for (std::size_t i = 0; i < step.processes.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(step.processes[i].second);
  }
  text += ")";
  for (std::size_t i = 0; i < step.changes.size(); ++i) {
    text += i == 0 ? "  " : ", ";
    text += step.changes[i].first + " = " + to_string(step.changes[i].second);
  }
  return text;
}

}  // namespace cohort
