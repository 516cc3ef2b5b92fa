// What the formatter knows of the grammar: where pieces of a file start, and what may stand between
// two tokens of a piece.
//
//   Splitter splitter{tokens, FileKind::Model};
//   Grammarian grammarian{tokens};
//   for (Piece piece = splitter.next(); piece.form != Piece::Form::End; piece = splitter.next()) {
//     grammarian.start(piece);
//     for (std::size_t at = piece.begin; at < piece.end; ++at) … grammarian.before(at) …
//   }
//
// All of it is for tokens in which the parser has found no error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/lexer.hpp"
#include "lang/format.hpp"
#include "lang/token.hpp"

namespace cohort::lang {

/// Tokens that start a line and are laid out together.
struct Piece {
  enum class Form : std::uint8_t {
    Keyword,  ///< Program, Formula, Evaluation
    Declaration,
    BodyOpen,
    Schema,
    BodyClose,
    Property,  ///< with a name
    Formula,   ///< without
    Value,
    End,
  };
  Form form = Form::End;
  std::size_t begin = 0;  ///< its first token
  std::size_t end = 0;    ///< behind its last token
  std::size_t indent = 0;
  /// Of comments on lines of their own before it.
  std::size_t comment_indent = 0;

  [[nodiscard]] bool has_formula() const { return form == Form::Property || form == Form::Formula; }
};

/// Cuts the tokens of a file into pieces.
class Splitter {
 public:
  /// Keeps a reference to `tokens`, which must outlive this object.
  Splitter(const std::vector<base::Token>& tokens, FileKind kind);

  /// The next piece; the last one is the end.
  [[nodiscard]] Piece next();

 private:
  [[nodiscard]] bool is_named(std::size_t token) const;
  [[nodiscard]] Piece section(Piece piece, Piece::Form form_inside);
  [[nodiscard]] std::size_t end_of_piece() const;

  const std::vector<base::Token>& tokens_;
  bool in_program_;
  Piece::Form form_;
  std::size_t at_ = 0;
  std::size_t indent_ = 0;
};

/// How readily a line is broken at a gap, among the gaps inside of the same brackets.
enum class BreakLevel : std::uint8_t {
  Part,  ///< behind the arrow of a schema and the name of a property
  List,  ///< inside of the braces of an enum or an initial choice
  Comma,
  Conditional,
  Iff,
  Implies,
  Or,
  And,
  Compare,
  Sum,
  Product,
  Separator,  ///< behind `=` and behind what a quantifier binds: a last resort
  Never,      ///< only a comment breaks the line here
};

/// The space between two tokens of a piece.
struct Gap {
  static constexpr std::uint32_t levels_a_depth = 16;

  bool blank = true;
  BreakLevel level = BreakLevel::Never;
  std::uint32_t depth = 0;
  std::uint8_t indent = 4;  ///< of a line that starts here, beyond that of the level around
  bool closes_list = false;

  [[nodiscard]] bool breakable() const { return level != BreakLevel::Never; }
  [[nodiscard]] std::uint32_t rank() const {
    return depth * levels_a_depth + static_cast<std::uint32_t>(level);
  }
};

/// Says for the tokens of a piece, one after the other, what the gap before each is like.
class Grammarian {
 public:
  /// Keeps a reference to `tokens`, which must outlive this object.
  explicit Grammarian(const std::vector<base::Token>& tokens) : tokens_(tokens) {}

  void start(const Piece& piece);
  /// The gap before token `at` of the piece.  Tokens must be asked for in their order.
  [[nodiscard]] Gap before(std::size_t at);

 private:
  enum class Bracket : std::uint8_t {
    Other,
    Binding,   ///< ALL(i: …)
    Ids,       ///< (0, 3-5), client{0, 3-5}
    Priority,  ///< (Priority vip:others), Priority (vip; others)
    List,      ///< { idle, waiting }
  };

  struct Frame {
    Bracket bracket = Bracket::Other;
    bool has_in = false;
    std::uint32_t num_questions = 0;    ///< whose colon is still to come
    std::uint32_t num_quantifiers = 0;  ///< whose scope is open
  };

  [[nodiscard]] Kind kind(std::ptrdiff_t ahead = 0) const;
  [[nodiscard]] bool is_outermost() const { return frames_.size() == 1; }
  [[nodiscard]] bool in_ids() const;
  [[nodiscard]] bool is_behind_label() const;
  [[nodiscard]] bool is_behind_set() const;

  void read(Gap& gap);
  void paren_open(Gap& gap);
  void brace_open(Gap& gap);
  void open(Bracket bracket);
  void close(Gap& gap);
  void comma(Gap& gap);
  void colon(Gap& gap);
  void question(Gap& gap);
  void infix(Gap& gap);

  const std::vector<base::Token>& tokens_;
  Piece piece_;
  std::size_t at_ = 0;
  std::vector<Frame> frames_;
  std::uint32_t depth_ = 0;
  bool named_ = false;  // the colon behind a property's name has been read
  Gap behind_;          // what the last token wants behind it
};

}  // namespace cohort::lang
