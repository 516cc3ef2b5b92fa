// Kinds of processes: what a process looks like, as a number.
//
// A kind is a module, the values of the process's own variables, its colour, and the variables of
// the evaluation that stand for it (its names).  What belongs to no process of a large module is a
// kind as well, of no module: every state has one of that.  Its record ends with what each
// individual (counted_layout.hpp) looks like: its colour, and its names above.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/id_set.hpp"
#include "model/fault.hpp"

namespace cohort::quotient {

using base::IdSet;
using base::mixed;

using KindId = std::uint32_t;
using model::Value;

/// Kinds and how many processes are of each, module after module.
using Entries = std::vector<std::pair<KindId, std::uint32_t>>;

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

  /// By module the number of values in a record; the last is for what belongs to no process, with
  /// the looks of individuals at its end.
  explicit Kinds(std::vector<std::size_t> record_sizes, std::size_t num_individuals = 0)
      : sizes_(std::move(record_sizes)), num_individuals_(num_individuals) {}

  [[nodiscard]] KindId insert(Look look, const Value* record);
  /// IdSet::none if there is no such kind.
  [[nodiscard]] KindId find(Look look, const Value* record) const;
  [[nodiscard]] const Look& look(KindId kind) const { return looks_[kind]; }
  [[nodiscard]] const Value* record(KindId kind) const { return values_.data() + first_[kind]; }
  [[nodiscard]] std::size_t record_size(KindId kind) const { return sizes_[looks_[kind].module]; }
  /// The same record without colours and names.
  [[nodiscard]] KindId plain(KindId kind) {
    if (plain_[kind] == IdSet::none) plain_[kind] = make_plain(kind);
    return plain_[kind];
  }
  /// The same record with another colour and other names.
  [[nodiscard]] KindId dressed(KindId kind, std::uint16_t colour, Names names);
  [[nodiscard]] std::size_t size() const { return looks_.size(); }

 private:
  [[nodiscard]] std::uint64_t hash(Look look, const Value* record) const;
  [[nodiscard]] KindId make_plain(KindId kind);

  std::vector<std::size_t> sizes_;
  std::size_t num_individuals_;
  std::vector<Look> looks_;
  std::vector<std::size_t> first_;  // in values_
  std::vector<Value> values_;
  std::vector<KindId> plain_;
  IdSet numbers_;
  std::vector<Value> buffer_;
};

}  // namespace cohort::quotient
