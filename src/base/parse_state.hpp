// What a grammar remembers while it runs: the failure furthest to the right, the depth, and the
// diagnostics made so far.  Free of Spirit, so that parsers' drivers can use it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/lexer.hpp"
#include "base/source.hpp"

namespace cohort::base {

/// Brackets, quantifiers and prefix operators may be nested this deep.  The parser, and everything
/// that walks a tree later, recurses at most so often.
constexpr std::size_t deepest_nesting = 200;

class ParseState {
 public:
  /// Keeps references to all four, which must outlive this object.
  ParseState(const Source& source, const Lexicon& lexicon, const std::vector<Token>& tokens,
             Diagnostics& diagnostics)
      : source_(source), lexicon_(lexicon), tokens_(tokens), diagnostics_(diagnostics) {}

  /// An expectation: an own description, or a token kind where the description is empty.
  struct Expectation {
    TokenKind kind = end_token;
    std::string_view description;
  };
  /// How far the collection of expectations had come.
  struct Mark {
    const Token* furthest = nullptr;
    std::size_t num_expected = 0;
  };

  [[nodiscard]] const Source& source() const { return source_; }
  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }
  [[nodiscard]] Diagnostics& diagnostics() { return diagnostics_; }
  [[nodiscard]] std::string_view text(const Token& token) const {
    return source_.text(token.where);
  }

  /// Forgets the last failure; call before each independent piece of input, which starts at `at`.
  void start_piece(const Token* at);

  void expected(const Token& at, TokenKind kind) { expected(at, Expectation{kind, {}}); }
  void expected(const Token& at, std::string_view description) {
    expected(at, Expectation{end_token, description});
  }
  [[nodiscard]] Mark mark() const { return {furthest_, expected_.size()}; }
  /// If nothing matched since `mark`, what was expected at `at` since then is called `description`.
  void rename_since(Mark mark, const Token& at, std::string_view description);

  /// A failure with words of its own, which no list of expectations can say better.  The first one
  /// in a piece counts.
  void refuse(const Token& at, std::string message, std::string hint);

  /// Goes one level deeper; false, with the failure noted, at the limit.
  [[nodiscard]] bool enter(const Token& at);
  void leave() { --depth_; }
  void refuse_depth(const Token& at);

  /// Reports that a token, a semicolon say, is missing before `at`.  False if it was reported there
  /// already, so that no parser loops, and if the failure of this piece is another one, further to
  /// the right.
  [[nodiscard]] bool forgotten(const Token* at, TokenKind kind);

  /// Turns the failure of this piece into a diagnostic.
  void report();
  /// The token at which the piece failed.
  [[nodiscard]] const Token* failed_at() const { return refused_ ? refused_at_ : furthest_; }

 private:
  void expected(const Token& at, Expectation expectation);
  [[nodiscard]] std::string name_of(const Expectation& expectation) const;
  [[nodiscard]] std::string name_of(const Token& token) const;
  [[nodiscard]] std::string list_of_expected() const;
  [[nodiscard]] bool expects_name() const;
  [[nodiscard]] std::string unclosed_bracket_hint() const;

  const Source& source_;
  const Lexicon& lexicon_;
  const std::vector<Token>& tokens_;
  Diagnostics& diagnostics_;

  const Token* furthest_ = nullptr;
  std::vector<Expectation> expected_;
  bool refused_ = false;
  const Token* refused_at_ = nullptr;
  std::string refusal_;
  std::string refusal_hint_;
  const Token* last_forgotten_ = nullptr;
  const Token* piece_start_ = nullptr;
  std::size_t depth_ = 0;
};

}  // namespace cohort::base
