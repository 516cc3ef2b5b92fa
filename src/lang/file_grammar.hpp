// What the parsers of model and spec files share: they read a file piece by piece, and after an
// error go on with the next piece.
#pragma once

#include <string_view>
#include <vector>

#include "base/token_grammar.hpp"
#include "lang/climber.hpp"
#include "lang/token.hpp"

namespace cohort::lang {

/// `Module`, `Formula`, `property`, …: the words that start a declaration or a section.
[[nodiscard]] bool starts_declaration(const base::Token& token);

class FileParser {
 public:
  FileParser(const base::Source& source, base::Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        tokens_(base::lex(source, lexicon(), diagnostics).tokens),
        state_(source, lexicon(), tokens_, diagnostics),
        at_(tokens_.data()) {}

 protected:
  /// Where a piece that could not be read ends.
  enum class Recovery {
    BehindSemicolon,  ///< at top level: bodies in braces are skipped as a whole
    InBody,           ///< likewise, but a closing brace is the body's own
    InFormula,        ///< likewise, but braces are those of a set, `client{0, 2-5}`
  };

  [[nodiscard]] Kind kind() const { return kind_of(*at_); }
  [[nodiscard]] Kind kind(std::ptrdiff_t ahead) const {
    return at_ + ahead < &tokens_.back() ? kind_of(at_[ahead]) : Kind::End;
  }
  /// No more pieces: the end, or more errors than anybody reads.
  [[nodiscard]] bool done() const { return kind() == Kind::End || diagnostics_.full(); }

  /// Reads one piece; on an error reports it and skips to where the next one may start.
  template <typename Rule, typename Attribute>
  bool piece(const Rule& rule, Attribute& attribute,
             Recovery recovery = Recovery::BehindSemicolon) {
    const base::Token* const start = at_;
    state_.start_piece(start);
    if (base::run(rule, at_, &tokens_.back() + 1, state_, attribute)) return true;
    at_ = start;
    fail(recovery);
    return false;
  }

  /// Reports what was expected at the current token, and skips.
  void unexpected(std::string_view wanted, Recovery recovery = Recovery::BehindSemicolon) {
    state_.start_piece(at_);
    state_.expected(*at_, wanted);
    fail(recovery);
  }

  /// Reports something about the piece that starts at the current token, and skips it.
  void refuse_piece(std::string message, std::string hint = {}) {
    state_.start_piece(at_);
    state_.refuse(*at_, std::move(message), std::move(hint));
    fail(Recovery::BehindSemicolon);
  }

  /// Reports something about the current token, and stays there.
  void refuse(std::string message, std::string hint) {
    diagnostics_.error(at_->where, std::move(message), std::move(hint));
  }

  base::Diagnostics& diagnostics_;
  std::vector<base::Token> tokens_;
  GrammarState state_;
  const base::Token* at_;
  std::vector<std::string_view> skipped_names_;

 private:
  void fail(Recovery recovery);
  [[nodiscard]] const base::Token* next_piece(const base::Token* from, Recovery recovery);
  /// The token behind the brace that closes the one at `open`; just behind `open` if none does.
  [[nodiscard]] const base::Token* behind_braces(const base::Token* open);

  /// A search for a closing brace came to the end.  There is no second one: with a brace left open
  /// in each of many lines the searches would cost quadratic time.
  bool has_open_brace_ = false;
};

}  // namespace cohort::lang
