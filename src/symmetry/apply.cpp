#include "symmetry/apply.hpp"

namespace cohort::symmetry {

using model::Value;

namespace {

/// Walks the instances of a variable in their order and tells where each one goes.
class Walk {
 public:
  Walk(const model::Program& program, const Permutation& permutation, lang::VariableId variable)
      : program_(program),
        permutation_(permutation),
        dimensions_(program.source()[variable].dimensions),
        first_(program.instances().first(variable)),
        positions_(dimensions_.size(), 0) {}

  [[nodiscard]] std::size_t target() const {
    std::size_t at = 0;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      at = at * size(d) + moved(d);
    }
    return first_ + at;
  }
  void next() {
    for (std::size_t d = dimensions_.size(); d-- > 0;) {
      if (++positions_[d] < size(d)) return;
      positions_[d] = 0;
    }
  }

 private:
  [[nodiscard]] std::size_t size(std::size_t d) const {
    return static_cast<std::size_t>(dimensions_[d].range.last - dimensions_[d].range.first + 1);
  }
  [[nodiscard]] std::size_t moved(std::size_t d) const {
    if (!dimensions_[d].module) return positions_[d];
    const std::size_t first = program_.process_number(*dimensions_[d].module, 0);
    return permutation_[first + positions_[d]] - first;
  }

  const model::Program& program_;
  const Permutation& permutation_;
  const std::vector<lang::Dimension>& dimensions_;
  std::size_t first_;
  std::vector<std::size_t> positions_;
};

}  // namespace

std::vector<Value> apply(const model::Program& program, const Permutation& permutation,
                         const std::vector<Value>& values) {
  std::vector<Value> made(values.size());
  const lang::Program& source = program.source();
  for (std::uint32_t v = 0; v < source.variables.size(); ++v) {
    const lang::VariableId id{v};
    const lang::Type& type = source.variables[v].type;
    const std::size_t first = program.instances().first(id);
    const std::size_t count = program.instances().count(id);
    Walk walk{program, permutation, id};
    for (std::size_t i = first; i < first + count; ++i, walk.next()) {
      Value value = values[i];
      if (type.is_process() && value != lang::none_value) {
        const std::size_t first_process = program.process_number(type.module, 0);
        value = static_cast<Value>(permutation[program.process_number(type.module, value)] -
                                   first_process);
      }
      made[walk.target()] = value;
    }
  }
  return made;
}

}  // namespace cohort::symmetry
