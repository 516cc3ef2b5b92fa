// Canonical numbers for the processes of a counted state that stand apart.
//
//   Arranger arrange{layout, kinds};
//   background = arrange(background, entries);   // individuals have their canonical numbers now
//   arrange.moves()[i]                           // the number of what was individual i
//
// Idea.  Kinds need no order; individuals (counted_layout.hpp) have numbers, and states that differ
// in those only have to be one.  As in symmetry/refinement.hpp individuals get colours by what the
// background says of them, refined by the colours of those that they are related to; a kind that is
// present takes part like one more process, with what it looks like and how many are of it.
// Individuals that still tie are in any order where exchanging them changes nothing; otherwise
// bliss orders them.  What the background alone says is remembered: mostly it tells all individuals
// apart.
//
// Whatever the order, it renames processes and nothing else: were two states that are one given
// different numbers, there would be more states than needed, but no wrong ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quotient/counted_kinds.hpp"
#include "quotient/counted_layout.hpp"

namespace cohort::quotient {

class Arranger {
 public:
  /// Keeps references to both.
  Arranger(const CountedLayout& layout, Kinds& kinds);

  /// Renumbers the individuals of a state, in its background, which is returned, and in its
  /// entries.
  [[nodiscard]] KindId operator()(KindId background, Entries& entries);
  /// Of the last call.
  [[nodiscard]] const std::vector<std::uint32_t>& moves() const { return moves_; }
  /// What a kind has become in the last call.
  [[nodiscard]] KindId moved(KindId kind) { return is_identity_ ? kind : permuted(kind); }

 private:
  using Field = CountedLayout::Field;

  [[nodiscard]] std::size_t module_of(KindId kind) const { return kinds_.look(kind).module; }
  [[nodiscard]] bool crosses(KindId kind) const { return !layout_.fields(module_of(kind)).empty(); }
  /// The individuals of a field, into parts_: its subscripts and the one that it holds.
  [[nodiscard]] bool find_parts(const Field& field, const Value* record);
  void gather(const Value* record, std::size_t module, std::uint64_t start);
  [[nodiscard]] std::uint64_t own_hash(KindId kind);
  [[nodiscard]] std::uint64_t hash(KindId kind, std::uint32_t count);
  /// Splits the colours by the numbers in gathered_; returns how many there are.
  std::size_t split();
  /// Colours by what the background says.
  void colour(KindId background);
  void start(KindId background);
  void refine(KindId background, const Entries& entries);
  [[nodiscard]] bool ties_are_plain(KindId background, const Entries& entries);
  [[nodiscard]] bool is_fixed(KindId background, const Entries& entries);
  void break_ties(KindId background, const Entries& entries);

  /// A record after individuals have moved, into buffer_.
  void permute(KindId kind);
  [[nodiscard]] KindId permuted(KindId kind);

  const CountedLayout& layout_;
  Kinds& kinds_;
  std::vector<std::uint32_t> colours_;  // by individual: how many of its module come before it
  std::vector<std::uint64_t> gathered_;
  std::vector<std::uint32_t> order_;  // of individuals, module after module
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint32_t> moves_;
  std::vector<std::uint32_t> parts_;
  std::vector<std::uint64_t> own_hashes_;  // by kind; 0 if it is not known
  std::vector<Value> buffer_;
  bool is_identity_ = true;
  /// Of a background: its colours, at this place in remembered_, and what it becomes if they are
  /// all different.
  struct Known {
    std::size_t colours = SIZE_MAX;
    KindId moved = IdSet::none;
  };
  std::vector<Known> known_;  // by kind
  std::vector<std::uint32_t> remembered_;
};

}  // namespace cohort::quotient
