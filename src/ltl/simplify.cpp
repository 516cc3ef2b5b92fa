// Rewriting rules, from the inside out, until nothing changes.
//
// Source.  The rules are those of Somenzi and Bloem 2000 and Etessami and Holzmann 2000, with
// Spot's names for pure eventualities and universalities (Duret-Lutz 2013).  A rule that would make
// a formula larger is left out: the automaton is simplified later anyway.
#include "ltl/simplify.hpp"

#include <algorithm>
#include <utility>

namespace cohort::ltl {

// ---------------------------------------------------------------------------------------------------
// Facts about formulas

bool Simplifier::all_args(Formula f, bool (Simplifier::*fact)(Formula)) {
  return std::ranges::all_of(args_of(f), [&](Formula g) { return (this->*fact)(g); });
}

bool Simplifier::eventual(Formula f) {
  switch (formulas_.op(f)) {
    case Operator::True:
    case Operator::False:
    case Operator::F:
      return true;
    case Operator::And:
    case Operator::Or:
    case Operator::X:
    case Operator::StrongX:
    case Operator::G:
    case Operator::W:
      return all_args(f, &Simplifier::eventual);
    case Operator::U:
    case Operator::R:
    case Operator::M:
      return eventual(right(f));
    default:
      return false;
  }
}

bool Simplifier::universal(Formula f) {
  switch (formulas_.op(f)) {
    case Operator::True:
    case Operator::False:
    case Operator::G:
      return true;
    case Operator::And:
    case Operator::Or:
    case Operator::X:
    case Operator::StrongX:
    case Operator::F:
    case Operator::M:
      return all_args(f, &Simplifier::universal);
    case Operator::R:
    case Operator::U:
    case Operator::W:
      return universal(right(f));
    default:
      return false;
  }
}

bool Simplifier::safe(Formula f) {
  switch (formulas_.op(f)) {
    case Operator::F:
    case Operator::U:
    case Operator::M:
    case Operator::Some:
      return false;
    default:
      return all_args(f, &Simplifier::safe);
  }
}

bool Simplifier::implies(Formula f, Formula g) {
  if (f == g || is(f, Operator::False) || is(g, Operator::True)) return true;
  if (is(f, Operator::True) || is(g, Operator::False)) return false;
  const std::uint64_t key = (std::uint64_t{static_cast<std::uint32_t>(f)} << 32U) |
                            std::uint64_t{static_cast<std::uint32_t>(g)};
  // A question that comes up while it is being answered is answered with "not seen".
  const auto [place, is_new] = implied_.emplace(key, false);
  if (!is_new) return place->second;
  const bool result = compute_implies(f, g);
  implied_[key] = result;
  return result;
}

bool Simplifier::compute_implies(Formula f, Formula g) {
  if (formulas_.is_boolean(f) && formulas_.is_boolean(g)) {
    try {
      return decisions_.implies(letters_.letter(f), letters_.letter(g));
    } catch (const OutOfBounds&) {
      return false;
    }
  }
  const auto from = args_of(f);
  const auto to = args_of(g);
  if (is(f, Operator::Or)) {
    return std::ranges::all_of(from, [&](Formula h) { return implies(h, g); });
  }
  if (is(g, Operator::And)) {
    return std::ranges::all_of(to, [&](Formula h) { return implies(f, h); });
  }
  const auto same_operator = [&] { return implies(from[0], to[0]) && implies(from[1], to[1]); };
  switch (formulas_.op(f)) {
    case Operator::And:
      if (std::ranges::any_of(from, [&](Formula h) { return implies(h, g); })) return true;
      break;
    case Operator::X:
      if (is(g, Operator::X) && implies(from[0], to[0])) return true;
      if (eventual(g) && implies(from[0], g)) return true;
      break;
    case Operator::F:
      if (eventual(g) && implies(from[0], g)) return true;
      break;
    case Operator::G:
      if (implies(from[0], g)) return true;
      if (is(g, Operator::X) && implies(f, to[0])) return true;
      break;
    case Operator::U:
      if (implies(from[0], g) && implies(from[1], g)) return true;
      if ((is(g, Operator::U) || is(g, Operator::W)) && same_operator()) return true;
      if (is(g, Operator::F) && implies(from[1], g)) return true;
      break;
    case Operator::W:
      if (implies(from[0], g) && implies(from[1], g)) return true;
      if (is(g, Operator::W) && same_operator()) return true;
      break;
    case Operator::R:
      if (implies(from[1], g)) return true;
      if (is(g, Operator::R) && same_operator()) return true;
      break;
    case Operator::M:
      if (implies(from[1], g)) return true;
      if ((is(g, Operator::R) || is(g, Operator::M)) && same_operator()) return true;
      if (is(g, Operator::F) && implies(from[0], g)) return true;
      break;
    default:
      break;
  }
  switch (formulas_.op(g)) {
    case Operator::Or:
      return std::ranges::any_of(to, [&](Formula h) { return implies(f, h); });
    case Operator::X:
      return universal(f) && implies(f, to[0]);
    case Operator::F:
      return implies(f, to[0]);
    case Operator::G:
      return universal(f) && implies(f, to[0]);
    case Operator::U:
      return implies(f, to[1]);
    case Operator::W:
      return implies(f, to[1]) || (universal(f) && implies(f, to[0]));
    case Operator::R:
      return implies(f, to[1]) && (implies(f, to[0]) || universal(f));
    case Operator::M:
      return implies(f, to[0]) && implies(f, to[1]);
    default:
      return false;
  }
}

bool Simplifier::excludes(Formula f, Formula g) { return implies(f, formulas_.negated(g)); }

// ---------------------------------------------------------------------------------------------------
// Rules

Formula Simplifier::operator()(Formula f) {
  f = formulas_.negation_normal_form(f);
  constexpr int most_rounds = 8;
  for (int round = 0; round < most_rounds; ++round) {
    const Formula g = rewrite(f);
    if (g == f) break;
    f = g;
  }
  return f;
}

Formula Simplifier::rewrite(Formula f) {
  if (const auto known = rewritten_.find(f); known != rewritten_.end()) return known->second;
  std::vector<Formula> args = args_of(f);
  for (Formula& arg : args) arg = rewrite(arg);
  const Formula result = rewrite_node(f, args);
  rewritten_.emplace(f, result);
  return result;
}

Formula Simplifier::rewrite_node(Formula f, const std::vector<Formula>& args) {
  switch (formulas_.op(f)) {
    case Operator::And:
      return conjunction(args);
    case Operator::Or:
      return disjunction(args);
    case Operator::X:
    case Operator::StrongX:
      return next(args[0]);
    case Operator::F:
      return eventually(args[0]);
    case Operator::G:
      return always(args[0]);
    case Operator::U:
      return until(args[0], args[1]);
    case Operator::W:
      return weak_until(args[0], args[1]);
    case Operator::R:
      return release(args[0], args[1]);
    case Operator::M:
      return strong_release(args[0], args[1]);
    case Operator::Some:
      return formulas_.some(formulas_.regex_of(f), args[0]);
    case Operator::All:
      return formulas_.all(formulas_.regex_of(f), args[0]);
    default:
      return f;
  }
}

Formula Simplifier::next(Formula f) {
  if (eventual(f) && universal(f)) return f;
  if (is(f, Operator::False)) return f;
  return formulas_.next(f);
}

Formula Simplifier::eventually(Formula f) {
  if (eventual(f)) return f;
  switch (formulas_.op(f)) {
    case Operator::X:
      return next(eventually(left(f)));
    case Operator::U:
      return eventually(right(f));
    case Operator::M:
      return eventually(conjunction(args_of(f)));
    case Operator::And: {
      // What holds always or never may stand outside.
      std::vector<Formula> outside;
      std::vector<Formula> inside;
      for (const Formula g : args_of(f)) {
        (eventual(g) && universal(g) ? outside : inside).push_back(g);
      }
      if (outside.empty()) break;
      outside.push_back(eventually(conjunction(inside)));
      return conjunction(outside);
    }
    case Operator::Or: {
      std::vector<Formula> outside;
      std::vector<Formula> inside;
      for (const Formula g : args_of(f)) (eventual(g) ? outside : inside).push_back(g);
      if (outside.empty()) break;
      outside.push_back(eventually(disjunction(inside)));
      return disjunction(outside);
    }
    default:
      break;
  }
  return formulas_.eventually(f);
}

Formula Simplifier::always(Formula f) {
  if (universal(f)) return f;
  switch (formulas_.op(f)) {
    case Operator::X:
      return next(always(left(f)));
    case Operator::R:
      return always(right(f));
    case Operator::W:
      return always(disjunction(args_of(f)));
    case Operator::Or: {
      std::vector<Formula> outside;
      std::vector<Formula> inside;
      for (const Formula g : args_of(f)) {
        (eventual(g) && universal(g) ? outside : inside).push_back(g);
      }
      if (outside.empty()) break;
      outside.push_back(always(disjunction(inside)));
      return disjunction(outside);
    }
    case Operator::And: {
      std::vector<Formula> outside;
      std::vector<Formula> inside;
      for (const Formula g : args_of(f)) (universal(g) ? outside : inside).push_back(g);
      if (outside.empty()) break;
      outside.push_back(always(conjunction(inside)));
      return conjunction(outside);
    }
    default:
      break;
  }
  return formulas_.always(f);
}

/// f without the operands that `other` makes superfluous: for Or those that imply it, for And those
/// that it implies.
Formula Simplifier::without(Operator op, Formula f, Formula other) {
  std::vector<Formula> args = is(f, op) ? args_of(f) : std::vector<Formula>{f};
  std::erase_if(
      args, [&](Formula g) { return op == Operator::Or ? implies(g, other) : implies(other, g); });
  return op == Operator::Or ? formulas_.disjunction(args) : formulas_.conjunction(args);
}

Formula Simplifier::until(Formula f, Formula g) {
  if (eventual(g) || implies(f, g)) return g;
  if (implies(formulas_.negated(g), f)) return eventually(g);
  f = without(Operator::Or, f, g);
  if (is(g, Operator::U) && implies(f, left(g))) return g;
  if (is(f, Operator::X) && is(g, Operator::X)) return next(until(left(f), left(g)));
  if (is(f, Operator::True)) return eventually(g);
  return formulas_.until(f, g);
}

Formula Simplifier::weak_until(Formula f, Formula g) {
  if (implies(f, g)) return g;
  if (implies(formulas_.negated(g), f)) return formulas_.constant(true);
  if (universal(f)) return disjunction({f, g});
  if (eventual(g)) return disjunction({always(f), g});
  f = without(Operator::Or, f, g);
  if (is(g, Operator::W) && implies(f, left(g))) return g;
  if (is(f, Operator::X) && is(g, Operator::X)) return next(weak_until(left(f), left(g)));
  return formulas_.weak_until(f, g);
}

Formula Simplifier::release(Formula f, Formula g) {
  if (universal(g) || implies(g, f)) return g;
  if (excludes(g, f)) return always(g);
  f = without(Operator::And, f, g);
  if (is(g, Operator::R) && implies(left(g), f)) return g;
  if (is(f, Operator::X) && is(g, Operator::X)) return next(release(left(f), left(g)));
  return formulas_.release(f, g);
}

Formula Simplifier::strong_release(Formula f, Formula g) {
  if (implies(g, f)) return g;
  if (excludes(g, f)) return formulas_.constant(false);
  if (eventual(f)) return conjunction({f, g});
  if (universal(g)) return conjunction({eventually(f), g});
  f = without(Operator::And, f, g);
  if (is(g, Operator::M) && implies(left(g), f)) return g;
  if (is(f, Operator::X) && is(g, Operator::X)) return next(strong_release(left(f), left(g)));
  return formulas_.strong_release(f, g);
}

/// Two operands of `&` or `|` that are one formula together.
bool Simplifier::merge_pair(Operator op, Formula f, Formula g, Formula& merged) {
  const bool both = op == Operator::And;
  const auto inner = [&](Formula a, Formula b) {
    return both ? conjunction({a, b}) : disjunction({a, b});
  };
  if (formulas_.op(f) != formulas_.op(g)) return false;
  switch (formulas_.op(f)) {
    case Operator::X:
      merged = next(inner(left(f), left(g)));
      return true;
    case Operator::G:
      if (both) {
        merged = always(inner(left(f), left(g)));
      } else if (is(left(f), Operator::F) && is(left(g), Operator::F)) {
        merged = always(eventually(inner(left(left(f)), left(left(g)))));
      } else {
        return false;
      }
      return true;
    case Operator::F:
      if (!both) {
        merged = eventually(inner(left(f), left(g)));
      } else if (is(left(f), Operator::G) && is(left(g), Operator::G)) {
        merged = eventually(always(inner(left(left(f)), left(left(g)))));
      } else {
        return false;
      }
      return true;
    case Operator::U:
    case Operator::W:
      if (both && right(f) == right(g)) {
        const Formula a = inner(left(f), left(g));
        merged = is(f, Operator::U) ? until(a, right(f)) : weak_until(a, right(f));
        return true;
      }
      if (!both && left(f) == left(g)) {
        const Formula b = inner(right(f), right(g));
        merged = is(f, Operator::U) ? until(left(f), b) : weak_until(left(f), b);
        return true;
      }
      return false;
    case Operator::R:
    case Operator::M:
      if (both && left(f) == left(g)) {
        const Formula b = inner(right(f), right(g));
        merged = is(f, Operator::R) ? release(left(f), b) : strong_release(left(f), b);
        return true;
      }
      if (!both && right(f) == right(g)) {
        const Formula a = inner(left(f), left(g));
        merged = is(f, Operator::R) ? release(a, right(f)) : strong_release(a, right(f));
        return true;
      }
      return false;
    default:
      return false;
  }
}

std::vector<Formula> Simplifier::merge_pairs(Operator op, std::vector<Formula> args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    for (std::size_t j = i + 1; j < args.size();) {
      Formula merged{};
      if (merge_pair(op, args[i], args[j], merged)) {
        args[i] = merged;
        args.erase(args.begin() + static_cast<std::ptrdiff_t>(j));
        j = i + 1;
      } else {
        ++j;
      }
    }
  }
  return args;
}

