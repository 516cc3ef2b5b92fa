// Colours of processes, refined until they say all that neighbourhoods can say.
//
//   Refinement refinement{program};
//   refinement.load(words);
//   refinement.colour_by_content();
//   refinement.refine();
//   refinement.colours()   // by process: how many of its module come before it
//
// Where processes are related to each other (structure.hpp) sorting records is not enough.  A
// colour is a place in the order of a module's processes that does not depend on their names: first
// by what each has for itself, then by what its relations say about those that it is related to.
// Keeps buffers: one object for each thread.
#pragma once

#include <cstdint>
#include <vector>

#include "model/program.hpp"
#include "symmetry/permutation.hpp"
#include "symmetry/structure.hpp"

namespace cohort::symmetry {

class Refinement {
 public:
  /// Keeps references to both.
  Refinement(const model::Program& program, const Structure& structure);

  void load(const model::Word* words);
  [[nodiscard]] const std::vector<model::Value>& values() const { return values_; }
  [[nodiscard]] const std::vector<std::uint32_t>& colours() const { return colours_; }

  void colour_by_content();
  void refine();
  /// Splits colours by further numbers, one for each process of an entangled module.
  void split(const std::vector<std::uint64_t>& numbers);

  /// Whether exchanging two processes that have the same content leaves the state as it is.
  [[nodiscard]] bool can_exchange(std::uint32_t a, std::uint32_t b) const;
  /// Whether all processes of one colour can be exchanged.
  [[nodiscard]] bool ties_are_plain();
  /// As Canonicalizer::classes; after colour_by_content.
  void classes(std::vector<std::uint32_t>& numbers);

  /// Writes the loaded state with every process p renamed to permutation[p].
  void write(const Permutation& permutation, model::Word* words) const;

  /// The part of a relation behind its subscripts: the process that it holds.
  [[nodiscard]] std::uint32_t held(const Relation& relation) const {
    return relation.value_module_first + static_cast<std::uint32_t>(values_[relation.instance]);
  }
  [[nodiscard]] bool holds_some(const Relation& relation) const {
    return relation.holds_process && values_[relation.instance] != lang::none_value;
  }

 private:
  template <typename Before>
  [[nodiscard]] std::size_t number(const Structure::Module& module, Before before);
  void gather(const Relation& relation);

  const model::Program& program_;
  const Structure& structure_;
  std::vector<model::Value> values_;
  std::vector<std::uint32_t> colours_;
  std::vector<std::uint32_t> numbered_;
  std::vector<std::uint64_t> gathered_;  // by process: what its relations say
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> first_of_colour_;
  // The relations that hold a process: the first one, by process, and the next one, by number in
  // Structure::holders.
  std::vector<std::uint32_t> first_holder_;
  std::vector<std::uint32_t> next_holder_;
};

}  // namespace cohort::symmetry
