// The tokens of models and specs.
#pragma once

#include "base/lexer.hpp"

namespace cohort::lang {

enum class Kind : base::TokenKind {
  End = base::end_token,
  Name = base::name_token,
  Integer = base::integer_token,
  Bad = base::bad_token,
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
  Question,
  Arrow,
  FatArrow,
  Iff,
  Assign,
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
  Or,
  // words
  Program,
  Module,
  Const,
  Enum,
  PriorityClass,
  Priority,
  Init,
  Formula,
  Evaluation,
  Property,
  With,
  Expect,
  Of,
  In,
  Where,
  All,
  Exists,
  Count,
  ForallProcess,
  ExistsProcess,
  True,
  False,
  None,
  Enabled,
  Deadlock,
  Bool,
  PathE,
  PathA,
  PathEfair,
  PathAfair,
  Next,
  Globally,
  Finally,
  Until,
  WeakUntil,
  Release,
  EX,
  EF,
  EG,
  AX,
  AF,
  AG,
  EfairX,
  EfairF,
  EfairG,
  AfairX,
  AfairF,
  AfairG,
};

[[nodiscard]] constexpr Kind kind_of(const base::Token& token) {
  return static_cast<Kind>(token.kind);
}

/// All spellings; the first one of a kind is what the formatter writes.
[[nodiscard]] const base::Lexicon& lexicon();

}  // namespace cohort::lang
