#include "trace/sequential/patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace cohort::trace::sequential {
namespace {

using ltl::Formula;
using ltl::Formulas;
using ltl::Operator;
using Kind = Pattern::Kind;
using Scope = Pattern::Scope;

constexpr std::size_t most_candidates = 20;
constexpr unsigned largest_bound = 8;

/// The formulas without temporal operators inside a formula, and parts of conjunctions and
/// disjunctions among them: what p, q, r, s can be.
class Candidates {
 public:
  explicit Candidates(Formulas& formulas) : formulas_(formulas) {}

  [[nodiscard]] std::vector<Formula> of(Formula f) {
    walk(f);
    return found_;
  }

 private:
  void add(Formula f) {
    if (formulas_.op(f) == Operator::True || formulas_.op(f) == Operator::False) return;
    if (found_.size() < most_candidates && seen_.insert(f).second) found_.push_back(f);
  }

  /// Recurses as deep as the formula, which the parser limits.
  void walk(Formula f) {
    const Operator op = formulas_.op(f);
    const std::vector<Formula> operands(formulas_.operands(f).begin(), formulas_.operands(f).end());
    if (formulas_.is_boolean(f)) add(f);
    if (op == Operator::Not && formulas_.is_boolean(f)) add(operands[0]);
    for (const Formula g : operands) walk(g);
    if (op != Operator::And && op != Operator::Or) return;
    // `q & !r` with q = a & b is one conjunction of three: all parts of it.
    std::vector<Formula> plain;
    for (const Formula g : operands) {
      if (formulas_.is_boolean(g)) plain.push_back(g);
    }
    if (plain.size() < 2 || plain.size() > 4) return;
    for (unsigned subset = 1; subset < (1U << plain.size()); ++subset) {
      std::vector<Formula> chosen;
      for (std::size_t i = 0; i < plain.size(); ++i) {
        if ((subset >> i & 1U) != 0) chosen.push_back(plain[i]);
      }
      add(op == Operator::And ? formulas_.conjunction(chosen) : formulas_.disjunction(chosen));
    }
  }

  Formulas& formulas_;
  std::set<Formula> seen_;
  std::vector<Formula> found_;
};

/// The formulas of the catalogue.
class Catalogue {
 public:
  explicit Catalogue(Formulas& formulas) : f_(formulas) {}

  /// The formula of a pattern whose conditions are given.
  [[nodiscard]] Formula formula(const Pattern& pattern) {
    p_ = pattern.p;
    s_ = pattern.s;
    q_ = pattern.q;
    r_ = pattern.r;
    switch (pattern.kind) {
      case Kind::Absence:
        return steady(pattern.scope, no(p_));
      case Kind::Universality:
      case Kind::TimeInterval:
        return steady(pattern.scope, p_);
      case Kind::Existence:
        return existence(pattern.scope);
      case Kind::BoundedExistence:
        return bounded(pattern.scope, pattern.bound);
      case Kind::Precedence:
        return precedence(pattern.scope);
      case Kind::Response:
        return response(pattern.scope);
      case Kind::Frequency:
        return f_.always(f_.eventually(p_));
    }
    return f_.constant(true);
  }

 private:
  [[nodiscard]] Formula no(Formula f) { return f_.negation(f); }
  [[nodiscard]] Formula both(Formula f, Formula g) { return f_.conjunction(f, g); }
  [[nodiscard]] Formula either(Formula f, Formula g) { return f_.disjunction(f, g); }
  [[nodiscard]] Formula open() { return both(q_, no(r_)); }
  [[nodiscard]] Formula closing() { return f_.conjunction({q_, no(r_), f_.eventually(r_)}); }

  /// f throughout a scope.
  [[nodiscard]] Formula steady(Scope scope, Formula f) {
    switch (scope) {
      case Scope::Globally:
        return f_.always(f);
      case Scope::Before:
        return f_.implication(f_.eventually(r_), f_.until(f, r_));
      case Scope::After:
        return f_.always(f_.implication(q_, f_.always(f)));
      case Scope::Between:
        return f_.always(f_.implication(closing(), f_.until(f, r_)));
      case Scope::AfterUntil:
        return f_.always(f_.implication(open(), f_.weak_until(f, r_)));
    }
    return f;
  }

