// Idea.  Tokens alone say nearly everything.  What is left needs to know which bracket a token is
// in (a colon, a minus sign), what stood before (unary or binary) and what comes next (`client?`).
//
// A quantifier's scope counts as a bracket that nobody wrote: it reaches to the end of the bracket
// around it, or to the U, W or R of that.
#include "lang/format_gaps.hpp"

#include <utility>

namespace cohort::lang {
namespace {

using base::Token;

constexpr std::size_t section_indent = 2;
constexpr std::size_t body_indent = 2;
constexpr std::uint8_t property_indent = 2;

[[nodiscard]] bool ends_operand(Kind kind) {
  switch (kind) {
    case Kind::Name:
    case Kind::Integer:
    case Kind::ParenClose:
    case Kind::SquareClose:
    case Kind::BraceClose:
    case Kind::True:
    case Kind::False:
    case Kind::None:
    case Kind::Deadlock:
      return true;
    default:
      return false;
  }
}

/// Words whose operand may stand in brackets right behind them.
[[nodiscard]] bool is_operator_word(Kind kind) {
  switch (kind) {
    case Kind::All:
    case Kind::Exists:
    case Kind::Count:
    case Kind::Enabled:
    case Kind::PathE:
    case Kind::PathA:
    case Kind::PathEfair:
    case Kind::PathAfair:
    case Kind::Next:
    case Kind::Globally:
    case Kind::Finally:
    case Kind::EX:
    case Kind::EF:
    case Kind::EG:
    case Kind::AX:
    case Kind::AF:
    case Kind::AG:
    case Kind::EfairX:
    case Kind::EfairF:
    case Kind::EfairG:
    case Kind::AfairX:
    case Kind::AfairF:
    case Kind::AfairG:
      return true;
    default:
      return false;
  }
}

/// The level of a binary operator; a line is broken before it.
[[nodiscard]] BreakLevel operator_level(Kind kind) {
  switch (kind) {
    case Kind::Until:
    case Kind::WeakUntil:
    case Kind::Release:
      return BreakLevel::Conditional;
    case Kind::Iff:
      return BreakLevel::Iff;
    case Kind::Arrow:
    case Kind::FatArrow:
      return BreakLevel::Implies;
    case Kind::Or:
      return BreakLevel::Or;
    case Kind::And:
      return BreakLevel::And;
    case Kind::Assign:
    case Kind::Equal:
    case Kind::NotEqual:
    case Kind::Less:
    case Kind::LessEqual:
    case Kind::Greater:
    case Kind::GreaterEqual:
      return BreakLevel::Compare;
    case Kind::Plus:
    case Kind::Minus:
      return BreakLevel::Sum;
    case Kind::Times:
    case Kind::Divide:
    case Kind::Modulo:
      return BreakLevel::Product;
    default:
      return BreakLevel::Never;
  }
}

/// A priority is broken off like one more action.
void as_action(Gap& gap) {
  gap.level = BreakLevel::Comma;
  gap.indent = 0;
}

}  // namespace

Splitter::Splitter(const std::vector<Token>& tokens, FileKind kind)
    : tokens_(tokens),
      in_program_(kind == FileKind::Model),
      form_(kind == FileKind::Spec ? Piece::Form::Property : Piece::Form::Declaration) {}

Piece Splitter::next() {
  Piece piece;
  piece.begin = at_;
  piece.comment_indent = indent_;
  switch (kind_of(tokens_[at_])) {
    case Kind::End:
      return piece;
    case Kind::Program:
      return section(piece, Piece::Form::Declaration);
    case Kind::Formula:
      in_program_ = false;
      return section(piece, is_named(at_ + 1) ? Piece::Form::Property : Piece::Form::Formula);
    case Kind::Evaluation:
      in_program_ = false;
      return section(piece, Piece::Form::Value);
    case Kind::BraceClose:
      piece.form = Piece::Form::BodyClose;
      indent_ -= body_indent;
      form_ = Piece::Form::Declaration;
      break;
    default:
      piece.form = form_;
      break;
  }
  piece.indent = indent_;
  at_ = end_of_piece();
  piece.end = at_;
  if (in_program_ && kind_of(tokens_[at_ - 1]) == Kind::BraceOpen) {
    piece.form = Piece::Form::BodyOpen;
    indent_ += body_indent;
    form_ = Piece::Form::Schema;
  }
  return piece;
}

bool Splitter::is_named(std::size_t token) const {
  return kind_of(tokens_[token]) == Kind::Name && kind_of(tokens_[token + 1]) == Kind::Colon;
}

Piece Splitter::section(Piece piece, Piece::Form form_inside) {
  piece.form = Piece::Form::Keyword;
  piece.end = ++at_;
  indent_ = section_indent;
  form_ = form_inside;
  return piece;
}

std::size_t Splitter::end_of_piece() const {
  std::size_t depth = 0;
  for (std::size_t i = at_;; ++i) {
    switch (kind_of(tokens_[i])) {
      case Kind::End:
      case Kind::Formula:
      case Kind::Evaluation:
        return i;
      case Kind::BraceOpen:
        if (in_program_ && i > at_ && kind_of(tokens_[i - 1]) == Kind::Colon) return i + 1;
        break;
      case Kind::BraceClose:
        if (i == at_) return i + 1;
        break;
      case Kind::ParenOpen:
        ++depth;
        break;
      case Kind::ParenClose:
        --depth;
        break;
      case Kind::Semicolon:
        if (depth == 0) return i + 1;  // inside of brackets it belongs to a priority
        break;
      default:
        break;
    }
  }
}

void Grammarian::start(const Piece& piece) {
  piece_ = piece;
  frames_.assign(1, Frame{});
  depth_ = 0;
  named_ = false;
  behind_ = Gap{};
}

Gap Grammarian::before(std::size_t at) {
  Gap gap = std::exchange(behind_, Gap{});
  at_ = at;
  read(gap);
  behind_.depth = behind_.level == BreakLevel::List ? depth_ - 1 : depth_;
  return gap;
}

Kind Grammarian::kind(std::ptrdiff_t ahead) const {
  const std::ptrdiff_t token = static_cast<std::ptrdiff_t>(at_) + ahead;
  if (token < static_cast<std::ptrdiff_t>(piece_.begin)) return Kind::End;
  return kind_of(tokens_[static_cast<std::size_t>(token)]);
}

bool Grammarian::in_ids() const {
  const Bracket bracket = frames_.back().bracket;
  return bracket == Bracket::Ids || bracket == Bracket::Priority;
}

bool Grammarian::is_behind_label() const {
  return piece_.form == Piece::Form::Schema && at_ == piece_.begin + 3 &&
         kind(-3) == Kind::SquareOpen;
}

/// True behind `in client`, when a quantifier's scope starts here.
bool Grammarian::is_behind_set() const {
  if (!piece_.has_formula()) return false;
  return kind(-1) == Kind::BraceClose || (kind(-1) == Kind::Name && kind(-2) == Kind::In);
}

void Grammarian::read(Gap& gap) {
  switch (kind()) {
    case Kind::ParenOpen:
      return paren_open(gap);
    case Kind::SquareOpen:
      if (kind(-1) == Kind::Name || is_operator_word(kind(-1))) gap.blank = false;
      return open(Bracket::Other);
    case Kind::BraceOpen:
      return brace_open(gap);
    case Kind::ParenClose:
    case Kind::SquareClose:
    case Kind::BraceClose:
      return close(gap);
    case Kind::Semicolon:
      gap.blank = false;
      if (!is_outermost()) behind_.level = BreakLevel::Comma;
      return;
    case Kind::Comma:
      return comma(gap);
    case Kind::Colon:
      return colon(gap);
    case Kind::Dot:
      behind_.level = BreakLevel::Separator;
      return;
    case Kind::DotDot:
      gap.blank = behind_.blank = false;
      return;
    case Kind::Question:
      return question(gap);
    case Kind::Not:
      behind_.blank = false;
      return;
    case Kind::ForallProcess:
    case Kind::ExistsProcess:
      if (is_behind_set()) gap.level = BreakLevel::Separator;
      ++frames_.back().num_quantifiers;
      ++depth_;
      return;
    case Kind::In:
      frames_.back().has_in = true;
      return;
    case Kind::Where:
      gap.level = BreakLevel::Separator;
      return;
    case Kind::Priority:
      if (is_outermost()) as_action(gap);
      return;
    default:
      return infix(gap);
  }
}

void Grammarian::paren_open(Gap& gap) {
  const bool starts_priority = kind(1) == Kind::Priority;
  const bool ends_priority =
      kind(-1) == Kind::Priority || (kind(-1) == Kind::Name && kind(-2) == Kind::Priority);
  if (starts_priority || ends_priority) {
    if (starts_priority) as_action(gap);
    return open(Bracket::Priority);
  }
  if (is_behind_set()) {
    gap.level = BreakLevel::Separator;
  } else if (kind(-1) == Kind::Name || is_operator_word(kind(-1))) {
    gap.blank = false;
  }
  if (kind(-1) == Kind::All || kind(-1) == Kind::Exists || kind(-1) == Kind::Count) {
    return open(Bracket::Binding);
  }
  const bool is_class = kind_of(tokens_[piece_.begin]) == Kind::PriorityClass;
  open(is_class ? Bracket::Ids : Bracket::Other);
}

void Grammarian::brace_open(Gap& gap) {
  if (kind(-1) == Kind::Name) {
    gap.blank = false;
    return open(Bracket::Ids);
  }
  if (kind(-1) == Kind::Colon) return;  // a body's
  behind_.level = BreakLevel::List;
  open(Bracket::List);
}

void Grammarian::open(Bracket bracket) {
  frames_.emplace_back();
  frames_.back().bracket = bracket;
  ++depth_;
  if (bracket != Bracket::List) behind_.blank = false;
}

void Grammarian::close(Gap& gap) {
  if (is_outermost()) return;  // the brace of a body
  const Frame frame = frames_.back();
  frames_.pop_back();
  depth_ -= 1 + frame.num_quantifiers;
  gap.level = BreakLevel::Never;
  if (frame.bracket == Bracket::List) {
    gap.level = BreakLevel::List;
    gap.depth = depth_;
    gap.closes_list = true;
  } else {
    gap.blank = false;
  }
}

void Grammarian::comma(Gap& gap) {
  gap.blank = false;
  behind_.level = BreakLevel::Comma;
  const bool between_actions = is_outermost() && piece_.form == Piece::Form::Schema;
  if (between_actions || frames_.back().bracket == Bracket::List) behind_.indent = 0;
}

void Grammarian::colon(Gap& gap) {
  Frame& frame = frames_.back();
  if (frame.num_questions > 0) {
    --frame.num_questions;
    gap.level = BreakLevel::Conditional;
  } else if (frame.bracket == Bracket::Priority) {
    gap.blank = behind_.blank = false;
    behind_.level = BreakLevel::Comma;
  } else if (is_outermost() && piece_.form == Piece::Form::Property && !named_) {
    named_ = true;
    behind_.level = BreakLevel::Part;
    behind_.indent = property_indent;
  } else {
    if (frame.bracket == Bracket::Binding && !frame.has_in) gap.blank = false;
    behind_.level = BreakLevel::Separator;
  }
}

void Grammarian::question(Gap& gap) {
  const Kind next = kind(1);
  if (next == Kind::Semicolon || next == Kind::Assign || next == Kind::In) {
    gap.blank = false;  // of a type, as in `client?`
    return;
  }
  ++frames_.back().num_questions;
  gap.level = BreakLevel::Conditional;
}

void Grammarian::infix(Gap& gap) {
  const BreakLevel level = operator_level(kind());
  if (level == BreakLevel::Never) return;
  if (kind() == Kind::Minus) {
    if (in_ids()) {
      gap.blank = behind_.blank = false;
      return;
    }
    if (!ends_operand(kind(-1)) || is_behind_label()) {
      behind_.blank = false;
      return;
    }
  }
  if (kind() == Kind::Assign && !piece_.has_formula()) {
    behind_.level = BreakLevel::Separator;
    return;
  }
  if (kind() == Kind::Arrow && piece_.form == Piece::Form::Schema) {
    behind_.level = BreakLevel::Part;
    return;
  }
  if (level == BreakLevel::Conditional) {  // U, W and R end the scopes on their left
    depth_ -= std::exchange(frames_.back().num_quantifiers, 0U);
  }
  gap.level = level;
  gap.depth = depth_;
}

}  // namespace cohort::lang
