// The canonical layout of models and specs.
//
// Idea.  A file is a row of pieces: a declaration, a schema, the head of a body, a property.  Each
// piece starts a line.  Its tokens are written as they come, so that none can be lost; only the
// gaps between them are chosen.  A Grammarian says for each gap whether it has a blank, and whether
// a line may be broken there and how readily: its rank, smaller for looser operators and outer
// brackets.  The Formatter then breaks lines.  The chunk of a gap reaches up to the next gap whose
// rank is not greater.  A gap is broken if its chunk does not fit on the rest of the line, or if a
// line was broken inside of the chunk before it.  So a line is broken at the loosest place that
// helps.
//
// Comments.  One that ended a line behind a token still does, and one that had a line for itself
// keeps one; any other goes with the token behind it.  What is read from the output is then the
// same again, whichever lines were broken: that makes formatting idempotent.
//
// Cost.  Linear: chunks are found with a stack, their widths with running sums.
#include "lang/format.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/lexer.hpp"
#include "base/utf8.hpp"
#include "lang/format_gaps.hpp"
#include "lang/parse.hpp"
#include "lang/token.hpp"

namespace cohort::lang {
namespace {

using base::Span;
using base::Token;

constexpr std::size_t widest_line = 100;
/// Where lines start in what is nested so deep that its indentation would fill them.
constexpr std::size_t deepest_indent = 60;

// ---------------------------------------------------------------------------------------------------
// Comments

/// Comments [first, last) that stand on one line.
struct Run {
  std::size_t first = 0;
  std::size_t last = 0;
  bool blank_line_before = false;

  [[nodiscard]] bool empty() const { return first == last; }
};

/// The comments between two tokens.
struct Remarks {
  Run behind;                ///< on the line of the token before, which they end
  std::vector<Run> own;      ///< on lines of their own
  Run ahead;                 ///< on the line of the token behind
  bool starts_line = false;  ///< `ahead` is not on the line of the token before
  bool blank_line_before_token = false;

  [[nodiscard]] bool end_line() const { return !behind.empty() || !own.empty(); }
};

/// The tokens and comments of a source.
class Text {
 public:
  /// Keeps a reference to `source`, which must outlive this object.
  explicit Text(const base::Source& source) : source_(source) {
    base::Diagnostics none;
    base::Lexed lexed = base::lex(source, lexicon(), none);
    tokens_ = std::move(lexed.tokens);
    comments_ = std::move(lexed.comments);
  }

  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }

  /// A token in canonical spelling.
  [[nodiscard]] std::string_view token(std::size_t at) const {
    const std::string_view spelling = lexicon().canonical(tokens_[at].kind);
    return spelling.empty() ? source_.text(tokens_[at].where) : spelling;
  }
  [[nodiscard]] std::string_view comment(std::size_t at) const {
    return source_.text(comments_[at]);
  }
  [[nodiscard]] bool is_line_comment(std::size_t at) const { return comment(at).starts_with("//"); }
  [[nodiscard]] bool is_at_column_0(const Run& run) const {
    const std::uint32_t begin = comments_[run.first].begin;
    return begin == 0 || source_.text()[begin - 1] == '\n';
  }

  /// True if there are comments before token `at`, which have not been read yet.
  [[nodiscard]] bool has_remarks(std::size_t at) const {
    return next_comment_ < comments_.size() &&
           comments_[next_comment_].begin < tokens_[at].where.begin;
  }

  /// The comments before token `at`.  Gaps must be asked for in their order.
  [[nodiscard]] Remarks read_remarks(std::size_t at) {
    Remarks remarks;
    std::uint32_t end = at == 0 ? 0 : tokens_[at - 1].where.end;
    std::size_t breaks = 0;
    bool starts_line = at == 0;
    Run run{next_comment_, next_comment_, false};
    while (has_remarks(at)) {
      breaks = line_breaks(end, comments_[next_comment_].begin);
      if (breaks > 0) {
        finish_line(run, starts_line, remarks);
        starts_line = true;
        run = {next_comment_, next_comment_, breaks > 1};
      }
      end = comments_[next_comment_].end;
      run.last = ++next_comment_;
    }
    breaks = line_breaks(end, tokens_[at].where.begin);
    remarks.blank_line_before_token = breaks > 1;
    if (breaks > 0 || kind_of(tokens_[at]) == Kind::End) {
      finish_line(run, starts_line, remarks);
    } else if (!run.empty()) {
      remarks.ahead = run;
      remarks.starts_line = starts_line;
      remarks.blank_line_before_token = run.blank_line_before;
    }
    return remarks;
  }