  [[nodiscard]] Formula existence(Scope scope) {
    const Formula here = both(p_, no(r_));
    switch (scope) {
      case Scope::Globally:
        return f_.eventually(p_);
      case Scope::Before:
        return f_.weak_until(no(r_), here);
      case Scope::After:
        return either(f_.always(no(q_)), f_.eventually(both(q_, f_.eventually(p_))));
      case Scope::Between:
        return f_.always(f_.implication(open(), f_.weak_until(no(r_), here)));
      case Scope::AfterUntil:
        return f_.always(f_.implication(open(), f_.until(no(r_), here)));
    }
    return here;
  }

  /// At most `bound` stretches of p, and nothing behind them.
  [[nodiscard]] Formula stretches(unsigned bound) {
    Formula rest = f_.always(no(p_));
    for (unsigned i = 0; i < bound; ++i) {
      rest = f_.weak_until(no(p_), f_.weak_until(p_, rest));
    }
    return rest;
  }
  [[nodiscard]] Formula stretches_until(unsigned bound, Formula rest) {
    const Formula without = both(no(p_), no(r_));
    const Formula with = both(p_, no(r_));
    for (unsigned i = 0; i < bound; ++i) {
      rest = f_.until(without, either(r_, f_.until(with, either(r_, rest))));
    }
    return rest;
  }
  [[nodiscard]] Formula bounded(Scope scope, unsigned bound) {
    switch (scope) {
      case Scope::Globally:
        return stretches(bound);
      case Scope::Before:
        return f_.implication(f_.eventually(r_), stretches_until(bound, f_.until(no(p_), r_)));
      case Scope::After:
        return f_.implication(f_.eventually(q_), f_.until(no(q_), both(q_, stretches(bound))));
      case Scope::Between:
        return f_.always(f_.implication(both(q_, f_.eventually(r_)),
                                        stretches_until(bound, f_.until(no(p_), r_))));
      case Scope::AfterUntil:
        return f_.always(f_.implication(
            q_, stretches_until(bound, either(f_.weak_until(no(p_), r_), f_.always(p_)))));
    }
    return p_;
  }

  [[nodiscard]] Formula precedence(Scope scope) {
    const Formula stop = either(s_, r_);
    switch (scope) {
      case Scope::Globally:
        return f_.weak_until(no(p_), s_);
      case Scope::Before:
        return f_.implication(f_.eventually(r_), f_.until(no(p_), stop));
      case Scope::After:
        return either(f_.always(no(q_)), f_.eventually(both(q_, f_.weak_until(no(p_), s_))));
      case Scope::Between:
        return f_.always(f_.implication(closing(), f_.until(no(p_), stop)));
      case Scope::AfterUntil:
        return f_.always(f_.implication(open(), f_.weak_until(no(p_), stop)));
    }
    return stop;
  }

  [[nodiscard]] Formula response(Scope scope) {
    const Formula inside = f_.implication(p_, f_.until(no(r_), both(s_, no(r_))));
    const Formula anywhere = f_.always(f_.implication(p_, f_.eventually(s_)));
    switch (scope) {
      case Scope::Globally:
        return anywhere;
      case Scope::Before:
        return f_.implication(f_.eventually(r_), f_.until(inside, r_));
      case Scope::After:
        return f_.always(f_.implication(q_, anywhere));
      case Scope::Between:
        return f_.always(f_.implication(closing(), f_.until(inside, r_)));
      case Scope::AfterUntil:
        return f_.always(f_.implication(open(), f_.weak_until(inside, r_)));
    }
    return anywhere;
  }

  Formulas& f_;
  Formula p_{};
  Formula s_{};
  Formula q_{};
  Formula r_{};
};

class Finder {
 public:
  Finder(Formulas& formulas, Formula f)
      : formulas_(formulas),
        catalogue_(formulas),
        wanted_(formulas.negation_normal_form(f)),
        depth_(depth_of(wanted_)),
        atoms_(formulas.atoms(f)),
        candidates_(Candidates{formulas}.of(f)) {
    for (const Formula c : candidates_) candidate_atoms_.push_back(formulas.atoms(c));
  }

  [[nodiscard]] std::optional<Pattern> run() {
    // Absence before universality: `G !p` says that p never holds.
    for (const Kind kind : {Kind::Frequency, Kind::Absence, Kind::Universality, Kind::Existence,
                            Kind::Response, Kind::Precedence, Kind::BoundedExistence}) {
      for (const Scope scope :
           {Scope::Globally, Scope::Before, Scope::After, Scope::Between, Scope::AfterUntil}) {
        if (kind == Kind::Frequency && scope != Scope::Globally) continue;
        Pattern pattern;
        pattern.kind = kind;
        pattern.scope = scope;
        const unsigned most = kind == Kind::BoundedExistence ? largest_bound : 0;
        for (pattern.bound = std::min(most, 1U); pattern.bound <= most; ++pattern.bound) {
          if (has_this_depth(pattern) && try_conditions(pattern)) return pattern;
        }
      }
    }
    return std::nullopt;
  }

