#include "grammar/mutate.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cohort::grammar_test {
namespace {

constexpr std::u32string_view characters =
    U"aEX_019 \t\n\"'\\/*#-+%.;:,(){}[]<>=!&|?@$^~`é∀∃∈∧∨¬→↔≠≤≥";

std::size_t below(base::Random& random, std::size_t bound) {
  return static_cast<std::size_t>(random.below(bound));
}

std::ptrdiff_t offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

void change_tokens(Sentence& sentence, Generator& generator, base::Random& random) {
  const std::size_t at = below(random, sentence.size() + 1);
  if (at == sentence.size()) {
    sentence.push_back(generator.any_lexeme());
    return;
  }
  switch (below(random, 6)) {
    case 0:
      sentence.erase(sentence.begin() + offset(at));
      break;
    case 1: {
      const std::u32string copy = sentence[at];
      sentence.insert(sentence.begin() + offset(at), copy);
      break;
    }
    case 2:
      std::swap(sentence[at], sentence[below(random, sentence.size())]);
      break;
    case 3:
      std::swap(sentence[at], sentence[std::min(at + 1, sentence.size() - 1)]);
      break;
    case 4:
      sentence[at] = generator.any_lexeme();
      break;
    default:
      sentence.insert(sentence.begin() + offset(at), generator.any_lexeme());
      break;
  }
}

void change_character(std::u32string& text, base::Random& random) {
  const std::size_t at = below(random, text.size() + 1);
  const char32_t character = characters[below(random, characters.size())];
  if (at == text.size()) {
    text += character;
    return;
  }
  switch (below(random, 3)) {
    case 0:
      text.erase(at, 1);
      break;
    case 1:
      text[at] = character;
      break;
    default:
      text.insert(at, 1, character);
      break;
  }
}

}  // namespace

std::u32string mutate(const Sentence& sentence, Generator& generator, base::Random& random) {
  if (random.below(3) == 0) {
    std::u32string text = generator.write(sentence);
    change_character(text, random);
    return text;
  }
  Sentence changed = sentence;
  const std::size_t times = below(random, 3) + 1;
  for (std::size_t i = 0; i < times; ++i) change_tokens(changed, generator, random);
  return generator.write(changed);
}

std::u32string shrink(std::u32string text,
                      const std::function<bool(std::u32string_view)>& property) {
  for (std::size_t length = std::max<std::size_t>(text.size() / 2, 1); length > 0; length /= 2) {
    bool shrunk = true;
    while (shrunk) {
      shrunk = false;
      for (std::size_t at = 0; at + length <= text.size();) {
        std::u32string shorter = text;
        shorter.erase(at, length);
        if (property(shorter)) {
          text = std::move(shorter);
          shrunk = true;
        } else {
          ++at;
        }
      }
    }
  }
  return text;
}

}  // namespace cohort::grammar_test
