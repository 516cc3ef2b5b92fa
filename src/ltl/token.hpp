// The tokens of LTL formulas and of monitors.
#pragma once

#include "base/lexer.hpp"

namespace cohort::ltl {

enum class Kind : base::TokenKind {
  End = base::end_token,
  Name = base::name_token,
  Integer = base::integer_token,
  Bad = base::bad_token,
  Decimal = base::decimal_token,
  String = base::string_token,
  LineBreak = base::line_break_token,
  // signs
  ParenOpen = base::first_own_token,
  ParenClose,
  SquareOpen,
  SquareClose,
  BraceOpen,
  BraceClose,
  Comma,
  Semicolon,
  Colon,
  Dot,
  DotDot,
  Hash,
  Question,
  QuestionTime,
  QuestionCount,
  Repeat,
  RepeatSome,
  Strong,
  Arrow,
  FatArrow,
  Iff,
  Suffix,
  SuffixNext,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Plus,
  Minus,
  Times,
  Divide,
  Modulo,
  Not,
  And,
  AndAnd,
  Or,
  // words
  Always,
  Eventually,
  Next,
  Until,
  WeakUntil,
  Release,
  Forall,
  Exists,
  In,
  Count,
  Enabled,
  Deadlock,
  True,
  False,
  None,
  Monitor,
  Initial,
  BadState,
  Counter,
  When,
  Do,
  Min,
  Max,
};

[[nodiscard]] constexpr Kind kind_of(const base::Token& token) {
  return static_cast<Kind>(token.kind);
}

/// All spellings of formulas: grammar/ltl.ebnf.
[[nodiscard]] const base::Lexicon& formula_lexicon();
/// All spellings of monitors: grammar/monitor.ebnf.
[[nodiscard]] const base::Lexicon& monitor_lexicon();

}  // namespace cohort::ltl
