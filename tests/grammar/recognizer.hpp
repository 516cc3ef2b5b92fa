// Tells whether a text is in the language of a grammar file, by nothing but that file.
//
//   const Recognizer recognizer{lexer, productions};
//   assert(recognizer.accepts("formula", "AG(x[i] = 2)"));
#pragma once

#include <string_view>

#include "grammar/lexer.hpp"
#include "grammar/productions.hpp"

namespace cohort::grammar_test {

/// Exact for every grammar that read_grammar passes, ambiguous ones included.  A const object may
/// be shared by threads.
class Recognizer {
 public:
  /// Keeps references to both, which must outlive this object.
  Recognizer(const Lexer& lexer, const Productions& productions)
      : lexer_(lexer), productions_(productions) {}

  /// True if the rule `start` derives the text, which is UTF-8.
  [[nodiscard]] bool accepts(std::string_view start, std::string_view text) const;
  [[nodiscard]] bool accepts(std::string_view start, std::u32string_view text) const;

 private:
  const Lexer& lexer_;
  const Productions& productions_;
};

}  // namespace cohort::grammar_test
