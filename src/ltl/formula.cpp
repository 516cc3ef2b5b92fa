#include "ltl/formula.hpp"

#include <algorithm>
#include <cassert>

namespace cohort::ltl {
namespace {

template <typename Id>
void sort_and_unite(std::vector<Id>& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

std::size_t Formulas::KeyHash::operator()(const Key& key) const {
  std::uint64_t h = key.size();
  for (const std::uint32_t word : key) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 29U;
  }
  return static_cast<std::size_t>(h);
}

Formulas::Formulas() {
  false_ = make(Operator::False, {});
  true_ = make(Operator::True, {});
  none_ = make(RegexOperator::None, {});
  empty_word_ = make(RegexOperator::EmptyWord, {});
}

// ---------------------------------------------------------------------------------------------------
// Nodes

Formula Formulas::make(Operator op, const std::vector<Formula>& operands, std::uint32_t payload) {
  Key key{static_cast<std::uint32_t>(op), payload};
  for (const Formula f : operands) key.push_back(static_cast<std::uint32_t>(f));
  const auto number = static_cast<std::uint32_t>(formulas_.size());
  const auto [place, is_new] = formula_table_.emplace(std::move(key), number);
  if (!is_new) return Formula{place->second};
  const bool boolean =
      op <= Operator::Or && std::ranges::all_of(operands, [&](Formula f) { return is_boolean(f); });
  formulas_.push_back({static_cast<std::uint8_t>(op), boolean,
                       static_cast<std::uint32_t>(formula_operands_.size()),
                       static_cast<std::uint32_t>(operands.size()), payload, 0});
  formula_operands_.insert(formula_operands_.end(), operands.begin(), operands.end());
  return Formula{number};
}

Regex Formulas::make(RegexOperator op, const std::vector<Regex>& operands, std::uint32_t payload,
                     std::uint32_t payload2) {
  Key key{static_cast<std::uint32_t>(op), payload, payload2};
  for (const Regex r : operands) key.push_back(static_cast<std::uint32_t>(r));
  const auto number = static_cast<std::uint32_t>(regexes_.size());
  const auto [place, is_new] = regex_table_.emplace(std::move(key), number);
  if (!is_new) return Regex{place->second};
  const auto empty = [&](Regex r) { return matches_empty_word(r); };
  bool matches_empty = false;
  switch (op) {
    case RegexOperator::EmptyWord:
      matches_empty = true;
      break;
    case RegexOperator::Concat:
    case RegexOperator::Intersection:
      matches_empty = std::ranges::all_of(operands, empty);
      break;
    case RegexOperator::Union:
      matches_empty = std::ranges::any_of(operands, empty);
      break;
    case RegexOperator::Repeat:
      matches_empty = payload == 0 || empty(operands.front());
      break;
    case RegexOperator::None:
    case RegexOperator::Condition:
    case RegexOperator::Fusion:
      break;
  }
  regexes_.push_back({static_cast<std::uint8_t>(op), matches_empty,
                      static_cast<std::uint32_t>(regex_operands_.size()),
                      static_cast<std::uint32_t>(operands.size()), payload, payload2});
  regex_operands_.insert(regex_operands_.end(), operands.begin(), operands.end());
  return Regex{number};
}

std::span<const Formula> Formulas::operands(Formula f) const {
  return std::span<const Formula>(formula_operands_)
      .subspan(node(f).first_operand, node(f).num_operands);
}

std::span<const Regex> Formulas::operands(Regex r) const {
  return std::span<const Regex>(regex_operands_)
      .subspan(node(r).first_operand, node(r).num_operands);
}

bool Formulas::is_literal(Formula f) const {
  return op(f) == Operator::Atom || (op(f) == Operator::Not && op(last(f)) == Operator::Atom);
}

// ---------------------------------------------------------------------------------------------------
// Formulas

Formula Formulas::atom(Atom atom) {
  return make(Operator::Atom, {}, static_cast<std::uint32_t>(atom));
}

Formula Formulas::negation(Formula f) {
  switch (op(f)) {
    case Operator::True:
      return false_;
    case Operator::False:
      return true_;
    case Operator::Not:
      return last(f);
    default:
      return make(Operator::Not, {f});
  }
}

/// `&` and `|`: nested ones are flattened; constants, repetitions and contradictions vanish.
Formula Formulas::join(Operator joined, std::vector<Formula> given) {
  const Formula neutral = joined == Operator::And ? true_ : false_;
  const Formula absorbing = joined == Operator::And ? false_ : true_;
  std::vector<Formula> flat;
  for (const Formula f : given) {
    if (op(f) == joined) {
      const auto inner = operands(f);
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else if (f != neutral) {
      flat.push_back(f);
    }
  }
  sort_and_unite(flat);
  for (const Formula f : flat) {
    if (f == absorbing) return absorbing;
    if (op(f) == Operator::Not && std::ranges::binary_search(flat, last(f))) return absorbing;
  }
  if (flat.empty()) return neutral;
  if (flat.size() == 1) return flat.front();
  return make(joined, flat);
}

Formula Formulas::conjunction(std::vector<Formula> operands) {
  return join(Operator::And, std::move(operands));
}

Formula Formulas::disjunction(std::vector<Formula> operands) {
  return join(Operator::Or, std::move(operands));
}

Formula Formulas::equivalence(Formula f, Formula g) {
  return disjunction(conjunction(f, g), conjunction(negation(f), negation(g)));
}

Formula Formulas::next(Formula f) { return f == true_ ? true_ : make(Operator::X, {f}); }

Formula Formulas::strong_next(Formula f) {
  return f == false_ ? false_ : make(Operator::StrongX, {f});
}

Formula Formulas::eventually(Formula f) {
  if (f == false_ || op(f) == Operator::F) return f;
  return make(Operator::F, {f});
}

Formula Formulas::always(Formula f) {
  if (f == true_ || op(f) == Operator::G) return f;
  return make(Operator::G, {f});
}

Formula Formulas::until(Formula f, Formula g) {
  if (g == false_) return false_;
  if (f == true_ || g == true_) return eventually(g);
  return make(Operator::U, {f, g});
}

Formula Formulas::weak_until(Formula f, Formula g) {
  if (g == true_ || f == true_) return true_;
  if (g == false_) return always(f);
  return make(Operator::W, {f, g});
}

Formula Formulas::release(Formula f, Formula g) {
  if (g == true_) return true_;
  if (f == false_ || g == false_) return always(g);
  return make(Operator::R, {f, g});
}

Formula Formulas::strong_release(Formula f, Formula g) {
  if (f == false_ || g == false_) return false_;
  if (g == true_) return eventually(f);
  return make(Operator::M, {f, g});
}

Formula Formulas::some(Regex r, Formula f) {
  if (op(r) == RegexOperator::None || op(r) == RegexOperator::EmptyWord || f == false_) {
    return false_;
  }
  return make(Operator::Some, {f}, static_cast<std::uint32_t>(r));
}

Formula Formulas::all(Regex r, Formula f) {
  if (op(r) == RegexOperator::None || op(r) == RegexOperator::EmptyWord || f == true_) {
    return true_;
  }
  return make(Operator::All, {f}, static_cast<std::uint32_t>(r));
}

Formula Formulas::all_next(Regex r, Formula f) { return all(concat(r, condition(true_)), f); }

// ---------------------------------------------------------------------------------------------------
// Regular expressions

Regex Formulas::condition(Formula f) {
  assert(is_boolean(f));
  if (f == false_) return none_;
  return make(RegexOperator::Condition, {}, static_cast<std::uint32_t>(f));
}

Regex Formulas::concat(Regex r, Regex s) {
  if (r == none_ || s == none_) return none_;
  if (r == empty_word_) return s;
  if (s == empty_word_) return r;
  // To the right: then what is left to match after a position is found again.
  if (op(r) == RegexOperator::Concat) {
    const Regex head = operands(r)[0];
    const Regex tail = operands(r)[1];
    return make(RegexOperator::Concat, {head, concat(tail, s)});
  }
  return make(RegexOperator::Concat, {r, s});
}

Regex Formulas::fusion(Regex r, Regex s) {
  if (r == none_ || s == none_ || r == empty_word_ || s == empty_word_) return none_;
  return make(RegexOperator::Fusion, {r, s});
}

Regex Formulas::join(RegexOperator joined, std::vector<Regex> given) {
  std::vector<Regex> flat;
  for (const Regex r : given) {
    if (op(r) == joined) {
      const auto inner = operands(r);
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else {
      flat.push_back(r);
    }
  }
  sort_and_unite(flat);
  const bool has_none = std::ranges::binary_search(flat, none_);
  if (joined == RegexOperator::Intersection) {
    if (has_none) return none_;
  } else if (has_none) {
    std::erase(flat, none_);
    if (flat.empty()) return none_;
  }
  if (flat.size() == 1) return flat.front();
  return make(joined, flat);
}

Regex Formulas::either(std::vector<Regex> operands) {
  return join(RegexOperator::Union, std::move(operands));
}

Regex Formulas::both(std::vector<Regex> operands) {
  return join(RegexOperator::Intersection, std::move(operands));
}

Regex Formulas::repeat(Regex r, Times times) {
  assert(times.least <= times.most);
  if (times.most == 0 || r == empty_word_) return empty_word_;
  if (r == none_) return times.least == 0 ? empty_word_ : none_;
  if (times == Times{1, 1}) return r;
  if (op(r) == RegexOperator::Repeat && times_of(r) == Times{} && times.most == Times::unbounded) {
    return r;
  }
  return make(RegexOperator::Repeat, {r}, times.least, times.most);
}

// ---------------------------------------------------------------------------------------------------
// Negation normal form

Formula Formulas::normal_form(Formula f, bool negate) {
  const std::uint64_t key = (std::uint64_t{static_cast<std::uint32_t>(f)} << 1U) | (negate ? 1 : 0);
  if (const auto known = normal_forms_.find(key); known != normal_forms_.end()) {
    return known->second;
  }
  const Formula result = compute_normal_form(f, negate);
  normal_forms_.emplace(key, result);
  return result;
}

Formula Formulas::compute_normal_form(Formula f, bool negate) {
  const std::vector<Formula> args(operands(f).begin(), operands(f).end());
  const auto arg = [&](std::size_t i) { return normal_form(args[i], negate); };
  const auto all_args = [&] {
    std::vector<Formula> made;
    made.reserve(args.size());
    for (const Formula g : args) made.push_back(normal_form(g, negate));
    return made;
  };
  switch (op(f)) {
    case Operator::True:
      return constant(!negate);
    case Operator::False:
      return constant(negate);
    case Operator::Atom:
      return negate ? negation(f) : f;
    case Operator::Not:
      return normal_form(args[0], !negate);
    case Operator::And:
      return negate ? disjunction(all_args()) : conjunction(all_args());
    case Operator::Or:
      return negate ? conjunction(all_args()) : disjunction(all_args());
    case Operator::X:
      return negate ? strong_next(arg(0)) : next(arg(0));
    case Operator::StrongX:
      return negate ? next(arg(0)) : strong_next(arg(0));
    case Operator::F:
      return negate ? always(arg(0)) : eventually(arg(0));
    case Operator::G:
      return negate ? eventually(arg(0)) : always(arg(0));
    case Operator::U:
      return negate ? release(arg(0), arg(1)) : until(arg(0), arg(1));
    case Operator::R:
      return negate ? until(arg(0), arg(1)) : release(arg(0), arg(1));
    case Operator::W:
      return negate ? strong_release(arg(0), arg(1)) : weak_until(arg(0), arg(1));
    case Operator::M:
      return negate ? weak_until(arg(0), arg(1)) : strong_release(arg(0), arg(1));
    case Operator::Some:
      return negate ? all(regex_of(f), arg(0)) : some(regex_of(f), arg(0));
    case Operator::All:
      return negate ? some(regex_of(f), arg(0)) : all(regex_of(f), arg(0));
  }
  return f;
}

std::vector<Atom> Formulas::atoms(Formula f) const {
  std::vector<Atom> found;
  std::vector<Formula> open{f};
  std::vector<Regex> open_regexes;
  std::vector<bool> seen(formulas_.size(), false);
  std::vector<bool> seen_regexes(regexes_.size(), false);
  while (!open.empty() || !open_regexes.empty()) {
    if (!open.empty()) {
      const Formula g = open.back();
      open.pop_back();
      if (seen[static_cast<std::size_t>(g)]) continue;
      seen[static_cast<std::size_t>(g)] = true;
      if (op(g) == Operator::Atom) found.push_back(atom_of(g));
      if (op(g) == Operator::Some || op(g) == Operator::All) open_regexes.push_back(regex_of(g));
      open.insert(open.end(), operands(g).begin(), operands(g).end());
    } else {
      const Regex r = open_regexes.back();
      open_regexes.pop_back();
      if (seen_regexes[static_cast<std::size_t>(r)]) continue;
      seen_regexes[static_cast<std::size_t>(r)] = true;
      if (op(r) == RegexOperator::Condition) open.push_back(condition_of(r));
      open_regexes.insert(open_regexes.end(), operands(r).begin(), operands(r).end());
    }
  }
  sort_and_unite(found);
  return found;
}

}  // namespace cohort::ltl
