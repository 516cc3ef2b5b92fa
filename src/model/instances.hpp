// The variable instances of a program, numbered: variable after variable, each row by row.
//
//   const Instances instances{program};
//   instances.name(instances.number(request, {0, 3}))   // "request[0,3]"
//
// Evidence, reports and the state layout all speak of instances by these numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lang/program.hpp"
#include "model/fault.hpp"

namespace cohort::model {

class Instances {
 public:
  /// Keeps a reference to `program`.
  explicit Instances(const lang::Program& program);

  [[nodiscard]] std::size_t size() const { return first_.back(); }
  [[nodiscard]] std::size_t first(lang::VariableId variable) const {
    return first_[base::index_of(variable)];
  }
  /// How many instances a variable has.
  [[nodiscard]] std::size_t count(lang::VariableId variable) const {
    return first_[base::index_of(variable) + 1] - first(variable);
  }
  [[nodiscard]] lang::VariableId variable_of(std::size_t instance) const;
  /// The subscripts as they are written: process ids, or numbers of a range.
  [[nodiscard]] std::vector<Value> subscripts(std::size_t instance) const;
  [[nodiscard]] std::size_t number(lang::VariableId variable,
                                   const std::vector<Value>& subscripts) const;
  /// "request[0,3]", without blanks.
  [[nodiscard]] std::string name(std::size_t instance) const;
  /// The instance of that name, if there is one.
  [[nodiscard]] std::optional<std::size_t> find(const std::string& name) const;
  /// "holding", "true", "none", "3": a value as a user writes it.
  [[nodiscard]] std::string value_text(std::size_t instance, Value value) const;

 private:
  const lang::Program& program_;
  std::vector<std::size_t> first_;  // and one past the end
};

}  // namespace cohort::model
