#include "trace/letters.hpp"

#include <algorithm>

#include "trace/id_table.hpp"

namespace cohort::trace {

Letters::Letters(const monitor::Compiled& automaton, const Vocabulary& words,
                 const AtomTruth& truth)
    : num_states_(automaton.num_states()) {
  const std::size_t size = monitor::num_words(automaton.num_atoms());
  std::vector<std::uint64_t> bits;  // of all letters
  std::vector<std::uint64_t> own(size);
  IdTable table;
  letters_.reserve(words.num_effects());
  for (std::uint32_t effect = 0; effect < words.num_effects(); ++effect) {
    std::ranges::fill(own, 0);
    for (std::uint32_t atom = 0; atom < automaton.num_atoms(); ++atom) {
      if (truth(ltl::Atom{atom}, EffectId{effect})) {
        own[atom / 64] |= std::uint64_t{1} << (atom % 64);
      }
    }
    std::uint64_t hash = 0;
    for (const std::uint64_t word : own) hash = mix(hash, word);
    letters_.push_back(table.find_or_add(
        hash,
        [&](std::uint32_t i) {
          return std::equal(own.begin(), own.end(),
                            bits.begin() + static_cast<std::ptrdiff_t>(i * size));
        },
        [&] {
          bits.insert(bits.end(), own.begin(), own.end());
          return static_cast<std::uint32_t>(num_letters_++);
        }));
  }
  optional_.resize(num_letters_ * num_states_, 0);
  move_begins_.reserve(num_letters_ * num_states_ + 1);
  move_begins_.push_back(0);
  for (std::size_t letter = 0; letter < num_letters_; ++letter) {
    for (StateIndex m = 0; m < num_states_; ++m) {
      const auto add = [&](StateIndex next) {
        if (next == automaton.dead()) return;
        if (next == m) {
          optional_[letter * num_states_ + m] = 1;
        } else {
          moves_.push_back(next);
        }
      };
      if (automaton.deterministic()) {
        add(automaton.step(m, bits.data() + letter * size));
      } else {
        for (const StateIndex next : automaton.next(m, bits.data() + letter * size)) add(next);
      }
      move_begins_.push_back(static_cast<std::uint32_t>(moves_.size()));
    }
  }
}

}  // namespace cohort::trace