Formula Simplifier::join(Operator op, const std::vector<Formula>& args) {
  const bool both = op == Operator::And;
  const Formula whole = both ? formulas_.conjunction(args) : formulas_.disjunction(args);
  if (!is(whole, op)) return whole;
  std::vector<Formula> kept = args_of(whole);
  // Beyond this the pairs are too many; what is left out is only a chance to simplify.
  constexpr std::size_t most_compared = 64;
  if (kept.size() > most_compared) return whole;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = i + 1; j < kept.size(); ++j) {
      const Formula other = formulas_.negated(kept[j]);
      if (both ? implies(kept[i], other) : implies(other, kept[i]))
        return formulas_.constant(!both);
    }
  }
  for (std::size_t i = 0; i < kept.size();) {
    const bool superfluous = std::ranges::any_of(kept, [&](Formula g) {
      return g != kept[i] && (both ? implies(g, kept[i]) : implies(kept[i], g));
    });
    if (superfluous) {
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  kept = merge_pairs(op, std::move(kept));
  return both ? formulas_.conjunction(kept) : formulas_.disjunction(kept);
}

Formula Simplifier::conjunction(const std::vector<Formula>& args) {
  return join(Operator::And, args);
}

Formula Simplifier::disjunction(const std::vector<Formula>& args) {
  return join(Operator::Or, args);
}

}  // namespace cohort::ltl
