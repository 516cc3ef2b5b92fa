#include "unit/ltl/random_formula.hpp"

#include <cstdlib>

namespace cohort::ltl_test {

using ltl::Formula;
using ltl::Formulas;
using ltl::Regex;

namespace {

[[nodiscard]] Formula random_literal(Formulas& formulas, base::Random& random,
                                     std::size_t num_atoms) {
  if (random.chance(5)) return formulas.constant(random.chance(50));
  const Formula atom =
      formulas.atom(ltl::Atom{static_cast<std::uint32_t>(random.below(num_atoms))});
  return random.chance(40) ? formulas.negation(atom) : atom;
}

[[nodiscard]] FormulaShape with(const FormulaShape& shape, std::size_t num_operators) {
  FormulaShape smaller = shape;
  smaller.num_operators = num_operators;
  return smaller;
}

}  // namespace

Regex random_regex(Formulas& formulas, base::Random& random, const FormulaShape& shape) {
  if (shape.num_operators == 0) {
    const Formula a = random_literal(formulas, random, shape.num_atoms);
    const Formula b = random_literal(formulas, random, shape.num_atoms);
    if (random.chance(10)) return formulas.empty_word();
    return formulas.condition(random.chance(70) ? a : formulas.disjunction(a, b));
  }
  const std::size_t rest = shape.num_operators - 1;
  const std::size_t left = random.below(rest + 1);
  const auto binary = [&](auto make) {
    const Regex r = random_regex(formulas, random, with(shape, left));
    const Regex s = random_regex(formulas, random, with(shape, rest - left));
    return make(r, s);
  };
  switch (random.below(7)) {
    case 0:
    case 1:
      return binary([&](Regex r, Regex s) { return formulas.concat(r, s); });
    case 2:
      return binary([&](Regex r, Regex s) { return formulas.fusion(r, s); });
    case 3:
      return binary([&](Regex r, Regex s) { return formulas.either({r, s}); });
    case 4:
      return binary([&](Regex r, Regex s) { return formulas.both({r, s}); });
    case 5:
      return formulas.repeat(random_regex(formulas, random, with(shape, rest)), ltl::Times{});
    default: {
      const auto least = static_cast<std::uint32_t>(random.below(3));
      const auto most = random.chance(30) ? ltl::Times::unbounded
                                          : least + static_cast<std::uint32_t>(random.below(2));
      return formulas.repeat(random_regex(formulas, random, with(shape, rest)), {least, most});
    }
  }
}

Formula random_formula(Formulas& formulas, base::Random& random, const FormulaShape& shape) {
  if (shape.num_operators == 0) return random_literal(formulas, random, shape.num_atoms);
  const std::size_t rest = shape.num_operators - 1;
  const std::size_t left = random.below(rest + 1);
  const auto unary = [&](auto make) {
    return make(random_formula(formulas, random, with(shape, rest)));
  };
  const auto binary = [&](auto make) {
    const Formula f = random_formula(formulas, random, with(shape, left));
    const Formula g = random_formula(formulas, random, with(shape, rest - left));
    return make(f, g);
  };
  if (shape.regexes && random.chance(25)) {
    const Regex r = random_regex(formulas, random, with(shape, std::min<std::size_t>(left, 3)));
    switch (random.below(4)) {
      case 0:
        return formulas.match(r);
      case 1:
        return formulas.some(r, random_formula(formulas, random, with(shape, rest - left)));
      case 2:
        return formulas.all(r, random_formula(formulas, random, with(shape, rest - left)));
      default:
        return formulas.all_next(r, random_formula(formulas, random, with(shape, rest - left)));
    }
  }
  switch (random.below(13)) {
    case 0:
      return unary([&](Formula f) { return formulas.negation(f); });
    case 1:
      return unary([&](Formula f) { return formulas.next(f); });
    case 2:
      return unary([&](Formula f) { return formulas.strong_next(f); });
    case 3:
      return unary([&](Formula f) { return formulas.eventually(f); });
    case 4:
      return unary([&](Formula f) { return formulas.always(f); });
    case 5:
      return binary([&](Formula f, Formula g) { return formulas.until(f, g); });
    case 6:
      return binary([&](Formula f, Formula g) { return formulas.weak_until(f, g); });
    case 7:
      return binary([&](Formula f, Formula g) { return formulas.release(f, g); });
    case 8:
      return binary([&](Formula f, Formula g) { return formulas.strong_release(f, g); });
    case 9:
      return binary([&](Formula f, Formula g) { return formulas.equivalence(f, g); });
    case 10:
      return binary([&](Formula f, Formula g) { return formulas.implication(f, g); });
    case 11:
      return binary([&](Formula f, Formula g) { return formulas.conjunction(f, g); });
    default:
      return binary([&](Formula f, Formula g) { return formulas.disjunction(f, g); });
  }
}

std::vector<oracle::FiniteWord> all_words(std::size_t num_atoms, std::size_t longest) {
  std::vector<oracle::FiniteWord> words{{}};
  const oracle::Letter num_letters = oracle::Letter{1} << num_atoms;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].letters.size() == longest) continue;
    for (oracle::Letter letter = 0; letter < num_letters; ++letter) {
      oracle::FiniteWord longer = words[i];
      longer.letters.push_back(letter);
      words.push_back(std::move(longer));
    }
  }
  return words;
}

oracle::LassoWord random_lasso(base::Random& random, std::size_t num_atoms) {
  const auto letters = [&](std::size_t count) {
    std::vector<oracle::Letter> made;
    for (std::size_t i = 0; i < count; ++i) {
      made.push_back(random.below(std::uint64_t{1} << num_atoms));
    }
    return made;
  };
  const std::size_t stem = random.below(4);
  const std::size_t loop = 1 + random.below(4);
  oracle::LassoWord word;
  word.stem = letters(stem);
  word.loop = letters(loop);
  return word;
}

std::vector<oracle::LassoWord> all_lassos(std::size_t num_atoms, std::size_t longest_stem,
                                          std::size_t longest_loop) {
  std::vector<oracle::LassoWord> lassos;
  for (const oracle::FiniteWord& stem : all_words(num_atoms, longest_stem)) {
    for (const oracle::FiniteWord& loop : all_words(num_atoms, longest_loop)) {
      if (!loop.letters.empty()) lassos.push_back({stem.letters, loop.letters});
    }
  }
  return lassos;
}

std::vector<std::string> atom_names(std::size_t num_atoms) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < num_atoms; ++i) {
    names.push_back(i < 26 ? std::string(1, static_cast<char>('a' + i)) : "p" + std::to_string(i));
  }
  return names;
}

namespace {

[[nodiscard]] std::string name_of(ltl::Atom atom) {
  return atom_names(static_cast<std::size_t>(atom) + 1).back();
}

}  // namespace

std::string to_string(const Formulas& formulas, Formula f) {
  return formulas.to_string(f, name_of);
}

std::string to_string(const Formulas& formulas, Regex r) { return formulas.to_string(r, name_of); }

std::size_t scaled(std::size_t cases) {
  const char* const factor = std::getenv("COHORT_RANDOM_CASES");  // NOLINT(concurrency-mt-unsafe)
  const unsigned long times = factor == nullptr ? 1 : std::strtoul(factor, nullptr, 10);
  return cases * (times == 0 ? 1 : times);
}

}  // namespace cohort::ltl_test
