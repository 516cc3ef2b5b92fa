// The rules about tokens as plain productions, without brackets: what deriving and recognizing
// need.
//
//   const Productions productions{lexer};
//   const std::size_t start = productions.nonterminal("formula");
//   for (const Body& body : productions.bodies(start)) …
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/lexer.hpp"

namespace cohort::grammar_test {

struct Symbol {
  enum class Kind { Token, Nonterminal, Before };
  Kind kind;
  std::size_t index;  ///< a TokenKind for Token and Before, else a nonterminal

  [[nodiscard]] TokenKind token() const { return static_cast<TokenKind>(index); }
};

using Body = std::vector<Symbol>;

/// No derivation, of whatever height.
constexpr std::size_t no_height = static_cast<std::size_t>(-1);

/// The productions of a grammar.  The first nonterminals are its rules, with their numbers; then
/// come those that stand for brackets.  A const object may be shared by threads.
class Productions {
 public:
  explicit Productions(const Lexer& lexer);

  [[nodiscard]] std::size_t num_nonterminals() const { return bodies_.size(); }
  /// The nonterminal of a rule about tokens.
  [[nodiscard]] std::size_t nonterminal(std::string_view rule) const;
  [[nodiscard]] const std::vector<Body>& bodies(std::size_t nonterminal) const {
    return bodies_[nonterminal];
  }

  /// True if it derives the empty sequence, at least in front of some token.
  [[nodiscard]] bool may_be_empty(std::size_t nonterminal) const { return empty_[nonterminal]; }
  /// True if it derives a sequence that begins with this token.
  [[nodiscard]] bool may_begin(std::size_t nonterminal, TokenKind token) const {
    return first_[nonterminal][static_cast<std::size_t>(token)];
  }

  /// The height of the lowest derivation from this body.
  [[nodiscard]] std::size_t height(const Body& body) const;
  /// The same for derivations whose first token is `first`, taken from the body's first symbol.
  [[nodiscard]] std::size_t height(const Body& body, TokenKind first) const;

 private:
  using Heights = std::vector<std::size_t>;

  void add_bodies(const Lexer& lexer, std::size_t nonterminal, const Node& node,
                  const Body& prefix);
  void append(const Lexer& lexer, Body& body, const Node& node);
  std::size_t add_nonterminal();
  void find_empty();
  void find_first(std::size_t num_kinds);
  void find_heights();
  void find_heights_with_first();

  std::vector<std::vector<Body>> bodies_;
  std::map<std::string, std::size_t, std::less<>> names_;
  std::vector<bool> empty_;
  std::vector<std::vector<bool>> first_;
  Heights heights_;
  std::map<TokenKind, Heights> heights_with_first_;  // for the tokens of `? before ?`
};

}  // namespace cohort::grammar_test
