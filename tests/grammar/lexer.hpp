// Splits text into tokens with nothing but a grammar file: its quoted terminals and its token
// rules.
//
//   const Lexer lexer{grammar};
//   const std::optional<std::vector<Token>> tokens = lexer.split(U"AG(x[i] = 2)");
//
// A token reaches as far right as it can.  It can be of several kinds, as `2` is an integer and a
// natural number; but a word that is a terminal or a keyword is never a `name`.  Comments are
// skipped, and so are blanks and line breaks, unless a token rule of the grammar begins with them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/ebnf.hpp"

namespace cohort::grammar_test {

/// What the rules about tokens can ask for: a terminal's text, or a token rule.  A dense number.
enum class TokenKind : std::size_t {};

struct Token {
  std::size_t begin;  ///< in code points
  std::size_t end;
  std::vector<TokenKind> kinds;  ///< empty for a keyword that the rules do not use

  [[nodiscard]] bool is(TokenKind kind) const;
};

/// The lexical part of a grammar.  A const object may be shared by threads.
class Lexer {
 public:
  explicit Lexer(Grammar grammar);

  [[nodiscard]] const Grammar& grammar() const { return grammar_; }

  /// The tokens of a text, or nothing if some character starts none.
  [[nodiscard]] std::optional<std::vector<Token>> split(std::u32string_view text) const;

  /// True if the whole text is what `node`, a part of a token rule, stands for.
  [[nodiscard]] bool matches(const Node& node, std::u32string_view text) const;

  [[nodiscard]] std::size_t num_kinds() const { return kinds_.size(); }
  /// The kind of a terminal, which must occur in a rule about tokens.
  [[nodiscard]] TokenKind kind_of_terminal(const std::u32string& text) const;
  /// The kind of a token rule, which must occur in a rule about tokens.
  [[nodiscard]] TokenKind kind_of_rule(std::size_t rule) const;

  /// The text of a terminal; empty for a token rule.
  [[nodiscard]] const std::u32string& terminal(TokenKind kind) const;
  /// The token rule; nothing for a terminal.
  [[nodiscard]] std::optional<std::size_t> rule(TokenKind kind) const;

  /// Words that are never a `name`, sorted.
  [[nodiscard]] const std::set<std::u32string>& words() const { return words_; }

 private:
  struct Kind {
    std::u32string terminal;
    std::optional<std::size_t> rule;
  };
  using Ends = std::vector<std::size_t>;  // ascending, no number twice

  void collect_kinds();
  void collect_words();
  [[nodiscard]] Ends ends(const Node& node, std::u32string_view text, const Ends& begins) const;
  [[nodiscard]] Ends repetition_ends(const Node& node, std::u32string_view text, Ends begins) const;
  [[nodiscard]] std::size_t longest(const Node& node, std::u32string_view text,
                                    std::size_t begin) const;
  [[nodiscard]] Token longest_token(std::u32string_view text, std::size_t begin) const;

  Grammar grammar_;
  std::vector<Kind> kinds_;
  std::map<std::u32string, TokenKind> terminals_;
  std::map<std::size_t, TokenKind> rules_;
  std::set<std::u32string> words_;
  std::vector<std::size_t> comments_;
};

}  // namespace cohort::grammar_test
