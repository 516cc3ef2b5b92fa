// Kinds of processes: what a process looks like, as a number.
//
// A kind is a module, the values of the process's own variables, its colour, and the variables of
// the evaluation that stand for it (its names).  What belongs to no process of a large module is a
// kind as well, of no module: every state has one of that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/fault.hpp"
#include "quotient/id_set.hpp"

namespace cohort::quotient {

using KindId = std::uint32_t;
using model::Value;

/// A set of variables of an evaluation, by their number in a domain.
using Names = std::uint32_t;
constexpr std::size_t most_names = 32;

class Kinds {
 public:
  struct Look {
    std::uint32_t module = 0;
    std::uint16_t colour = 0;
    Names names = 0;

    friend bool operator==(const Look&, const Look&) = default;
  };

  /// By module the number of values in a record; the last is for what belongs to no process.
  explicit Kinds(std::vector<std::size_t> record_sizes) : sizes_(std::move(record_sizes)) {}

  [[nodiscard]] KindId insert(Look look, const Value* record);
  [[nodiscard]] const Look& look(KindId kind) const { return looks_[kind]; }
  [[nodiscard]] const Value* record(KindId kind) const { return values_.data() + first_[kind]; }
  [[nodiscard]] std::size_t record_size(KindId kind) const { return sizes_[looks_[kind].module]; }
  /// The same record without colour and names.
  [[nodiscard]] KindId plain(KindId kind) {
    if (plain_[kind] == IdSet::none) plain_[kind] = dressed(kind, 0, 0);
    return plain_[kind];
  }
  /// The same record with another colour and other names.
  [[nodiscard]] KindId dressed(KindId kind, std::uint16_t colour, Names names);
  [[nodiscard]] std::size_t size() const { return looks_.size(); }

 private:
  std::vector<std::size_t> sizes_;
  std::vector<Look> looks_;
  std::vector<std::size_t> first_;  // in values_
  std::vector<Value> values_;
  std::vector<KindId> plain_;
  IdSet numbers_;
  std::vector<Value> buffer_;
};

}  // namespace cohort::quotient
