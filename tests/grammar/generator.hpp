// Derives random sentences from a grammar file.
//
//   base::Random random{seed};
//   Generator generator{lexer, productions, random};
//   const Sentence sentence = generator.derive("formula", 30);
//   const std::u32string text = generator.write(sentence);
//
// The same seed gives the same sentences.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "grammar/lexer.hpp"
#include "grammar/productions.hpp"

namespace cohort::grammar_test {

/// The texts of a sentence's tokens.
using Sentence = std::vector<std::u32string>;

class Generator {
 public:
  /// Keeps references to all three, which must outlive this object.
  Generator(const Lexer& lexer, const Productions& productions, base::Random& random);

  /// A sentence that `start` derives.  `budget` is the number of free choices between productions;
  /// the rest of the derivation is as low as can be, so it always ends.
  [[nodiscard]] Sentence derive(std::string_view start, std::size_t budget);

  /// The sentence as text: blanks, line breaks and comments between the tokens, as many as chance
  /// will have, and at least one where two tokens would be read as something else.
  [[nodiscard]] std::u32string write(const Sentence& sentence);

  /// A random text of a kind of token; names and numbers are short.
  [[nodiscard]] std::u32string lexeme(TokenKind kind);

  /// A random token of the grammar, also one that only the keywords list.
  [[nodiscard]] std::u32string any_lexeme();

 private:
  struct Part;

  [[nodiscard]] std::size_t below(std::size_t bound);
  [[nodiscard]] bool once_in(std::size_t times) { return below(times) == 0; }
  [[nodiscard]] std::size_t choose_body(const Part& part, bool lowest);
  [[nodiscard]] std::u32string name(const Node& rule);
  [[nodiscard]] std::u32string characters(const Node& node);
  [[nodiscard]] std::u32string comment();
  [[nodiscard]] std::u32string gap();
  [[nodiscard]] std::u32string gap_between(const std::u32string& left, const std::u32string& right);
  [[nodiscard]] bool reads_as(const std::u32string& text, const Sentence& sentence) const;

  const Lexer& lexer_;
  const Productions& productions_;
  base::Random& random_;
};

}  // namespace cohort::grammar_test
