// Detection: EF g without any set of cuts (Garg and Waldecker), for g of atoms, boolean operators
// and further EF.
//
// A *chain* is a component, or a signal whose events are ordered though several components have
// some.  A constraint says which indices of a chain are allowed: how many of its events may have
// happened.  Take a conjunction of constraints, at most one for each chain.  If in a cut C the
// index of a chain is not allowed, every satisfying cut above C contains the chain's event that
// leads to the next allowed index.  So: join C with the clock of that event, until all constraints
// hold (C is then the least satisfying cut) or a chain has no allowed index left (there is none).
// Each turn moves up a chain; the cost is at most events times chains, and in practice far less.
// The same from above gives the greatest satisfying cut.
//
// g is brought into disjunctive normal form, of bounded size.  Satisfying cuts of a conjunction are
// closed under join (its predicate is regular, its slice a lattice), so EF of it holds exactly in
// the cuts at or below its greatest one, M: again a conjunction of constraints, x_c ≤ M_c for each
// component c, and its negation a disjunction.  Thus EF may be nested.
#include <algorithm>
#include <map>
#include <utility>

#include "trace/ctl_engines.hpp"

namespace cohort::trace::ctl {
namespace {

constexpr std::size_t most_conjunctions = 50'000;
constexpr std::size_t most_combinations = 10'000;  // of values, for an atom that is not local

using Cut = std::vector<std::uint32_t>;

/// Allowed indices of a chain: sorted, disjoint, not touching intervals.
using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

void add_index(Ranges& ranges, std::uint32_t index) {
  if (!ranges.empty() && ranges.back().second + 1 == index) {
    ranges.back().second = index;
  } else {
    ranges.emplace_back(index, index);
  }
}

[[nodiscard]] Ranges intersection(const Ranges& a, const Ranges& b) {
  Ranges both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint32_t low = std::max(a[i].first, b[j].first);
    const std::uint32_t high = std::min(a[i].second, b[j].second);
    if (low <= high) both.emplace_back(low, high);
    if (a[i].second < b[j].second) {
      ++i;
    } else {
      ++j;
    }
  }
  return both;
}

struct Constraint {
  std::uint32_t chain = 0;  ///< a component, or the number of components plus that of a signal
  Ranges allowed;

  friend auto operator<=>(const Constraint&, const Constraint&) = default;
};

/// Sorted by chain, each once.
using Conjunction = std::vector<Constraint>;
using Disjunction = std::vector<Conjunction>;

class TooMany {};

class Detector {
 public:
  Detector(const Question& question, const Limits& limits)
      : forms_(question.forms), lattice_(question.lattice), limits_(limits) {}

  [[nodiscard]] Detection run(FormulaId inner) {
    Detection found;
    std::uint64_t best = UINT64_MAX;
    const Disjunction cases = normal_form(inner);
    for (const Conjunction& one : cases) {
      question_limits();
      ++found.num_conjunctions;
      Cut cut(lattice_.num_components(), 0);
      if (!raise(one, cut)) continue;
      std::uint64_t size = 0;
      for (const std::uint32_t count : cut) size += count;
      if (size >= best) continue;
      best = size;
      found.reachable = true;
      found.cut = std::move(cut);
    }
    return found;
  }

 private:
  void question_limits() {
    if (++ticks_ % 64 == 0 && limits_.should_stop && limits_.should_stop()) {
      throw LimitHit("stopped");
    }
  }

  [[nodiscard]] std::uint32_t num_components() const {
    return static_cast<std::uint32_t>(lattice_.num_components());
  }

  // -------------------------------------------------------------------------------------------------
  // Cuts of a conjunction

  [[nodiscard]] std::uint32_t index_of(std::uint32_t chain, const Cut& cut) const {
    if (chain < num_components()) return cut[chain];
    return lattice_.signal(chain - num_components()).index_in(cut);
  }
  /// Event `index` (from 1) of a chain.
  [[nodiscard]] Step event(std::uint32_t chain, std::uint32_t index) const {
    if (chain < num_components()) return {chain, index};
    return lattice_.signal(chain - num_components()).events[index - 1];
  }

  /// Raises `cut` to the least satisfying one above it; false if there is none.
  [[nodiscard]] bool raise(const Conjunction& all, Cut& cut) {
    for (bool moved = true; moved;) {
      moved = false;
      question_limits();
      for (const Constraint& one : all) {
        const std::uint32_t index = index_of(one.chain, cut);
        const auto at = std::ranges::lower_bound(one.allowed, index, {},
                                                 [](const auto& range) { return range.second; });
        if (at == one.allowed.end()) return false;
        if (at->first <= index) continue;
        const std::span<const std::uint32_t> clock = lattice_.clock(event(one.chain, at->first));
        for (std::size_t c = 0; c < cut.size(); ++c) cut[c] = std::max(cut[c], clock[c]);
        moved = true;
      }
    }
    return true;
  }