 private:
  static void finish_line(const Run& run, bool starts_line, Remarks& remarks) {
    if (run.empty()) return;
    if (starts_line) {
      remarks.own.push_back(run);
    } else {
      remarks.behind = run;
    }
  }

  [[nodiscard]] std::size_t line_breaks(std::uint32_t begin, std::uint32_t end) const {
    return static_cast<std::size_t>(std::ranges::count(source_.text({begin, end}), '\n'));
  }

  const base::Source& source_;
  std::vector<Token> tokens_;
  std::vector<Span> comments_;
  std::size_t next_comment_ = 0;
};

[[nodiscard]] std::string_view without_blanks_behind(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);  // npos + 1 == 0: only blanks
}

/// What is written so far, and where its last line has come to.
class Output {
 public:
  [[nodiscard]] std::size_t column() const { return column_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }

  /// Words of our own, ASCII.
  void write(std::string_view words) {
    text_ += words;
    column_ += words.size();
  }

  void start_line(std::size_t indent) {
    text_ += '\n';
    text_.append(indent, ' ');
    column_ = indent;
  }
  void blank_line() { text_ += '\n'; }

  /// A comment as it is, but for blanks at the ends of lines.
  void write_comment(std::string_view comment) {
    for (;;) {
      const std::size_t end = comment.find('\n');
      const std::string_view line = without_blanks_behind(comment.substr(0, end));
      text_ += line;
      column_ += base::count_code_points(line);
      if (end == std::string_view::npos) return;
      start_line(0);
      comment.remove_prefix(end + 1);
    }
  }

  [[nodiscard]] std::string take() {
    text_ += '\n';
    return std::move(text_);
  }

 private:
  std::string text_;
  std::size_t column_ = 0;
};

// ---------------------------------------------------------------------------------------------------
// Lines

class Formatter {
 public:
  /// Keeps a reference to `source`, which must outlive this object and be free of syntax errors.
  Formatter(const base::Source& source, FileKind kind)
      : text_(source), splitter_(text_.tokens(), kind), grammarian_(text_.tokens()) {}

  [[nodiscard]] std::string run() {
    bool behind_brace = false;
    for (;;) {
      const Piece piece = splitter_.next();
      start_piece(piece, behind_brace);
      if (piece.form == Piece::Form::End) return output_.take();
      read_piece(piece);
      find_chunks();
      write_piece(piece);
      behind_brace = piece.form == Piece::Form::BodyOpen;
    }
  }

 private:
  /// A token of the piece at hand, with the gap before it.
  struct Item {
    std::size_t end = 0;  ///< its last column, were the piece on one line
    std::uint32_t rank = 0;
    std::uint32_t chunk_end = 0;    ///< the next gap that is not tighter; of a last resort any gap
    std::uint32_t next_looser = 0;  ///< the next gap that is looser
    std::uint8_t indent = 0;
    bool blank = false;
    bool breakable = false;
    bool must_break = false;  ///< comments before it end a line
    bool last_resort = false;
    bool starts_part = false;  ///< is broken unless all that follows fits
    bool closes_list = false;
  };
  /// Comments before an item.
  struct Remarked {
    Remarked(std::size_t at, Remarks&& comments) : item(at), remarks(std::move(comments)) {}
    std::size_t item;
    Remarks remarks;
  };
  /// A level of the piece that is broken over lines.
  struct Broken {
    std::uint32_t rank;
    std::size_t indent;
  };

  // Between pieces.

  void start_piece(const Piece& piece, bool behind_brace) {
    Remarks remarks = text_.read_remarks(piece.begin);
    if (!remarks.ahead.empty() && !remarks.starts_line) std::swap(remarks.ahead, remarks.behind);
    if (!remarks.behind.empty()) {
      output_.write("  ");
      write_run(remarks.behind);
    }
    const bool at_section = piece.form == Piece::Form::Keyword || piece.form == Piece::Form::End;
    for (const Run& run : remarks.own) {
      const bool outside = at_section && text_.is_at_column_0(run);
      start_line(outside ? 0 : piece.comment_indent, run.blank_line_before && !behind_brace);
      write_run(run);
      behind_brace = false;
    }
    if (piece.form == Piece::Form::End) return;
    const bool at_brace = behind_brace || piece.form == Piece::Form::BodyClose;
    start_line(piece.indent, remarks.blank_line_before_token && !at_brace);
    if (!remarks.ahead.empty()) {
      write_run(remarks.ahead);
      output_.write(" ");
    }
  }

  void start_line(std::size_t indent, bool blank_line) {
    if (output_.empty()) {
      output_.write(std::string(indent, ' '));
      return;
    }
    if (blank_line) output_.blank_line();
    output_.start_line(indent);
  }

