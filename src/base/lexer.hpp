// From characters to tokens, for every textual language of Cohort.
//
//   const Lexicon lexicon{{"->", Arrow}, {"→", Arrow}, {"Module", Module}};
//   const Lexed lexed = lex(source, lexicon, diagnostics);
//
// A language is a table of spellings: signs and words; a LexicalForm says what else it has.
// Comments are kept beside the tokens, for the formatter.  A token reaches as far right as it can.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace cohort::base {

/// What a token is: one of those below, or a number that the language's table gives.  A bad_token
/// stands where the lexer has reported something; no grammar accepts it.
using TokenKind = std::uint16_t;
constexpr TokenKind end_token = 0;
constexpr TokenKind name_token = 1;
constexpr TokenKind integer_token = 2;
constexpr TokenKind bad_token = 3;
constexpr TokenKind decimal_token = 4;
constexpr TokenKind string_token = 5;
constexpr TokenKind line_break_token = 6;
constexpr TokenKind first_own_token = 7;

struct Token {
  TokenKind kind = end_token;
  bool first_on_line = false;
  Span where;
};

struct Spelling {
  std::string_view text;
  TokenKind kind;
};

/// What a language has beside names, integers, signs and words.
struct LexicalForm {
  bool decimals = false;       ///< `2.5`
  bool strings = false;        ///< `"…"` on one line; \" \\ \n \t stand for what they say
  bool line_breaks = false;    ///< a line break is a token
  bool hash_comments = false;  ///< `# …` to the end of the line; else `// …` and `/* … */`
};

/// The signs and words of a language.  Of several spellings of one kind the first is canonical.
class Lexicon {
 public:
  Lexicon(std::initializer_list<Spelling> spellings, LexicalForm form = {});

  [[nodiscard]] const LexicalForm& form() const { return form_; }

  /// The kind of a word: a keyword's, or name_token.
  [[nodiscard]] TokenKind word(std::string_view text) const;
  /// The longest sign that `text` starts with; its text is empty if there is none.
  [[nodiscard]] Spelling longest_sign(std::string_view text) const;
  /// The first spelling of a kind; empty for names, integers and the end.
  [[nodiscard]] std::string_view canonical(TokenKind kind) const;
  [[nodiscard]] bool is_word(TokenKind kind) const;

 private:
  std::unordered_map<std::string_view, TokenKind> words_;
  std::array<std::vector<Spelling>, 256> signs_;  // by first byte, longest first
  std::vector<std::string_view> canonical_;       // by kind
  LexicalForm form_;
};

struct Lexed {
  std::vector<Token> tokens;  ///< the last one is an end_token
  std::vector<Span> comments;
};

/// Splits a source into tokens.  Reports characters that start no token, bytes that are no UTF-8
/// and a comment or string that is not closed; goes on behind each of them.
[[nodiscard]] Lexed lex(const Source& source, const Lexicon& lexicon, Diagnostics& diagnostics);

/// What a string token stands for: without its quotes, backslashes resolved.
[[nodiscard]] std::string string_value(std::string_view token);

}  // namespace cohort::base
