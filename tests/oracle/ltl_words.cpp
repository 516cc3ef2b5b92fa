#include "oracle/ltl_words.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

namespace cohort::oracle {
namespace {

using ltl::Formula;
using ltl::Formulas;
using ltl::Operator;
using ltl::Regex;
using ltl::RegexOperator;
using ltl::Times;

[[nodiscard]] bool holds_in(const Formulas& formulas, Formula condition, Letter letter) {
  const auto args = formulas.operands(condition);
  const auto inner = [&](Formula f) { return holds_in(formulas, f, letter); };
  switch (formulas.op(condition)) {
    case Operator::True:
      return true;
    case Operator::Atom:
      return ((letter >> static_cast<unsigned>(formulas.atom_of(condition))) & 1U) != 0;
    case Operator::Not:
      return !inner(args[0]);
    case Operator::And:
      return std::ranges::all_of(args, inner);
    case Operator::Or:
      return std::ranges::any_of(args, inner);
    default:
      return false;
  }
}

/// Which pieces of a word an expression matches.
class Matcher {
 public:
  Matcher(const Formulas& formulas, std::vector<Letter> word)
      : formulas_(formulas), word_(std::move(word)) {}

  [[nodiscard]] std::size_t length() const { return word_.size(); }

  /// Whether r matches the positions from `i` to before `j`.
  [[nodiscard]] bool operator()(Regex r, std::size_t i, std::size_t j) {
    const auto key = std::tuple(r, i, j);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const bool result = compute(r, i, j);
    known_.emplace(key, result);
    return result;
  }

 private:
  [[nodiscard]] bool compute(Regex r, std::size_t i, std::size_t j) {
    const auto args = formulas_.operands(r);
    switch (formulas_.op(r)) {
      case RegexOperator::None:
        return false;
      case RegexOperator::EmptyWord:
        return i == j;
      case RegexOperator::Condition:
        return j == i + 1 && holds_in(formulas_, formulas_.condition_of(r), word_[i]);
      case RegexOperator::Concat:
        for (std::size_t k = i; k <= j; ++k) {
          if ((*this)(args[0], i, k) && (*this)(args[1], k, j)) return true;
        }
        return false;
      case RegexOperator::Fusion:
        for (std::size_t k = i; k < j; ++k) {
          if ((*this)(args[0], i, k + 1) && (*this)(args[1], k, j)) return true;
        }
        return false;
      case RegexOperator::Union:
        return std::ranges::any_of(args, [&](Regex s) { return (*this)(s, i, j); });
      case RegexOperator::Intersection:
        return std::ranges::all_of(args, [&](Regex s) { return (*this)(s, i, j); });
      case RegexOperator::Repeat: {
        const Times times = formulas_.times_of(r);
        // Beyond the least number only turns that are not empty can matter.
        const std::size_t enough = times.least + (j - i);
        const std::size_t most = std::min<std::size_t>(times.most, enough);
        for (std::size_t turns = times.least; turns <= most; ++turns) {
          if (power(args[0], turns, i, j)) return true;
        }
        return false;
      }
    }
    return false;
  }

  [[nodiscard]] bool power(Regex r, std::size_t turns, std::size_t i, std::size_t j) {
    if (turns == 0) return i == j;
    const auto key = std::tuple(r, turns, i, j);
    if (const auto known = powers_.find(key); known != powers_.end()) return known->second;
    bool result = false;
    for (std::size_t k = i; k <= j && !result; ++k) {
      result = (*this)(r, i, k) && power(r, turns - 1, k, j);
    }
    powers_.emplace(key, result);
    return result;
  }

  const Formulas& formulas_;
  std::vector<Letter> word_;
  std::map<std::tuple<Regex, std::size_t, std::size_t>, bool> known_;
  std::map<std::tuple<Regex, std::size_t, std::size_t, std::size_t>, bool> powers_;
};

/// Formulas at the positions of a word.  A word is finite, or its last position is followed by an
/// earlier one.
class Evaluator {
 public:
  Evaluator(const Formulas& formulas, const FiniteWord& word)
      : formulas_(formulas),
        letters_(word.letters),
        infinite_(false),
        loop_start_(0),
        matcher_(formulas, word.letters) {}

  Evaluator(const Formulas& formulas, const LassoWord& word, std::size_t unrolled)
      : formulas_(formulas),
        letters_(word.stem),
        infinite_(true),
        loop_start_(word.stem.size()),
        matcher_(formulas, unroll(word, unrolled)) {
    letters_.insert(letters_.end(), word.loop.begin(), word.loop.end());
  }

  /// `i` may be the end of a finite word: then the rest is the empty word.
  [[nodiscard]] bool operator()(Formula f, std::size_t i) {
    const auto key = std::pair(f, i);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const bool result = compute(f, i);
    known_.emplace(key, result);
    return result;
  }

 private:
  [[nodiscard]] static std::vector<Letter> unroll(const LassoWord& word, std::size_t length) {
    std::vector<Letter> letters = word.stem;
    while (letters.size() < length) {
      letters.insert(letters.end(), word.loop.begin(), word.loop.end());
    }
    return letters;
  }