  void write_run(const Run& run) {
    for (std::size_t i = run.first; i < run.last; ++i) {
      if (i > run.first) output_.write(" ");
      output_.write_comment(text_.comment(i));
    }
  }

  // Inside of a piece.

  void read_piece(const Piece& piece) {
    items_.clear();
    remarked_.clear();
    grammarian_.start(piece);
    std::size_t column = 0;
    for (std::size_t at = piece.begin; at < piece.end; ++at) {
      const Gap gap = grammarian_.before(at);
      Item item;
      item.blank = gap.blank && at > piece.begin;
      item.rank = gap.rank();
      item.indent = gap.indent;
      item.breakable = gap.breakable() && at > piece.begin;
      item.last_resort = gap.level == BreakLevel::Separator;
      item.starts_part =
          gap.level == BreakLevel::Part || (gap.level == BreakLevel::List && !gap.closes_list);
      item.closes_list = gap.closes_list;
      if (at > piece.begin && text_.has_remarks(at)) {
        column += read_remarks(at, item);
      }
      column += text_.token(at).size() + (item.blank ? 1 : 0);
      item.end = column;
      items_.push_back(item);
    }
  }

  /// Reads the comments before a token; says how wide they make its line.
  [[nodiscard]] std::size_t read_remarks(std::size_t at, Item& item) {
    const Remarks& remarks = remarked_.emplace_back(items_.size(), text_.read_remarks(at)).remarks;
    item.must_break = remarks.end_line();
    if (remarks.ahead.empty()) return 0;
    const Kind before = kind_of(text_.tokens()[at - 1]);
    item.blank = before != Kind::ParenOpen && before != Kind::SquareOpen;
    std::size_t width = hugs(at) ? 0 : 1;
    for (std::size_t i = remarks.ahead.first; i < remarks.ahead.last; ++i) {
      const std::string_view comment = text_.comment(i);
      const std::string_view line = without_blanks_behind(comment.substr(0, comment.find('\n')));
      width += base::count_code_points(line) + (i > remarks.ahead.first ? 1 : 0);
    }
    return width;
  }

  /// Whether no blank stands between a comment and a token behind it.
  [[nodiscard]] bool hugs(std::size_t at) const {
    const Kind kind = kind_of(text_.tokens()[at]);
    return kind == Kind::Comma || kind == Kind::Semicolon || kind == Kind::ParenClose ||
           kind == Kind::SquareClose;
  }

  void find_chunks() {
    const auto num_items = static_cast<std::uint32_t>(items_.size());
    open_chunks_.clear();
    std::uint32_t next_gap = num_items;
    for (std::uint32_t i = num_items; i-- > 1;) {
      Item& item = items_[i];
      if (!item.breakable && !item.must_break) continue;
      while (!open_chunks_.empty() && items_[open_chunks_.back()].rank > item.rank) {
        open_chunks_.pop_back();
      }
      item.chunk_end = item.next_looser = num_items;
      if (!open_chunks_.empty()) {
        const std::uint32_t next = open_chunks_.back();
        item.chunk_end = next;
        item.next_looser = items_[next].rank == item.rank ? items_[next].next_looser : next;
        if (items_[next].rank == item.rank) open_chunks_.pop_back();
      }
      open_chunks_.push_back(i);
      if (item.last_resort) item.chunk_end = next_gap;
      next_gap = i;
    }
  }

