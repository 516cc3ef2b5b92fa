#include "ltl/token.hpp"

namespace cohort::ltl {
namespace {

[[nodiscard]] constexpr base::Spelling spelled(Kind kind, std::string_view text) {
  return {text, static_cast<base::TokenKind>(kind)};
}

}  // namespace

const base::Lexicon& formula_lexicon() {
  static const base::Lexicon table{{
                                       spelled(Kind::ParenOpen, "("),
                                       spelled(Kind::ParenClose, ")"),
                                       spelled(Kind::SquareOpen, "["),
                                       spelled(Kind::SquareClose, "]"),
                                       spelled(Kind::BraceOpen, "{"),
                                       spelled(Kind::BraceClose, "}"),
                                       spelled(Kind::Comma, ","),
                                       spelled(Kind::Semicolon, ";"),
                                       spelled(Kind::Colon, ":"),
                                       spelled(Kind::Dot, "."),
                                       spelled(Kind::DotDot, ".."),
                                       spelled(Kind::Hash, "#"),
                                       spelled(Kind::Question, "?"),
                                       spelled(Kind::QuestionTime, "?T"),
                                       spelled(Kind::QuestionCount, "?C"),
                                       spelled(Kind::Repeat, "[*"),
                                       spelled(Kind::RepeatSome, "[+]"),
                                       spelled(Kind::Strong, "[!]"),
                                       spelled(Kind::Arrow, "->"),
                                       spelled(Kind::Arrow, "→"),
                                       spelled(Kind::FatArrow, "=>"),
                                       spelled(Kind::Iff, "<->"),
                                       spelled(Kind::Iff, "↔"),
                                       spelled(Kind::Suffix, "|->"),
                                       spelled(Kind::SuffixNext, "|=>"),
                                       spelled(Kind::Equal, "="),
                                       spelled(Kind::Equal, "=="),
                                       spelled(Kind::NotEqual, "!="),
                                       spelled(Kind::NotEqual, "≠"),
                                       spelled(Kind::Less, "<"),
                                       spelled(Kind::LessEqual, "<="),
                                       spelled(Kind::LessEqual, "≤"),
                                       spelled(Kind::Greater, ">"),
                                       spelled(Kind::GreaterEqual, ">="),
                                       spelled(Kind::GreaterEqual, "≥"),
                                       spelled(Kind::Plus, "+"),
                                       spelled(Kind::Minus, "-"),
                                       spelled(Kind::Times, "*"),
                                       spelled(Kind::Divide, "/"),
                                       spelled(Kind::Modulo, "%"),
                                       spelled(Kind::Not, "!"),
                                       spelled(Kind::Not, "¬"),
                                       spelled(Kind::And, "&"),
                                       spelled(Kind::And, "∧"),
                                       spelled(Kind::AndAnd, "&&"),
                                       spelled(Kind::Or, "|"),
                                       spelled(Kind::Or, "||"),
                                       spelled(Kind::Or, "∨"),
                                       spelled(Kind::Always, "G"),
                                       spelled(Kind::Always, "[]"),
                                       spelled(Kind::Eventually, "F"),
                                       spelled(Kind::Eventually, "<>"),
                                       spelled(Kind::Next, "X"),
                                       spelled(Kind::Until, "U"),
                                       spelled(Kind::WeakUntil, "W"),
                                       spelled(Kind::Release, "R"),
                                       spelled(Kind::Forall, "forall"),
                                       spelled(Kind::Forall, "∀"),
                                       spelled(Kind::Exists, "exists"),
                                       spelled(Kind::Exists, "∃"),
                                       spelled(Kind::In, "in"),
                                       spelled(Kind::In, "∈"),
                                       spelled(Kind::Count, "COUNT"),
                                       spelled(Kind::Enabled, "enabled"),
                                       spelled(Kind::Deadlock, "deadlock"),
                                       spelled(Kind::True, "true"),
                                       spelled(Kind::True, "True"),
                                       spelled(Kind::True, "TRUE"),
                                       spelled(Kind::False, "false"),
                                       spelled(Kind::False, "False"),
                                       spelled(Kind::False, "FALSE"),
                                       spelled(Kind::None, "none"),
                                   },
                                   {.decimals = true, .strings = true}};
  return table;
}

const base::Lexicon& monitor_lexicon() {
  static const base::Lexicon table{
      {
          spelled(Kind::ParenOpen, "("),     spelled(Kind::ParenClose, ")"),
          spelled(Kind::SquareOpen, "["),    spelled(Kind::SquareClose, "]"),
          spelled(Kind::Comma, ","),         spelled(Kind::Question, "?"),
          spelled(Kind::QuestionTime, "?T"), spelled(Kind::QuestionCount, "?C"),
          spelled(Kind::Arrow, "->"),        spelled(Kind::Arrow, "→"),
          spelled(Kind::Equal, "="),         spelled(Kind::Equal, "=="),
          spelled(Kind::NotEqual, "!="),     spelled(Kind::NotEqual, "≠"),
          spelled(Kind::Less, "<"),          spelled(Kind::LessEqual, "<="),
          spelled(Kind::LessEqual, "≤"),     spelled(Kind::Greater, ">"),
          spelled(Kind::GreaterEqual, ">="), spelled(Kind::GreaterEqual, "≥"),
          spelled(Kind::Plus, "+"),          spelled(Kind::Minus, "-"),
          spelled(Kind::Times, "*"),         spelled(Kind::Divide, "/"),
          spelled(Kind::Not, "!"),           spelled(Kind::Not, "¬"),
          spelled(Kind::And, "&"),           spelled(Kind::And, "&&"),
          spelled(Kind::And, "∧"),           spelled(Kind::Or, "|"),
          spelled(Kind::Or, "||"),           spelled(Kind::Or, "∨"),
          spelled(Kind::True, "true"),       spelled(Kind::True, "True"),
          spelled(Kind::True, "TRUE"),       spelled(Kind::False, "false"),
          spelled(Kind::False, "False"),     spelled(Kind::False, "FALSE"),
          spelled(Kind::Monitor, "monitor"), spelled(Kind::Initial, "initial"),
          spelled(Kind::BadState, "bad"),    spelled(Kind::Counter, "counter"),
          spelled(Kind::When, "when"),       spelled(Kind::Do, "do"),
          spelled(Kind::Min, "min"),         spelled(Kind::Max, "max"),
      },
      {.decimals = true, .strings = true, .line_breaks = true, .hash_comments = true}};
  return table;
}

}  // namespace cohort::ltl