  [[nodiscard]] std::size_t size() const { return letters_.size(); }
  [[nodiscard]] std::size_t next(std::size_t i) const {
    return infinite_ && i + 1 == size() ? loop_start_ : i + 1;
  }

  /// The positions of the rest of the word, as often as they can matter.
  [[nodiscard]] std::vector<std::size_t> rest(std::size_t i) const {
    std::vector<std::size_t> positions;
    if (!infinite_) {
      for (; i < size(); ++i) positions.push_back(i);
      return positions;
    }
    for (std::size_t step = 0; step <= size(); ++step, i = next(i)) positions.push_back(i);
    return positions;
  }

  /// f until g; `if_never` is the answer if g never comes and f always holds.
  [[nodiscard]] bool until(Formula f, Formula g, std::size_t i, bool if_never) {
    for (const std::size_t k : rest(i)) {
      if ((*this)(g, k)) return true;
      if (!(*this)(f, k)) return false;
    }
    return if_never;
  }

  /// The dual: not (not f until not g).
  [[nodiscard]] bool release(Formula f, Formula g, std::size_t i, bool if_never) {
    for (const std::size_t k : rest(i)) {
      if (!(*this)(g, k)) return false;
      if ((*this)(f, k)) return true;
    }
    return if_never;
  }

  [[nodiscard]] bool compute(Formula f, std::size_t i) {
    const auto args = formulas_.operands(f);
    const bool empty = i == size();
    switch (formulas_.op(f)) {
      case Operator::True:
        return true;
      case Operator::False:
        return false;
      case Operator::Atom:
        return !empty && holds_in(formulas_, f, letters_[i]);
      case Operator::Not:
        return !(*this)(args[0], i);
      case Operator::And:
        return std::ranges::all_of(args, [&](Formula g) { return (*this)(g, i); });
      case Operator::Or:
        return std::ranges::any_of(args, [&](Formula g) { return (*this)(g, i); });
      case Operator::X:
        return empty || next(i) == size() || (*this)(args[0], next(i));
      case Operator::StrongX:
        return !empty && next(i) != size() && (*this)(args[0], next(i));
      case Operator::F:
        return std::ranges::any_of(rest(i), [&](std::size_t k) { return (*this)(args[0], k); });
      case Operator::G:
        return std::ranges::all_of(rest(i), [&](std::size_t k) { return (*this)(args[0], k); });
      case Operator::U:
        return until(args[0], args[1], i, false);
      case Operator::W:
        return until(args[0], args[1], i, true);
      case Operator::R:
        return release(args[0], args[1], i, true);
      case Operator::M:
        return release(args[0], args[1], i, false);
      case Operator::Some:
        return match(f, i, true);
      case Operator::All:
        return !match(f, i, false);
    }
    return false;
  }

  /// Some non-empty prefix matches, and the operand has the wanted value at its last position.
  [[nodiscard]] bool match(Formula f, std::size_t i, bool wanted) {
    std::size_t last = i;
    for (std::size_t j = i + 1; j <= matcher_.length(); ++j, last = next(last)) {
      if (matcher_(formulas_.regex_of(f), i, j) && (*this)(formulas_.last(f), last) == wanted) {
        return true;
      }
    }
    return false;
  }

  const Formulas& formulas_;
  std::vector<Letter> letters_;
  bool infinite_;
  std::size_t loop_start_;
  Matcher matcher_;
  std::map<std::pair<Formula, std::size_t>, bool> known_;
};

/// No fewer than the states of a nondeterministic automaton for r.
[[nodiscard]] std::size_t num_states(const Formulas& formulas, Regex r) {
  const auto args = formulas.operands(r);
  std::size_t sum = 2;
  std::size_t product = 1;
  for (const Regex s : args) {
    sum += num_states(formulas, s);
    product *= num_states(formulas, s);
  }
  if (formulas.op(r) == RegexOperator::Intersection) return product;
  if (formulas.op(r) != RegexOperator::Repeat) return sum;
  const Times times = formulas.times_of(r);
  return sum * (times.most == Times::unbounded ? times.least + 1 : times.most);
}

[[nodiscard]] std::size_t most_states(const Formulas& formulas, Formula f) {
  std::size_t most = 1;
  for (const Formula g : formulas.operands(f)) most = std::max(most, most_states(formulas, g));
  if (formulas.op(f) == Operator::Some || formulas.op(f) == Operator::All) {
    most = std::max(most, num_states(formulas, formulas.regex_of(f)));
  }
  return most;
}

}  // namespace

bool holds(const Formulas& formulas, Formula f, const FiniteWord& word) {
  return Evaluator(formulas, word)(f, 0);
}

bool holds(const Formulas& formulas, Formula f, const LassoWord& word) {
  // The shortest match that counts visits no pair of a position and an automaton's state twice.
  const std::size_t positions = word.stem.size() + word.loop.size();
  return Evaluator(formulas, word, positions * (most_states(formulas, f) + 1))(f, 0);
}

bool matches(const Formulas& formulas, Regex r, const std::vector<Letter>& word) {
  return Matcher(formulas, word)(r, 0, word.size());
}

}  // namespace cohort::oracle
