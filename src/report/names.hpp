// How the parts of evidence are written: instances, processes, values.
//
//   const Names names{program};
//   names.label(step)                 // "grant(0, 3)"
//   names.instances().name(change.instance)
#pragma once

#include <string>
#include <vector>

#include "cctl/evidence.hpp"
#include "lang/program.hpp"
#include "model/instances.hpp"
#include "report/json_writer.hpp"

namespace cohort::report {

class Names {
 public:
  /// Keeps a reference to `program`.
  explicit Names(const lang::Program& program) : program_(program), instances_(program) {}

  [[nodiscard]] const lang::Program& program() const { return program_; }
  [[nodiscard]] const model::Instances& instances() const { return instances_; }

  /// A schema with its processes, the primary one first: "grant(0, 3)".
  [[nodiscard]] std::string label(base::SchemaId schema,
                                  const std::vector<cctl::Value>& processes) const;
  /// "lk[3] = waiting".
  [[nodiscard]] std::string assignment(std::size_t instance, cctl::Value value) const;
  /// "client(3)".
  [[nodiscard]] std::string process(lang::ModuleId module, cctl::Value id) const;

  /// Has a value for every variable instance: a path without one was not found.
  [[nodiscard]] bool is_state(const std::vector<cctl::Value>& values) const {
    return values.size() == instances_.size();
  }

  /// Numbers and processes as numbers, enum values by their names, booleans, none as null.
  void write_value(JsonWriter& json, std::size_t instance, cctl::Value value) const;

 private:
  const lang::Program& program_;
  model::Instances instances_;
};

/// At most `width` code points; what is cut off is marked with an ellipsis.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t width);

}  // namespace cohort::report
