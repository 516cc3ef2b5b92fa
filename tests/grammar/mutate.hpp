// Small changes to a sentence, most of which take it out of the language.
//
//   const std::u32string text = mutate(sentence, generator, random);
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/random.hpp"
#include "grammar/generator.hpp"

namespace cohort::grammar_test {

/// Changes one to three tokens of a sentence (leaves one out, writes one twice, exchanges two, puts
/// another one in its place or beside it) and writes it; or writes it and changes a character.
[[nodiscard]] std::u32string mutate(const Sentence& sentence, Generator& generator,
                                    base::Random& random);

/// A smaller text that still has the property, found by leaving out pieces for as long as one can.
[[nodiscard]] std::u32string shrink(std::u32string text,
                                    const std::function<bool(std::u32string_view)>& property);

}  // namespace cohort::grammar_test
