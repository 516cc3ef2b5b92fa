// How a state is laid out in memory.
//
// A state gives every *instance* of every variable a value (instances.hpp numbers them).  While a
// state is being looked at it is an array of values, one for each instance; while it is remembered
// it is packed into words, each value in as many bits as its variable can need.  The fields of one
// process lie together and in one order, so that permuting processes permutes records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lang/program.hpp"
#include "model/bounds.hpp"
#include "model/fault.hpp"
#include "model/instances.hpp"

namespace cohort::model {

using Word = std::uint64_t;

/// Where an instance is in a packed state.
struct Field {
  std::uint32_t word = 0;
  std::uint8_t shift = 0;
  std::uint8_t width = 0;  ///< in bits; 0 if the variable has one value only
  Value first = 0;         ///< what the bits are added to

  [[nodiscard]] Word mask() const { return width == 64 ? ~Word{0} : (Word{1} << width) - 1; }
};

class Layout {
 public:
  /// Of no instances.
  Layout() = default;
  Layout(const lang::Program& program, const Instances& instances, const Bounds& bounds);

  [[nodiscard]] std::size_t num_words() const { return num_words_; }
  [[nodiscard]] std::size_t num_instances() const { return fields_.size(); }
  [[nodiscard]] const Field& field(std::size_t instance) const { return fields_[instance]; }

  void unpack(const Word* state, Value* values) const {
    for (std::size_t i = 0; i < fields_.size(); ++i) values[i] = get(state, i);
  }
  [[nodiscard]] Value get(const Word* state, std::size_t instance) const {
    const Field& field = fields_[instance];
    return static_cast<Value>((state[field.word] >> field.shift) & masks_[instance]) + field.first;
  }
  void set(Word* state, std::size_t instance, Value value) const {
    const Field& field = fields_[instance];
    const Word mask = masks_[instance] << field.shift;
    const Word bits = static_cast<Word>(value - field.first) << field.shift;
    state[field.word] = (state[field.word] & ~mask) | (bits & mask);
  }

 private:
  std::vector<Field> fields_;
  std::vector<Word> masks_;
  std::size_t num_words_ = 0;
};

}  // namespace cohort::model