  /// Lowers `cut` to the greatest satisfying one below it; false if there is none.
  [[nodiscard]] bool lower(const Conjunction& all, Cut& cut) {
    for (bool moved = true; moved;) {
      moved = false;
      question_limits();
      for (const Constraint& one : all) {
        const std::uint32_t index = index_of(one.chain, cut);
        auto at = std::ranges::upper_bound(one.allowed, index, {},
                                           [](const auto& range) { return range.first; });
        if (at == one.allowed.begin()) return false;
        --at;
        if (at->second >= index) continue;
        const std::span<const std::uint32_t> without =
            lattice_.without(event(one.chain, at->second + 1));
        for (std::size_t c = 0; c < cut.size(); ++c) cut[c] = std::min(cut[c], without[c]);
        moved = true;
      }
    }
    return true;
  }

  /// The greatest cuts of the cases of g; EF g holds at and below them.
  [[nodiscard]] const std::vector<Cut>& greatest(FormulaId g) {
    const auto [slot, is_new] = greatest_.try_emplace(g);
    if (!is_new) return slot->second;
    std::vector<Cut> cuts;
    for (const Conjunction& one : normal_form(g)) {
      Cut cut = lattice_.top();
      if (lower(one, cut)) cuts.push_back(std::move(cut));
    }
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    const auto below = [](const Cut& a, const Cut& b) {
      return std::equal(a.begin(), a.end(), b.begin(),
                        [](std::uint32_t x, std::uint32_t y) { return x <= y; });
    };
    std::vector<Cut> kept;
    for (const Cut& cut : cuts) {
      const bool covered = std::ranges::any_of(
          cuts, [&](const Cut& other) { return cut != other && below(cut, other); });
      if (!covered) kept.push_back(cut);
    }
    return slot->second = std::move(kept);
  }

  // -------------------------------------------------------------------------------------------------
  // Normal form.  Recursion is as deep as the formula, which the parser limits.

  [[nodiscard]] Disjunction normal_form(FormulaId id) {
    const Formulas::Node& node = forms_[id];
    switch (node.form) {
      case Form::True:
        return {Conjunction{}};
      case Form::End:
        return {end()};
      case Form::Atom:
        return literal(node.atom, true);
      case Form::Not:
        return negation(node.args[0]);
      case Form::Or: {
        Disjunction all;
        for (const FormulaId arg : node.args) append(all, normal_form(arg));
        return all;
      }
      case Form::And: {
        Disjunction all{Conjunction{}};
        for (const FormulaId arg : node.args) all = product(all, normal_form(arg));
        return all;
      }
      case Form::SomeFinally:
        return finally(node.args[0]);
      case Form::SomeNext:
      case Form::SomeUntil:
        break;
    }
    throw TooMany{};  // can_detect has said no to these
  }

  [[nodiscard]] Disjunction negation(FormulaId id) {
    const Formulas::Node& node = forms_[id];
    if (node.form == Form::True) return {};
    if (node.form == Form::Atom) return literal(node.atom, false);
    if (node.form == Form::End) return outside(lattice_.top(), Side::Below);
    if (node.form != Form::SomeFinally) throw TooMany{};
    Disjunction all{Conjunction{}};
    for (const Cut& cut : greatest(node.args[0])) all = product(all, outside(cut, Side::Above));
    return all;
  }

  static void append(Disjunction& to, Disjunction from) {
    if (to.size() + from.size() > most_conjunctions) throw TooMany{};
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  }

