#include "trace/sequential/overlap.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "trace/sequential/linear.hpp"

namespace cohort::trace::sequential {
namespace {

constexpr std::size_t most_rests = 10'000;

/// An atom about one value: how it compares with a number or a text.
struct Cut {
  ltl::Variable letter = 0;
  Relation relation = Relation::Equal;
  bool about_text = false;
  cpp_rational bound;
  std::string text;
};

/// A value.
struct Sample {
  bool is_text = false;
  cpp_rational number;
  std::string text;
};

[[nodiscard]] bool holds(const Cut& cut, const Sample& sample) {
  if (cut.about_text || sample.is_text) {
    const bool equal = cut.about_text && sample.is_text && cut.text == sample.text;
    return equal == (cut.relation == Relation::Equal);
  }
  return holds(cut.relation, sample.number.compare(cut.bound));
}

/// The atom as a cut of the one slot that it reads; false if it is none.
[[nodiscard]] bool find_cut(const AtomInfo& atom, Cut& cut) {
  if (!atom.comparison || atom.slots.size() != 1) return false;
  const Comparison& comparison = *atom.comparison;
  cut.relation = comparison.relation();
  for (const Term* const term : {&comparison.left(), &comparison.right()}) {
    if (!term->is_text()) continue;
    cut.about_text = true;
    cut.text = term->constant(0).characters();
    return true;
  }
  const std::optional<LinearForm> form = difference_of(comparison);
  if (!form || form->factors.begin()->second == 0) return false;
  const cpp_rational& factor = form->factors.begin()->second;
  cut.bound = -form->constant / factor;
  if (factor < 0) cut.relation = mirrored(cut.relation);
  return true;
}

/// One value out of each stretch between the cuts, and the cuts themselves.
[[nodiscard]] std::vector<Sample> samples_of(const std::vector<Cut>& cuts, bool numbers_only) {
  std::set<cpp_rational> bounds;
  std::set<std::string> texts;
  std::string other = "-";  // longer than all texts that somebody names
  for (const Cut& cut : cuts) {
    if (cut.about_text) {
      texts.insert(cut.text);
      other += cut.text;
    } else {
      bounds.insert(cut.bound);
    }
  }
  std::vector<Sample> samples;
  const auto add = [&](cpp_rational number) { samples.push_back({false, std::move(number), {}}); };
  if (bounds.empty()) {
    add(0);
  } else {
    add(*bounds.begin() - 1);
    for (auto at = bounds.begin(); at != bounds.end(); ++at) {
      add(*at);
      const auto next = std::next(at);
      add(next == bounds.end() ? cpp_rational{*at + 1} : cpp_rational{(*at + *next) / 2});
    }
  }
  if (numbers_only) return samples;
  texts.insert(std::move(other));
  for (const std::string& text : texts) samples.push_back({true, 0, text});
  return samples;
}

}  // namespace

bool satisfiable(ltl::Decisions& letters, ltl::Decision condition,
                 const std::vector<std::uint32_t>& own, const Atoms& atoms) {
  std::map<std::uint32_t, std::vector<Cut>> cuts;  // by slot
  std::set<std::uint32_t> numbers_only;
  for (const ltl::Variable letter : letters.support(condition)) {
    const AtomInfo& atom = atoms[own[letter]];
    Cut cut;
    cut.letter = letter;
    if (!find_cut(atom, cut)) continue;
    cuts[atom.slots[0]].push_back(std::move(cut));
    // A text in such a variable is an error.
    const bool is_value = atoms.slots()[atom.slots[0]].asked == Asked::Value;
    if (atom.needs_numbers || !is_value) numbers_only.insert(atom.slots[0]);
  }
  std::set<ltl::Decision> rests{condition};
  for (const auto& [slot, of_slot] : cuts) {
    std::set<ltl::Decision> next;
    for (const Sample& sample : samples_of(of_slot, numbers_only.contains(slot))) {
      for (ltl::Decision rest : rests) {
        for (const Cut& cut : of_slot)
          rest = letters.restrict(rest, cut.letter, holds(cut, sample));
        if (rest != ltl::Decision::False) next.insert(rest);
      }
    }
    if (next.size() > most_rests) return true;
    rests = std::move(next);
  }
  return std::ranges::any_of(rests,
                             [](ltl::Decision rest) { return rest != ltl::Decision::False; });
}

}  // namespace cohort::trace::sequential
