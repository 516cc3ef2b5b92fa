#include "online/word_truth.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace cohort::online {
namespace {

using ltl::Formula;
using ltl::Operator;
using ltl::Regex;
using ltl::RegexOperator;

[[nodiscard]] Truth inverse(Truth a) {
  return a == Truth::Unknown ? a : cctl::truth(a == Truth::False);
}
// False < Unknown < True.
[[nodiscard]] Truth both(Truth a, Truth b) { return std::min(a, b); }
[[nodiscard]] Truth either(Truth a, Truth b) { return std::max(a, b); }

}  // namespace

Truth WordTruth::value(Formula f) { return values(f).front(); }

/// Recurses as deep as the formula, which the parser limits.
const WordTruth::Truths& WordTruth::values(Formula f) {
  const auto found = known_.find(f);
  if (found != known_.end()) return found->second;
  Truths made = compute(f);
  return known_.emplace(f, std::move(made)).first->second;
}

WordTruth::Truths WordTruth::compute(Formula f) {
  const std::size_t end = word_.length;
  Truths made(end + 1, Truth::False);
  switch (formulas_.op(f)) {
    case Operator::False:
      return made;
    case Operator::True:
      std::ranges::fill(made, Truth::True);
      return made;
    case Operator::Atom:
      for (std::size_t i = 0; i < end; ++i) {
        made[i] = cctl::truth(atoms_(formulas_.atom_of(f), i));
      }
      if (word_.open) made[end] = Truth::Unknown;
      return made;
    case Operator::Not: {
      const Truths& operand = values(formulas_.last(f));
      for (std::size_t i = 0; i <= end; ++i) made[i] = inverse(operand[i]);
      return made;
    }
    case Operator::And:
    case Operator::Or: {
      const bool is_and = formulas_.op(f) == Operator::And;
      std::ranges::fill(made, cctl::truth(is_and));
      const std::vector<Formula> operands(formulas_.operands(f).begin(),
                                          formulas_.operands(f).end());
      for (const Formula operand : operands) {
        const Truths& one = values(operand);
        for (std::size_t i = 0; i <= end; ++i) {
          made[i] = is_and ? both(made[i], one[i]) : either(made[i], one[i]);
        }
      }
      return made;
    }
    case Operator::X:
    case Operator::StrongX: {
      const Truths& operand = values(formulas_.last(f));
      const Truth behind =
          word_.open ? Truth::Unknown : cctl::truth(formulas_.op(f) == Operator::X);
      for (std::size_t i = 0; i < end; ++i) {
        made[i] = next(i) == end ? behind : operand[next(i)];
      }
      made[end] = behind;
      return made;
    }
    case Operator::Some:
    case Operator::All:
      return match(f);
    default:
      return unroll(f);
  }
}

/// The operators that are true now or depend on the next position.  In a loop the strong ones start
/// from false, the weak ones from true, and two rounds are enough.
WordTruth::Truths WordTruth::unroll(Formula f) {
  const Operator op = formulas_.op(f);
  const std::size_t end = word_.length;
  const std::vector<Formula> operands(formulas_.operands(f).begin(), formulas_.operands(f).end());
  const Truths last = values(operands.back());
  const Truths first = operands.size() == 2 ? values(operands.front()) : last;
  const bool weak = op == Operator::G || op == Operator::W || op == Operator::R;
  Truths made(end + 1, cctl::truth(weak));
  if (word_.open) made[end] = Truth::Unknown;
  const int rounds = word_.loop ? 2 : 1;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = end; i-- > 0;) {
      const Truth later = made[next(i)];
      switch (op) {
        case Operator::F:
          made[i] = either(last[i], later);
          break;
        case Operator::G:
          made[i] = both(last[i], later);
          break;
        case Operator::U:
        case Operator::W:
          made[i] = either(last[i], both(first[i], later));
          break;
        default:  // R, M
          made[i] = both(last[i], either(first[i], later));
          break;
      }
    }
  }
  return made;
}

// ---------------------------------------------------------------------------------------------------
// Regular expressions

WordTruth::Truths WordTruth::match(Formula f) {
  const Truths operand = values(formulas_.last(f));
  Truths made(word_.length + 1, Truth::False);
  for (std::size_t i = 0; i < word_.length; ++i) made[i] = match_from(f, i, operand);
  made[word_.length] = word_.open ? Truth::Unknown : cctl::truth(formulas_.op(f) == Operator::All);
  return made;
}

/// Follows what is left of the expression, position after position, until nothing new comes.
Truth WordTruth::match_from(Formula f, std::size_t position, const Truths& operand) {
  const bool some = formulas_.op(f) == Operator::Some;
  Truth found = cctl::truth(!some);
  std::set<std::pair<std::size_t, Regex>> seen;
  Regex rest = formulas_.regex_of(f);
  for (std::size_t at = position;; at = next(at)) {
    if (at == word_.length) {
      if (word_.open) found = some ? either(found, Truth::Unknown) : both(found, Truth::Unknown);
      return found;
    }
    if (!seen.emplace(at, rest).second) return found;
    rest = derivative(rest, at);
    if (rest == formulas_.none()) return found;
    if (formulas_.matches_empty_word(rest)) {
      found = some ? either(found, operand[at]) : both(found, operand[at]);
    }
  }
}

Regex WordTruth::derivative(Regex r, std::size_t position) {
  const std::vector<Regex> operands(formulas_.operands(r).begin(), formulas_.operands(r).end());
  switch (formulas_.op(r)) {
    case RegexOperator::None:
    case RegexOperator::EmptyWord:
      return formulas_.none();
    case RegexOperator::Condition:
      return holds_at(formulas_.condition_of(r), position) ? formulas_.empty_word()
                                                           : formulas_.none();
    case RegexOperator::Concat: {
      const Regex left = formulas_.concat(derivative(operands[0], position), operands[1]);
      if (!formulas_.matches_empty_word(operands[0])) return left;
      return formulas_.either({left, derivative(operands[1], position)});
    }
    case RegexOperator::Fusion: {
      const Regex rest = derivative(operands[0], position);
      const Regex left = formulas_.fusion(rest, operands[1]);
      if (!formulas_.matches_empty_word(rest)) return left;
      return formulas_.either({left, derivative(operands[1], position)});
    }
    case RegexOperator::Union:
    case RegexOperator::Intersection: {
      std::vector<Regex> made;
      for (const Regex operand : operands) made.push_back(derivative(operand, position));
      return formulas_.op(r) == RegexOperator::Union ? formulas_.either(std::move(made))
                                                     : formulas_.both(std::move(made));
    }
    case RegexOperator::Repeat: {
      ltl::Times times = formulas_.times_of(r);
      if (times.most == 0) return formulas_.none();
      if (times.least > 0) --times.least;
      if (times.most != ltl::Times::unbounded) --times.most;
      return formulas_.concat(derivative(operands[0], position),
                              formulas_.repeat(operands[0], times));
    }
  }
  return formulas_.none();
}

bool WordTruth::holds_at(Formula condition, std::size_t position) {
  return values(condition)[position] == Truth::True;
}

}  // namespace cohort::online
