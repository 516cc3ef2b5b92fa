// Running an automaton, fast.
//
//   const Compiled monitor{automaton};
//   StateIndex at = monitor.start();
//   for (const Bits& position : word) at = monitor.step(at, position.data());
//   const bool accepted = monitor.accepting(at);
//
// start() and step() are for deterministic automata, such as finite_automaton() makes; initial()
// and next() for all: they give every state that can come next.
//
// A position is given by its atoms' truth, as bits: atom a is bit a % 64 of word a / 64.  Bits of
// atoms that the automaton does not have are not looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ltl/automaton.hpp"

namespace cohort::monitor {

using ltl::Acceptance;
using ltl::Automaton;
using ltl::StateIndex;

/// How many words of bits a position has.
[[nodiscard]] constexpr std::size_t num_words(std::size_t num_atoms) {
  return num_atoms == 0 ? 1 : (num_atoms + 63) / 64;
}

/// An automaton that only runs.  Immutable; may be shared by threads.
///
/// Its states are those of the automaton, by the same numbers, and one more, dead(), which stands
/// for "every run is stuck": no word is accepted from it and it is never left.
class Compiled {
 public:
  explicit Compiled(Automaton automaton);

  [[nodiscard]] bool deterministic() const { return deterministic_; }
  [[nodiscard]] std::size_t num_atoms() const { return num_atoms_; }
  [[nodiscard]] Acceptance acceptance() const { return acceptance_; }
  /// Without dead().
  [[nodiscard]] std::size_t num_states() const { return accepting_.size() - 1; }
  [[nodiscard]] StateIndex dead() const { return static_cast<StateIndex>(num_states()); }
  [[nodiscard]] bool accepting(StateIndex state) const { return accepting_[state] != 0; }
  /// Whether the words accepted from here are all or none, for an automaton over finite words; the
  /// answer is then accepting(state).  Exact for deterministic automata; a `true` is right for all.
  [[nodiscard]] bool settled(StateIndex state) const { return settled_[state] != 0; }

  /// The initial state, or dead(); for a deterministic automaton.
  [[nodiscard]] StateIndex start() const { return start_; }
  /// The state after a position of num_words(num_atoms()) words; for a deterministic automaton.
  [[nodiscard]] StateIndex step(StateIndex state, const std::uint64_t* bits) const {
    return leaf(state, bits);
  }

  /// Ascending, without dead().
  [[nodiscard]] std::span<const StateIndex> initial() const { return initial_; }
  /// The states that can follow `state` at this position: ascending, without dead(), maybe none.
  [[nodiscard]] std::span<const StateIndex> next(StateIndex state,
                                                 const std::uint64_t* bits) const {
    const std::uint32_t found = leaf(state, bits);
    const std::uint32_t begin = set_begin_[found];
    return std::span<const StateIndex>(sets_).subspan(begin, set_begin_[found + 1] - begin);
  }

 private:
  /// A question about one atom.  An answer with the leaf bit is a leaf: a state of a deterministic
  /// automaton, else a set of states.
  struct Node {
    std::uint32_t atom;
    std::uint32_t answer[2];
  };
  static constexpr std::uint32_t leaf_bit = 0x8000'0000U;

  [[nodiscard]] std::uint32_t leaf(StateIndex state, const std::uint64_t* bits) const {
    if (!table_.empty()) return table_[(std::size_t{state} << num_atoms_) | (bits[0] & mask_)];
    std::uint32_t at = roots_[state];
    while ((at & leaf_bit) == 0) {
      const Node& node = nodes_[at];
      at = node.answer[(bits[node.atom / 64] >> (node.atom % 64)) & 1U];
    }
    return at & ~leaf_bit;
  }
  void build_decisions(Automaton& automaton);
  void build_table();
  void find_settled(const Automaton& automaton);

  bool deterministic_ = false;
  Acceptance acceptance_ = Acceptance::Finite;
  std::size_t num_atoms_ = 0;
  StateIndex start_ = 0;
  std::vector<StateIndex> initial_;
  std::vector<std::uint8_t> accepting_;
  std::vector<std::uint8_t> settled_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> roots_;      // by state
  std::vector<StateIndex> sets_;          // all sets of states that can come next, one by one
  std::vector<std::uint32_t> set_begin_;  // by leaf, and one more
  std::vector<std::uint32_t> table_;      // leaves by state and bits, where that is small
  std::uint64_t mask_ = 0;
};

}  // namespace cohort::monitor