  [[nodiscard]] Disjunction product(const Disjunction& a, const Disjunction& b) {
    Disjunction all;
    for (const Conjunction& one : a) {
      for (const Conjunction& other : b) {
        question_limits();
        std::optional<Conjunction> both = conjunction(one, other);
        if (!both) continue;
        all.push_back(std::move(*both));
        if (all.size() > most_conjunctions) throw TooMany{};
      }
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  /// None if no index of some chain is left.
  [[nodiscard]] static std::optional<Conjunction> conjunction(const Conjunction& a,
                                                              const Conjunction& b) {
    Conjunction both;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
      if (j == b.size() || (i < a.size() && a[i].chain < b[j].chain)) {
        both.push_back(a[i++]);
      } else if (i == a.size() || b[j].chain < a[i].chain) {
        both.push_back(b[j++]);
      } else {
        both.push_back({a[i].chain, intersection(a[i].allowed, b[j].allowed)});
        if (both.back().allowed.empty()) return std::nullopt;
        ++i;
        ++j;
      }
    }
    return both;
  }

  [[nodiscard]] Conjunction end() const {
    Conjunction all;
    for (std::uint32_t c = 0; c < num_components(); ++c) {
      all.push_back({c, {{lattice_.num_events(c), lattice_.num_events(c)}}});
    }
    return all;
  }

  [[nodiscard]] Disjunction finally(FormulaId g) {
    Disjunction all;
    for (const Cut& cut : greatest(g)) {
      Conjunction below;
      for (std::uint32_t c = 0; c < num_components(); ++c) {
        if (cut[c] < lattice_.num_events(c)) below.push_back({c, {{0, cut[c]}}});
      }
      append(all, {std::move(below)});
    }
    return all;
  }

  enum class Side : std::uint8_t { Below, Above };

  /// Some component is below, or above, that of the cut.
  [[nodiscard]] Disjunction outside(const Cut& cut, Side side) const {
    Disjunction all;
    for (std::uint32_t c = 0; c < num_components(); ++c) {
      if (side == Side::Below && cut[c] > 0) {
        all.push_back({{c, {{0, cut[c] - 1}}}});
      } else if (side == Side::Above && cut[c] < lattice_.num_events(c)) {
        all.push_back({{c, {{cut[c] + 1, lattice_.num_events(c)}}}});
      }
    }
    return all;
  }

  // -------------------------------------------------------------------------------------------------
  // Atoms

  /// The constraint that a signal has one of some values; none if it never has.  A signal without
  /// events that always has gives a conjunction without constraints.
  template <typename Accepts>
  [[nodiscard]] std::optional<Conjunction> constraint(std::uint32_t number, Accepts accepts) const {
    const Signal& signal = lattice_.signal(number);
    if (signal.places.empty()) {
      if (!accepts(signal.value[0])) return std::nullopt;
      return Conjunction{};
    }
    Constraint made;
    if (signal.places.size() == 1) {
      const Signal::Place& place = signal.places[0];
      made.chain = place.component;
      for (std::uint32_t v = 0; v < place.index.size(); ++v) {
        if (accepts(signal.value[place.index[v]])) add_index(made.allowed, v);
      }
    } else {
      made.chain = num_components() + number;
      for (std::uint32_t i = 0; i < signal.value.size(); ++i) {
        if (accepts(signal.value[i])) add_index(made.allowed, i);
      }
    }
    if (made.allowed.empty()) return std::nullopt;
    return Conjunction{std::move(made)};
  }

  [[nodiscard]] Disjunction literal(std::uint32_t atom, bool wanted) {
    const Lattice::View& view = lattice_.view(atom);
    if (view.local) {
      const auto found =
          constraint(view.signals[0], [&](std::uint32_t value) { return (value != 0) == wanted; });
      return found ? Disjunction{*found} : Disjunction{};
    }
    // A case for each combination of values of all signals but the last.
    std::size_t num_combinations = 1;
    for (const std::uint32_t signal : view.signals) {
      num_combinations *= lattice_.num_values(signal);
      if (num_combinations > most_combinations) throw TooMany{};
    }
    Disjunction all;
    std::vector<std::uint32_t> values(view.signals.size(), 0);
    for (;;) {
      const auto last = values.size() - 1;
      std::optional<Conjunction> made = constraint(view.signals[last], [&](std::uint32_t value) {
        values[last] = value;
        return lattice_.truth_of_values(atom, values) == wanted;
      });
      for (std::size_t i = 0; i < last && made; ++i) {
        const auto one =
            constraint(view.signals[i], [&](std::uint32_t value) { return value == values[i]; });
        made = one ? conjunction(*made, *one) : std::nullopt;
      }
      if (made) append(all, {std::move(*made)});
      std::size_t turn = 0;
      while (turn < last && ++values[turn] == lattice_.num_values(view.signals[turn])) {
        values[turn++] = 0;
      }
      if (turn == last) return all;
    }
  }

  const Formulas& forms_;
  const Lattice& lattice_;
  const Limits& limits_;
  std::map<FormulaId, std::vector<Cut>> greatest_;
  std::uint64_t ticks_ = 0;
};

}  // namespace

bool can_detect(const Formulas& forms, FormulaId formula) {
  if (forms[formula].form != Form::SomeFinally) return false;
  return std::ranges::none_of(forms.subformulas(formula), [&](FormulaId id) {
    return forms[id].form == Form::SomeNext || forms[id].form == Form::SomeUntil;
  });
}

std::optional<Detection> detect(const Question& question, const Limits& limits) {
  Detector detector{question, limits};
  try {
    return detector.run(question.forms[question.root].args[0]);
  } catch (const TooMany&) {
    return std::nullopt;
  }
}

}  // namespace cohort::trace::ctl