  void write_piece(const Piece& piece) {
    broken_.clear();
    last_rank_ = 0;
    flat_until_ = 0;
    list_is_broken_ = false;
    auto next_remarked = remarked_.begin();
    auto next_break = remarked_.begin();
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Remarks* remarks = nullptr;
      if (next_remarked != remarked_.end() && next_remarked->item == i) {
        remarks = &(next_remarked++)->remarks;
      }
      while (next_break != remarked_.end() &&
             (next_break->item <= i || !next_break->remarks.end_line())) {
        ++next_break;
      }
      const std::size_t must_break =
          next_break == remarked_.end() ? items_.size() : next_break->item;
      if (i > 0 && breaks_before(i, must_break)) {
        break_before(i, must_break, piece, remarks);
      } else if (items_[i].blank) {
        output_.write(" ");
      }
      if (remarks != nullptr && !remarks->ahead.empty()) {
        write_run(remarks->ahead);
        if (!hugs(piece.begin + i)) output_.write(" ");
      }
      output_.write(text_.token(piece.begin + i));
    }
  }

  /// The width of the items [begin, end) on one line.
  [[nodiscard]] std::size_t width(std::size_t begin, std::size_t end) const {
    const std::size_t start = items_[begin - 1].end + (items_[begin].blank ? 1 : 0);
    return items_[end - 1].end - start;
  }

  /// Whether a new line starts with item `i`; `must_break` is the next one that must start one.
  [[nodiscard]] bool breaks_before(std::size_t i, std::size_t must_break) {
    const Item& item = items_[i];
    if (item.must_break) return true;
    if (!item.breakable) return false;
    if (item.closes_list) return list_is_broken_;
    if (i < flat_until_) return false;
    const std::size_t chunk_end = item.starts_part ? items_.size() : item.chunk_end;
    const std::size_t end = std::min(chunk_end, must_break);
    const std::size_t column = output_.column() + (item.blank ? 1 : 0);
    if (item.starts_part && end < chunk_end) return true;
    if (last_rank_ > item.rank || column + width(i, end) > widest_line) return true;
    flat_until_ = end;
    return false;
  }

  void break_before(std::size_t i, std::size_t must_break, const Piece& piece,
                    const Remarks* remarks) {
    const Item& item = items_[i];
    const std::size_t indent_inside = broken_.empty() ? piece.indent : broken_.back().indent;
    const std::size_t indent = indent_of(i, piece);
    if (remarks != nullptr && !remarks->behind.empty()) {
      output_.write("  ");
      write_run(remarks->behind);
    }
    if (remarks != nullptr) {
      for (const Run& run : remarks->own) {
        output_.start_line(item.closes_list ? indent_inside : indent);
        write_run(run);
      }
    }
    output_.start_line(indent);
    last_rank_ = item.rank;
    list_is_broken_ = list_is_broken_ || item.starts_part;
    const std::size_t end = std::min<std::size_t>(item.chunk_end, must_break);
    if (output_.column() + width(i, end) <= widest_line) flat_until_ = end;
  }

  /// Where a line starts that is broken before item `i`.
  [[nodiscard]] std::size_t indent_of(std::size_t i, const Piece& piece) {
    const Item& item = items_[i];
    const auto is_inside = [&](const Broken& level) {
      return item.closes_list ? level.rank >= item.rank : level.rank > item.rank;
    };
    while (!broken_.empty() && is_inside(broken_.back())) broken_.pop_back();
    if (item.closes_list) return broken_.empty() ? piece.indent : broken_.back().indent;
    if (!broken_.empty() && broken_.back().rank == item.rank) return broken_.back().indent;
    // Looser gaps behind this one will be broken because this one is.
    levels_.clear();
    for (std::size_t at = i; at < items_.size(); at = items_[at].next_looser) {
      if (!broken_.empty() && items_[at].rank <= broken_.back().rank) break;
      levels_.push_back(at);
    }
    for (; !levels_.empty(); levels_.pop_back()) {
      const Item& level = items_[levels_.back()];
      const std::size_t outer = broken_.empty() ? piece.indent : broken_.back().indent;
      broken_.push_back({level.rank, std::min(outer + level.indent, deepest_indent)});
    }
    return broken_.back().indent;
  }

  Text text_;
  Splitter splitter_;
  Grammarian grammarian_;
  Output output_;

  // Of the piece at hand.
  std::vector<Item> items_;
  std::vector<Remarked> remarked_;
  std::vector<std::uint32_t> open_chunks_;
  std::vector<std::size_t> levels_;
  std::vector<Broken> broken_;   // ranks ascend
  std::uint32_t last_rank_ = 0;  // of the last gap that was broken
  std::size_t flat_until_ = 0;   // no line needs to be broken before this item
  bool list_is_broken_ = false;
};

}  // namespace

std::optional<std::string> format(const base::Source& source, FileKind kind,
                                  base::Diagnostics& diagnostics) {
  const std::size_t num_errors = diagnostics.num_errors();
  if (kind == FileKind::Model) {
    (void)parse_model(source, diagnostics);
  } else {
    (void)parse_spec(source, diagnostics);
  }
  if (diagnostics.num_errors() > num_errors) return std::nullopt;
  return Formatter(source, kind).run();
}

std::string format_formula(std::string_view text) {
  const base::Source source = base::Source::from_text("formula", std::string(text));
  const Text lexed(source);
  Piece piece;
  piece.form = Piece::Form::Formula;
  piece.end = lexed.tokens().size() - 1;
  Grammarian grammarian(lexed.tokens());
  grammarian.start(piece);
  std::string line;
  for (std::size_t at = 0; at < piece.end; ++at) {
    if (grammarian.before(at).blank && at > 0) line += ' ';
    line += lexed.token(at);
  }
  return line;
}

}  // namespace cohort::lang
