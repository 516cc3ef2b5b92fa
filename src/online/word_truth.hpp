// The truth of an LTL formula on one word, by the definition: no automata.
//
//   const Word word{.length = 5, .loop = 2};
//   WordTruth truth{formulas, word, [&](ltl::Atom atom, std::size_t position) { … }};
//   if (truth.value(f) == Truth::False) …
//
// Part of what judges the search: shares nothing with automata and their construction.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cctl/path_truth.hpp"
#include "ltl/formula.hpp"

namespace cohort::online {

using cctl::Truth;

struct Word {
  std::size_t length = 0;
  /// Behind the last position comes this one, for ever; none: the word ends.
  std::optional<std::size_t> loop;
  /// A word without a loop goes on, nobody knows how.
  bool open = false;
};

/// Atoms are known at every position; Unknown is what depends on how an open word goes on.  A word
/// of length 0 is the empty word.
class WordTruth {
 public:
  using Atoms = std::function<bool(ltl::Atom, std::size_t)>;

  /// Keeps a reference to `formulas`, which grows by derivatives of regular expressions.
  WordTruth(ltl::Formulas& formulas, const Word& word, Atoms atoms)
      : formulas_(formulas), word_(word), atoms_(std::move(atoms)) {}

  /// At the first position.
  [[nodiscard]] Truth value(ltl::Formula f);

 private:
  using Truths = std::vector<Truth>;  // by position, and one for the end

  [[nodiscard]] const Truths& values(ltl::Formula f);
  [[nodiscard]] Truths compute(ltl::Formula f);
  [[nodiscard]] Truths unroll(ltl::Formula f);
  [[nodiscard]] Truths match(ltl::Formula f);
  [[nodiscard]] Truth match_from(ltl::Formula f, std::size_t position, const Truths& operand);
  [[nodiscard]] ltl::Regex derivative(ltl::Regex r, std::size_t position);
  [[nodiscard]] bool holds_at(ltl::Formula condition, std::size_t position);
  /// The position behind; the word's length where there is none.
  [[nodiscard]] std::size_t next(std::size_t position) const {
    return position + 1 == word_.length && word_.loop ? *word_.loop : position + 1;
  }

  ltl::Formulas& formulas_;
  Word word_;
  Atoms atoms_;
  std::unordered_map<ltl::Formula, Truths> known_;
};

}  // namespace cohort::online