 private:
  /// How deep temporal operators nest.  Recurses as deep as the formula, which the parser limits.
  [[nodiscard]] unsigned depth_of(Formula f) {
    if (formulas_.is_boolean(f)) return 0;
    if (const auto known = depths_.find(f); known != depths_.end()) return known->second;
    unsigned depth = 0;
    for (const Formula g : formulas_.operands(f)) depth = std::max(depth, depth_of(g));
    const Operator op = formulas_.op(f);
    if (op != Operator::And && op != Operator::Or && op != Operator::Not) ++depth;
    depths_.emplace(f, depth);
    return depth;
  }

  /// What stands for p, q, r and s changes nothing about how deep a pattern's formula is, and most
  /// patterns are told apart by that.
  [[nodiscard]] bool has_this_depth(Pattern pattern) {
    constexpr std::uint32_t beyond_all = 0x4000'0000U;
    pattern.p = formulas_.atom(ltl::Atom{beyond_all});
    pattern.s = formulas_.atom(ltl::Atom{beyond_all + 1});
    pattern.q = formulas_.atom(ltl::Atom{beyond_all + 2});
    pattern.r = formulas_.atom(ltl::Atom{beyond_all + 3});
    return depth_of(formulas_.negation_normal_form(catalogue_.formula(pattern))) == depth_;
  }

  [[nodiscard]] bool try_conditions(Pattern& pattern) {
    std::vector<Formula*> holes{&pattern.p};
    if (pattern.has_s()) holes.push_back(&pattern.s);
    if (pattern.has_q()) holes.push_back(&pattern.q);
    if (pattern.has_r()) holes.push_back(&pattern.r);
    return fill(pattern, holes, 0, {});
  }

  [[nodiscard]] bool fill(Pattern& pattern, const std::vector<Formula*>& holes, std::size_t hole,
                          const std::set<ltl::Atom>& used) {
    if (hole == holes.size()) {
      return used.size() == atoms_.size() && same(pattern);
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      // What is absent is written without a `!`.
      if (pattern.kind == Kind::Absence && hole == 0 && !is_absent(candidates_[i])) continue;
      *holes[hole] = candidates_[i];
      std::set<ltl::Atom> more = used;
      more.insert(candidate_atoms_[i].begin(), candidate_atoms_[i].end());
      if (fill(pattern, holes, hole + 1, more)) return true;
    }
    return false;
  }

  /// Only as the inside of a `!`.
  [[nodiscard]] bool is_absent(Formula f) {
    if (formulas_.op(f) == Operator::Not) return false;
    return std::ranges::find(candidates_, formulas_.negation(f)) != candidates_.end();
  }

  [[nodiscard]] bool same(const Pattern& pattern) {
    return formulas_.negation_normal_form(catalogue_.formula(pattern)) == wanted_;
  }

  Formulas& formulas_;
  Catalogue catalogue_;
  std::map<Formula, unsigned> depths_;
  Formula wanted_;
  unsigned depth_;
  std::vector<ltl::Atom> atoms_;
  std::vector<Formula> candidates_;
  std::vector<std::vector<ltl::Atom>> candidate_atoms_;
};

}  // namespace

std::optional<Pattern> find_pattern(Formulas& formulas, Formula f) {
  return Finder{formulas, f}.run();
}

std::string describe(const Pattern& pattern) {
  const auto kind = [&]() -> std::string {
    switch (pattern.kind) {
      case Kind::Absence:
        return "absence";
      case Kind::Universality:
        return "universality";
      case Kind::Existence:
        return "existence";
      case Kind::BoundedExistence:
        return fmt::format("bounded existence ({})", pattern.bound);
      case Kind::Precedence:
        return "precedence";
      case Kind::Response:
        return "response";
      case Kind::Frequency:
        return "frequency";
      case Kind::TimeInterval:
        return "time interval";
    }
    return "";
  };
  switch (pattern.scope) {
    case Scope::Globally:
      return kind() + ", globally";
    case Scope::Before:
      return kind() + ", before";
    case Scope::After:
      return kind() + ", after";
    case Scope::Between:
      return kind() + ", between";
    case Scope::AfterUntil:
      return kind() + ", after until";
  }
  return kind();
}

}  // namespace cohort::trace::sequential
